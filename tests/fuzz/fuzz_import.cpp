// SPDX-License-Identifier: MIT
// libFuzzer on `kinecast import`: whatever the text, it is refused with a Failure or becomes a header; both bases. No file is read
// but the text: meshes are never found.
#include "host/failure.hpp"
#include "host/robot/checked_robot.hpp"
#include "host/robot/contact_points.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace kinecast::host {

std::optional<Hull> Meshes::hull(const std::string& name, const Triple& /*scale*/) {
  missing_.insert(name);
  return std::nullopt;
}

}  // namespace kinecast::host

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
      if (header.find("nan") != std::string::npos && text.find("nan") == std::string::npos) std::abort();
    } catch (const Failure&) {
    }
  }
  return 0;
}
