// SPDX-License-Identifier: MIT
// A row of constraints, one number of a robot's motion (method 1.5): the acceleration (or velocity) of a joint, or of a
// point along a direction, relative to the world or to a point of another body. The force of the row is the joint's
// torque, or a force at the point along the direction with its reaction on the other body.
//
//   y = J ddq + dJ/dt dq       true acceleration, velocity products and gravity included; J H⁻¹ J'ᵀ by factor.hpp
//
// Directions are in world axes and do not turn with the bodies. One outward sweep gives y of all rows: 110 operations
// per joint.
#pragma once

#include <kinecast/dynamics/bias.hpp>
#include <kinecast/dynamics/factor.hpp>
#include <kinecast/dynamics/workspace.hpp>
#include <kinecast/kinematics/kinematics.hpp>
#include <kinecast/kinematics/transfer.hpp>

#include <array>
#include <cmath>
#include <cstddef>

namespace kinecast {

template <class S>
struct MotionRow {
  bool is_joint{false};
  int joint{kWorld};             // of a joint's row: the joint's body; the joint has one axis
  PointOnBody<S> point{};        // of a point's row: the point
  PointOnBody<S> relative_to{};  // the other point; by default the world
  Vec3<S> direction{};           // unit, world axes
};

// The row of the joint by which a link hangs on its parent. (A welded link has no joint: solving refuses its row.)
template <const auto& R, class S>
[[nodiscard]] inline MotionRow<S> row_of_joint(const Model<R, S>& /*model*/, int link) noexcept {
  const bool moves = link >= 0 && link < Shape<R>::kLinks && R.link(link).joint != JointKind::fixed;
  MotionRow<S> row;
  row.is_joint = true;
  row.joint = moves ? Shape<R>::body_of_link(link) : kWorld;
  return row;
}

template <class S>
[[nodiscard]] inline MotionRow<S> row_of_point(const PointOnBody<S>& point, const Vector<S, 3>& direction) noexcept {
  return {false, kWorld, point, {}, {direction[0], direction[1], direction[2]}};
}

// The row of one point relative to another: positive if `point` moves along the direction as seen from `relative_to`.
template <class S>
[[nodiscard]] inline MotionRow<S> row_between(const PointOnBody<S>& point, const PointOnBody<S>& relative_to,
                                              const Vector<S, 3>& direction) noexcept {
  return {false, kWorld, point, relative_to, {direction[0], direction[1], direction[2]}};
}

namespace detail {

template <const auto& R, class S>
[[nodiscard]] inline Status check_row(const MotionRow<S>& row) noexcept {
  using Shape = kinecast::Shape<R>;
  if (row.is_joint) {
    if (row.joint < 0 || row.joint >= Shape::kBodies) return Status::index_out_of_range;
    return Shape::is_revolute(row.joint) || Shape::is_prismatic(row.joint) ? Status::ok : Status::index_out_of_range;
  }
  if (const Status status = check_point<R>(row.point); !ok(status)) return status;
  if (const Status status = check_point<R>(row.relative_to); !ok(status)) return status;
  const Vec3<S>& d = row.direction;
  if (!is_finite(d.x) || !is_finite(d.y) || !is_finite(d.z)) return Status::non_finite_input;
  const bool is_unit = std::abs(dot(d, d) - S(1)) <= Tolerance<S>::kUnitQuaternion;
  return is_unit ? Status::ok : Status::input_out_of_range;
}

// Orientations and motions of the bodies, as the rows read them. Accelerations are true ones: the minus gravity of the
// sweeps is taken out.
template <const auto& R, class S>
class BodyMotions {
 public:
  using Shape = kinecast::Shape<R>;

  // Sweeps the motions of all bodies. For dq = 0 accelerations depend on ddq as velocities do on dq: with rates (0, dq)
  // the motions are velocities.
  BodyMotions(const Model<R, S>& model, const Screws<R, S>& screws, const Rates<R, S>& rates) noexcept {
    for (int b = 0; b < Shape::kBodies; ++b) {
      const std::size_t at = static_cast<std::size_t>(b);
      LinkMotion<S> m{};
      if (Shape::is_root(b)) {
        rotation_[at] = root_pose(model, screws, b).rotation;
        if constexpr (Shape::kHas.floating > 0) {
          if (Shape::is_floating(b)) {
            const int v = Shape::v_of(b);
            m.acceleration = transpose_times(rotation_[at], rates.acceleration3(v));
            m.omega = transpose_times(rotation_[at], rates.velocity3(v + 3));
            m.alpha = transpose_times(rotation_[at], rates.acceleration3(v + 3));
          }
        }
      } else {
        const std::size_t p = static_cast<std::size_t>(Shape::index(b).parent);
        const LinkMotion<S>& parent = motion_[p];
        rotation_[at] = turned_by_joint(model, screws, b, rotation_[p]);
        m = parent;
        carry_motion(WholeTransfer<R, S>{model, screws, b}, spin(parent), m);
      }
      add_joint_rates(b, rates, m);
      motion_[at] = m;
    }
  }

  // A direction in world axes, turned into the body's axes.
  [[nodiscard]] Vec3<S> in_body(int body, const Vec3<S>& direction) const noexcept {
    return transpose_times(rotation_[static_cast<std::size_t>(body)], direction);
  }
  // The motion of a point of a body, in the body's axes.
  [[nodiscard]] Vec3<S> of_point(int body, const Vec3<S>& position) const noexcept {
    const LinkMotion<S>& m = motion_[static_cast<std::size_t>(body)];
    return m.acceleration + spin(m) * position;
  }

 private:
  std::array<Mat3<S>, static_cast<std::size_t>(Shape::kBodies)> rotation_;  // body axes to world axes
  std::array<LinkMotion<S>, static_cast<std::size_t>(Shape::kBodies)> motion_;
};

// A row's motion, and the sum of the sizes of its terms, of which rounding is a fraction.
template <class S>
struct RowMotion {
  S value;
  S size;
};
template <const auto& R, class S>
[[nodiscard]] inline RowMotion<S> motion_of(const MotionRow<S>& row, const BodyMotions<R, S>& bodies,
                                            const Rates<R, S>& rates) noexcept {
  if (row.is_joint) {
    const S value = rates.acceleration(Shape<R>::v_of(row.joint));
    return {value, std::abs(value)};
  }
  RowMotion<S> sum{S(0), S(0)};
  const auto add = [&](const PointOnBody<S>& p, S sign) {
    if (p.body == kWorld) return;
    const Vec3<S> a = bodies.of_point(p.body, p.position);
    sum.value += sign * dot(bodies.in_body(p.body, row.direction), a);
    sum.size += std::sqrt(dot(a, a));
  };
  add(row.point, S(1));
  add(row.relative_to, S(-1));
  return sum;
}

template <const auto& R, class S>
inline void factor_of(const Model<R, S>& model, const Workspace<R, S>& work, const MotionRow<S>& row,
                      const BodyMotions<R, S>& bodies, FactorRow<R, S>& out) noexcept {
  const Factor factor{model, work};
  for (S& entry : out) entry = S(0);
  if (row.is_joint) {
    factor.joint_row(row.joint, S(1), out);
    return;
  }
  const auto add = [&](const PointOnBody<S>& p, S sign) {
    if (p.body == kWorld) return;
    const Vec3<S> force = sign * bodies.in_body(p.body, row.direction);
    factor.rows(p.body, Force<S>{cross(p.position, force), force}, out);
  };
  add(row.point, S(1));
  add(row.relative_to, S(-1));
}

}  // namespace detail
}  // namespace kinecast
