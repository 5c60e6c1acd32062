// SPDX-License-Identifier: MIT
// What the user of an imported robot should know, a sentence each; one that holds for twenty joints is said once.
#pragma once

#include <string>
#include <vector>

namespace kinecast::host {

class Notes {
 public:
  void add(const std::string& sentence) { groups_.push_back({"", sentence, {}}); }
  // kind: "joint" or "link". The same sentence of another name joins the first one.
  void add(const std::string& kind, const std::string& name, const std::string& sentence);

  // joints "a", "b" and "c": no speed limit is given
  [[nodiscard]] std::vector<std::string> sentences() const;

 private:
  struct Group {
    std::string kind;
    std::string sentence;
    std::vector<std::string> names;
  };
  std::vector<Group> groups_;
};

}  // namespace kinecast::host
