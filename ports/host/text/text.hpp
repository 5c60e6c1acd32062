// SPDX-License-Identifier: MIT
// Numbers from text and to text, the same in every locale, and the nearest of some known words.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kinecast::host {

// The whole text, spaces around it aside, as a number; empty if it is anything else. "nan" and "inf" are numbers here.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

[[nodiscard]] std::string_view trimmed(std::string_view text);

// With this many significant digits, no trailing zeros.
[[nodiscard]] std::string rounded(double value, int digits);

// The known word with the fewest edits; empty if none is near.
[[nodiscard]] std::string nearest(const std::string& word, const std::vector<std::string>& known);

// "a", "b" and "c"
[[nodiscard]] std::string listed(const std::vector<std::string>& words);

// A name from a file, made safe for a terminal: control characters become '?'.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace kinecast::host
