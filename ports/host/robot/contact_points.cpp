// SPDX-License-Identifier: MIT
#include "contact_points.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace kinecast::host {
namespace {

using Form = ShapeDescription::Form;

constexpr std::size_t kComfortablePoints = 64;  // more are legal, and slow on a microcontroller
constexpr std::size_t kLowestOfMesh = 4;

// The points of a shape in its own frame; a sphere is its centre.
std::vector<Triple> points_of(const ShapeDescription& shape) {
  std::vector<Triple> out;
  const Triple& s = shape.size_m;
  if (shape.form == Form::box) return corners_of_box(s);
  if (shape.form == Form::sphere) out.push_back({});
  if (shape.form == Form::cylinder)
    for (const double z : {-0.5 * s[1], 0.5 * s[1]})
      for (const auto& [x, y] : {std::pair{1, 0}, {0, 1}, {-1, 0}, {0, -1}}) out.push_back({s[0] * x, s[0] * y, z});
  return out;
}

const char* word_of(Form form) {
  constexpr const char* kWords[] = {"box", "sphere", "cylinder", "mesh"};
  return kWords[static_cast<std::size_t>(form)];
}

// Those of a body's points that are no corners of the hull of all of them cannot touch a flat floor first.
void keep_outermost(Description& robot) {
  std::vector<PointDescription> kept;
  std::vector<Placing> in_body(robot.links.size());
  std::vector<int> body(robot.links.size(), -1);
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const LinkDescription& l = robot.links[i];
    const bool is_welded = l.joint == LinkDescription::Joint::fixed && l.parent >= 0;
    body[i] = is_welded ? body[static_cast<std::size_t>(l.parent)] : static_cast<int>(i);
    if (is_welded) in_body[i] = in_body[static_cast<std::size_t>(l.parent)] * Placing{l.rotation, l.position_m};
  }
  std::set<std::string> outermost;
  for (std::size_t b = 0; b < robot.links.size(); ++b) {
    std::vector<Vec3<double>> points;
    std::vector<std::string> names;
    for (const PointDescription& p : robot.points) {
      const std::size_t link = static_cast<std::size_t>(p.link);
      if (body[link] != static_cast<int>(b)) continue;
      const Triple at = in_body[link] * p.position_m;
      points.push_back({at[0], at[1], at[2]});
      names.push_back(p.name);
    }
    const std::optional<Hull> hull = points.size() < 4 ? std::nullopt : find_hull(points);
    for (std::size_t k = 0; k < points.size(); ++k) {
      const auto is_it = [&](const Vec3<double>& v) { return !(dot(v - points[k], v - points[k]) > 0); };
      if (!hull || std::any_of(hull->vertices.begin(), hull->vertices.end(), is_it)) outermost.insert(names[k]);
    }
  }
  for (PointDescription& p : robot.points)
    if (p.radius_m > 0 || outermost.count(p.name) > 0) kept.push_back(std::move(p));
  robot.points = std::move(kept);
}

}  // namespace

std::vector<Triple> lowest_of(const Hull& hull, const Placing& in_world, std::size_t count) {
  struct Corner {
    Triple at;
    Triple world;
  };
  std::vector<Corner> corners;
  for (const Vec3<double>& v : hull.vertices) corners.push_back({{v.x, v.y, v.z}, in_world * Triple{v.x, v.y, v.z}});
  const auto lower = [](const Corner& a, const Corner& b) { return a.world[2] < b.world[2]; };
  std::stable_sort(corners.begin(), corners.end(), lower);
  std::vector<Triple> out;
  if (corners.size() <= count) {
    for (const Corner& c : corners) out.push_back(c.at);
    return out;
  }
  // As low as the last one that fits, to rounding: of these the ones that lie farthest from those taken already.
  const double slack = 1e-6 * (1e-3 + corners.back().world[2] - corners.front().world[2]);
  const double level = corners[count - 1].world[2];
  std::vector<Corner> taken;
  std::vector<Corner> level_ones;
  for (const Corner& c : corners) {
    if (c.world[2] < level - slack) taken.push_back(c);
    if (std::abs(c.world[2] - level) <= slack) level_ones.push_back(c);
  }
  while (taken.size() < count && !level_ones.empty()) {
    const auto distance = [&](const Corner& c) {
      double least = taken.empty() ? 0 : 1e300;
      for (const Corner& t : taken)
        least = std::fmin(least, std::hypot(c.world[0] - t.world[0], c.world[1] - t.world[1], c.world[2] - t.world[2]));
      return least;
    };
    const auto farthest = std::max_element(level_ones.begin(), level_ones.end(),
                                           [&](const Corner& a, const Corner& b) { return distance(a) < distance(b); });
    taken.push_back(*farthest);
    level_ones.erase(farthest);
  }
  for (const Corner& c : taken) out.push_back(c.at);
  return out;
}

