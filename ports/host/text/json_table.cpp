// SPDX-License-Identifier: MIT
#include "json_table.hpp"

#include "text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>

namespace kinecast::host {

Json read_json(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in.is_open() || in.bad()) throw Failure(ExitCode::bad_input, file + ": cannot be read");
  // The library keeps the last of two equal keys and says nothing.
  std::vector<std::set<std::string>> keys;
  const auto watch = [&](int /*depth*/, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(parsed.get<std::string>()).second)
      throw Failure(ExitCode::bad_input, file + ": the key \"" + parsed.get<std::string>() + "\" is given twice");
    return true;
  };
  try {
    return Json::parse(text, watch, true, true);  // comments are allowed: the file is written by hand
  } catch (const nlohmann::json::parse_error& error) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    const std::string line = std::to_string(1 + std::count(text.begin(), end, '\n'));
    const std::string what = error.what();  // "[json.exception…] parse error at line 2, column 5: …"
    const std::size_t reason = what.find(": ");
    throw Failure(ExitCode::bad_input, file + ":" + line + ": not JSON: " +
                                           printable(reason == std::string::npos ? what : what.substr(reason + 2)));
  } catch (const nlohmann::json::out_of_range& error) {
    const std::string what = error.what();  // "[json.exception…] number overflow parsing '1e999'"
    const std::size_t reason = what.find("] ");
    throw Failure(ExitCode::bad_input, file + ": a number is too large for a double: " +
                                           printable(reason == std::string::npos ? what : what.substr(reason + 2)));
  }
}

JsonTable::JsonTable(std::string file, std::string path, const Json& value, std::vector<std::string> known)
    : file_(std::move(file)), path_(std::move(path)), value_(value) {
  if (!value_.is_object())
    throw Failure(ExitCode::bad_input, file_ + ": " + (path_.empty() ? "the file" : path_) +
                                           " must be an object { … } with the keys " + listed(known));
  for (const auto& [key, ignored] : value_.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string guess = nearest(key, known);
    refuse(key, "unknown key; " + (guess.empty() ? std::string{} : "did you mean \"" + guess + "\"? ") +
                    "Known here: " + listed(known));
  }
}

std::string JsonTable::path_of(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

void JsonTable::refuse(const std::string& key, const std::string& sentence) const {
  throw Failure(ExitCode::bad_input, file_ + ": " + printable(path_of(key)) + ": " + sentence);
}

bool JsonTable::has(const std::string& key) const { return value_.contains(key); }

const Json& JsonTable::raw(const std::string& key) const {
  if (!has(key)) refuse(key, "is missing");
  return value_.at(key);
}

double JsonTable::number(const std::string& key) const {
  const Json& value = raw(key);
  if (!value.is_number()) refuse(key, "must be a number, not " + std::string(value.type_name()));
  const double number = value.get<double>();
  if (!std::isfinite(number)) refuse(key, "must be a finite number");
  return number;
}

double JsonTable::number(const std::string& key, double otherwise) const { return has(key) ? number(key) : otherwise; }

std::string JsonTable::text(const std::string& key) const {
  const Json& value = raw(key);
  if (!value.is_string()) refuse(key, "must be a text in quotes, not " + std::string(value.type_name()));
  return value.get<std::string>();
}

std::string JsonTable::choice(const std::string& key, const std::vector<std::string>& allowed) const {
  std::string word = text(key);
  if (std::find(allowed.begin(), allowed.end(), word) == allowed.end())
    refuse(key, "\"" + printable(word) + "\" is not known; allowed: " + listed(allowed));
  return word;
}

bool JsonTable::flag(const std::string& key, bool otherwise) const {
  if (!has(key)) return otherwise;
  if (!raw(key).is_boolean()) refuse(key, "must be true or false");
  return raw(key).get<bool>();
}

JsonTable JsonTable::table(const std::string& key, std::vector<std::string> known) const {
  return {file_, path_of(key), raw(key), std::move(known)};
}

std::optional<std::string> JsonTable::one_of(const std::vector<std::string>& keys) const {
  std::optional<std::string> found;
  for (const std::string& key : keys) {
    if (!has(key)) continue;
    if (found) refuse(key, "cannot be given together with \"" + *found + "\"");
    found = key;
  }
  return found;
}

}  // namespace kinecast::host
