// SPDX-License-Identifier: MIT
#include "html.hpp"

#include "text.hpp"

namespace kinecast::host {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string row(const std::vector<std::string>& cells, const std::string& element) {
  std::string out = "<tr>";
  for (const std::string& cell : cells) out += "<" + element + ">" + escaped(cell) + "</" + element + ">";
  return out + "</tr>\n";
}

std::string table(const std::string& rows) { return "<div class=\"wide\"><table>\n" + rows + "</table></div>\n"; }

std::string document(const std::string& title, const std::string& body) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         escaped(title) +
         "</title>\n<style>\n"
         ":root { color-scheme: light dark; --ink: #202020; --paper: #ffffff; --line: #d0d0d0; --box: #f2f2f2; }\n"
         "@media (prefers-color-scheme: dark) {\n"
         "  :root { --ink: #e4e4e4; --paper: #121214; --line: #484848; --box: #242426; }\n"
         "}\n"
         "body { font-family: sans-serif; max-width: 1040px; margin: 1em auto; padding: 0 1em; color: var(--ink); "
         "background: var(--paper); }\n"
         "table { border-collapse: collapse; margin: 0.5em 0; }\n"
         "th, td { border-bottom: 1px solid var(--line); padding: 0.25em 0.8em; text-align: right; }\n"
         "th:first-child, td:first-child { text-align: left; }\n"
         "svg { width: 100%; height: auto; background: #ffffff; }\n"  // gnuplot draws black lines on nothing
         ".wide { overflow-x: auto; }\n"
         "pre { background: var(--box); padding: 0.6em; overflow-x: auto; }\n"
         "</style>\n</head>\n<body>\n<h1>" +
         escaped(title) + "</h1>\n" + body + "</body>\n</html>\n";
}

}  // namespace kinecast::host
