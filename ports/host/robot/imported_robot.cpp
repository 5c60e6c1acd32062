// SPDX-License-Identifier: MIT
#include "imported_robot.hpp"

#include "../text/input_file.hpp"
#include "checked_robot.hpp"
#include "contact_points.hpp"
#include "drives_file.hpp"

namespace kinecast::host {
namespace {

void note_missing(const Meshes& meshes, Notes& notes) {
  const std::size_t count = meshes.missing().size();
  if (count > 0)
    notes.add(
        std::to_string(count) + (count == 1 ? " mesh file was" : " mesh files were") + " not found (the first is " +
        *meshes.missing().begin() +
        "; package:// is looked for in the URDF's folder and those above it): no contact points and no picture of " +
        (count == 1 ? "it" : "them"));
}

}  // namespace

ImportedRobot import_robot(const ImportOptions& options) {
  Notes notes;
  const std::string text = contents_of(options.urdf);
  std::uint64_t hash = fnv1a(text);
  UrdfRobot urdf = read_urdf_text(options.urdf, text, options.base, notes);
  if (!options.drives.empty()) {
    hash = fnv1a(contents_of(options.drives), hash);
    apply_drives(options.drives, urdf, notes);
  }
  check_robot(urdf, notes);
  Meshes meshes(options.urdf);
  if (options.contacts == "auto") {
    add_points_of_shapes(urdf, meshes, notes);
  } else if (options.contacts != "none") {
    hash = fnv1a(contents_of(options.contacts), hash);
    add_points_of_file(urdf, options.contacts, meshes);
  }
  hash = meshes.hash(hash);  // now: meshes that are only looked at do not enter the header
  add_shapes(urdf, meshes, notes);
  note_missing(meshes, notes);
  ImportedRobot out = named_robot(std::move(urdf), notes);
  out.hash = hex(hash);
  return out;
}

}  // namespace kinecast::host
