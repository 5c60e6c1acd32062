// SPDX-License-Identifier: MIT
// Predicts 1000 steps and prints a hash of the final state's bits, one line `BITS <run> <hash>` per run. The same source on
// every machine must print the same lines: ctest compares them (CMakeLists.txt).
#include <kinecast/kinecast.hpp>

#include "../robots/arm2.hpp"
#include "../robots/boxes.hpp"
#include "../robots/drives.hpp"
#include "bits.hpp"

namespace {

using namespace kinecast;  // NOLINT(google-build-using-namespace): the words a robot is written in

// Floating, spherical, revolute and prismatic joints, a branch and a rotor.
constexpr auto make_free_robot() {
  constexpr auto kBody = inertia(0.010, 0.011, 0.012, 0.001, 0.0002, 0.0003);
  return robot(
      "free_robot", link("trunk", floating(), body(3.0, com(0.01, 0.02, 0.03), kBody)),
      link("arm", on("trunk"), revolute({0.6, 0, 0.8}), at(0.1, 0.2, 0.1), at_joint(rotor_inertia(0.02)),
           body(0.8, com(0, 0.1, 0.1), kBody)),
      link("slide", on("arm"), prismatic(kAxisX), at(0, 0.2, 0.1), body(0.5, com(0.05, 0, 0), kBody)),
      link("head", on("trunk"), spherical(), at(0, 0, 0.3), rpy(0.1, 0.2, 0.3), body(0.7, com(0.02, 0, 0.1), kBody)));
}
constexpr auto kFreeRobot = make_free_robot();

// Two links between stops, and a four-bar linkage whose crank has one: rows between the sweeps, and rows of loops.
constexpr auto kRod = body(0.5, com(0, 0, -0.1), inertia(0.002, 0.002, 0.0001));
constexpr auto kStopped = robot("stopped", link("upper", revolute(kAxisY), kRod, limits(-0.5, 0.5, rebound(0.5))),
                                link("lower", on("upper"), at(0, 0, -0.2), revolute(kAxisY), kRod, limits(0, 1)));
constexpr auto kFourBar =
    robot("four_bar", link("crank", revolute(kAxisY), body(0.3, com(0, 0, 0.05), inertia(0.001, 0.001, 0.0001))),
          link("coupler", on("crank"), at(0, 0, 0.1), revolute(kAxisY),
               body(0.5, com(0.2, 0, 0.1), inertia(0.01, 0.01, 0.001)), limits(-1, 3)),
          link("rocker", at(0.4, 0, 0), revolute(kAxisY), body(0.4, com(0, 0, 0.15), inertia(0.003, 0.003, 0.0001))),
          closure("pin", point_of("coupler", 0.4, 0, 0.2), point_of("rocker", 0, 0, 0.3)));

template <const auto& R, class S>
void print_hash(const char* name, const State<R, S>& state) {
  bits::Bits bits;
  bits.add(state.q, state.dq);
  bits.print(name);
}

void require(Status status, const char* name) {
  if (ok(status)) return;
  port::put(name);
  port::put(": ");
  port::put(sentence(status));
  port::put("\n");
  port::exit(1);
}

enum class Method { symplectic, gill };

template <const auto& R, class S>
void run(Method method, const char* name) {
  static Workspace<R, S> work;
  State<R, S> state = zero_state<R, S>();
  Velocity<R, S> tau;
  for (int step = 0; step < 1000; ++step) {
    for (int i = 0; i < tau.size(); ++i) tau[i] = static_cast<S>((step / 10 * 7 + i * 3) % 11 - 5) * S(0.1);
    const Status status = method == Method::gill ? step_gill(model<R, S>, tau, S(1e-3), work, state)
                                                 : step_symplectic(model<R, S>, tau, S(1e-3), work, state);
    require(status, name);
  }
  print_hash(name, state);
}

// Driven joints that stick and slide: friction, back-EMF and their memory are in the bits.
template <const auto& R, class S, class Friction, class Integrator>
void run_drives(const char* name) {
  static Predictor<R, S, Friction, Integrator> predictor;
  Command<R, S> volts;
  for (int step = 0; step < 1000; ++step) {
    for (int i = 0; i < volts.size(); ++i) volts[i] = static_cast<S>((step / 50 * 7 + i * 3) % 11 - 5);
    require(predictor.step(volts, S(1e-3)), name);
  }
  print_hash(name, predictor.state());
}

constexpr auto kGround = environment(half_space("ground", material(friction(0.5, 0.3), restitution(0.3))));

constexpr auto kTable = environment(box("table", at(0, 0, -0.05), size(1, 1, 0.1), material(friction(0.5, 0.3))),
                                    box("cube", on("box"), size(0.1, 0.1, 0.1)));

// Swings into its stops.
template <const auto& R, class S>
void run_rows(const char* name) {
  static Predictor<R, S> predictor;
  Command<R, S> command = Command<R, S>::Zero();
  for (int step = 0; step < 500; ++step) {
    command[0] = step < 250 ? S(1) : S(-1);
    require(predictor.step(command, S(1e-3)), name);
  }
  print_hash(name, predictor.state());
}

// Falls, slides, rests: detection, solver and stick or slip are in the bits.
template <const auto& R, class S, class Touch = Contacts<kGround, 4>>
void run_contact(const State<R, S>& start, const char* name) {
  static Predictor<R, S, Touch> predictor;
  require(predictor.reset(start), name);
  const Command<R, S> command = Command<R, S>::Zero();
  for (int step = 0; step < 500; ++step) require(predictor.step(command, S(1e-3)), name);
  print_hash(name, predictor.state());
}

}  // namespace

int main() {
  run<robots::arm6, float>(Method::symplectic, "arm6_float_symplectic");
  run<kFreeRobot, float>(Method::symplectic, "free_robot_float_symplectic");
  run<kFreeRobot, float>(Method::gill, "free_robot_float_gill");
  run<kFreeRobot, double>(Method::symplectic, "free_robot_double_symplectic");
  run_drives<robots::arm6_drives, float, ArticulatedFriction, SymplecticEuler>("arm6_drives_float_articulated");
  run_drives<robots::drive_unit, float, RotorFriction, RungeKuttaGill>("drive_unit_float_rotor_gill");
  run_drives<robots::drive<2>, float, ImplicitFriction, SymplecticEuler>("drive2_float_implicit");
#if !defined(__ARM_ARCH_6M__)  // whose 16 KB do not hold all of these at once
  State<robots::cube, float> thrown = zero_state<robots::cube, float>();
  thrown.q[2] = 0.12F;
  thrown.dq << 0.5F, 0.2F, 0.0F, 1.0F, 2.0F, 3.0F;
  run_contact<robots::cube, float>(thrown, "cube_float_contact");
  run_contact<robots::cube, float, Contacts<kTable, 1, Volume<>>>(thrown, "cube_float_volume");
  State<robots::arm2, float> leaning = zero_state<robots::arm2, float>();
  leaning.q << 1.6F, 0.3F;
  run_contact<robots::arm2, float>(leaning, "arm2_float_contact");
  run_contact<robots::cube, float, Contacts<kGround, 4, Implicit>>(thrown, "cube_float_implicit");
  run_contact<robots::arm2, float, Contacts<kGround, 4, Implicit>>(leaning, "arm2_float_implicit");
  run_rows<kStopped, float>("stopped_float_limits");
  run_rows<kFourBar, float>("four_bar_float_loop");
#endif
  port::exit(0);
}
