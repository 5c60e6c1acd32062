// SPDX-License-Identifier: MIT
// Result files that are there completely or not at all.
#pragma once

#include <string>
#include <vector>

namespace kinecast::host {

// Written beside its place under another name, then renamed: whoever reads `file` sees the old contents or the new ones.
void write_file(const std::string& file, const std::string& contents);

struct ResultFile {
  std::string name;
  std::string contents;
};
// All of them or none: every one is complete under its other name before the first takes its place.
void write_files(const std::vector<ResultFile>& files);

// Refuses, before a long run, a result that could not be written after it.
void expect_writable(const std::string& result);

// Refuses, before any work, a result that would overwrite one of the inputs.
void expect_other_file(const std::string& result, const std::vector<std::string>& inputs);

}  // namespace kinecast::host
