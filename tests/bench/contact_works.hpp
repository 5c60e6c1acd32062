// SPDX-License-Identifier: MIT
// What the benches measure of contact: steps of robots that touch the ground, in scenes that anybody can repeat. The states
// are those of the scene's own run, not of inputs.hpp: prepare() makes the command for the next step, run() is that step.
#pragma once

#include <kinecast/contact/volume/volume.hpp>
#include <kinecast/kinecast.hpp>
#include <kinecast/papers/wrench_programs.hpp>

#include <cstddef>

#include "inputs.hpp"
#include "robots.hpp"

namespace bench {

using kinecast::ok;
using kinecast::Status;

// How a robot's run begins, what drives it, what it touches, and after how many steps it rests on how many contacts.
template <const auto& R>
struct GroundScene;

namespace detail {
inline constexpr auto pendulum_ground =
    kinecast::environment(kinecast::half_space("ground", kinecast::material(kinecast::friction(1.0, 0.4))));
// With the lambda that method 11 gives for the papers' form.
inline constexpr auto papers_ground = kinecast::environment(kinecast::half_space(
    "ground", kinecast::material(kinecast::friction(1.0, 0.4), kinecast::absolute_relaxation(0.1))));
using PapersModel = kinecast::Relaxed<kinecast::Functional::velocity, kinecast::ContactRows::touching>;
inline constexpr auto arm_ground =
    kinecast::environment(kinecast::half_space("ground", kinecast::material(kinecast::friction(0.5, 0.3))));
inline constexpr auto stance_ground =
    kinecast::environment(kinecast::half_space("ground", kinecast::material(kinecast::friction(0.8))));
// The table is a box as well: polyhedron against polyhedron.
inline constexpr auto box_table =
    kinecast::environment(kinecast::box("table", kinecast::at(0, 0, -0.05), kinecast::size(1, 1, 0.1),
                                        kinecast::material(kinecast::friction(0.5, 0.3))),
                          kinecast::box("a", kinecast::on("a"), kinecast::size(0.1, 0.1, 0.1),
                                        kinecast::material(kinecast::friction(0.5, 0.3))));
inline constexpr auto stack_table =
    kinecast::environment(kinecast::box("table", kinecast::at(0, 0, -0.05), kinecast::size(1, 1, 0.1),
                                        kinecast::material(kinecast::friction(0.5, 0.3))),
                          kinecast::box("a", kinecast::on("a"), kinecast::size(0.1, 0.1, 0.1),
                                        kinecast::material(kinecast::friction(0.5, 0.3))),
                          kinecast::box("b", kinecast::on("b"), kinecast::size(0.1, 0.1, 0.1),
                                        kinecast::material(kinecast::friction(0.5, 0.3))),
                          kinecast::box("c", kinecast::on("c"), kinecast::size(0.1, 0.1, 0.1),
                                        kinecast::material(kinecast::friction(0.5, 0.3))));
using PapersVolume = kinecast::WrenchPrograms<16, 8, kinecast::Functional::velocity>;
}  // namespace detail

// The falling pendulum of S000 (method 8): 60 degrees from hanging, at rest. It ends on four corners of its last link; on its way
// there it touches with six at most.
template <>
struct GroundScene<robots::pendulum6> {
  using Contacts = kinecast::Contacts<detail::pendulum_ground, 8, kinecast::Implicit>;
  using PapersContacts = kinecast::Contacts<detail::papers_ground, 8, detail::PapersModel>;
  static constexpr int kRestsAfter = 4500;
  static constexpr int kRestsOn = 4;
  static constexpr int kSteps = 5000;

  template <class S>
  static void start(kinecast::State<robots::pendulum6, S>& state) noexcept {
    state.q[0] = S(-1.0471975511965976);
  }
  // The joints' viscosity, N m s/rad.
  template <class S>
  static void control(const kinecast::State<robots::pendulum6, S>& state, int /*step*/,
                      kinecast::Command<robots::pendulum6, S>& command) noexcept {
    command = S(-1e-4) * state.dq;
  }
};

// The arm of S003 (method 9, sim 2): its drives press the end of the forearm to the ground. It has come to rest after 1.5 s.
template <>
struct GroundScene<robots::arm2_ground> {
  using Contacts = kinecast::Contacts<detail::arm_ground, 4, kinecast::Implicit>;
  static constexpr int kRestsAfter = 3000;
  static constexpr int kRestsOn = 2;

  template <class S>
  static void start(kinecast::State<robots::arm2_ground, S>& state) noexcept {
    state.q = {S(1.5707963267948966), S(-1.5707963267948966)};
  }
  // Volts of the paper's controller, every 2 ms.
  template <class S>
  static void control(const kinecast::State<robots::arm2_ground, S>& state, int step,
                      kinecast::Command<robots::arm2_ground, S>& command) noexcept {
    if (step % 2 != 0) return;
    for (int i = 0; i < 2; ++i) {
      const S volts = S(120) * (S(100) * (S(1.5707963267948966) - state.q[i]) - state.dq[i]);
      command[i] = volts > S(24) ? S(24) : volts < S(-24) ? S(-24) : volts;
    }
  }
};

// The humanoid of board_examples/humanoid_stance, standing on its eight points, held by the PD control of its joints.
template <>
struct GroundScene<robots::humanoid_stance> {
  using Contacts = kinecast::Contacts<example::ground, 8, kinecast::Implicit>;
  static constexpr int kRestsAfter = 1000;
  static constexpr int kRestsOn = 8;
  static constexpr double kPush_N = 20;
  static constexpr int kBase = 6;  // degrees of freedom of the trunk, before the joints'; 7 positions

