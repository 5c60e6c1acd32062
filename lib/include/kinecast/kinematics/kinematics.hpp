// SPDX-License-Identifier: MIT
// Kinematics: one outward sweep finds the poses and velocities of all bodies; then any link or point has its pose,
// velocity and geometric Jacobian, in world axes. The sweep takes 36 + 33 operations per joint.
#pragma once

#include <kinecast/kinematics/screws.hpp>
#include <kinecast/kinematics/transfer.hpp>
#include <kinecast/math/placement.hpp>
#include <kinecast/math/spatial.hpp>
#include <kinecast/math/types.hpp>
#include <kinecast/model/model.hpp>

namespace kinecast {

// A link's frame in the world.
template <class S>
struct Pose {
  Matrix<S, 3, 3> rotation;  // link axes to world axes
  Vector<S, 3> position;
};

// A link's velocity in world axes; linear is that of the link frame's origin.
template <class S>
struct Twist {
  Vector<S, 3> angular;
  Vector<S, 3> linear;
};

template <class S>
[[nodiscard]] inline Vector<S, 3> to_vector(const Vec3<S>& v) noexcept {
  return {v.x, v.y, v.z};
}
template <class V>
[[nodiscard]] inline auto to_vec3(const V& v) noexcept {
  return Vec3<typename V::Scalar>{v[0], v[1], v[2]};
}
template <class S>
[[nodiscard]] inline Matrix<S, 3, 3> to_matrix(const Mat3<S>& m) noexcept {
  Matrix<S, 3, 3> out;
  out << m.row_x.x, m.row_x.y, m.row_x.z, m.row_y.x, m.row_y.y, m.row_y.z, m.row_z.x, m.row_z.y, m.row_z.z;
  return out;
}

// Poses and velocities of the bodies' own frames; velocities in body axes.
template <const auto& R, class S>
struct Kinematics {
  using Shape = kinecast::Shape<R>;
  Screws<R, S> screws{};
  std::array<Placement<S>, static_cast<std::size_t>(Shape::kBodies)> poses{};
  std::array<Motion<S>, static_cast<std::size_t>(Shape::kBodies)> twists{};

