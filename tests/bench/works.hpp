// SPDX-License-Identifier: MIT
// What the benches measure: one struct per `work` of the table (rows.cmake), named alike (contact_map_4: ContactMap4).
// run() is the public call as a user makes it, and is what is counted; prepare() does what must come before. The members
// are the RAM that a user provides for it. results() shows what a call found to tests/bit_equality, which hashes it.
#pragma once

#include <kinecast/dynamics/adaptive/rigidified_dynamics.hpp>
#include <kinecast/dynamics/impulse_response.hpp>
#include <kinecast/kinecast.hpp>

#include <array>
#include <cstddef>

#include "contact_works.hpp"
#include "inputs.hpp"
#include "lcp_works.hpp"
#include "qp_works.hpp"
#include "worst_cases.hpp"

namespace bench {

using kinecast::model;
using kinecast::ok;
using kinecast::Status;

// The base case, subtracted from every other firmware's size.
template <const auto& R, class S>
struct Base {
  [[nodiscard]] Status prepare(const Inputs<R, S>& /*in*/) noexcept { return Status::ok; }
  [[nodiscard]] Status run(const Inputs<R, S>& /*in*/) noexcept { return Status::ok; }
  template <class Bits>
  void results(Bits& bits) const noexcept {
    (void)bits;
  }
};

template <const auto& R, class S>
struct Sincos {
  kinecast::SinCos<S> result;

  [[nodiscard]] Status prepare(const Inputs<R, S>& /*in*/) noexcept { return Status::ok; }
  [[nodiscard]] Status run(const Inputs<R, S>& in) noexcept {
    result = kinecast::sincos(in.q[0]);
    return Status::ok;
  }
  template <class Bits>
  void results(Bits& bits) const noexcept {
    bits.add(result.sin, result.cos);
  }
};

template <const auto& R, class S>
struct Kinematics {
  kinecast::Kinematics<R, S> kinematics;

  [[nodiscard]] Status prepare(const Inputs<R, S>& /*in*/) noexcept { return Status::ok; }
  [[nodiscard]] Status run(const Inputs<R, S>& in) noexcept {
    return update_kinematics(model<R, S>, in.q, in.dq, kinematics);
  }
  template <class Bits>
  void results(Bits& bits) const noexcept {
    for (int b = 0; b < kinecast::Shape<R>::kBodies; ++b) bits.add(kinematics.pose(b), kinematics.twist(b));
  }
};

// Forward dynamics.
template <const auto& R, class S>
struct Aba {
  kinecast::Workspace<R, S> work;
  kinecast::Velocity<R, S> ddq;

  [[nodiscard]] Status prepare(const Inputs<R, S>& /*in*/) noexcept { return Status::ok; }
  [[nodiscard]] Status run(const Inputs<R, S>& in) noexcept {
    return forward_dynamics(model<R, S>, in.q, in.dq, in.tau, work, ddq);
  }
  template <class Bits>
  void results(Bits& bits) const noexcept {
    bits.add(ddq);
  }
};

// Forward dynamics with three joints of four rigid (0, 4, 8, … are active), and what it costs to make them so.
template <const auto& R, class S>
struct AbaRigidified {
  kinecast::RigidJoints<R, S> rigid;
  kinecast::Workspace<R, S> work;
  kinecast::Velocity<R, S> dq;
  kinecast::Velocity<R, S> ddq;

  [[nodiscard]] Status prepare(const Inputs<R, S>& in) noexcept {
    kinecast::JointSet<R> chosen;
    dq = in.dq;
    for (int b = 0; b < kinecast::Shape<R>::kBodies; ++b) {
      if (b % 4 == 0) continue;
      if (const Status status = chosen.add(b); !ok(status)) return status;
      dq[b] = S(0);
    }
    return rigidify(model<R, S>, in.q, chosen, work, rigid);
  }
  [[nodiscard]] Status run(const Inputs<R, S>& in) noexcept {
    return forward_dynamics(model<R, S>, rigid, in.q, dq, in.tau, work, ddq);
  }
  template <class Bits>
  void results(Bits& bits) const noexcept {
    bits.add(ddq);
  }
};
// The same with all joints rigid: what remains of the sweep when nothing moves.
template <const auto& R, class S>
struct AbaAllRigid : AbaRigidified<R, S> {
  [[nodiscard]] Status prepare(const Inputs<R, S>& in) noexcept {
    kinecast::JointSet<R> chosen;
    this->dq.setZero();
    for (int b = 0; b < kinecast::Shape<R>::kBodies; ++b)
      if (const Status status = chosen.add(b); !ok(status)) return status;
    return rigidify(model<R, S>, in.q, chosen, this->work, this->rigid);
  }
};
template <const auto& R, class S>
struct Rigidify {
  AbaRigidified<R, S> aba;

