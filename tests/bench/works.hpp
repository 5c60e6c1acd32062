// SPDX-License-Identifier: MIT
// What the benches measure: one struct per `work` of the table (rows.cmake), named alike (contact_map_4: ContactMap4).
// run() is the public call as a user makes it, and is what is counted; prepare() does what must come before. The members
// are the RAM that a user provides for it.
#pragma once

#include <kinecast/kinecast.hpp>

#include <array>
#include <cstddef>

#include "inputs.hpp"

namespace bench {

using kinecast::model;
using kinecast::ok;
using kinecast::Status;

// The base case, subtracted from every other firmware's size.
template <const auto& R, class S>
struct Base {
  [[nodiscard]] Status prepare(const Inputs<R, S>& /*in*/) noexcept { return Status::ok; }
  [[nodiscard]] Status run(const Inputs<R, S>& /*in*/) noexcept { return Status::ok; }
};

template <const auto& R, class S>
struct Sincos {
  kinecast::SinCos<S> result;

  [[nodiscard]] Status prepare(const Inputs<R, S>& /*in*/) noexcept { return Status::ok; }
  [[nodiscard]] Status run(const Inputs<R, S>& in) noexcept {
    result = kinecast::sincos(in.q[0]);
    return Status::ok;
  }
};

template <const auto& R, class S>
struct Kinematics {
  kinecast::Kinematics<R, S> kinematics;

  [[nodiscard]] Status prepare(const Inputs<R, S>& /*in*/) noexcept { return Status::ok; }
  [[nodiscard]] Status run(const Inputs<R, S>& in) noexcept {
    return update_kinematics(model<R, S>, in.q, in.dq, kinematics);
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
};

// Mass matrix.
template <const auto& R, class S>
struct Crba {
  kinecast::Workspace<R, S> work;
  kinecast::JointMatrix<R, S> H;

  [[nodiscard]] Status prepare(const Inputs<R, S>& /*in*/) noexcept { return Status::ok; }
  [[nodiscard]] Status run(const Inputs<R, S>& in) noexcept { return mass_matrix(model<R, S>, in.q, work, H); }
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
};

}  // namespace bench
