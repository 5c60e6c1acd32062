// SPDX-License-Identifier: MIT
#include "mesh_file.hpp"

#include "../failure.hpp"
#include "../text/input_file.hpp"
#include "../text/text.hpp"
#include "cpp_text.hpp"

#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <assimp/Importer.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace kinecast::host {
namespace {

namespace fs = std::filesystem;

// All vertices, with the transforms of the file's own nodes; equal ones once.
std::vector<Vec3<double>> vertices_of(const std::string& file, const Triple& scale) {
  Assimp::Importer importer;
  // As ROS has it: a DAE's axes are the link's, whatever it calls up.
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
  const aiScene* scene = importer.ReadFile(file, aiProcess_PreTransformVertices);
  if (scene == nullptr && contents_of(file).compare(0, 23, "version https://git-lfs") == 0)
    throw Failure(ExitCode::bad_input, file + ": this mesh is only a pointer of Git LFS: run git lfs pull");
  if (scene == nullptr)
    throw Failure(ExitCode::bad_input, file + ": this mesh cannot be read: " + printable(importer.GetErrorString()));
  std::vector<Vec3<double>> points;
  for (unsigned m = 0; m < scene->mNumMeshes; ++m)
    for (unsigned v = 0; v < scene->mMeshes[m]->mNumVertices; ++v) {
      const aiVector3D& at = scene->mMeshes[m]->mVertices[v];
      const auto scaled = [](float x, double by) {  // a millimetre file's 12.7 is 0.0127, not 0.012699999809
        return parse_number(rounded(static_cast<double>(x) * by, 7)).value_or(0);
      };
      points.push_back({scaled(at.x, scale[0]), scaled(at.y, scale[1]), scaled(at.z, scale[2])});
      const Vec3<double>& p = points.back();
      if (!(std::abs(p.x) + std::abs(p.y) + std::abs(p.z) <= 1e6))
        throw Failure(ExitCode::bad_input, file + ": a vertex of this mesh is not finite, or beyond a million metres");
    }
  const auto before = [](const Vec3<double>& a, const Vec3<double>& b) {
    return std::array{a.x, a.y, a.z} < std::array{b.x, b.y, b.z};
  };
  std::sort(points.begin(), points.end(), before);
  const auto same = [&](const Vec3<double>& a, const Vec3<double>& b) { return !before(a, b) && !before(b, a); };
  points.erase(std::unique(points.begin(), points.end(), same), points.end());
  return points;
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

}  // namespace

std::string Meshes::find(const std::string& name) const {
  std::error_code ignored;
  const fs::path folder = fs::absolute(urdf_, ignored).parent_path();
  if (name.compare(0, 7, "file://") == 0) {
    const fs::path path = name.substr(7);
    return is_file(path) ? path.string() : "";
  }
  if (name.compare(0, 10, "package://") == 0) {
    const std::string rest = name.substr(10);
    const std::size_t slash = rest.find('/');
    if (slash == std::string::npos) return "";
    const std::string package = rest.substr(0, slash);
    for (fs::path at = folder;; at = at.parent_path()) {
      const fs::path inside = at / rest.substr(slash + 1);
      if (at.filename() == package && is_file(inside)) return inside.string();
      if (is_file(at / rest)) return (at / rest).string();
      if (at == at.parent_path()) return "";
    }
  }
  if (name.find("://") != std::string::npos) return "";
  const fs::path path = fs::path(name).is_absolute() ? fs::path(name) : folder / name;
  return is_file(path) ? path.string() : "";
}

std::optional<Hull> Meshes::hull(const std::string& name, const Triple& scale) {
  const std::string key = number(scale[0]) + " " + number(scale[1]) + " " + number(scale[2]) + " " + name;
  if (const auto known = hulls_.find(key); known != hulls_.end()) return known->second;
  const std::string file = find(name);
  if (file.empty()) {
    missing_.insert(name);
    return hulls_[key] = std::nullopt;
  }
  const std::vector<Vec3<double>> points = vertices_of(file, scale);
  contents_[name] = contents_of(file);
  return hulls_[key] = points.size() < 4 ? std::nullopt : find_hull(points);
}

std::uint64_t Meshes::hash(std::uint64_t before) const {
  for (const auto& [name, bytes] : contents_) before = fnv1a(bytes, before);
  return before;
}

}  // namespace kinecast::host
