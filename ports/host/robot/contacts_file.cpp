// SPDX-License-Identifier: MIT
// contacts.json: {"points": [{"name", "link", "at", "radius"?, "kind"?}], "boxes": [{"link", "at", "rpy"?, "size", "kind"?}],
//                 "hulls": [{"link", "mesh"?, "lowest"? or "vertices"?, "kind"?}]}
#include "../text/json_table.hpp"
#include "../text/text.hpp"
#include "contact_points.hpp"

#include <kinecast/math/rotation.hpp>
#include <kinecast/model/robot.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <set>
#include <system_error>

namespace kinecast::host {
namespace {

Triple triple_of(const JsonTable& table, const std::string& key) {
  const Json& list = table.raw(key);
  if (!list.is_array() || list.size() != 3) table.refuse(key, "must be three numbers, such as [0.1, 0, 0]");
  Triple out{};
  for (std::size_t i = 0; i < 3; ++i) {
    if (!list[i].is_number() || !(std::abs(list[i].get<double>()) <= 1e6))
      table.refuse(key, "must be three numbers, none beyond a million");
    out[i] = list[i].get<double>();
  }
  return out;
}

class Reader {
 public:
  Reader(UrdfRobot& urdf, std::string file, Meshes& meshes) : urdf_(urdf), file_(std::move(file)), meshes_(meshes) {}

  void read() {
    const Json document = read_json(file_);
    const JsonTable top(file_, "", document, {"points", "boxes", "hulls"});
    each(top, "points", {"name", "link", "at", "radius", "kind"}, &Reader::point);
    each(top, "boxes", {"link", "at", "rpy", "size", "kind"}, &Reader::box);
    each(top, "hulls", {"link", "mesh", "lowest", "vertices", "kind"}, &Reader::hull);
  }

 private:
  void each(const JsonTable& top, const std::string& key, const std::vector<std::string>& keys,
            void (Reader::*read_one)(const JsonTable&)) {
    if (!top.has(key)) return;
    const Json& list = top.raw(key);
    if (!list.is_array()) top.refuse(key, "must be a list");
    for (std::size_t i = 0; i < list.size(); ++i)
      (this->*read_one)(JsonTable(file_, key + "[" + std::to_string(i) + "]", list[i], keys));
  }

  int link_of(const JsonTable& table) const {
    const std::string name = table.text("link");
    std::vector<std::string> known;
    for (std::size_t i = 0; i < urdf_.robot.links.size(); ++i) {
      if (urdf_.robot.links[i].name == name) return static_cast<int>(i);
      known.push_back(urdf_.robot.links[i].name);
    }
    const std::string guess = nearest(name, known);
    table.refuse("link",
                 "the robot has no link \"" + printable(name) + "\"" +
                     (guess.empty() ? "; its links are " + listed(known) : "; did you mean \"" + guess + "\"?"));
  }

  static int kind_of(const JsonTable& table) {
    const double kind = table.number("kind", 0);
    if (std::abs(kind - std::floor(kind)) > 0 || kind < 0 || kind >= kKinds)
      table.refuse("kind", "must be a whole number from 0 to " + std::to_string(kKinds - 1));
    return static_cast<int>(kind);
  }

  // `key`: what to blame if the name is taken.
  void add(const JsonTable& table, const std::string& key, PointDescription point) {
    if (trimmed(point.name).empty() || printable(point.name) != point.name)
      table.refuse(key, "the name is empty or not printable");
    if (!names_.insert(point.name).second)
      table.refuse(key, "a contact point is called \"" + printable(point.name) + "\" already");
    urdf_.robot.points.push_back(std::move(point));
  }

  std::string numbered(int link, const char* what, std::size_t number) const {
    return urdf_.robot.links[static_cast<std::size_t>(link)].name + "." + what + std::to_string(number);
  }

  void point(const JsonTable& table) {
    const double radius = table.number("radius", 0);
    if (radius < 0 || radius > 1e6) table.refuse("radius", "must not be negative, nor beyond a million");
    add(table, "name", {table.text("name"), link_of(table), triple_of(table, "at"), radius, kind_of(table)});
  }

