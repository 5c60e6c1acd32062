// SPDX-License-Identifier: MIT
// The convex hull of a mesh that a URDF names, if the file is there: STL, OBJ or DAE through assimp.
#pragma once

#include "../hull/convex_hull.hpp"
#include "description.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace kinecast::host {

class Meshes {
 public:
  // `urdf`: the file that names the meshes; relative names start at its folder, and so does the search for packages.
  explicit Meshes(std::string urdf) : urdf_(std::move(urdf)) {}

  // In the mesh's own frame, scaled. Nothing if the file is not found (it is counted as missing) or is flat.
  // Throws Failure if it is there but cannot be read.
  [[nodiscard]] std::optional<Hull> hull(const std::string& name, const Triple& scale);

  // Where the file lies; empty if nowhere. package://name/rest: rest in a folder `name`, which is the URDF's or above it, or
  // beside one of these; file://path; a path.
  [[nodiscard]] std::string find(const std::string& name) const;

  [[nodiscard]] const std::set<std::string>& missing() const { return missing_; }
  [[nodiscard]] std::uint64_t hash(std::uint64_t before) const;  // FNV-1a of all that were read, by name

 private:
  std::string urdf_;
  std::set<std::string> missing_{};
  std::map<std::string, std::optional<Hull>> hulls_{};  // by name and scale
  std::map<std::string, std::string> contents_{};       // by name
};

}  // namespace kinecast::host
