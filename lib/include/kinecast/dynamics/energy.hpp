// SPDX-License-Identifier: MIT
// Energy, momentum and centre of mass of the whole robot, from its kinematics. Rotors count in the kinetic energy with
// their reflected inertia (method 1.2), and not in the momentum.
#pragma once

#include <kinecast/kinematics/kinematics.hpp>

namespace kinecast {

template <const auto& R, class S>
[[nodiscard]] inline S kinetic_energy(const Model<R, S>& model, const Kinematics<R, S>& k,
                                      const Velocity<R, S>& dq) noexcept {
  using Shape = kinecast::Shape<R>;
  S twice{};
  for (int b = 0; b < Shape::kBodies; ++b) {
    const Motion<S>& v = k.twists[static_cast<std::size_t>(b)];
    twice += power(model.joint(b).inertia * v, v);
    if (Shape::is_revolute(b) || Shape::is_prismatic(b)) {
      const S rate = dq[Shape::v_of(b)];
      twice += model.joint(b).rotor * rate * rate;
    }
  }
  return S(0.5) * twice;
}

// The potential energy is zero at the world's origin.
template <const auto& R, class S>
[[nodiscard]] inline S potential_energy(const Model<R, S>& model, const Kinematics<R, S>& k) noexcept {
  S sum{};
  for (int b = 0; b < Shape<R>::kBodies; ++b) {
    const Placement<S>& pose = k.poses[static_cast<std::size_t>(b)];
    const RigidInertia<S>& body = model.joint(b).inertia;
    sum -= dot(model.gravity, body.mass * pose.position + pose.rotation * body.first_moment);
  }
  return sum;
}

template <class S>
struct Momentum {
  S mass{};
  Vector<S, 3> com;                // centre of mass, world
  Vector<S, 3> linear;             // world axes
  Vector<S, 3> angular_about_com;  // world axes
};

template <const auto& R, class S>
[[nodiscard]] inline Momentum<S> momentum(const Model<R, S>& model, const Kinematics<R, S>& k) noexcept {
  S mass{};
  Vec3<S> first{};
  Force<S> total{};  // about the world's origin
  for (int b = 0; b < Shape<R>::kBodies; ++b) {
    const Placement<S>& pose = k.poses[static_cast<std::size_t>(b)];
    const RigidInertia<S>& body = model.joint(b).inertia;
    const Force<S> own = body * k.twists[static_cast<std::size_t>(b)];
    mass += body.mass;
    first = first + body.mass * pose.position + pose.rotation * body.first_moment;
    total = total + shift(pose.position, Force<S>{pose.rotation * own.moment, pose.rotation * own.force});
  }
  const Vec3<S> com = mass > S(0) ? (S(1) / mass) * first : Vec3<S>{};
  return {mass, to_vector(com), to_vector(total.force), to_vector(total.moment - cross(com, total.force))};
}

}  // namespace kinecast
