// SPDX-License-Identifier: MIT
// The numbers that the sweeps read, one record per joint, in the frames of model/frames.hpp. The compiler computes
// `model<arm, float>`, which lives in flash. build_model() makes a Model at run time from other values of the same
// shape (a fitted mass, a payload), which every algorithm takes too.
#pragma once

#include <kinecast/core/scalar.hpp>
#include <kinecast/core/status.hpp>
#include <kinecast/math/placement.hpp>
#include <kinecast/math/spatial.hpp>
#include <kinecast/math/types.hpp>
#include <kinecast/model/frames.hpp>
#include <kinecast/model/robot.hpp>
#include <kinecast/model/shape.hpp>
#include <kinecast/model/validate.hpp>

namespace kinecast {

template <class S>
struct JointConstants {
  Screw<S> along_x{};  // Rx(alpha), a
  Screw<S> along_z{};  // revolute: the slide d; prismatic: the turn, and the slide at q = 0; spherical: the turn
  S angle_offset{};    // revolute: the angle at q = 0, less the quarter turns
  std::uint32_t quarter_turns{};
  RigidInertia<S> inertia{};  // inertia of the body about the origin of its frame
  Sym3<S> second_moment{};    // ∫ x xᵀ dm, same origin
  S rotor{};                  // reflected rotor inertia (method 1.2)
};

// A joint that hangs on the world: its placement, and the upward acceleration that stands for gravity, in the frame
// before the joint turns.
template <class S>
struct Root {
  Placement<S> placement{};
  Vec3<S> minus_gravity{};
};

// The turn Rz(beta) and the offset r of a joint that is not plain (model/frames.hpp).
template <class S>
struct Mount {
  Screw<S> turn{};
  Vec3<S> position{};
};

// Dry friction in one direction of motion, and its viscous part.
template <class S>
struct FrictionConstants {
  S coulomb{};
  S drop{};  // static less Coulomb friction
  S viscous{};
};

// A drive as the joint feels it (method 5.1).
template <class S>
struct DriveConstants {
  S torque_per_command{};  // E_M = gamma K / R for a motor; 1, or 0 for a joint that takes no torque
  S command_limit{};
  S back_emf{};  // D_M = (gamma K)² / R
  S offset{};
  S stribeck{};
  S load_loss{};
  FrictionConstants<S> forward{};
  FrictionConstants<S> backward{};
  Actuator actuator{};
};

// The positions at which a joint stops, very far away if it has no stops, and its largest speed.
template <class S>
struct LimitConstants {
  S lower{-Tolerance<S>::kLargestInput};
  S upper{Tolerance<S>::kLargestInput};
  S rebound{};
  S spring{};
  S damper{};
  S speed{Tolerance<S>::kLargestInput};
};

template <class S>
struct PointOnBody {
  int body{kWorld};
  Vec3<S> position{};  // in the body's frame
};

// The two points that a loop holds together.
template <class S>
struct LoopConstants {
  PointOnBody<S> first{};
  PointOnBody<S> second{};
};

// A joint that another one follows; the body is kWorld where a coupling has no second one.
template <class S>
struct LeaderConstants {
  std::int16_t body{kWorld};
  S ratio{};
};

// The joints of a coupling, by their bodies.
template <class S>
struct CouplingConstants {
  std::int16_t follower{};
  std::array<LeaderConstants<S>, static_cast<std::size_t>(kMostLeaders)> leaders{};
  S offset{};
};

// What surrounds a contact point: a sphere, or nothing; and the kind of material.
template <class S>
struct Skin {
  S radius{};
  int kind{};
};

template <const auto& R, class S>
struct Model {
  using Scalar = S;
  using Shape = kinecast::Shape<R>;
  template <class T, int Size>
  using Table = std::array<T, static_cast<std::size_t>(Size)>;

