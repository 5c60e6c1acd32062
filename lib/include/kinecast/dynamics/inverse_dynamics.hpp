// SPDX-License-Identifier: MIT
// Inverse dynamics by the recursive Newton-Euler method: the tau that a motion needs. One outward sweep
// (dynamics/bias.hpp) and one inward sweep of forces. gravity_torque() is the same at rest.
#pragma once

#include <kinecast/dynamics/bias.hpp>
#include <kinecast/dynamics/tree.hpp>
#include <kinecast/dynamics/workspace.hpp>

namespace kinecast {

namespace detail {

// Component of a force, given in a body's frame, along each degree of freedom of its joint (method 1.2: Sᵀ f).
template <const auto& R, class S, class Out>
[[gnu::always_inline]] inline void project_on_joint(const Screws<R, S>& screws, int body, const Force<S>& f,
                                                    Out&& write) noexcept {
  using Shape = kinecast::Shape<R>;
  const int v = Shape::v_of(body);
  if (Shape::is_revolute(body)) {
    write(v, f.moment.z);
  } else if (Shape::is_prismatic(body)) {
    write(v, f.force.z);
  } else if (Shape::is_spherical(body)) {
    write(v, f.moment.x), write(v + 1, f.moment.y), write(v + 2, f.moment.z);
  } else if constexpr (Shape::kHas.floating > 0) {
    const Mat3<S>& turn = screws.floating[static_cast<std::size_t>(Shape::index(body).free)];
    const Vec3<S> force = turn * f.force;
    const Vec3<S> moment = turn * f.moment;
    write(v, force.x), write(v + 1, force.y), write(v + 2, force.z);
    write(v + 3, moment.x), write(v + 4, moment.y), write(v + 5, moment.z);
  }
}

template <const auto& R, class S>
inline void sweep_forces_inward(const Model<R, S>& model, const Rates<R, S>& rates, Workspace<R, S>& work,
                                Velocity<R, S>& tau) noexcept {
  using Shape = kinecast::Shape<R>;
  const WholeTree<R, S> tree{model};
  Force<S> sum{};
  for (int b = Shape::kBodies - 1; b >= 0; --b) {
    collect<R>(tree, b, work.inward_forces, sum);
    sum = sum + work.bias[static_cast<std::size_t>(b)];
    project_on_joint<R>(work.screws, b, sum, [&](int v, S value) { tau[v] = value; });
    if constexpr (Shape::kHas.rotors > 0) {
      if (Shape::is_revolute(b) || Shape::is_prismatic(b))
        tau[Shape::v_of(b)] += model.joint(b).rotor * rates.acceleration(Shape::v_of(b));
    }
    if (!Shape::is_root(b)) sum = to_parent(model, work.screws, b, sum);
    hand_on<R>(tree, b, b, work.inward_forces, sum);
  }
}

// `wrenches` may be null.
template <const auto& R, class S>
[[nodiscard]] inline Status find_torques(const Model<R, S>& model, const Position<R, S>& q, const Velocity<R, S>& dq,
                                         const Velocity<R, S>& ddq, const LinkWrenches<R, S>* wrenches,
                                         Workspace<R, S>& work, Velocity<R, S>& tau) noexcept {
  if (const Status status = check_input(dq); !ok(status)) return status;
  if (const Status status = check_input(ddq); !ok(status)) return status;
  work.swept = false;
  if (const Status status = update_screws(model, q, work.screws); !ok(status)) return status;
  const Rates<R, S> rates{dq, &ddq};
  sweep_motion_outward(WholeTree<R, S>{model}, rates, work);
  if (wrenches != nullptr) subtract_wrenches(model, *wrenches, work);
  Velocity<R, S> result;
  sweep_forces_inward(model, rates, work, result);
  if (!all_finite(result)) return Status::non_finite_result;
  tau = result;
  return Status::ok;
}

}  // namespace detail

// tau for given q, dq, ddq; a floating base gets the wrench it would need. `tau` is untouched unless the result is ok.
template <const auto& R, class S>
[[nodiscard]] inline Status inverse_dynamics(const Model<R, S>& model, const Position<R, S>& q,
                                             const Velocity<R, S>& dq, const Velocity<R, S>& ddq, Workspace<R, S>& work,
                                             Velocity<R, S>& tau) noexcept {
  return detail::find_torques<R, S>(model, q, dq, ddq, nullptr, work, tau);
}

// The same with wrenches on the links.
template <const auto& R, class S>
[[nodiscard]] inline Status inverse_dynamics(const Model<R, S>& model, const Position<R, S>& q,
                                             const Velocity<R, S>& dq, const Velocity<R, S>& ddq,
                                             const LinkWrenches<R, S>& wrenches, Workspace<R, S>& work,
                                             Velocity<R, S>& tau) noexcept {
  if (const Status status = check_input(wrenches.reshaped()); !ok(status)) return status;
  return detail::find_torques<R, S>(model, q, dq, ddq, &wrenches, work, tau);
}

// The torque that holds the robot still: g(q).
template <const auto& R, class S>
[[nodiscard]] inline Status gravity_torque(const Model<R, S>& model, const Position<R, S>& q, Workspace<R, S>& work,
                                           Velocity<R, S>& tau) noexcept {
  const Velocity<R, S> rest = Velocity<R, S>::Zero();
  return inverse_dynamics(model, q, rest, rest, work, tau);
}

// The torque of gravity, centrifugal and Coriolis forces: b(q, dq) of H ddq + b = tau.
template <const auto& R, class S>
[[nodiscard]] inline Status bias_torque(const Model<R, S>& model, const Position<R, S>& q, const Velocity<R, S>& dq,
                                        Workspace<R, S>& work, Velocity<R, S>& tau) noexcept {
  const Velocity<R, S> none = Velocity<R, S>::Zero();
  return inverse_dynamics(model, q, dq, none, work, tau);
}

}  // namespace kinecast
