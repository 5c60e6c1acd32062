// SPDX-License-Identifier: MIT
// What all our HTML pages share: one file each that needs nothing else, readable on light and on dark screens.
#pragma once

#include <string>
#include <vector>

namespace kinecast::host {

// Text made safe between tags and in attributes.
[[nodiscard]] std::string escaped(const std::string& text);

// A table's row; element: "td" or "th".
[[nodiscard]] std::string row(const std::vector<std::string>& cells, const std::string& element);

// rows: of row(). On a narrow screen the table scrolls, not the page.
[[nodiscard]] std::string table(const std::string& rows);

// body: HTML; the title is text.
[[nodiscard]] std::string document(const std::string& title, const std::string& body);

}  // namespace kinecast::host
