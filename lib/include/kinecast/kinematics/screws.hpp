// SPDX-License-Identifier: MIT
// The first stage of every algorithm: the sines and cosines of a configuration, computed once. It takes q, gives each
// joint's screw (and the rotation matrix of each floating or spherical body), and refuses entries that are not finite,
// too large or not of a unit quaternion.
#pragma once

#include <kinecast/core/elementary.hpp>
#include <kinecast/core/status.hpp>
#include <kinecast/math/rotation.hpp>
#include <kinecast/math/spatial.hpp>
#include <kinecast/model/model.hpp>

#include <cmath>

namespace kinecast {

template <const auto& R, class S>
struct Screws {
  using Shape = kinecast::Shape<R>;
  std::array<Screw<S>, static_cast<std::size_t>(Shape::kBodies)> joint{};
  std::array<Mat3<S>, static_cast<std::size_t>(Shape::kHas.floating)> floating{};    // body to world
  std::array<Mat3<S>, static_cast<std::size_t>(Shape::kHas.spherical)> spherical{};  // body to parent
  std::array<Vec3<S>, static_cast<std::size_t>(Shape::kHas.floating)> base_position{};

  [[nodiscard]] const Screw<S>& operator[](int body) const noexcept { return joint[static_cast<std::size_t>(body)]; }
};

namespace detail {

template <class S>
[[nodiscard]] inline Status check_position(S x) noexcept {
  if (std::abs(x) <= Tolerance<S>::kLargestPosition) return Status::ok;
  return is_finite(x) ? Status::input_out_of_range : Status::non_finite_input;
}

template <class S, class Q>
[[nodiscard]] inline Quaternion<S> quaternion_at(const Q& q, int first) noexcept {
  return {q[first], q[first + 1], q[first + 2], q[first + 3]};
}

// The orientation whose four numbers begin at `first`.
template <class S, class Q>
[[nodiscard]] inline Status check_quaternion(const Q& q, int first) noexcept {
  for (int i = first; i < first + 4; ++i)
    if (const Status status = check_position(q[i]); !ok(status)) return status;
  return is_unit(quaternion_at<S>(q, first)) ? Status::ok : Status::quaternion_not_unit;
}

// Rz(beta) Rx(alpha) Rz(gamma) of a spherical joint's seat on its parent (or the root's rotation), times its own turn.
template <const auto& R, class S>
[[nodiscard]] inline Mat3<S> spherical_rotation(const Model<R, S>& model, int body, const Mat3<S>& own) noexcept {
  const JointIndex& index = Shape<R>::index(body);
  if (index.root >= 0) return own;
  const JointConstants<S>& joint = model.joint(body);
  const Screw<S>& beta = model.mount(index.mount).turn;
  const Mat3<S> columns = transpose(own);
  const auto seat = [&](const Vec3<S>& v) { return turn_z(beta, turn_x(joint.along_x, turn_z(joint.along_z, v))); };
  return transpose(Mat3<S>{seat(columns.row_x), seat(columns.row_y), seat(columns.row_z)});
}

// Every body of a robot, parents first.
template <const auto& R>
struct EveryBody {
  [[nodiscard]] static constexpr int count() noexcept { return Shape<R>::kBodies; }
  [[nodiscard]] static constexpr int body(int place) noexcept { return place; }
};

// The screws of the bodies of `order`, which has count() and body(place).
template <const auto& R, class S, class Order>
[[nodiscard]] inline Status update_screws_of(Order order, const Model<R, S>& model, const Position<R, S>& q,
                                             Screws<R, S>& out) noexcept {
  using Shape = kinecast::Shape<R>;
  for (int place = 0; place < order.count(); ++place) {
    const int b = order.body(place);
    const std::size_t at = static_cast<std::size_t>(b);
    const JointConstants<S>& joint = model.joint(b);
    if (Shape::is_revolute(b)) {
      const S angle = q[Shape::q_of(b)];
      if (!(std::abs(angle) <= kMaxAngle<S>))
        return is_finite(angle) ? Status::input_out_of_range : Status::non_finite_input;
      const SinCos<S> trig = sincos(angle + joint.angle_offset, joint.quarter_turns);
      out.joint[at] = {trig.cos, trig.sin, joint.along_z.slide};
      continue;
    }
    if (Shape::is_prismatic(b)) {
      const S slide = q[Shape::q_of(b)];
      if (const Status status = check_position(slide); !ok(status)) return status;
      out.joint[at] = {joint.along_z.cos, joint.along_z.sin, joint.along_z.slide + slide};
      continue;
    }
    if constexpr (Shape::kHas.floating + Shape::kHas.spherical > 0) {
      const JointIndex& index = Shape::index(b);
      const bool floats = index.kind == JointKind::floating;
      const int first = index.q + (floats ? 3 : 0);
      for (int i = index.q; i < first; ++i)
        if (const Status status = check_position(q[i]); !ok(status)) return status;
      if (const Status status = check_quaternion<S>(q, first); !ok(status)) return status;
      const Quaternion<S> turn = quaternion_at<S>(q, first);
      if constexpr (Shape::kHas.floating > 0) {
        if (floats) {
          out.floating[static_cast<std::size_t>(index.free)] = to_matrix(turn);
          out.base_position[static_cast<std::size_t>(index.free)] = {q[index.q], q[index.q + 1], q[index.q + 2]};
        }
      }
      if constexpr (Shape::kHas.spherical > 0) {
        if (!floats)
          out.spherical[static_cast<std::size_t>(index.free)] = spherical_rotation(model, b, to_matrix(turn));
      }
    }
  }
  return Status::ok;
}

}  // namespace detail

// The screws of all bodies. `out` may be partly written when this fails; it is scratch, no public output.
template <const auto& R, class S>
[[nodiscard]] inline Status update_screws(const Model<R, S>& model, const Position<R, S>& q,
                                          Screws<R, S>& out) noexcept {
  return detail::update_screws_of(detail::EveryBody<R>{}, model, q, out);
}

}  // namespace kinecast
