// SPDX-License-Identifier: MIT
// A robot as a constexpr value, written by hand or by a generator:
//
//   inline constexpr auto arm = kinecast::robot("arm",
//     link("upper", on("world"), revolute(kAxisY), at(0, 0, 0.1),
//          body(1.2, com(0, 0, 0.15), inertia(0.01, 0.01, 0.001))),
//     link("fore", on("upper"), revolute(kAxisY), at(0, 0, 0.3),
//          body(0.8, com(0, 0, 0.12), inertia(0.006, 0.006, 0.0008))),
//     contact_point("tip", on("fore"), at(0, 0, 0.25)));
//
// All values have SI units. A link's frame sits at its joint: `at` and `rpy` place it in its parent's frame at joint
// position zero. Values are double here, whatever scalar computes later. A robot costs no flash: only what
// model/model.hpp makes of it does.
#pragma once

#include <kinecast/math/rotation.hpp>
#include <kinecast/math/vec3.hpp>
#include <kinecast/model/drive.hpp>
#include <kinecast/model/limits.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace kinecast {

enum class JointKind : std::uint8_t {
  revolute,   // turns about the axis; q in rad
  prismatic,  // slides along the axis; q in m
  spherical,  // q: unit quaternion wxyz, child to parent; dq: angular velocity of the child, child axes
  floating,   // q: position, unit quaternion wxyz, in the parent's frame (the world); dq: linear, angular, world axes
  fixed,      // merged into the parent
};
[[nodiscard]] constexpr bool has_single_axis(JointKind kind) noexcept {
  return kind == JointKind::revolute || kind == JointKind::prismatic;
}

inline constexpr int kWorld = -1;
inline constexpr int kUnknownParent = -2;

inline constexpr Vec3<double> kAxisX{1, 0, 0};
inline constexpr Vec3<double> kAxisY{0, 1, 0};
inline constexpr Vec3<double> kAxisZ{0, 0, 1};

struct Link {
  std::string_view name{};
  std::string_view parent_name{"world"};
  int parent{kUnknownParent};  // index among the links; resolved by robot()
  JointKind joint{JointKind::fixed};
  Vec3<double> axis{kAxisZ};                  // unit vector, link frame
  Mat3<double> rotation{kIdentity3<double>};  // link axes to parent axes, at joint position zero
  Vec3<double> position_m{};                  // link origin in the parent frame
  double mass_kg{0};
  Vec3<double> com_m{};         // centre of mass, link frame
  Sym3<double> inertia_kgm2{};  // about the centre of mass, link axes
  bool is_massless{false};      // said explicitly by massless(); otherwise a zero mass is an error
  Drive drive{};                // what moves the joint, and what holds it back
  JointLimits limits{};         // where the joint stops
};

// How many kinds of material contact points can be made of.
inline constexpr int kKinds = 8;

struct ContactPoint {
  std::string_view name{};
  std::string_view link_name{};
  int link{kUnknownParent};
  Vec3<double> position_m{};  // link frame
  double radius_m{0};         // radius of a sphere about it; 0: the point itself touches
  int kind{0};                // which material it is made of (model/environment/environment.hpp, pair())
};

// The eight corners of a box that belongs to a link become contact points without names: x varies slowest, z fastest,
// minus comes before plus.
struct ContactBox {
  std::string_view link_name{};
  Vec3<double> center_m{};
  Mat3<double> rotation{kIdentity3<double>};
  Vec3<double> size_m{};
  int kind{0};
};

// A point of a link, which is given by its name.
struct PointOf {
  std::string_view link_name{};
  int link{kUnknownParent};
  Vec3<double> position_m{};  // link frame
};

// A loop of the mechanism is closed where two points of its links (or of a link and the world) are held together, as by
// a ball joint: contact/constraint_rows.hpp.
struct Closure {
  std::string_view name{};
  PointOf first{};
  PointOf second{};
};

// A joint with one axis, which has the name of its link.
struct JointOf {
  std::string_view link_name{};
  int link{kUnknownParent};
};

// A joint that another one follows, and how far it takes it along.
struct Leader {
  JointOf joint{};
  double ratio{1};
};

// How many joints one joint can follow: two, as in a differential gear.
inline constexpr int kMostLeaders = 2;