  // Body -1 is the world.
  [[nodiscard]] Placement<S> pose(int body) const noexcept {
    return body == kWorld ? kNoPlacement<S> : poses[static_cast<std::size_t>(body)];
  }
  [[nodiscard]] Motion<S> twist(int body) const noexcept {
    return body == kWorld ? Motion<S>{} : twists[static_cast<std::size_t>(body)];
  }
};

namespace detail {

// check_place() checks three coordinates at once: one out of range shows in the sum of absolutes.
template <class S>
[[nodiscard, gnu::always_inline]] inline Status check_place(const Vec3<S>& p) noexcept {
  return check_position(std::abs(p.x) + std::abs(p.y) + std::abs(p.z));
}
template <const auto& R, class S>
[[nodiscard, gnu::always_inline]] inline Status check_point(const PointOnBody<S>& point) noexcept {
  if (point.body < kWorld || point.body >= Shape<R>::kBodies) return Status::index_out_of_range;
  return check_place(point.position);
}

// turned_by_joint() gives the parent's rotation times the rotation across the joint.
template <const auto& R, class S>
[[nodiscard]] inline Mat3<S> turned_by_joint(const Model<R, S>& model, const Screws<R, S>& screws, int body,
                                             const Mat3<S>& parent) noexcept {
  // Each row is a world axis in parent coordinates, seen from the child.
  return {axes_to_child(model, screws, body, parent.row_x), axes_to_child(model, screws, body, parent.row_y),
          axes_to_child(model, screws, body, parent.row_z)};
}

template <const auto& R, class S>
[[nodiscard]] inline Placement<S> root_pose(const Model<R, S>& model, const Screws<R, S>& screws, int body) noexcept {
  using Shape = kinecast::Shape<R>;
  const JointIndex& index = Shape::index(body);
  const Placement<S>& seat = model.root(index.root).placement;
  if constexpr (Shape::kHas.floating > 0) {
    if (Shape::is_floating(body)) {
      const std::size_t free = static_cast<std::size_t>(index.free);
      return {screws.floating[free], screws.base_position[free]};
    }
  }
  if constexpr (Shape::kHas.spherical > 0) {
    if (Shape::is_spherical(body))
      return {seat.rotation * screws.spherical[static_cast<std::size_t>(index.free)], seat.position};
  }
  const Screw<S>& k = screws[body];
  const Mat3<S>& r = seat.rotation;
  const Vec3<S> along{r.row_x.z, r.row_y.z, r.row_z.z};
  return {{turn_back_z(k, r.row_x), turn_back_z(k, r.row_y), turn_back_z(k, r.row_z)}, seat.position + k.slide * along};
}

template <const auto& R, class S>
inline void add_joint_velocity(const Screws<R, S>& screws, int body, const Velocity<R, S>& dq, Motion<S>& m) noexcept {
  using Shape = kinecast::Shape<R>;
  const int v = Shape::v_of(body);
  if (Shape::is_revolute(body)) {
    m.angular.z += dq[v];
  } else if (Shape::is_prismatic(body)) {
    m.linear.z += dq[v];
  } else if (Shape::is_spherical(body)) {
    m.angular = m.angular + Vec3<S>{dq[v], dq[v + 1], dq[v + 2]};
  } else if constexpr (Shape::kHas.floating > 0) {
    const Mat3<S>& turn = screws.floating[static_cast<std::size_t>(Shape::index(body).free)];
    m.linear = transpose_times(turn, Vec3<S>{dq[v], dq[v + 1], dq[v + 2]});
    m.angular = transpose_times(turn, Vec3<S>{dq[v + 3], dq[v + 4], dq[v + 5]});
  }
}

}  // namespace detail

// Fills `out` for (q, dq). If this fails, `out` must be filled again before it is used.
template <const auto& R, class S>
[[nodiscard]] inline Status update_kinematics(const Model<R, S>& model, const Position<R, S>& q,
                                              const Velocity<R, S>& dq, Kinematics<R, S>& out) noexcept {
  using Shape = kinecast::Shape<R>;
  if (const Status status = check_input(dq); !ok(status)) return status;
  if (const Status status = update_screws(model, q, out.screws); !ok(status)) return status;
  for (int b = 0; b < Shape::kBodies; ++b) {
    const std::size_t at = static_cast<std::size_t>(b);
    Motion<S> twist{};
    if (Shape::is_root(b)) {
      out.poses[at] = detail::root_pose(model, out.screws, b);
    } else {
      const std::size_t p = static_cast<std::size_t>(Shape::index(b).parent);
      const Placement<S>& parent = out.poses[p];
      out.poses[at] = {detail::turned_by_joint(model, out.screws, b, parent.rotation),
                       parent.position + parent.rotation * origin_in_parent(model, out.screws, b)};
      twist = to_child(model, out.screws, b, out.twists[p]);
    }
    detail::add_joint_velocity(out.screws, b, dq, twist);
    out.twists[at] = twist;
  }
  return Status::ok;
}

// Fills `out` for q alone: velocities are zero.
template <const auto& R, class S>
[[nodiscard]] inline Status update_kinematics(const Model<R, S>& model, const Position<R, S>& q,
                                              Kinematics<R, S>& out) noexcept {
  return update_kinematics(model, q, Velocity<R, S>(Velocity<R, S>::Zero()), out);
}

// A point given in a link's frame, as the algorithms take it. `link` is an index of the robot's links, or kWorld.
template <const auto& R, class S>
[[nodiscard]] inline PointOnBody<S> point_on_link(const Model<R, S>& model, int link,
                                                  const Vector<S, 3>& position) noexcept {
  if (link == kWorld) return {kWorld, to_vec3(position)};
  const Placement<S>& frame = model.link_frames[static_cast<std::size_t>(link)];
  return {Shape<R>::body_of_link(link), frame.position + frame.rotation * to_vec3(position)};
}

template <const auto& R, class S>
[[nodiscard]] inline Pose<S> link_pose(const Model<R, S>& model, const Kinematics<R, S>& k, int link) noexcept {
  const Placement<S> pose = k.pose(Shape<R>::body_of_link(link)) * model.link_frames[static_cast<std::size_t>(link)];
  return {to_matrix(pose.rotation), to_vector(pose.position)};
}

template <const auto& R, class S>
[[nodiscard]] inline Vector<S, 3> point_position(const Kinematics<R, S>& k, const PointOnBody<S>& point) noexcept {
  const Placement<S> pose = k.pose(point.body);
  return to_vector(pose.position + pose.rotation * point.position);
}

template <const auto& R, class S>
[[nodiscard]] inline Vector<S, 3> point_velocity(const Kinematics<R, S>& k, const PointOnBody<S>& point) noexcept {
  const Motion<S> twist = k.twist(point.body);
  return to_vector(k.pose(point.body).rotation * (twist.linear + cross(twist.angular, point.position)));
}

template <const auto& R, class S>
[[nodiscard]] inline Twist<S> link_velocity(const Model<R, S>& model, const Kinematics<R, S>& k, int link) noexcept {
  const int body = Shape<R>::body_of_link(link);
  const PointOnBody<S> origin{body, model.link_frames[static_cast<std::size_t>(link)].position};
  return {to_vector(k.pose(body).rotation * k.twist(body).angular), point_velocity(k, origin)};
}

// The geometric Jacobian of a point: [angular; linear] = J dq in world axes.
template <const auto& R, class S>
using PointJacobian = Matrix<S, 6, Shape<R>::kDofs>;

template <const auto& R, class S>
[[nodiscard]] inline PointJacobian<R, S> point_jacobian(const Kinematics<R, S>& k,
                                                        const PointOnBody<S>& point) noexcept {
  using Shape = kinecast::Shape<R>;
  PointJacobian<R, S> j = PointJacobian<R, S>::Zero();
  const Placement<S> own = k.pose(point.body);
  const Vec3<S> p = own.position + own.rotation * point.position;
  const auto write = [&](int column, const Vec3<S>& angular, const Vec3<S>& linear) {
    j(0, column) = angular.x, j(1, column) = angular.y, j(2, column) = angular.z;
    j(3, column) = linear.x, j(4, column) = linear.y, j(5, column) = linear.z;
  };
  for (int b = point.body; b >= 0; b = Shape::index(b).parent) {
    const Placement<S>& pose = k.poses[static_cast<std::size_t>(b)];
    const Vec3<S> arm = p - pose.position;
    const Mat3<S> axes = transpose(pose.rotation);
    const int v = Shape::v_of(b);
    if (Shape::is_revolute(b)) {
      write(v, axes.row_z, cross(axes.row_z, arm));
    } else if (Shape::is_prismatic(b)) {
      write(v, {}, axes.row_z);
    } else {
      const bool floats = Shape::is_floating(b);
      const Mat3<S> turns = floats ? kIdentity3<S> : axes;
      const Vec3<S> axis[3] = {turns.row_x, turns.row_y, turns.row_z};
      for (int i = 0; i < 3; ++i) {
        if (floats) write(v + i, {}, axis[i]);
        write(v + i + (floats ? 3 : 0), axis[i], cross(axis[i], arm));
      }
    }
  }
  return j;
}

}  // namespace kinecast
