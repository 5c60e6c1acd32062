// SPDX-License-Identifier: MIT
#include "contact_points.hpp"

#include "../failure.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace kinecast::host {
namespace {

using Form = ShapeDescription::Form;

constexpr std::size_t kComfortablePoints = 64;  // more are legal, but no default
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

// A cylinder that turns about its own axis without end.
bool is_wheel(const LinkDescription& link, const ShapeDescription& shape) {
  if (shape.form != Form::cylinder || link.joint != LinkDescription::Joint::revolute || link.limits.has_stops)
    return false;
  double cosine = 0;
  for (std::size_t i = 0; i < 3; ++i) cosine += link.axis[i] * shape.rotation[i][2];
  return std::abs(cosine) > 0.999;
}

const char* word_of(Form form) {
  constexpr const char* kWords[] = {"box", "sphere", "cylinder", "mesh"};
  return kWords[static_cast<std::size_t>(form)];
}

std::optional<Hull> hull_to_touch(const UrdfRobot& urdf, const UrdfGeometry& g, Meshes& meshes) {
  try {
    return meshes.hull(g.mesh, g.scale);
  } catch (const Failure& failure) {
    refuse_part(urdf.file, g.line, link_part(urdf.robot.links[static_cast<std::size_t>(g.link)].name),
                std::string(failure.what()) + "; mend the file, or choose the points with --contacts");
  }
}

// At most `count` of the points of each body.
void keep_lowest(Description& robot, std::size_t count) {
  const std::vector<Weld> welds = welds_of(robot);
  const std::vector<Placing> in_world = placings_at_zero(robot);
  std::set<std::size_t> kept;
  for (std::size_t body = 0; body < robot.links.size(); ++body) {
    std::vector<std::size_t> members;
    std::vector<Triple> at;
    for (std::size_t k = 0; k < robot.points.size(); ++k) {
      const PointDescription& p = robot.points[k];
      if (welds[static_cast<std::size_t>(p.link)].body != static_cast<int>(body)) continue;
      members.push_back(k);
      at.push_back(in_world[static_cast<std::size_t>(p.link)] * p.position_m);
      at.back()[2] -= p.radius_m;
    }
    for (const std::size_t chosen : lowest_of(at, count)) kept.insert(members[chosen]);
  }
  std::vector<PointDescription> out;
  for (const std::size_t k : kept) out.push_back(std::move(robot.points[k]));
  robot.points = std::move(out);
}

std::size_t bodies_with_points(const Description& robot) {
  const std::vector<Weld> welds = welds_of(robot);
  std::set<int> bodies;
  for (const PointDescription& p : robot.points) bodies.insert(welds[static_cast<std::size_t>(p.link)].body);
  return bodies.size();
}

}  // namespace

std::vector<std::size_t> lowest_of(const std::vector<Triple>& points, std::size_t count) {
  std::vector<std::size_t> order(points.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (points.size() <= count) return order;
  const auto height = [&](std::size_t i) { return points[i][2]; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return height(a) < height(b); });
  // As low as the last one that fits, to rounding: of these the ones that lie farthest from those taken already.
  const double slack = 1e-6 * (1e-3 + height(order.back()) - height(order.front()));
  const double level = height(order[count - 1]);
  std::vector<std::size_t> taken;
  std::vector<std::size_t> level_ones;
  for (const std::size_t i : order) {
    if (height(i) < level - slack)
      taken.push_back(i);
    else if (height(i) <= level + slack)
      level_ones.push_back(i);
  }
  while (taken.size() < count) {
    const auto gap = [&](std::size_t i) {
      double least = taken.empty() ? 0 : 1e300;
      for (const std::size_t t : taken)
        least = std::fmin(
            least, std::hypot(points[i][0] - points[t][0], points[i][1] - points[t][1], points[i][2] - points[t][2]));
      return least;
    };
    const auto farthest = std::max_element(level_ones.begin(), level_ones.end(),
                                           [&](std::size_t a, std::size_t b) { return gap(a) < gap(b); });
    taken.push_back(*farthest);
    level_ones.erase(farthest);
  }
  std::sort(taken.begin(), taken.end());
  return taken;
}

