// SPDX-License-Identifier: MIT
#include "text.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace kinecast::host {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::optional<double> parse_number(std::string_view text) {
  text = trimmed(text);
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);  // from_chars takes no plus sign
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string rounded(double value, int digits) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits).ptr;
  return {text, end};
}

namespace {

// Levenshtein's distance, one row at a time.
std::size_t edits(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest(const std::string& word, const std::vector<std::string>& known) {
  // A forgotten or wrong unit suffix is the usual slip, and many letters long: the part before it counts.
  const auto begins_alike = [](const std::string& a, const std::string& b) {
    const std::size_t length = std::min({a.find('_'), b.find('_'), a.size(), b.size()});
    return length >= 3 && a.compare(0, length, b, 0, length) == 0;
  };
  std::string best;
  std::size_t fewest = std::string::npos;
  for (const std::string& candidate : known) {
    const std::size_t distance = edits(word, candidate);
    const bool is_slip = distance <= std::max<std::size_t>(word.size() / 3, 2);  // beyond that it is another word
    if ((is_slip || begins_alike(word, candidate)) && distance < fewest) fewest = distance, best = candidate;
  }
  return best;
}

std::string listed(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " and " : ", ";
    out += "\"" + printable(words[i]) + "\"";
  }
  return out;
}

std::string printable(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (static_cast<unsigned char>(c) < ' ' || c == 127) c = '?';
  return out;
}

}  // namespace kinecast::host
