// SPDX-License-Identifier: MIT
// libFuzzer on `kinecast import`: whatever the text, it is refused with a Failure or becomes a header; both bases. No file is read
// but the text: meshes are never found.
#include "host/failure.hpp"
#include "host/robot/checked_robot.hpp"
#include "host/robot/contact_points.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace kinecast::host {

std::string Meshes::find(const std::string& /*name*/) const { return {}; }

std::optional<Hull> Meshes::hull(const std::string& name, const Triple& /*scale*/) {
  missing_.insert(name);
  return std::nullopt;
}

}  // namespace kinecast::host

namespace {

// A number that is none, outside of names and comments.
bool has_bad_number(const std::string& header) {
  std::string code;
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (header.compare(i, 2, "//") == 0) i = header.find('\n', i);
    if (header[i] != '"') {
      code += header[i];
      continue;
    }
    for (++i; header[i] != '"'; ++i) i += header[i] == '\\' ? 1 : 0;
  }
  for (const char* before : {"(", "{", " ", "-"})
    for (const char* bad : {"nan,", "nan)", "nan}", "inf,", "inf)", "inf}"})
      if (code.find(std::string(before) + bad) != std::string::npos) return true;
  return false;
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kinecast::host;
  const std::string text(data, data + size);
  for (const Base base : {Base::fixed, Base::floating}) {
    try {
      Notes notes;
      UrdfRobot urdf = read_urdf_text("robot.urdf", text, base, notes);
      check_robot(urdf, notes);
      Meshes meshes("robot.urdf");
      add_points_of_shapes(urdf, meshes, notes);
      add_shapes(urdf, meshes, notes);
      const ImportedRobot imported = named_robot(std::move(urdf), notes);
      const std::string header = header_of(imported, "float", "kinecast import robot.urdf");
      if (has_bad_number(header)) std::abort();
    } catch (const Failure&) {
    }
  }
  return 0;
}