  template <class S>
  static void start(kinecast::State<robots::humanoid_stance, S>& state) noexcept {
    state.q[2] = S(example::kStandingHeight);
    for (int i = 0; i < example::kJoints; ++i) state.q[kBase + 1 + i] = wanted<S>(i);
  }
  template <class S>
  static void control(const kinecast::State<robots::humanoid_stance, S>& state, int /*step*/,
                      kinecast::Command<robots::humanoid_stance, S>& command) noexcept {
    command.setZero();
    for (int i = 0; i < example::kJoints; ++i)
      command[kBase + i] = S(example::kProportional) * (wanted<S>(i) - state.q[kBase + 1 + i]) -
                           S(example::kDerivative) * state.dq[kBase + i];
  }

 private:
  template <class S>
  [[nodiscard]] static S wanted(int joint) noexcept {
    return S(example::standing_pose[static_cast<std::size_t>(joint)]);
  }
};

// A robot of legs whose joints PD control holds in the pose in which it was put down.
template <const auto& R>
struct StanceScene {
  static constexpr int kBase = 6;  // degrees of freedom of the trunk, before the joints'; 7 positions
  static constexpr int kJoints = kinecast::Shape<R>::kDofs - kBase;

  template <class S>
  static void start(kinecast::State<R, S>& state) noexcept {
    state.q[2] = S(GroundScene<R>::kHeight_m);
    for (int i = 0; i < kJoints; ++i) state.q[kBase + 1 + i] = GroundScene<R>::template wanted<S>(i);
  }
  template <class S>
  static void control(const kinecast::State<R, S>& state, int /*step*/, kinecast::Command<R, S>& command) noexcept {
    command.setZero();
    for (int i = 0; i < kJoints; ++i)
      command[kBase + i] =
          S(GroundScene<R>::kProportional) * (GroundScene<R>::template wanted<S>(i) - state.q[kBase + 1 + i]) -
          S(GroundScene<R>::kDerivative) * state.dq[kBase + i];
  }
};

// Four spherical feet below their hips.
template <const auto& R>
struct QuadrupedScene : StanceScene<R> {
  using Contacts = kinecast::Contacts<detail::stance_ground, 8, kinecast::Implicit>;
  static constexpr int kRestsAfter = 3000;
  static constexpr int kRestsOn = 4;
  static constexpr double kProportional = 80;
  static constexpr double kDerivative = 2;
  static constexpr double kPush_N = 100;
  static constexpr double kHeight_m = 0.4 * 0.7648421872844885 + 0.02;  // cos of the thigh's angle

  template <class S>
  [[nodiscard]] static constexpr S wanted(int joint) noexcept {
    constexpr S kLeg[3] = {S(0), S(0.7), S(-1.4)};
    return kLeg[joint % 3];
  }
};
template <>
struct GroundScene<robots::quadruped_stance> : QuadrupedScene<robots::quadruped_stance> {};
template <>
struct GroundScene<robots::quadruped_drives> : QuadrupedScene<robots::quadruped_drives> {};

// Two soles of four corners, stops at the knees and ankles, dry friction in hips and ankles.
template <>
struct GroundScene<robots::biped_stance> : StanceScene<robots::biped_stance> {
  using Contacts = kinecast::Contacts<detail::stance_ground, 8, kinecast::Implicit>;
  static constexpr int kRestsAfter = 3000;
  static constexpr int kRestsOn = 8;
  static constexpr double kProportional = 400;
  static constexpr double kDerivative = 10;
  static constexpr double kPush_N = 60;
  static constexpr double kHeight_m = 0.6 * 0.9689124217106447 + 0.06;  // cos of the thigh's angle

  template <class S>
  [[nodiscard]] static constexpr S wanted(int joint) noexcept {
    constexpr S kLeg[4] = {S(0), S(-0.25), S(0.5), S(-0.25)};
    return kLeg[joint % 4];
  }
};

// A cube that is thrown on a table: it lands on a corner, slides, rolls over its edges, and comes to rest on a face.
template <>
struct GroundScene<robots::box> {
  using Contacts = kinecast::Contacts<detail::box_table, 1, kinecast::Volume<>>;
  using PapersContacts = kinecast::Contacts<detail::box_table, 1, detail::PapersVolume>;
  static constexpr int kRestsAfter = 1500;
  static constexpr int kRestsOn = 1;
  static constexpr int kSteps = 1500;