// A joint follows others: q_follower = Sum of ratio * q_leader + offset, as by a gear or a belt between them:
// contact/coupling_row.hpp.
struct Coupling {
  std::string_view name{};
  JointOf follower{};
  std::array<Leader, static_cast<std::size_t>(kMostLeaders)> leaders{};
  int leader_count{0};
  double offset{0};  // rad, or m at a slide
};

template <int Links, int Points, int Loops = 0, int Couplings = 0>
struct Robot {
  static constexpr int kLinks = Links;
  static constexpr int kPoints = Points;
  static constexpr int kLoops = Loops;
  static constexpr int kCouplings = Couplings;
  std::string_view name{};
  Vec3<double> gravity_mps2{0, 0, -9.80665};
  std::array<Link, static_cast<std::size_t>(Links)> links{};
  std::array<ContactPoint, static_cast<std::size_t>(Points)> points{};
  std::array<Closure, static_cast<std::size_t>(Loops)> loops{};
  std::array<Coupling, static_cast<std::size_t>(Couplings)> couplings{};

  [[nodiscard]] constexpr const Link& link(int i) const noexcept { return links[static_cast<std::size_t>(i)]; }
  [[nodiscard]] constexpr const ContactPoint& point(int i) const noexcept {
    return points[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] constexpr const Closure& loop(int i) const noexcept { return loops[static_cast<std::size_t>(i)]; }
  [[nodiscard]] constexpr const Coupling& coupling(int i) const noexcept {
    return couplings[static_cast<std::size_t>(i)];
  }
};

// ---- the words a robot is written in --------------------------------------------------------------------------------

namespace detail {
struct On {
  std::string_view parent;
  constexpr void apply(Link& l) const noexcept { l.parent_name = parent; }
  constexpr void apply(ContactPoint& p) const noexcept { p.link_name = parent; }
  constexpr void apply(ContactBox& b) const noexcept { b.link_name = parent; }
};
struct Joint {
  JointKind kind;
  Vec3<double> axis;
  constexpr void apply(Link& l) const noexcept { l.joint = kind, l.axis = axis; }
};
struct At {
  Vec3<double> position;
  constexpr void apply(Link& l) const noexcept { l.position_m = position; }
  constexpr void apply(ContactPoint& p) const noexcept { p.position_m = position; }
  constexpr void apply(ContactBox& b) const noexcept { b.center_m = position; }
};
struct Turned {
  Mat3<double> rotation;
  constexpr void apply(Link& l) const noexcept { l.rotation = rotation; }
  constexpr void apply(ContactBox& b) const noexcept { b.rotation = rotation; }
};
struct Radius {
  double radius;
  constexpr void apply(ContactPoint& p) const noexcept { p.radius_m = radius; }
};
struct Size {
  Vec3<double> size;
  constexpr void apply(ContactBox& b) const noexcept { b.size_m = size; }
};
struct Kind {
  int kind;
  constexpr void apply(ContactPoint& p) const noexcept { p.kind = kind; }
  constexpr void apply(ContactBox& b) const noexcept { b.kind = kind; }
};
struct Com {
  Vec3<double> position;
};
struct Inertia {
  Sym3<double> tensor;
};
struct Body {
  double mass{0};
  Vec3<double> com{};
  Sym3<double> inertia{};
  bool is_massless{false};
  constexpr void apply(Link& l) const noexcept {
    l.mass_kg = mass, l.com_m = com, l.inertia_kgm2 = inertia, l.is_massless = is_massless;
  }
};
struct Gravity {
  Vec3<double> acceleration;
};
}  // namespace detail

[[nodiscard]] constexpr detail::On on(std::string_view parent) noexcept { return {parent}; }
[[nodiscard]] constexpr detail::Joint revolute(Vec3<double> axis) noexcept { return {JointKind::revolute, axis}; }
[[nodiscard]] constexpr detail::Joint prismatic(Vec3<double> axis) noexcept { return {JointKind::prismatic, axis}; }
[[nodiscard]] constexpr detail::Joint spherical() noexcept { return {JointKind::spherical, kAxisZ}; }
[[nodiscard]] constexpr detail::Joint floating() noexcept { return {JointKind::floating, kAxisZ}; }
[[nodiscard]] constexpr detail::Joint fixed() noexcept { return {JointKind::fixed, kAxisZ}; }
[[nodiscard]] constexpr detail::At at(double x, double y, double z) noexcept { return {{x, y, z}}; }
[[nodiscard]] constexpr detail::Turned rpy(double roll, double pitch, double yaw) noexcept {
  return {rotation_from_rpy(roll, pitch, yaw)};
}
[[nodiscard]] constexpr detail::Turned turned(const Mat3<double>& rotation) noexcept { return {rotation}; }
[[nodiscard]] constexpr detail::Com com(double x, double y, double z) noexcept { return {{x, y, z}}; }
// An inertia is given about the centre of mass, in link axes.
[[nodiscard]] constexpr detail::Inertia inertia(double xx, double yy, double zz, double xy = 0, double xz = 0,
                                                double yz = 0) noexcept {
  return {{xx, xy, xz, yy, yz, zz}};
}
[[nodiscard]] constexpr detail::Body body(double mass_kg, detail::Com com, detail::Inertia inertia) noexcept {
  return {mass_kg, com.position, inertia.tensor};
}
// A massless link has no inertia at all (the cross of a universal joint). Its joint needs inertia further out, or a
// rotor.
[[nodiscard]] constexpr detail::Body massless() noexcept {
  detail::Body none{};
  none.is_massless = true;
  return none;
}
[[nodiscard]] constexpr detail::Radius radius(double r) noexcept { return {r}; }
[[nodiscard]] constexpr detail::Size size(double x, double y, double z) noexcept { return {{x, y, z}}; }
[[nodiscard]] constexpr detail::Kind of_kind(int kind) noexcept { return {kind}; }
[[nodiscard]] constexpr detail::Gravity gravity(double x, double y, double z) noexcept { return {{x, y, z}}; }

// Words of a link come in any order; what they do not say keeps its default (on the world, no placement, fixed).
template <class... Words>
[[nodiscard]] constexpr Link link(std::string_view name, const Words&... words) noexcept {
  Link l{};
  l.name = name;
  (words.apply(l), ...);
  return l;
}
template <class... Words>
[[nodiscard]] constexpr ContactPoint contact_point(std::string_view name, const Words&... words) noexcept {
  ContactPoint p{};
  p.name = name;
  (words.apply(p), ...);
  return p;
}
// A sphere about a point is written contact_sphere("ball", on("finger"), at(0, 0, 0.1), radius(0.01)).
template <class... Words>
[[nodiscard]] constexpr ContactPoint contact_sphere(std::string_view name, const Words&... words) noexcept {
  return contact_point(name, words...);
}
// A box is written contact_box(on("foot"), at(0, 0, -0.02), size(0.2, 0.1, 0.04)).
template <class... Words>
[[nodiscard]] constexpr ContactBox contact_box(const Words&... words) noexcept {
  ContactBox b{};
  (words.apply(b), ...);
  return b;
}

[[nodiscard]] constexpr PointOf point_of(std::string_view link, double x, double y, double z) noexcept {
  return {link, kUnknownParent, {x, y, z}};
}
// closure("pin", point_of("coupler", 0.4, 0, 0), point_of("rocker", 0, 0, 0.3)): the two points stay together.
[[nodiscard]] constexpr Closure closure(std::string_view name, const PointOf& first, const PointOf& second) noexcept {
  return {name, first, second};
}

[[nodiscard]] constexpr JointOf joint(std::string_view link) noexcept { return {link, kUnknownParent}; }
// The ratio is how far the follower goes when the leader goes by one: rad or m per rad or m.
[[nodiscard]] constexpr Leader follows(std::string_view link, detail::Ratio ratio = {1}) noexcept {
  return {{link, kUnknownParent}, ratio.value};
}
// coupling("mimic", joint("finger_2"), follows("finger_1", ratio(-1)), offset(0.1)): one finger mirrors another.
[[nodiscard]] constexpr Coupling coupling(std::string_view name, const JointOf& follower, const Leader& leader,
                                          detail::Offset offset = {0}) noexcept {
  Coupling c{};
  c.name = name, c.follower = follower, c.offset = offset.value;
  c.leaders[0] = leader;
  c.leader_count = 1;
  return c;
}
// coupling("differential", joint("cage"), follows("left", ratio(0.5)), follows("right", ratio(0.5)))
[[nodiscard]] constexpr Coupling coupling(std::string_view name, const JointOf& follower, const Leader& first,
                                          const Leader& second, detail::Offset offset = {0}) noexcept {
  Coupling c = coupling(name, follower, first, offset);
  c.leaders[1] = second;
  c.leader_count = 2;
  return c;
}

// Gives the index of a link; kWorld for "world", kUnknownParent if none of the first `count` links has the name.
template <int Links, int Points, int Loops, int Couplings>
[[nodiscard]] constexpr int find_link(const Robot<Links, Points, Loops, Couplings>& r, std::string_view name,
                                      int count = Links) noexcept {
  if (name == "world") return kWorld;
  for (int i = 0; i < count; ++i)
    if (r.link(i).name == name) return i;
  return kUnknownParent;
}

namespace detail {
template <class Part>
inline constexpr int kIsLink = std::is_same_v<Part, Link> ? 1 : 0;
template <class Part>
inline constexpr int kIsLoop = std::is_same_v<Part, Closure> ? 1 : 0;
template <class Part>
inline constexpr int kIsCoupling = std::is_same_v<Part, Coupling> ? 1 : 0;
template <class Part>
inline constexpr int kPointsIn = std::is_same_v<Part, ContactPoint> ? 1
                                 : std::is_same_v<Part, ContactBox> ? 8
                                                                    : 0;

// The places where the next link, point, loop and coupling go.
struct Cursor {
  std::size_t links{0};
  std::size_t points{0};
  std::size_t loops{0};
  std::size_t couplings{0};
};
template <class R>
constexpr void add(R& robot, Cursor& next, const Link& l) noexcept {
  Link& place = robot.links[next.links];
  place = l;
  place.parent = find_link(robot, l.parent_name, static_cast<int>(next.links));  // only links listed before it
  ++next.links;
}
template <class R>
constexpr void add(R& robot, Cursor& next, const ContactPoint& p) noexcept {
  robot.points[next.points++] = p;
}
template <class R>
constexpr void add(R& robot, Cursor& next, const ContactBox& b) noexcept {
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3<double> from_center{((corner & 4) != 0 ? 0.5 : -0.5) * b.size_m.x,
                                   ((corner & 2) != 0 ? 0.5 : -0.5) * b.size_m.y,
                                   ((corner & 1) != 0 ? 0.5 : -0.5) * b.size_m.z};
    ContactPoint p{};
    p.link_name = b.link_name;
    p.position_m = b.center_m + b.rotation * from_center;
    p.kind = b.kind;
    add(robot, next, p);
  }
}
template <class R>
constexpr void add(R& robot, Cursor& next, const Closure& c) noexcept {
  robot.loops[next.loops++] = c;
}
template <class R>
constexpr void add(R& robot, Cursor& next, const Coupling& c) noexcept {
  robot.couplings[next.couplings++] = c;
}
template <class R>
constexpr void add(R& robot, Cursor& /*next*/, const Gravity& g) noexcept {
  robot.gravity_mps2 = g.acceleration;
}
}  // namespace detail

