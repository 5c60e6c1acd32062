// SPDX-License-Identifier: MIT
// The most expensive steps that were found for the scenes of contact_works.hpp, by hill climbing over states and
// commands (worst_search.cpp, target bench_worst). A case is a short run that begins without a memory: kWorstLead steps
// give the robot a memory of contacts, and the step after them is counted. So it is the same on the host, where it was
// found, and on a board.
#pragma once

#include <kinecast/kinecast.hpp>

#include <array>
#include <cstddef>

#include "contact_works.hpp"

namespace bench {

inline constexpr int kWorstLead = 3;
inline constexpr std::size_t kWorstCommands = kWorstLead + 1;

template <const auto& R>
struct WorstCase {
  using Shape = kinecast::Shape<R>;
  std::array<float, static_cast<std::size_t>(Shape::kPositions)> q;
  std::array<float, static_cast<std::size_t>(Shape::kDofs)> dq;
  std::array<std::array<float, static_cast<std::size_t>(Shape::kDofs)>, kWorstCommands> commands;

  // Puts a predictor before the step that counts. The lead may warn, as any step may.
  template <class Predictor>
  [[nodiscard]] Status lead(Predictor& predictor) const noexcept {
    using S = typename Predictor::Scalar;
    Status status = predictor.reset(state<S>());
    for (int i = 0; ok(status) && i < kWorstLead; ++i) status = predictor.step(command<S>(i), S(0.001));
    return status;
  }
  template <class S>
  [[nodiscard]] kinecast::State<R, S> state() const noexcept {
    kinecast::State<R, S> out;
    for (std::size_t i = 0; i < q.size(); ++i) out.q[static_cast<Eigen::Index>(i)] = static_cast<S>(q[i]);
    for (std::size_t i = 0; i < dq.size(); ++i) out.dq[static_cast<Eigen::Index>(i)] = static_cast<S>(dq[i]);
    if constexpr (sizeof(S) > sizeof(float))  // an orientation that is a unit quaternion in float
      for (const int* first = kQuaternions<R>.data(); *first >= 0; ++first)
        out.q.template segment<4>(*first).normalize();
    return out;
  }
  template <class S>
  [[nodiscard]] kinecast::Command<R, S> command(int step) const noexcept {
    kinecast::Command<R, S> out;
    const auto& from = commands[static_cast<std::size_t>(step)];
    for (std::size_t i = 0; i < from.size(); ++i) out[static_cast<Eigen::Index>(i)] = static_cast<S>(from[i]);
    return out;
  }
};

// WorstCases<R>::all
template <const auto& R>
struct WorstCases;
template <>
struct WorstCases<robots::pendulum6> {
  static constexpr WorstCase<robots::pendulum6> all[] = {
#include "worst_cases/pendulum6.inc"
  };
};
template <>
struct WorstCases<robots::arm2_ground> {
  static constexpr WorstCase<robots::arm2_ground> all[] = {
#include "worst_cases/arm2_ground.inc"
  };
};
template <>
struct WorstCases<robots::humanoid_stance> {
  static constexpr WorstCase<robots::humanoid_stance> all[] = {
#include "worst_cases/humanoid_stance.inc"
  };
};
template <>
struct WorstCases<robots::quadruped_stance> {
  static constexpr WorstCase<robots::quadruped_stance> all[] = {
#include "worst_cases/quadruped_stance.inc"
  };
};
template <>
struct WorstCases<robots::quadruped_drives> {
  static constexpr WorstCase<robots::quadruped_drives> all[] = {
#include "worst_cases/quadruped_drives.inc"
  };
};
template <>
struct WorstCases<robots::biped_stance> {
  static constexpr WorstCase<robots::biped_stance> all[] = {
#include "worst_cases/biped_stance.inc"
  };
};
template <>
struct WorstCases<robots::box> {
  static constexpr WorstCase<robots::box> all[] = {
#include "worst_cases/box.inc"
  };
};

// The last steps of these cases; the largest count is the worst that was found.
template <const auto& R, class S>
struct StepSearched {
  using Cases = WorstCases<R>;
  static constexpr int kCalls = static_cast<int>(std::size(Cases::all));
  static constexpr bool kMayWarn = true;
  kinecast::Predictor<R, S, typename GroundScene<R>::Contacts> predictor;
  kinecast::Command<R, S> command;
  int next{0};

  [[nodiscard]] Status prepare(const Inputs<R, S>& /*in*/) noexcept {
    const auto& one = Cases::all[next++ % kCalls];
    command = one.template command<S>(kWorstLead);
    return one.lead(predictor);
  }
  [[nodiscard]] Status run(const Inputs<R, S>& /*in*/) noexcept { return predictor.step(command, S(0.001)); }
  template <class Bits>
  void results(Bits& bits) const noexcept {
    bits.add_predictor(predictor);
    bits.add_contacts(predictor.contact_report());
  }
};

template <const auto& R, class S>
using StepVolumeSearched = StepSearched<R, S>;

// Four seconds of the scene while its robot is pushed: every 200 ms for 20 ms by random forces on every coordinate,
// up to kPush_N on the trunk and a tenth of it, in N m, on its turn and on the joints. The robot withstands them.
template <const auto& R, class S>
struct StepPushed {
  using Scene = GroundScene<R>;
  static constexpr int kCalls = 4000;
  static constexpr bool kMayWarn = true;
  static constexpr bool kHasDistribution = true;
  kinecast::Predictor<R, S, typename Scene::Contacts> predictor;
  kinecast::Command<R, S> command;
  kinecast::Velocity<R, S> push;
  S height_m;  // of the trunk, at the start
  Random random;
  int step{0};

  [[nodiscard]] Status prepare(const Inputs<R, S>& /*in*/) noexcept {
    if (step == 0) {
      kinecast::State<R, S> state = kinecast::zero_state<R, S>();
      Scene::start(state);
      if (const Status status = predictor.reset(state); !ok(status)) return status;
      push.setZero();
      height_m = state.q[2];
    }
    Scene::control(predictor.state(), step, command);
    if (step % 200 == 100) {
      constexpr auto kPush = static_cast<S>(Scene::kPush_N);
      for (int i = 0; i < kinecast::Shape<R>::kDofs; ++i) push[i] = random.within(i < 3 ? kPush : S(0.1) * kPush);
    } else if (step % 200 == 120) {
      push.setZero();
    }
    ++step;
    return Status::ok;
  }
  [[nodiscard]] Status run(const Inputs<R, S>& /*in*/) noexcept { return predictor.step(command, push, S(0.001)); }
  // It has not fallen.
  [[nodiscard]] bool is_as_said() const noexcept { return predictor.state().q[2] > S(0.8) * height_m; }
  template <class Bits>
  void results(Bits& bits) const noexcept {
    bits.add_predictor(predictor);
    bits.add_contacts(predictor.contact_report());
  }
};

}  // namespace bench