std::vector<Triple> lowest_of(const Hull& hull, const Placing& in_world, std::size_t count) {
  std::vector<Triple> own;
  std::vector<Triple> at;
  for (const Vec3<double>& v : hull.vertices) {
    own.push_back({v.x, v.y, v.z});
    at.push_back(in_world * own.back());
  }
  std::vector<Triple> out;
  for (const std::size_t i : lowest_of(at, count)) out.push_back(own[i]);
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
    if (g.shape.form == Form::mesh) {
      if (const std::optional<Hull> hull = hull_to_touch(urdf, g, meshes))
        points = lowest_of(*hull, in_world[link] * in_link, kLowestOfMesh);
      else if (!meshes.find(g.mesh).empty())  // missing files are counted elsewhere
        notes.add("link", robot.links[link].name, "its collision mesh has no volume: no contact points of it");
    }
    if (is_wheel(robot.links[link], g.shape))
      notes.add("link", robot.links[link].name,
                "its cylinder is a wheel, and eight points of its rims do not roll; a ball does: name a point at its "
                "centre with \"radius\" in a file for --contacts");
    const std::string shape =
        robot.links[link].name + "." + (g.name.empty() ? word_of(g.shape.form) + std::to_string(shapes[link]) : g.name);
    ++shapes[link];
    for (std::size_t i = 0; i < points.size(); ++i) {
      std::string name = shape + (points.size() > 1 ? "." + std::to_string(i) : "");
      while (!names.insert(name).second) name += "'";
      const Triple at = in_link * points[i];
      if (!(std::hypot(at[0], at[1], at[2]) <= 1e6))
        refuse_part(urdf.file, g.line, link_part(robot.links[link].name),
                    "a collision shape reaches beyond a million metres");
      robot.points.push_back({name, g.link, at, g.shape.form == Form::sphere ? g.shape.size_m[0] : 0, 0});
    }
  }
  const std::size_t all = robot.points.size();
  if (all <= kComfortablePoints) return;
  const std::size_t each = std::max<std::size_t>(1, kComfortablePoints / bodies_with_points(robot));
  keep_lowest(robot, each);
  notes.add(std::to_string(all) + " contact points would be slow on a microcontroller: of what moves together the " +
            std::to_string(each) + " lowest at joint position zero are kept, " + std::to_string(robot.points.size()) +
            " in all; choose others with --contacts file.json");
}

namespace {

// Of a mesh that is only looked at: one that cannot be read is noted and left out.
std::optional<Hull> hull_to_look_at(const UrdfGeometry& g, Meshes& meshes, std::set<std::string>& said, Notes& notes) {
  try {
    return meshes.hull(g.mesh, g.scale);
  } catch (const Failure& failure) {
    if (said.insert(g.mesh).second) notes.add(std::string(failure.what()) + "; it is not drawn");
    return std::nullopt;
  }
}

}  // namespace

void add_shapes(UrdfRobot& urdf, Meshes& meshes, Notes& notes) {
  std::set<int> has_collision;
  std::set<std::string> said;
  const auto is_drawn = [&](const UrdfGeometry& g) {
    return g.shape.form != Form::mesh || hull_to_look_at(g, meshes, said, notes);
  };
  for (const UrdfGeometry& g : urdf.geometries)
    if (g.is_collision && is_drawn(g)) has_collision.insert(g.link);
  for (const UrdfGeometry& g : urdf.geometries) {
    if (g.is_collision != (has_collision.count(g.link) > 0) || !is_drawn(g)) continue;
    ShapeDescription shape = g.shape;
    if (const std::optional<Hull> hull = shape.form == Form::mesh ? meshes.hull(g.mesh, g.scale) : std::nullopt) {
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
