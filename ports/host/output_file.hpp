// SPDX-License-Identifier: MIT
// A result file that is there completely or not at all.
#pragma once

#include <string>
#include <vector>

namespace kinecast::host {

// Written beside its place under another name, then renamed: whoever reads `file` sees the old contents or the new ones.
void write_file(const std::string& file, const std::string& contents);

// Refuses, before any work, a result that would overwrite one of the inputs.
void expect_other_file(const std::string& result, const std::vector<std::string>& inputs);

}  // namespace kinecast::host
