// SPDX-License-Identifier: MIT
// If the drives let go now, where will the tool be? The firmware holds an arm by its gravity torque, forecasts a quarter second
// without any torque in steps of 1 ms, and prints what it predicted and what that cost. Float only, no heap.
#include <kinecast/kinecast.hpp>

#include "arm.hpp"
#include "kinecast_port/text.hpp"

namespace {

using namespace kinecast;
using example::arm;

constexpr const Model<arm, float>& kArm = model<arm, float>;
constexpr float kStep_s = 1e-3F;
constexpr int kSteps = 250;

Workspace<arm, float> workspace;  // all the scratch the forecast needs
Kinematics<arm, float> kinematics;

[[noreturn]] void stop(Status status) {
  port::put("stopped: ");
  port::put(sentence(status));
  port::put("\n");
  port::exit(1);
}
void require(Status status) {
  if (!ok(status)) stop(status);
}

float energy(const State<arm, float>& state) {
  require(update_kinematics(kArm, state.q, state.dq, kinematics));
  return kinetic_energy(kArm, kinematics, state.dq) + potential_energy(kArm, kinematics);
}

void print_row(int step, const State<arm, float>& state, float start_energy) {
  const float now = energy(state);
  const Vector<float, 3> tip = point_position(kinematics, kArm.points[0]);
  const Vector<float, 3> speed = point_velocity(kinematics, kArm.points[0]);
  port::put_right(port::integer(step), 6);
  for (int axis = 0; axis < 3; ++axis) port::put_right(port::fixed(1e3F * tip[axis], 1), 9);
  port::put_right(port::fixed(std::sqrt(speed.dot(speed)), 2), 9);
  port::put_right(port::fixed(1e3F * (now - start_energy), 2), 12);
  port::put("\n");
}

// Not inlined, so that its stack can be measured.
[[gnu::noinline]] Status step(const Velocity<arm, float>& torque, State<arm, float>& state) {
  return step_symplectic(kArm, torque, kStep_s, workspace, state);
}

void print_cost(const char* what, std::uint32_t value, const char* unit) {
  port::put("  ");
  port::put_left(what, 38);
  port::put_right(port::integer(value), 7);
  port::put(unit);
}

}  // namespace

int main() {
  const bool counts = port::counter_start();

  State<arm, float> now = zero_state<arm, float>();
  now.q << 0.3F, 0.6F, 0.9F, 0.0F, 0.4F, 0.0F;

  Velocity<arm, float> holding;
  require(gravity_torque(kArm, now.q, workspace, holding));
  port::put("The arm is held by");
  for (int i = 0; i < 6; ++i) port::put_right(port::fixed(holding[i], 3), 8);
  port::put(" N.m. Forecast, if the drives let go:\n\n");
  port::put("  t/ms   x/mm     y/mm     z/mm    v/(m/s)  energy error/mJ\n");

  const Velocity<arm, float> released = Velocity<arm, float>::Zero();
  State<arm, float> forecast = now;  // a snapshot is a plain copy
  const float start_energy = energy(forecast);
  std::uint32_t most = 0;
  for (int i = 0; i < kSteps; ++i) {
    if (i % 25 == 0) print_row(i, forecast, start_energy);
    Status status = Status::ok;
    const std::uint32_t cost = port::count([&] { status = step(released, forecast); });
    require(status);
    if (cost > most) most = cost;
  }
  print_row(kSteps, forecast, start_energy);

  State<arm, float> once = now;
  Status status = Status::ok;
  const std::uint32_t stack = port::stack_of([&] { status = step(released, once); });
  require(status);

  port::put("\nWhat it cost:\n");
  if (counts)
    print_cost("instructions per step, at most", most, "\n");
  else
    port::put("  instructions per step: unknown, this machine does not count them\n");
  print_cost("stack of a step", stack, " B\n");
  print_cost("RAM: workspace of the dynamics", sizeof workspace, " B\n");
  print_cost("RAM: state that survives a step", sizeof now, " B\n");
  print_cost("RAM of this firmware, without stack", port::ram_static_bytes(), " B\n");
  print_cost("flash of this firmware", port::flash_used_bytes(), " B\n");
  return 0;
}
