// SPDX-License-Identifier: MIT
// A JSON file read strictly: a key that nobody knows, a key given twice, a wrong type or a missing value is an error that
// names the file and the place, because a parameter that is silently ignored gives a wrong prediction.
#pragma once

#include "../failure.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace kinecast::host {

using Json = nlohmann::ordered_json;  // the user's order stays when fit writes the file again

[[nodiscard]] Json read_json(const std::string& file);

class JsonTable {
 public:
  // path: where in the file, as "friction.at_joint"; empty at the top. Refuses unknown keys at once.
  JsonTable(std::string file, std::string path, const Json& value, std::vector<std::string> known);

  [[nodiscard]] bool has(const std::string& key) const;
  [[nodiscard]] double number(const std::string& key) const;
  [[nodiscard]] double number(const std::string& key, double otherwise) const;
  [[nodiscard]] std::string text(const std::string& key) const;
  [[nodiscard]] std::string choice(const std::string& key, const std::vector<std::string>& allowed) const;
  [[nodiscard]] bool flag(const std::string& key, bool otherwise) const;
  [[nodiscard]] JsonTable table(const std::string& key, std::vector<std::string> known) const;
  [[nodiscard]] const Json& raw(const std::string& key) const;  // refuses if missing
  // The one of these keys that is given, if any; refuses two.
  [[nodiscard]] std::optional<std::string> one_of(const std::vector<std::string>& keys) const;

  [[nodiscard]] std::string path_of(const std::string& key) const;
  [[noreturn]] void refuse(const std::string& key, const std::string& sentence) const;

 private:
  std::string file_;
  std::string path_;
  const Json& value_;
};

}  // namespace kinecast::host
