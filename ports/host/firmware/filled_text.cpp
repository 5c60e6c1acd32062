// SPDX-License-Identifier: MIT
#include "filled_text.hpp"

namespace kinecast::host {

std::string filled(const std::string& text, const Words& words) {
  std::string out;
  std::size_t at = 0;
  for (;;) {
    const std::size_t open = text.find("{{", at);
    const std::size_t close = open == std::string::npos ? open : text.find("}}", open);
    if (close == std::string::npos) return out + text.substr(at);
    const auto word = words.find(text.substr(open + 2, close - open - 2));
    out += text.substr(at, open - at);
    out += word != words.end() ? word->second : text.substr(open, close + 2 - open);
    at = close + 2;
  }
}

}  // namespace kinecast::host
