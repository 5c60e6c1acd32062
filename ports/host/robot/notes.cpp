// SPDX-License-Identifier: MIT
#include "notes.hpp"

#include "../text/text.hpp"

namespace kinecast::host {

void Notes::add(const std::string& kind, const std::string& name, const std::string& sentence) {
  for (Group& group : groups_) {
    if (group.kind != kind || group.sentence != sentence) continue;
    group.names.push_back(name);
    return;
  }
  groups_.push_back({kind, sentence, {name}});
}

std::vector<std::string> Notes::sentences() const {
  constexpr std::size_t kMostNames = 4;  // then only how many more
  std::vector<std::string> out;
  for (const Group& group : groups_) {
    if (group.names.empty()) {
      out.push_back(group.sentence);
      continue;
    }
    std::vector<std::string> names = group.names;
    std::string more;
    if (names.size() > kMostNames + 1) {
      more = " and " + std::to_string(names.size() - kMostNames) + " more";
      names.resize(kMostNames);
    }
    std::string list = listed(names);
    if (!more.empty())
      if (const std::size_t at = list.rfind(" and "); at != std::string::npos) list.replace(at, 5, ", ");
    out.push_back(group.kind + (group.names.size() > 1 ? "s " : " ") + list + more + ": " + group.sentence);
  }
  return out;
}

}  // namespace kinecast::host
