// SPDX-License-Identifier: MIT
// A humanoid of 26 degrees of freedom stands, crouches and rises on eight contact points, held by nothing but PD control of its
// joints. The firmware computes its ten seconds in steps of 1 ms and prints the trunk's height, what each foot carries, the centre
// of pressure, and what a step costs. Exit code 1 if it falls, if a foot slides, or if the ground does not carry the weight.
// Float only, no heap.
#include <kinecast/kinecast.hpp>

#include <algorithm>

#include "humanoid.hpp"
#include "kinecast_port/example.hpp"

namespace {

using namespace kinecast;
using namespace example;
using port::expect;
using port::is_near;
using port::print;
using port::require;

constexpr float kStep_s = 1e-3F;
constexpr int kSteps = 10'000;
constexpr float kFallen_m = 0.15F;  // height of the trunk
constexpr int kBase = 6;            // degrees of freedom of the trunk, before the joints'; 7 positions

using HumanoidPredictor = Predictor<humanoid, float, Contacts<ground, 8>>;

HumanoidPredictor predictor;
Kinematics<humanoid, float> kinematics;

// ---- control ----------------------------------------------------------------------------------------------------------------

// How far the knees are bent: 2 s standing, 2 s down, 1.5 s crouching, 2 s up, 2.5 s standing.
float bend_at(float t_s) {
  const auto smooth = [](float x) { return x < 0 ? 0.0F : x > 1 ? 1.0F : x * x * x * (10 + x * (6 * x - 15)); };
  const float down = smooth((t_s - 2) / 2) - smooth((t_s - 5.5F) / 2);
  return kStandingBend + (kCrouchingBend - kStandingBend) * down;
}

// The trunk gets nothing: no hand holds it.
Command<humanoid, float> torques_for(const State<humanoid, float>& state, float bend) {
  const JointAngles wanted = pose_with(bend);
  Command<humanoid, float> torques = Command<humanoid, float>::Zero();
  for (int i = 0; i < kJoints; ++i)
    torques[kBase + i] = kProportional * (wanted[static_cast<std::size_t>(i)] - state.q[kBase + 1 + i]) -
                         kDerivative * state.dq[kBase + i];
  return torques;
}

// Not inlined, so that its stack can be measured.
[[gnu::noinline]] Status step(const Command<humanoid, float>& torques) { return predictor.step(torques, kStep_s); }

// ---- what the ground does ---------------------------------------------------------------------------------------------------

struct Stance {
  float left_N = 0;  // normal force on each foot
  float right_N = 0;
  float pressure_x_m = 0;  // centre of pressure
  float pressure_y_m = 0;
  int sliding = 0;    // loaded points that slide
  float depth_m = 0;  // the deepest
};

Stance stance_now() {
  Stance s;
  const auto& contacts = predictor.contact_report();
  for (int i = 0; i < contacts.count; ++i) {
    const auto& c = contacts[i];
    (c.pair.point < 4 ? s.left_N : s.right_N) += c.normal_N;
    s.pressure_x_m += c.normal_N * c.point_m.x;
    s.pressure_y_m += c.normal_N * c.point_m.y;
    if (c.is_sliding && c.normal_N > 0) ++s.sliding;
    if (c.depth_m > s.depth_m) s.depth_m = c.depth_m;
  }
  const float total = s.left_N + s.right_N;
  if (total > 0) s.pressure_x_m /= total, s.pressure_y_m /= total;
  return s;
}

// Where the middle of a sole is.
Vector<float, 3> sole(int first_point) {
  Vector<float, 3> sum = Vector<float, 3>::Zero();
  for (int i = first_point; i < first_point + 4; ++i)
    sum += 0.25F * point_position(kinematics, model<humanoid, float>.points[static_cast<std::size_t>(i)]);
  return sum;
}
float distance(const Vector<float, 3>& a, const Vector<float, 3>& b) { return std::sqrt((a - b).dot(a - b)); }

// What the run leaves for its end.
struct Run {
  Stance last;
  float lowest_m = kStandingHeight;  // the trunk
  int slips = 0;                     // sums of sliding points
  int iterations = 0;                // of the contact solver, at most
  std::uint32_t most = 0;            // instructions of a step
  std::uint32_t standing = 0;        // of the last one
  std::uint32_t stack = 0;           // bytes
};

// What kinematics and statics say of the end.
struct End {
  Momentum<float> whole;
  float weight_N;
  float moved_m;  // the foot that moved further
};

// ---- text -------------------------------------------------------------------------------------------------------------------

void print_row(float t_s, const Stance& s) {
  port::put_right(port::fixed(t_s, 1), 5);
  port::put_right(port::fixed(1e3F * predictor.state().q[2], 2), 12);
  port::put_right(port::fixed(s.left_N, 2), 10);
  port::put_right(port::fixed(s.right_N, 2), 10);
  port::put_right(port::fixed(1e3F * s.pressure_x_m, 2), 10);
  port::put_right(port::fixed(1e3F * s.pressure_y_m, 2), 10);
  port::put_right(port::fixed(1e6F * s.depth_m, 1), 10);
  port::put("\n");
}

void print_end(const Run& run, const End& end) {
  print("\nweight ", port::fixed(end.weight_N, 2), " N, ");
  print("centre of mass at x = ", port::fixed(1e3F * end.whole.com[0], 2), " mm, ");
  print("y = ", port::fixed(1e3F * end.whole.com[1], 2), " mm\n");
  print("slips ", port::integer(run.slips), ", ");
  print("feet moved by ", port::fixed(1e6F * end.moved_m, 1), " um, ");
  print("iterations of the contact solver, at most: ", port::integer(run.iterations), "\n");
}

void print_costs(const Run& run) {
  using port::print_bytes;
  using port::print_cost;
  print_cost("instructions per step, at most", run.most);
  print_cost("instructions per step, standing", run.standing);
  print_bytes("stack of a step, at most", run.stack);
  print_bytes("RAM of the predictor", sizeof predictor);
  print_bytes("RAM of a snapshot", sizeof(HumanoidPredictor::Snapshot));
  print_bytes("RAM of the firmware without stack", port::ram_static_bytes());
  print_bytes("flash of the firmware", port::flash_used_bytes());
}

bool is_as_expected(const Run& run, const End& end) {
  // A servo gives way by its load over its gain, the knee in the crouch by 1.6 N.m / 60 N.m: the trunk sinks by 1 to 2 mm.
  constexpr float kSag_m = 3e-3F;
  bool good = expect(is_near(run.lowest_m, kCrouchingHeight, kSag_m), "it does not crouch\n");
  good = expect(is_near(predictor.state().q[2], kStandingHeight, kSag_m), "it does not stand again\n") && good;
  good = expect(run.slips == 0 && end.moved_m < 1e-4F, "a foot slid\n") && good;
  // At rest the ground carries the weight, right below the centre of mass; what is left of the motion is less than this.
  const Stance& s = run.last;
  good = expect(is_near(s.left_N + s.right_N, end.weight_N, 0.1F), "the ground does not carry the weight\n") && good;
  good = expect(is_near(s.pressure_x_m, end.whole.com[0], 1e-4F) && is_near(s.pressure_y_m, end.whole.com[1], 1e-4F),
                "the centre of pressure is not below the centre of mass\n") &&
         good;
  return good;
}

}  // namespace