  Table<JointConstants<S>, Shape::kBodies> joints{};
  Table<Root<S>, Shape::kHas.roots> roots{};
  Table<Mount<S>, Shape::kHas.mounts> mounts{};
  Table<Placement<S>, Shape::kLinks> link_frames{};  // the user's link frame in its body's frame (or in the world)
  Table<PointOnBody<S>, Shape::kPoints> points{};
  Table<Skin<S>, Shape::kPoints> skins{};  // one of each point
  Table<DriveConstants<S>, (Shape::kHas.drives > 0 ? Shape::kBodies : 0)> drives{};
  static constexpr bool kHasLimits = Shape::kHas.limits + Shape::kHas.speed_limits > 0;
  Table<LimitConstants<S>, (kHasLimits ? Shape::kBodies : 0)> limits{};
  Table<LoopConstants<S>, Shape::kLoops> loops{};
  Table<CouplingConstants<S>, Shape::kCouplings> couplings{};
  Vec3<S> gravity{};

  [[nodiscard]] constexpr const JointConstants<S>& joint(int body) const noexcept {
    return joints[static_cast<std::size_t>(body)];
  }
  [[nodiscard]] constexpr const DriveConstants<S>& drive(int body) const noexcept {
    return drives[static_cast<std::size_t>(body)];
  }
  [[nodiscard]] constexpr const LimitConstants<S>& limit(int body) const noexcept {
    return limits[static_cast<std::size_t>(body)];
  }
  [[nodiscard]] constexpr const Root<S>& root(int index) const noexcept {
    return roots[static_cast<std::size_t>(index)];
  }
  [[nodiscard]] constexpr const Mount<S>& mount(int index) const noexcept {
    return mounts[static_cast<std::size_t>(index)];
  }
};

// A Position holds q; a Velocity holds one number per degree of freedom (dq, ddq, tau).
template <const auto& R, class S>
using Position = Vector<S, Shape<R>::kPositions>;
template <const auto& R, class S>
using Velocity = Vector<S, Shape<R>::kDofs>;

namespace detail {

// The inertia of a link about the origin of a frame in which the link has this placement.
[[nodiscard]] constexpr RigidInertia<double> seen_from(const Placement<double>& placed, const Link& l) noexcept {
  const Vec3<double> c = placed.position + placed.rotation * l.com_m;
  const double m = l.mass_kg;
  const Sym3<double> parallel_axis{m * (c.y * c.y + c.z * c.z), -m * c.x * c.y, -m * c.x * c.z,
                                   m * (c.x * c.x + c.z * c.z), -m * c.y * c.z, m * (c.x * c.x + c.y * c.y)};
  return {m, m * c, rotated(placed.rotation, l.inertia_kgm2) + parallel_axis};
}

template <class S>
[[nodiscard]] constexpr Screw<S> screw(double cosine, double sine, double slide) noexcept {
  return {static_cast<S>(snap(cosine)), static_cast<S>(snap(sine)), static_cast<S>(slide)};
}

// Stores the turn of a revolute joint at q = 0 as whole quarter turns and a rest, that of any other joint as its cosine
// and sine.
template <class S>
constexpr void set_turn(JointKind kind, double cosine, double sine, JointConstants<S>& joint) noexcept {
  if (kind != JointKind::revolute) {
    joint.along_z.cos = static_cast<S>(snap(cosine));
    joint.along_z.sin = static_cast<S>(snap(sine));
    return;
  }
  const double quarters = constant::atan2(sine, cosine) / (constant::kPi / 2);
  const int whole = static_cast<int>(quarters + (quarters < 0 ? -0.5 : 0.5));
  joint.angle_offset = static_cast<S>(snap((quarters - whole) * (constant::kPi / 2)));
  joint.quarter_turns = static_cast<std::uint32_t>(whole);
}

// Stores the screws of a plain joint, in_parent = Rx(alpha) Rz(gamma), a x + Rx(alpha) d z.
template <class S>
constexpr void set_plain(JointKind kind, const Placement<double>& in_parent, JointConstants<S>& joint) noexcept {
  const Mat3<double>& r = in_parent.rotation;
  const double sine = -r.row_y.z;
  const double cosine = r.row_z.z;
  joint.along_x = screw<S>(cosine, sine, in_parent.position.x);
  joint.along_z.slide = static_cast<S>(cosine * in_parent.position.z - sine * in_parent.position.y);
  set_turn(kind, r.row_x.x, -r.row_x.y, joint);
}

// Stores the screws of a joint with a mount, in_parent = Rz(beta) Rx(alpha) Rz(gamma), r.
template <class S>
constexpr void set_mounted(JointKind kind, const Placement<double>& in_parent, JointConstants<S>& joint,
                           Mount<S>& mount) noexcept {
  const Mat3<double>& r = in_parent.rotation;
  const double sine = constant::sqrt(r.row_x.z * r.row_x.z + r.row_y.z * r.row_y.z);
  const bool tilted = sine > Tolerance<double>::kUntilted;
  const double beta_cosine = tilted ? -r.row_y.z / sine : 1;
  const double beta_sine = tilted ? r.row_x.z / sine : 0;
  joint.along_x = screw<S>(r.row_z.z, tilted ? sine : 0, 0);
  mount.turn = screw<S>(beta_cosine, beta_sine, 0);
  mount.position = in_parent.position.cast<S>();
  // gamma is found from Rz(-beta) in_parent = Rx(alpha) Rz(gamma): beta is inexact where the tilt is small, and gamma
  // must make up for it.
  const Vec3<double> row = beta_cosine * r.row_x + beta_sine * r.row_y;
  set_turn(kind, row.x, -row.y, joint);
}

template <class S>
[[nodiscard]] constexpr FrictionConstants<S> friction_constants(double coulomb, double stiction,
                                                                double viscous) noexcept {
  return {static_cast<S>(coulomb), static_cast<S>(stiction - coulomb), static_cast<S>(viscous)};
}

template <class S>
[[nodiscard]] constexpr DriveConstants<S> drive_constants(const Drive& d) noexcept {
  const DriveSide s = seen_at_joint(d);
  DriveConstants<S> c{};
  c.actuator = d.actuator;
  c.torque_per_command = S(d.actuator == Actuator::torque ? 1 : 0);
  c.command_limit = d.torque_limit_Nm > 0 ? static_cast<S>(d.torque_limit_Nm) : Tolerance<S>::kLargestInput;
  if (d.actuator == Actuator::dc_motor) {
    const double per_ampere = d.gear_ratio * d.torque_constant_Nm_per_A;
    c.torque_per_command = static_cast<S>(per_ampere / d.resistance_ohm);
    c.command_limit = static_cast<S>(d.voltage_limit_V);
    c.back_emf = static_cast<S>(per_ampere * per_ampere / d.resistance_ohm);
  }
  c.offset = static_cast<S>(s.offset_Nm);
  // Without a Stribeck value the friction above Coulomb's vanishes at any speed that can be told from rest.
  c.stribeck = s.has_stribeck ? static_cast<S>(s.stribeck_s_per_rad) : Tolerance<S>::kLargestInput;
  c.load_loss = static_cast<S>(d.load_loss);
  c.forward = friction_constants<S>(s.coulomb_Nm.forward, s.stiction_Nm.forward, s.viscous_Nms_per_rad.forward);
  c.backward = friction_constants<S>(s.coulomb_Nm.backward, s.stiction_Nm.backward, s.viscous_Nms_per_rad.backward);
  return c;
}

template <class S>
[[nodiscard]] constexpr LimitConstants<S> limit_constants(const JointLimits& l) noexcept {
  LimitConstants<S> c{};
  if (l.has_stops)
    c = {static_cast<S>(l.lower),
         static_cast<S>(l.upper),
         static_cast<S>(l.rebound),
         static_cast<S>(l.spring_Nm_per_rad),
         static_cast<S>(l.damper_Nms_per_rad),
         c.speed};
  if (l.has_speed) c.speed = static_cast<S>(l.speed);
  return c;
}

// A point of a link in the frame of its body, or in the world.
template <const auto& R>
[[nodiscard]] constexpr Vec3<double> in_body(const Frames<R.kLinks>& frames, int link,
                                             const Vec3<double>& position) noexcept {
  if (link == kWorld) return position;
  Placement<double> placed = frames.link_in_body[static_cast<std::size_t>(link)];
  const int b = Shape<R>::body_of_link(link);
  if (b >= 0) placed = relative(frames.body_frame[static_cast<std::size_t>(b)], placed);
  return placed.position + placed.rotation * position;
}

template <const auto& R, class S, class Values>
constexpr void fill_model(const Values& robot, const Frames<R.kLinks>& frames, Model<R, S>& m) noexcept {
  using Shape = kinecast::Shape<R>;
  m.gravity = robot.gravity_mps2.template cast<S>();
  for (int b = 0; b < Shape::kBodies; ++b) {
    const std::size_t at = static_cast<std::size_t>(b);
    const JointIndex& index = Shape::index(b);
    const Link& l = robot.link(Shape::kTree.link_of_body[at]);
    JointConstants<S>& joint = m.joints[at];
    const Placement<double>& own = frames.body_frame[at];
    const Placement<double> link_in_parent{l.rotation, l.position_m};
    const Placement<double> in_parent_link =
        l.parent >= 0 ? frames.link_in_body[static_cast<std::size_t>(l.parent)] * link_in_parent : link_in_parent;
    const Placement<double> placed = in_parent_link * own;
    if (index.root >= 0) {
      joint.along_z = screw<S>(1, 0, 0);
      m.roots[static_cast<std::size_t>(index.root)] = {
          placed.template cast<S>(), (-transpose_times(placed.rotation, robot.gravity_mps2)).template cast<S>()};
    } else {
      const Placement<double> in_parent = relative(frames.body_frame[static_cast<std::size_t>(index.parent)], placed);
      if (index.mount < 0)
        set_plain(l.joint, in_parent, joint);
      else
        set_mounted(l.joint, in_parent, joint, m.mounts[static_cast<std::size_t>(index.mount)]);
    }
    joint.rotor = static_cast<S>(reflected_rotor(l.drive));
    if constexpr (Shape::kHas.drives > 0) m.drives[at] = drive_constants<S>(l.drive);
    if constexpr (Model<R, S>::kHasLimits) m.limits[at] = limit_constants<S>(l.limits);
  }
  std::array<RigidInertia<double>, static_cast<std::size_t>(Shape::kBodies)> bodies{};
  for (int i = 0; i < Shape::kLinks; ++i) {
    const std::size_t at = static_cast<std::size_t>(i);
    const int b = Shape::body_of_link(i);
    Placement<double> in_body = frames.link_in_body[at];
    if (b >= 0) {
      const std::size_t body = static_cast<std::size_t>(b);
      in_body = relative(frames.body_frame[body], in_body);
      bodies[body] = bodies[body] + seen_from(in_body, robot.link(i));
    }
    m.link_frames[at] = in_body.template cast<S>();
  }
  for (int b = 0; b < Shape::kBodies; ++b) {
    const std::size_t at = static_cast<std::size_t>(b);
    const RigidInertia<double>& body = bodies[at];
    m.joints[at].inertia = {static_cast<S>(body.mass), body.first_moment.template cast<S>(),
                            body.rotational.template cast<S>()};
    m.joints[at].second_moment = second_moment(body.rotational).template cast<S>();
  }
  const auto place = [&](int link, const Vec3<double>& position) -> PointOnBody<S> {
    return {link == kWorld ? kWorld : Shape::body_of_link(link), in_body<R>(frames, link, position).template cast<S>()};
  };
  for (int i = 0; i < Shape::kPoints; ++i) {
    const std::size_t at = static_cast<std::size_t>(i);
    const ContactPoint& p = robot.point(i);
    m.skins[at] = {static_cast<S>(p.radius_m), p.kind};
    m.points[at] = place(p.link, p.position_m);
  }
  for (int i = 0; i < Shape::kLoops; ++i) {
    const Closure& c = robot.loop(i);
    m.loops[static_cast<std::size_t>(i)] = {place(c.first.link, c.first.position_m),
                                            place(c.second.link, c.second.position_m)};
  }
  for (int i = 0; i < Shape::kCouplings; ++i) {
    const Coupling& c = robot.coupling(i);
    CouplingConstants<S>& to = m.couplings[static_cast<std::size_t>(i)];
    to = {};
    to.follower = static_cast<std::int16_t>(Shape::body_of_link(c.follower.link));
    to.offset = static_cast<S>(c.offset);
    for (int k = 0; k < c.leader_count; ++k) {
      const Leader& leader = c.leaders[static_cast<std::size_t>(k)];
      to.leaders[static_cast<std::size_t>(k)] = {static_cast<std::int16_t>(Shape::body_of_link(leader.joint.link)),
                                                 static_cast<S>(leader.ratio)};
    }
  }
}

[[nodiscard]] constexpr bool couples_same_joints(const Coupling& a, const Coupling& b) noexcept {
  bool same = a.follower.link == b.follower.link && a.leader_count == b.leader_count;
  for (int k = 0; same && k < a.leader_count; ++k)
    same = a.leaders[static_cast<std::size_t>(k)].joint.link == b.leaders[static_cast<std::size_t>(k)].joint.link;
  return same;
}

template <const auto& R, class S>
[[nodiscard]] constexpr Model<R, S> compile_model() noexcept {
  Model<R, S> m{};
  fill_model<R, S>(R, Shape<R>::kFrames, m);
  return m;
}

}  // namespace detail

// The model of the robot as it was written, in flash.
template <const auto& R, class S>
inline constexpr Model<R, S> model = detail::compile_model<R, S>();

// Builds a model of the same robot with other numbers: masses, inertias, placements, drives. What must stay as
// compiled: the tree, joint kinds, actuators, which joints are plain and which have limits, whether there are rotors,
// drives and load losses at all, which contact points are spheres and of which kind, what loops join, and who follows
// whom. Otherwise, or if a rule is broken, it gives invalid_model and leaves `out` untouched.
template <const auto& R, class S, class Values>
[[nodiscard]] constexpr Status build_model(const Values& values, Model<R, S>& out) noexcept {
  using Shape = kinecast::Shape<R>;
  static_assert(Values::kLinks == R.kLinks && Values::kPoints == R.kPoints && Values::kLoops == R.kLoops &&
                    Values::kCouplings == R.kCouplings,
                "the robot has other links, points, loops or couplings");
  if (!validate(values).ok()) return Status::invalid_model;
  for (int i = 0; i < R.kLinks; ++i) {
    if (values.link(i).joint != R.link(i).joint || values.link(i).parent != R.link(i).parent)
      return Status::invalid_model;
    const Drive& drive = values.link(i).drive;
    if (drive.actuator != R.link(i).drive.actuator) return Status::invalid_model;
    if (detail::reflected_rotor(drive) > 0 && Shape::kHas.rotors == 0) return Status::invalid_model;
    if (detail::is_more_than_torque(drive) && Shape::kHas.drives == 0) return Status::invalid_model;
    if (drive.load_loss > 0 && Shape::kHas.load_losses == 0) return Status::invalid_model;
    const JointLimits& limits = values.link(i).limits;
    if (limits.has_stops != R.link(i).limits.has_stops || limits.has_speed != R.link(i).limits.has_speed)
      return Status::invalid_model;
  }
  for (int i = 0; i < R.kLoops; ++i)
    if (values.loop(i).first.link != R.loop(i).first.link || values.loop(i).second.link != R.loop(i).second.link)
      return Status::invalid_model;
  for (int i = 0; i < R.kCouplings; ++i)
    if (!detail::couples_same_joints(values.coupling(i), R.coupling(i))) return Status::invalid_model;
  for (int i = 0; i < R.kPoints; ++i)
    if (values.point(i).link != R.point(i).link || values.point(i).kind != R.point(i).kind ||
        (values.point(i).radius_m > 0) != (R.point(i).radius_m > 0))
      return Status::invalid_model;
  const auto frames = detail::choose_frames(values, Shape::kTree);
  for (int b = 0; b < Shape::kBodies; ++b) {
    const std::size_t at = static_cast<std::size_t>(b);
    if (Shape::kFrames.plain[at] && !frames.plain[at]) return Status::invalid_model;
  }
  detail::fill_model<R, S>(values, frames, out);
  return Status::ok;
}

}  // namespace kinecast