  [[nodiscard]] Status prepare(const Inputs<R, S>& /*in*/) noexcept { return Status::ok; }
  [[nodiscard]] Status run(const Inputs<R, S>& in) noexcept { return aba.prepare(in); }
  template <class Bits>
  void results(Bits& bits) const noexcept {
    for (int b = 0; b < kinecast::Shape<R>::kBodies; ++b) bits.add(aba.rigid.body(b), aba.rigid.is_rigid(b));
  }
};
// The motions of the rigid bodies, which contact asks for after it.
template <const auto& R, class S>
struct RigidMotions {
  AbaRigidified<R, S> aba;

  [[nodiscard]] Status prepare(const Inputs<R, S>& in) noexcept {
    if (const Status status = aba.prepare(in); !ok(status)) return status;
    return aba.run(in);
  }
  [[nodiscard]] Status run(const Inputs<R, S>& /*in*/) noexcept {
    complete_motions(model<R, S>, aba.rigid, aba.work);
    return Status::ok;
  }
  template <class Bits>
  void results(Bits& bits) const noexcept {
    bits.add(aba.ddq);
  }
};

// Inverse dynamics; the accelerations asked for are the numbers that are torques elsewhere.
template <const auto& R, class S>
struct Rnea {
  kinecast::Workspace<R, S> work;
  kinecast::Velocity<R, S> tau;

  [[nodiscard]] Status prepare(const Inputs<R, S>& /*in*/) noexcept { return Status::ok; }
  [[nodiscard]] Status run(const Inputs<R, S>& in) noexcept {
    return inverse_dynamics(model<R, S>, in.q, in.dq, in.tau, work, tau);
  }
  template <class Bits>
  void results(Bits& bits) const noexcept {
    bits.add(tau);
  }
};

// Mass matrix.
template <const auto& R, class S>
struct Crba {
  kinecast::Workspace<R, S> work;
  kinecast::JointMatrix<R, S> H;

  [[nodiscard]] Status prepare(const Inputs<R, S>& /*in*/) noexcept { return Status::ok; }
  [[nodiscard]] Status run(const Inputs<R, S>& in) noexcept { return mass_matrix(model<R, S>, in.q, work, H); }
  template <class Bits>
  void results(Bits& bits) const noexcept {
    bits.add(H);
  }
};

// The factor Y of the contact map, A = Y Yᵀ, for the robot's first four contact points, after forward dynamics and
// kinematics.
template <const auto& R, class S>
struct ContactMap4 {
  static constexpr int kContacts = 4;
  Aba<R, S> aba;
  kinecast::Kinematics<R, S> poses;
  std::array<kinecast::PointOnBody<S>, static_cast<std::size_t>(kContacts)> points;
  kinecast::ContactFactor<R, S, kContacts> Y;

  [[nodiscard]] Status prepare(const Inputs<R, S>& in) noexcept {
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = model<R, S>.points[i];
    if (const Status status = update_kinematics(model<R, S>, in.q, poses); !ok(status)) return status;
    return aba.run(in);
  }
  [[nodiscard]] Status run(const Inputs<R, S>& /*in*/) noexcept {
    return contact_map(model<R, S>, aba.work, poses, points, kContacts, Y);
  }
  template <class Bits>
  void results(Bits& bits) const noexcept {
    bits.add(Y);
  }
};

// The same with A formed.
template <const auto& R, class S>
struct ContactMatrix4 {
  ContactMap4<R, S> factor;
  kinecast::Matrix<S, 3 * ContactMap4<R, S>::kContacts, 3 * ContactMap4<R, S>::kContacts> A;