  void box(const JsonTable& table) {
    const int link = link_of(table);
    const Triple size = triple_of(table, "size");
    for (const double edge : size)
      if (!(edge > 0)) table.refuse("size", "must be positive");
    const Triple angles = table.has("rpy") ? triple_of(table, "rpy") : Triple{};
    const Mat3<double> r = rotation_from_rpy(angles[0], angles[1], angles[2]);
    const Placing in_link{
        {{{r.row_x.x, r.row_x.y, r.row_x.z}, {r.row_y.x, r.row_y.y, r.row_y.z}, {r.row_z.x, r.row_z.y, r.row_z.z}}},
        triple_of(table, "at")};
    const std::string name = numbered(link, "box", boxes_++);
    const std::vector<Triple> corners = corners_of_box(size);
    for (std::size_t i = 0; i < corners.size(); ++i)
      add(table, "link", {name + "." + std::to_string(i), link, in_link * corners[i], 0, kind_of(table)});
  }

  // The mesh that the file names, in the link's frame, or the only one among the link's collision shapes.
  UrdfGeometry mesh_of(const JsonTable& table, int link) {
    UrdfGeometry found;
    if (table.has("mesh")) {
      const std::filesystem::path name = table.text("mesh");
      const std::filesystem::path beside = std::filesystem::absolute(file_).parent_path() / name;
      std::error_code ignored;  // a name too long is no file
      found.mesh = std::filesystem::is_regular_file(beside, ignored) ? beside.string() : name.string();
      return found;
    }
    int count = 0;
    for (const UrdfGeometry& g : urdf_.geometries)
      if (g.link == link && g.is_collision && g.shape.form == ShapeDescription::Form::mesh) found = g, ++count;
    if (count != 1)
      table.refuse("link", "has " + std::to_string(count) + " collision meshes; say which file with \"mesh\"");
    return found;
  }

  void hull(const JsonTable& table) {
    const int link = link_of(table);
    const UrdfGeometry mesh = mesh_of(table, link);
    const std::string blamed = table.has("mesh") ? "mesh" : "link";
    const std::optional<Hull> hull = meshes_.hull(mesh.mesh, mesh.scale);
    if (!hull)
      table.refuse(blamed, meshes_.find(mesh.mesh).empty() ? "the mesh " + printable(mesh.mesh) + " was not found"
                                                           : "the mesh " + printable(mesh.mesh) + " has no volume");
    const Placing in_link{mesh.shape.rotation, mesh.shape.position_m};
    std::vector<Triple> points;
    if (table.one_of({"lowest", "vertices"}) == "vertices") {
      for (const std::size_t i : vertices_of(table, *hull)) {
        const Vec3<double>& v = hull->vertices[i];
        points.push_back({v.x, v.y, v.z});
      }
    } else {
      const double count = table.number("lowest", 4);
      if (!(count >= 1 && count <= 1000) || std::abs(count - std::floor(count)) > 0)
        table.refuse("lowest", "must be a whole number from 1 to 1000");
      points = lowest_of(*hull, placings_at_zero(urdf_.robot)[static_cast<std::size_t>(link)] * in_link,
                         static_cast<std::size_t>(count));
    }
    const std::string name = numbered(link, "hull", hulls_++);
    for (std::size_t i = 0; i < points.size(); ++i)
      add(table, "link", {name + "." + std::to_string(i), link, in_link * points[i], 0, kind_of(table)});
  }

  static std::vector<std::size_t> vertices_of(const JsonTable& table, const Hull& hull) {
    const Json& list = table.raw("vertices");
    if (!list.is_array() || list.empty())
      table.refuse("vertices", "must be a list of vertices of the hull, such as [0, 7]");
    std::vector<std::size_t> out;
    for (const Json& entry : list) {
      if (!entry.is_number_unsigned() || entry.get<std::size_t>() >= hull.vertices.size())
        table.refuse("vertices", "must be numbers from 0 to " + std::to_string(hull.vertices.size() - 1) +
                                     ": the hull's vertices, in the order of x, then y, then z");
      out.push_back(entry.get<std::size_t>());
    }
    return out;
  }

  UrdfRobot& urdf_;
  std::string file_;
  Meshes& meshes_;
  std::set<std::string> names_{};
  std::size_t boxes_{0};
  std::size_t hulls_{0};
};

}  // namespace

void add_points_of_file(UrdfRobot& urdf, const std::string& file, Meshes& meshes) { Reader(urdf, file, meshes).read(); }

}  // namespace kinecast::host