  template <class S>
  static void start(kinecast::State<robots::box, S>& state) noexcept {
    state.q << S(-0.3), S(0), S(0.15), S(0.9), S(0.3), S(-0.3), S(0.1);  // a unit quaternion
    state.dq << S(1.2), S(0.2), S(0), S(4), S(12), S(-6);
  }
  template <class S>
  static void control(const kinecast::State<robots::box, S>& /*state*/, int /*step*/,
                      kinecast::Command<robots::box, S>& command) noexcept {
    command.setZero();
  }
};

// Three such cubes on each other, a hair beside each other's faces.
template <>
struct GroundScene<robots::stack3> {
  using Contacts = kinecast::Contacts<detail::stack_table, 4, kinecast::Volume<>>;
  static constexpr int kRestsAfter = 500;
  static constexpr int kRestsOn = 3;

  template <class S>
  static void start(kinecast::State<robots::stack3, S>& state) noexcept {
    for (int i = 0; i < 3; ++i) {
      state.q[7 * i] = S(0.002) * static_cast<S>(i);
      state.q[7 * i + 2] = S(0.05) + S(0.1) * static_cast<S>(i);
    }
  }
  template <class S>
  static void control(const kinecast::State<robots::stack3, S>& /*state*/, int /*step*/,
                      kinecast::Command<robots::stack3, S>& command) noexcept {
    command.setZero();
  }
};

// A scene's run in steps of 1 ms. Counted are `Calls` steps from step First on.
template <const auto& R, class S, class Contacts, int First, int Calls>
struct GroundStep {
  using Scene = GroundScene<R>;
  static constexpr int kCalls = Calls;
  kinecast::Predictor<R, S, Contacts> predictor;
  kinecast::Command<R, S> command;
  int step{0};

  [[nodiscard]] Status prepare(const Inputs<R, S>& in) noexcept {
    if (step == 0) {
      kinecast::State<R, S> state = kinecast::zero_state<R, S>();
      Scene::start(state);
      if (const Status status = predictor.reset(state); !ok(status)) return status;
    }
    Scene::control(predictor.state(), step++, command);
    for (; step <= First; ++step) {
      if (const Status status = run(in); !ok(status)) return status;
      Scene::control(predictor.state(), step, command);
    }
    return Status::ok;
  }
  [[nodiscard]] Status run(const Inputs<R, S>& /*in*/) noexcept { return predictor.step(command, S(0.001)); }

  template <class Bits>
  void results(Bits& bits) const noexcept {
    bits.add_predictor(predictor);
    bits.add_contacts(predictor.contact_report());
  }

  // Whether the robot does what the row says: rest, unless the whole run is counted.
  [[nodiscard]] bool is_as_said() const noexcept {
    const auto& contacts = predictor.contact_report();
    bool rests = contacts.count == Scene::kRestsOn;
    for (int i = 0; i < contacts.count; ++i) rests = rests && contacts[i].normal_N > S(0) && !contacts[i].is_sliding;
    return First == 0 || rests;
  }
};

template <const auto& R, class S>
using GroundStepAtRest = GroundStep<R, S, typename GroundScene<R>::Contacts, GroundScene<R>::kRestsAfter, kStates>;

// Rows `step` of these robots; works.hpp has those that touch nothing.
template <const auto& R, class S>
struct Step;
template <class S>
struct Step<robots::pendulum6, S> : GroundStepAtRest<robots::pendulum6, S> {};
template <class S>
struct Step<robots::arm2_ground, S> : GroundStepAtRest<robots::arm2_ground, S> {};
template <class S>
struct Step<robots::humanoid_stance, S> : GroundStepAtRest<robots::humanoid_stance, S> {};
template <class S>
struct Step<robots::quadruped_stance, S> : GroundStepAtRest<robots::quadruped_stance, S> {};
template <class S>
struct Step<robots::quadruped_drives, S> : GroundStepAtRest<robots::quadruped_drives, S> {};
template <class S>
struct Step<robots::biped_stance, S> : GroundStepAtRest<robots::biped_stance, S> {};

// Every step of the run, the largest of which is its worst.
template <const auto& R, class S>
struct StepWorst : GroundStep<R, S, typename GroundScene<R>::Contacts, 0, GroundScene<R>::kSteps> {};

// The same in the papers' form: touching points only, velocity functional.
template <const auto& R, class S>
struct StepPapers : GroundStep<R, S, typename GroundScene<R>::PapersContacts, GroundScene<R>::kRestsAfter, kStates> {};
template <const auto& R, class S>
struct StepPapersWorst : GroundStep<R, S, typename GroundScene<R>::PapersContacts, 0, GroundScene<R>::kSteps> {};

// The same for volumes.
template <const auto& R, class S>
using StepVolume = GroundStepAtRest<R, S>;
template <const auto& R, class S>
using StepVolumeWorst = StepWorst<R, S>;
template <const auto& R, class S>
using StepVolumePapers = StepPapers<R, S>;
template <const auto& R, class S>
using StepVolumePapersWorst = StepPapersWorst<R, S>;

}  // namespace bench
