// SPDX-License-Identifier: MIT
#include "cpp_text.hpp"

#include <charconv>
#include <cmath>
#include <set>

namespace kinecast::host {
namespace {

// Keywords, alternative tokens, macros that common headers define, and the words that robots are written in: a robots::link would
// hide kinecast::link from the next header's robot.
const std::set<std::string>& taken_names() {
  static const std::set<std::string> kNames{
      "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
      "char8_t", "char16_t", "char32_t", "class", "co_await", "co_return", "co_yield", "compl", "concept", "const",
      "const_cast", "consteval", "constexpr", "constinit", "continue", "decltype", "default", "delete", "do", "double",
      "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if",
      "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or",
      "or_eq", "private", "protected", "public", "register", "reinterpret_cast", "requires", "return", "short",
      "signed", "sizeof", "static", "static_assert", "static_cast", "struct", "switch", "template", "this",
      "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using", "virtual",
      "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
      // macros
      "assert", "errno", "linux", "unix", "i386", "min", "max", "NULL", "EOF", "I", "F", "NAN", "INFINITY", "HUGE_VAL",
      "TRUE", "FALSE", "PI", "M_PI", "INPUT", "OUTPUT", "stdin", "stdout", "stderr", "isnan", "isinf", "offsetof",
      // words
      "kinecast", "std", "robot", "link", "on", "at", "rpy", "turned", "revolute", "prismatic", "spherical", "floating",
      "fixed", "body", "com", "inertia", "massless", "radius", "size", "of_kind", "gravity", "contact_point",
      "contact_sphere", "contact_box", "closure", "point_of", "gear", "ratio", "load_loss", "efficiency", "at_motor",
      "at_joint", "rotor_inertia", "stiction", "coulomb", "viscous", "stribeck", "offset", "forward", "backward",
      "dc_motor", "torque_constant", "resistance", "voltage_limit", "torque_limit", "torque_driven", "velocity_driven",
      "undriven", "limits", "speed_limit", "rebound", "soft"};
  return kNames;
}

}  // namespace

std::string number(double value) {
  if (!(std::abs(value) > 0)) return "0";  // -0 too
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

std::string identifier(const std::string& name, const std::string& prefix) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_rest_of_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
  std::string out;
  for (const char c : name)
    if (!is_rest_of_character(c)) out += is_letter(c) || is_digit(c) ? c : '_';
  if (out.empty() || !is_letter(out[0])) out = prefix + out;
  if (taken_names().count(out) > 0) out += '_';
  return out;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  char before = 0;
  for (const char c : text) {
    const bool may_be_trigraph = c == '?' && before == '?';
    if (c == '"' || c == '\\' || may_be_trigraph) out += '\\';
    out += c;
    before = c;
  }
  return out + "\"";
}

}  // namespace kinecast::host