// A robot takes links (parents first), contact points, loops, couplings and gravity in any other order.
template <class... Parts>
[[nodiscard]] constexpr auto robot(std::string_view name, const Parts&... parts) noexcept {
  using R = Robot<(0 + ... + detail::kIsLink<Parts>), (0 + ... + detail::kPointsIn<Parts>),
                  (0 + ... + detail::kIsLoop<Parts>), (0 + ... + detail::kIsCoupling<Parts>)>;
  R result{};
  result.name = name;
  detail::Cursor next{};
  (detail::add(result, next, parts), ...);
  for (int i = 0; i < R::kPoints; ++i) {
    ContactPoint& p = result.points[static_cast<std::size_t>(i)];
    p.link = find_link(result, p.link_name);
  }
  for (int i = 0; i < R::kLoops; ++i) {
    Closure& c = result.loops[static_cast<std::size_t>(i)];
    c.first.link = find_link(result, c.first.link_name);
    c.second.link = find_link(result, c.second.link_name);
  }
  for (int i = 0; i < R::kCouplings; ++i) {
    Coupling& c = result.couplings[static_cast<std::size_t>(i)];
    c.follower.link = find_link(result, c.follower.link_name);
    for (int k = 0; k < c.leader_count; ++k) {
      JointOf& leader = c.leaders[static_cast<std::size_t>(k)].joint;
      leader.link = find_link(result, leader.link_name);
    }
  }
  return result;
}

}  // namespace kinecast