  [[nodiscard]] Status prepare(const Inputs<R, S>& in) noexcept { return factor.prepare(in); }
  [[nodiscard]] Status run(const Inputs<R, S>& in) noexcept {
    if (const Status status = factor.run(in); !ok(status)) return status;
    kinecast::contact_matrix(factor.Y, A);
    return Status::ok;
  }
  template <class Bits>
  void results(Bits& bits) const noexcept {
    bits.add(A);
  }
};

// The accelerations that forces at the four points add.
template <const auto& R, class S>
struct Response {
  ContactMap4<R, S> factor;
  kinecast::Vector<S, 3 * ContactMap4<R, S>::kContacts> f;
  kinecast::Velocity<R, S> ddq;

  [[nodiscard]] Status prepare(const Inputs<R, S>& in) noexcept {
    for (int i = 0; i < static_cast<int>(f.size()); ++i) f[i] = in.tau[i % static_cast<int>(in.tau.size())];
    if (const Status status = factor.prepare(in); !ok(status)) return status;
    return factor.run(in);
  }
  [[nodiscard]] Status run(const Inputs<R, S>& /*in*/) noexcept {
    return response(model<R, S>, factor.Y, f, factor.aba.work, ddq);
  }
  template <class Bits>
  void results(Bits& bits) const noexcept {
    bits.add(ddq);
  }
};

// The collision matrix of the robot's first contact point, in its body's axes, after forward dynamics.
template <const auto& R, class S>
struct CollisionMatrix {
  Aba<R, S> aba;
  kinecast::Sym3<S> K;

  [[nodiscard]] Status prepare(const Inputs<R, S>& in) noexcept { return aba.run(in); }
  [[nodiscard]] Status run(const Inputs<R, S>& /*in*/) noexcept {
    return collision_matrix(model<R, S>, aba.work, model<R, S>.points[0], K);
  }
  template <class Bits>
  void results(Bits& bits) const noexcept {
    bits.add(K);
  }
};

// The change of all joint velocities by an impulse at that point.
template <const auto& R, class S>
struct Impulse {
  Aba<R, S> aba;
  kinecast::Force<S> impulse;
  kinecast::Velocity<R, S> change;

  [[nodiscard]] Status prepare(const Inputs<R, S>& in) noexcept {
    const kinecast::Vec3<S> force{in.tau[0], in.tau[1], in.tau[2]};
    impulse = {cross(model<R, S>.points[0].position, force), force};
    return aba.run(in);
  }
  [[nodiscard]] Status run(const Inputs<R, S>& /*in*/) noexcept {
    return impulse_response(model<R, S>, aba.work, model<R, S>.points[0].body, impulse, change);
  }
  template <class Bits>
  void results(Bits& bits) const noexcept {
    bits.add(change);
  }
};

template <const auto& R, class S>
struct StepSymplectic {
  kinecast::Workspace<R, S> work;
  kinecast::State<R, S> state;

  [[nodiscard]] Status prepare(const Inputs<R, S>& in) noexcept {
    state = {in.q, in.dq};
    return Status::ok;
  }
  [[nodiscard]] Status run(const Inputs<R, S>& in) noexcept {
    return step_symplectic(model<R, S>, in.tau, S(0.001), work, state);
  }
  template <class Bits>
  void results(Bits& bits) const noexcept {
    bits.add(state.q, state.dq);
  }
};

template <const auto& R, class S>
struct StepGill {
  kinecast::Workspace<R, S> work;
  kinecast::State<R, S> state;

  [[nodiscard]] Status prepare(const Inputs<R, S>& in) noexcept {
    state = {in.q, in.dq};
    return Status::ok;
  }
  [[nodiscard]] Status run(const Inputs<R, S>& in) noexcept {
    return step_gill(model<R, S>, in.tau, S(0.001), work, state);
  }
  template <class Bits>
  void results(Bits& bits) const noexcept {
    bits.add(state.q, state.dq);
  }
};

// One step of the predictor, as a user makes it, with commands in V, after another one. Half of the states move, so that
// friction slides; in the others the joints stand.
template <const auto& R, class S>
struct Step {
  kinecast::Predictor<R, S> predictor;
  int states{0};