int main() {
  const bool counts = port::counter_start();
  State<humanoid, float> start = zero_state<humanoid, float>();
  start.q[2] = kStandingHeight;
  for (int i = 0; i < kJoints; ++i) start.q[kBase + 1 + i] = standing_pose[static_cast<std::size_t>(i)];
  require(predictor.reset(start));
  require(update_kinematics(model<humanoid, float>, start.q, kinematics));
  const Vector<float, 3> left_start = sole(0);
  const Vector<float, 3> right_start = sole(4);

  port::put("  t/s  trunk z/mm    left/N   right/N  pressure x/mm, y/mm  depth/um\n");
  Run run;
  for (int i = 0; i < kSteps; ++i) {
    const float t_s = static_cast<float>(i) * kStep_s;
    const Command<humanoid, float> torques = torques_for(predictor.state(), bend_at(t_s));
    run.standing = port::count_step([&] { return step(torques); });

    run.last = stance_now();
    run.slips += run.last.sliding;
    port::raise(run.standing, run.most);
    run.iterations = std::max(run.iterations, predictor.contact_report().iterations);
    run.lowest_m = std::min(run.lowest_m, predictor.state().q[2]);
    if (!expect(predictor.state().q[2] > kFallen_m, "it fell\n")) return 1;
    if (i % 500 == 499) {
      print_row(t_s + kStep_s, run.last);
      port::raise(port::stack_of_step(predictor, [&] { return step(torques); }), run.stack);
    }
  }

  require(update_kinematics(model<humanoid, float>, predictor.state().q, predictor.state().dq, kinematics));
  const Momentum<float> whole = momentum(model<humanoid, float>, kinematics);
  const End end{whole, whole.mass * 9.80665F, std::max(distance(sole(0), left_start), distance(sole(4), right_start))};
  print_end(run, end);
  const bool is_good = is_as_expected(run, end);
  if (port::begin_costs(counts)) print_costs(run);
  return is_good ? 0 : 1;
}
