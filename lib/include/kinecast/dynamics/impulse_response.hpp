// SPDX-License-Identifier: MIT
// How the whole robot answers an impulse (Mirtich, method 1.4), from the factors that the last inward sweep left in the
// workspace (dynamics/factor.hpp); dynamics/collision_matrix.hpp says how the struck point alone does.
//
//   inward from the struck body   u_i = S_iᵀ P;   P <- X_iᵀ (P - U_i u_i / D_i)              (P: [moment; force], N s)
//   outward over the whole tree  change of dq_i = (u_i - U_iᵀ X_i dV_p) / D_i;   dV_i = X_i dV_p + S_i (change of dq_i)
//
// A joint whose acceleration is given (1/D = 0) yields nothing. All of it is O(n). In float a velocity change is right
// to 2.4e-6 of the largest one that the components of the impulse make (measured: arms of six joints, trees of every
// joint kind, a humanoid of 34 degrees of freedom).
#pragma once

#include <kinecast/dynamics/collision_matrix.hpp>
#include <kinecast/dynamics/factor.hpp>
#include <kinecast/dynamics/workspace.hpp>
#include <kinecast/kinematics/kinematics.hpp>

#include <array>
#include <cmath>
#include <cstddef>

namespace kinecast {

// An impulse in world axes, N s, at a point.
template <class S>
struct PointImpulse {
  PointOnBody<S> point{};
  Vec3<S> impulse{};
};

namespace detail {

// A row of the factor, but for joints with one axis u / D: an impulse needs no root of D.
template <const auto& R, class S>
struct AddImpulse : AddRow<R, S> {
  [[gnu::always_inline]] void hinge(const JointAt& j, const Force<S>& f) const noexcept {
    const S u = Hinge<S>::felt(Shape<R>::turns(j.b), f);
    this->row[j.v] += u * this->work.hinges[j.at].inverse_D;
  }
};
template <const auto& R, class S>
[[gnu::always_inline]] inline void add_impulse(const Model<R, S>& model, const Workspace<R, S>& work, int body,
                                               const Force<S>& f, FactorRow<R, S>& own) noexcept {
  carry_inward(model, work, body, f, AddImpulse<R, S>{{work, own}});
}

// What the joints do with such a row.
template <const auto& R, class S>
struct MoveByImpulse : MoveByFactor<R, S> {
  [[gnu::always_inline]] void hinge(const JointAt& j, Motion<S>& motion) const noexcept {
    this->dq[j.v] = this->work.hinges[j.at].move(Shape<R>::turns(j.b), this->t[j.v], motion);
  }
};

template <class S>
[[nodiscard, gnu::always_inline]] inline Status check_impulse(const Vec3<S>& a, const Vec3<S>& b) noexcept {
  constexpr S kLimit = Tolerance<S>::kLargestInput * Tolerance<S>::kLargestInput;
  if (dot(a, a) + dot(b, b) <= kLimit) return Status::ok;
  return is_finite(a.x) && is_finite(a.y) && is_finite(a.z) && is_finite(b.x) && is_finite(b.y) && is_finite(b.z)
             ? Status::input_out_of_range
             : Status::non_finite_input;
}
template <const auto& R, class S>
[[nodiscard]] inline Status give_velocity_change(const Model<R, S>& model, Workspace<R, S>& work,
                                                 const FactorRow<R, S>& own, Velocity<R, S>& change) noexcept {
  Velocity<R, S> result;
  sweep_motions(WholeTree<R, S>{model}, work, MoveByImpulse<R, S>{{work, own, result}});
  if (!all_finite(result)) return Status::non_finite_result;
  change = result;
  return Status::ok;
}

// The first `count` impulses of a list.
template <const auto& R, class S>
[[nodiscard]] inline Status respond(const Model<R, S>& model, Workspace<R, S>& work, const Kinematics<R, S>& poses,
                                    const PointImpulse<S>* impulses, int count, Velocity<R, S>& change) noexcept {
  if (!work.swept) return Status::not_ready;
  FactorRow<R, S> own = {};
  for (const PointImpulse<S>* one = impulses; one != impulses + count; ++one) {
    if (const Status status = check_point<R>(one->point); !ok(status)) return status;
    if (const Status status = check_impulse(one->impulse, Vec3<S>{}); !ok(status)) return status;
    if (one->point.body == kWorld) continue;
    const Mat3<S>& to_world = poses.poses[static_cast<std::size_t>(one->point.body)].rotation;
    const Vec3<S> force = transpose_times(to_world, one->impulse);
    add_impulse(model, work, one->point.body, Force<S>{cross(one->point.position, force), force}, own);
  }
  return give_velocity_change(model, work, own, change);
}

}  // namespace detail

// The change of dq by an impulse on a body: [moment about the origin of the body's frame, N m s; force, N s], body
// axes. The world (kWorld) takes any impulse.
template <const auto& R, class S>
[[nodiscard]] inline Status impulse_response(const Model<R, S>& model, Workspace<R, S>& work, int body,
                                             const Force<S>& impulse, Velocity<R, S>& change) noexcept {
  if (!work.swept) return Status::not_ready;
  if (body < kWorld || body >= Shape<R>::kBodies) return Status::index_out_of_range;
  if (const Status status = detail::check_impulse(impulse.moment, impulse.force); !ok(status)) return status;
  FactorRow<R, S> own = {};
  detail::add_impulse(model, work, body, impulse, own);
  return detail::give_velocity_change(model, work, own, change);
}

// By the first `count` impulses at once, in world axes: the ways inward add up, outward it is one. For a
// collision of two of the robot's own bodies give the impulse at the one, and its opposite at the other.
// `poses` are those of the same q.
template <const auto& R, class S, std::size_t Count>
[[nodiscard]] inline Status impulse_response(const Model<R, S>& model, Workspace<R, S>& work,
                                             const Kinematics<R, S>& poses,
                                             const std::array<PointImpulse<S>, Count>& impulses, int count,
                                             Velocity<R, S>& change) noexcept {
  if (count < 0 || count > static_cast<int>(Count)) return Status::index_out_of_range;
  return detail::respond(model, work, poses, impulses.data(), count, change);
}

// By an impulse at a point, in world axes.
template <const auto& R, class S>
[[nodiscard]] inline Status impulse_response(const Model<R, S>& model, Workspace<R, S>& work,
                                             const Kinematics<R, S>& poses, const PointOnBody<S>& point,
                                             const Vec3<S>& impulse, Velocity<R, S>& change) noexcept {
  const PointImpulse<S> one{point, impulse};
  return detail::respond(model, work, poses, &one, 1, change);
}

}  // namespace kinecast
