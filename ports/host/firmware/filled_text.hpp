// SPDX-License-Identifier: MIT
// A template's text with its {{words}} filled in. Words that are not known stay as they are.
#pragma once

#include <map>
#include <string>

namespace kinecast::host {

using Words = std::map<std::string, std::string>;

[[nodiscard]] std::string filled(const std::string& text, const Words& words);

}  // namespace kinecast::host