  [[nodiscard]] Status prepare(const Inputs<R, S>& in) noexcept {
    kinecast::State<R, S> state{in.q, in.dq};
    if (states++ % 2 == 0) state.dq.setZero();
    if (const Status status = predictor.reset(state); !ok(status)) return status;
    return run(in);
  }
  [[nodiscard]] Status run(const Inputs<R, S>& in) noexcept { return predictor.step(in.tau, S(0.001)); }
  template <class Bits>
  void results(Bits& bits) const noexcept {
    bits.add_predictor(predictor);
  }
};

// A robot of hinges with stops at all of them, where no random state is.
template <const auto& R>
inline constexpr auto kWithStops = [] {
  auto robot = R;
  for (kinecast::Link& l : robot.links) kinecast::limits(-3.3, 3.3).apply(l);
  return robot;
}();

// Its step, `Active` of the stops met: each joint's in turn, and the next one's. Less Step of the robot without stops it is what
// they cost.
template <const auto& R, class S, int Active>
struct StepWithStops {
  kinecast::Predictor<kWithStops<R>, S> predictor;
  kinecast::Command<R, S> command;
  int states{0};

  [[nodiscard]] Status prepare(const Inputs<R, S>& in) noexcept {
    kinecast::State<kWithStops<R>, S> state{in.q, in.dq};
    command = S(0.01) * in.tau;  // a torque that takes the lightest joint off its stop is none to lean on it with
    for (int i = 0; i < Active; ++i) {
      const int joint = (states + i) % kinecast::Shape<R>::kDofs;
      state.q[joint] = model<kWithStops<R>, S>.limit(joint).upper - S(1e-4);
      state.dq[joint] = S(3);
    }
    ++states;
    return predictor.reset(state);
  }
  [[nodiscard]] Status run(const Inputs<R, S>& /*in*/) noexcept { return predictor.step(command, S(0.001)); }
  [[nodiscard]] bool is_as_said() const noexcept {
    int acting = 0;
    for (const S torque : predictor.report().limit_Nm)
      if (torque < S(0)) ++acting;
    return acting == Active;
  }
  template <class Bits>
  void results(Bits& bits) const noexcept {
    bits.add_predictor(predictor);
    for (const S torque : predictor.report().limit_Nm) bits.add(torque);
  }
};
template <const auto& R, class S>
using StepLimitIdle = StepWithStops<R, S, 0>;
template <const auto& R, class S>
using StepLimit = StepWithStops<R, S, 1>;
template <const auto& R, class S>
using StepLimitTwo = StepWithStops<R, S, 2>;

// The implicit friction in the same step.
template <const auto& R, class S>
struct FrictionImplicit {
  kinecast::Predictor<R, S, kinecast::ImplicitFriction> predictor;

  [[nodiscard]] Status prepare(const Inputs<R, S>& in) noexcept { return predictor.reset({in.q, in.dq}); }
  [[nodiscard]] Status run(const Inputs<R, S>& in) noexcept { return predictor.step(in.tau, S(0.001)); }
  template <class Bits>
  void results(Bits& bits) const noexcept {
    bits.add_predictor(predictor);
  }
};

// The friction stage of all joints, apart from the sweep that it is part of: every second state sticks, the others slide.
template <const auto& R, class S>
struct Friction {
  using Source = kinecast::ArticulatedSource<R, S, kinecast::Damping::implicit>;
  std::array<kinecast::JointAction<S>, static_cast<std::size_t>(kinecast::Shape<R>::kBodies)> actions;
  kinecast::ArticulatedFriction::Memory<R, S> memory;
  kinecast::Effort<R, S> effort;
  kinecast::Velocity<R, S> dq;
  S inertia;
  S load;
  int states{0};

  [[nodiscard]] Status prepare(const Inputs<R, S>& in) noexcept {
    int refused = -1;
    dq = in.dq;
    inertia = S(0.1);
    load = S(0.2);
    if (states++ % 2 == 0) dq.setZero();
    const kinecast::Command<R, S> command = S(0.1) * in.tau;
    return find_effort(model<R, S>, command, effort, refused);
  }
  [[nodiscard]] Status run(const Inputs<R, S>& /*in*/) noexcept {
    const Source source{model<R, S>, dq, effort, memory, S(0.001), S(1000), actions};
    for (int b = 0; b < kinecast::Shape<R>::kBodies; ++b) (void)source.act(b, b, inertia, load);
    return Status::ok;
  }
  template <class Bits>
  void results(Bits& bits) const noexcept {
    for (const auto& action : actions) bits.add(action.torque, action.damping, action.acceleration, action.held);
  }
};

}  // namespace bench