void add_points_of_shapes(UrdfRobot& urdf, Meshes& meshes, Notes& notes) {
  Description& robot = urdf.robot;
  const std::vector<bool> moves = moving_links(robot);
  const std::vector<Placing> in_world = placings_at_zero(robot);
  std::set<std::string> names;
  std::vector<int> shapes(robot.links.size(), 0);
  for (const UrdfGeometry& g : urdf.geometries) {
    if (!g.is_collision || g.link < 0 || !moves[static_cast<std::size_t>(g.link)]) continue;
    const std::size_t link = static_cast<std::size_t>(g.link);
    const Placing in_link{g.shape.rotation, g.shape.position_m};
    std::vector<Triple> points = points_of(g.shape);
    if (g.shape.form == Form::mesh)
      if (const std::optional<Hull> hull = meshes.hull(g.mesh, g.scale))
        points = lowest_of(*hull, in_world[link] * in_link, kLowestOfMesh);
    const std::string shape =
        robot.links[link].name + "." + (g.name.empty() ? word_of(g.shape.form) + std::to_string(shapes[link]) : g.name);
    ++shapes[link];
    for (std::size_t i = 0; i < points.size(); ++i) {
      std::string name = shape + (points.size() > 1 ? "." + std::to_string(i) : "");
      while (!names.insert(name).second) name += "'";
      robot.points.push_back(
          {name, g.link, in_link * points[i], g.shape.form == Form::sphere ? g.shape.size_m[0] : 0, 0});
    }
  }
  const std::size_t all = robot.points.size();
  if (all <= kComfortablePoints) return;
  keep_outermost(robot);
  notes.add(std::to_string(all) + " contact points are many for a microcontroller: " +
            (robot.points.size() < all
                 ? std::to_string(robot.points.size()) + " are kept, the corners of the hull of what moves together"
                 : std::string("all are kept")) +
            "; choose fewer with --contacts file.json");
}

void add_shapes(UrdfRobot& urdf, Meshes& meshes) {
  std::set<int> has_collision;
  for (const UrdfGeometry& g : urdf.geometries)
    if (g.is_collision && (g.shape.form != Form::mesh || meshes.hull(g.mesh, g.scale))) has_collision.insert(g.link);
  for (const UrdfGeometry& g : urdf.geometries) {
    if (g.is_collision != (has_collision.count(g.link) > 0)) continue;
    ShapeDescription shape = g.shape;
    if (shape.form == Form::mesh) {
      const std::optional<Hull> hull = meshes.hull(g.mesh, g.scale);
      if (!hull) continue;
      for (const Vec3<double>& v : hull->vertices) shape.corners.push_back({v.x, v.y, v.z});
      for (const std::vector<std::size_t>& face : hull->faces)
        for (std::size_t k = 2; k < face.size(); ++k)
          shape.triangles.push_back(
              {static_cast<int>(face[0]), static_cast<int>(face[k - 1]), static_cast<int>(face[k])});
    }
    urdf.robot.shapes.push_back(std::move(shape));
  }
}

}  // namespace kinecast::host
