// SPDX-License-Identifier: MIT
// Three cubes on each other by volume contact, exactly above each other (faces and edges coincide) or a little aside: they stand
// without creep, as deep in each other as relaxation says. The push that a layer takes passes through the layers below it down to
// the ground; it holds as much as friction at its lower face does, mu m g for the top cube, twice and three times that below.
#include <kinecast/kinecast.hpp>

#include <kinecast/contact/volume/volume.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <type_traits>

#include "steps.hpp"
#include "support/program.hpp"

namespace {

using namespace kinecast;

constexpr double kGravity = 9.80665;
constexpr double kMass_kg = 0.5;
constexpr double kSide_m = 0.1;
constexpr double kMoment = kMass_kg * kSide_m * kSide_m / 6;
constexpr double kStatic = 0.5;
constexpr double kKinetic = 0.3;
constexpr double kStep_s = 1e-3;
constexpr Material kWood = material(friction(kStatic, kKinetic));

inline constexpr auto stack = [] {
  const auto solid = body(kMass_kg, com(0, 0, 0), inertia(kMoment, kMoment, kMoment));
  return robot("stack", link("low", floating(), solid), link("middle", floating(), solid),
               link("high", floating(), solid));
}();
// A cube's solid is surface 1 + its number; a layer is named by the surface below it.
inline constexpr auto pile =
    environment(half_space("ground", kWood), box("low cube", on("low"), size(kSide_m, kSide_m, kSide_m), kWood),
                box("middle cube", on("middle"), size(kSide_m, kSide_m, kSide_m), kWood),
                box("high cube", on("high"), size(kSide_m, kSide_m, kSide_m), kWood));

scenario::Steps steps;  // of all runs

// Middle and high cube aside of the low one, along x and y.
struct Offset {
  const char* name;
  double middle_m[2];
  double high_m[2];
};
constexpr Offset kAligned{"aligned", {0, 0}, {0, 0}};
constexpr Offset kAside{"5 mm", {5e-3, 0}, {-2.5e-3, 5e-3}};
constexpr Offset kFarAside{"20 mm", {20e-3, 0}, {-10e-3, 20e-3}};

template <class S>
using Stack = Predictor<stack, S, Contacts<pile, 4, Volume<>>>;

template <class S>
Stack<S>& put_up(const Offset& offset) {
  static Stack<S> predictor;
  State<stack, S> state = zero_state<stack, S>();
  for (int i = 0; i < 3; ++i) state.q[7 * i + 2] = static_cast<S>((0.5 + i) * kSide_m);
  for (int k = 0; k < 2; ++k) {
    state.q[7 + k] = static_cast<S>(offset.middle_m[k]);
    state.q[14 + k] = static_cast<S>(offset.high_m[k]);
  }
  steps.require(predictor.reset(state), "reset");
  return predictor;
}

// Along x at the lower face of a cube, through the middle of the load there: of this cube and those above.
template <class S>
void push(Stack<S>& predictor, int pushed, double force_N) {
  const auto& q = predictor.state().q;
  double load_y = 0;
  for (int i = pushed; i < 3; ++i) load_y += static_cast<double>(q[7 * i + 1]) / (3 - pushed);
  Velocity<stack, S> external = Velocity<stack, S>::Zero();
  external[6 * pushed] = static_cast<S>(force_N);
  external[6 * pushed + 4] = static_cast<S>(-0.5 * kSide_m * force_N);
  external[6 * pushed + 5] = static_cast<S>((static_cast<double>(q[7 * pushed + 1]) - load_y) * force_N);
  steps.require(predictor.step(Command<stack, S>::Zero(), external, S(kStep_s)), "step");
}

// Of the three layers, from the ground up.
struct Layers {
  std::array<double, 3> normal_N{}, friction_N{}, depth_m{};
};
template <class S>
Layers layers_of(const Stack<S>& predictor) {
  Layers out;
  const auto& contacts = predictor.contact_report();
  for (int i = 0; i < contacts.count; ++i) {
    const auto& c = contacts[i];
    if (c.pair.point != c.pair.surface + 1) continue;  // the high cube on the ground
    const auto layer = static_cast<std::size_t>(c.pair.surface);
    out.normal_N[layer] = static_cast<double>(c.normal_N);
    out.friction_N[layer] = static_cast<double>(c.tangential_N);
    out.depth_m[layer] = static_cast<double>(c.depth_m);
  }
  return out;
}

// ---- stands ---------------------------------------------------------------------------------------------------------------------

template <class S>
void measure_standing(const Offset& offset, support::Report& report) {
  constexpr bool is_float = std::is_same_v<S, float>;
  const char* scalar = support::scalar_name<S>();
  Stack<S>& predictor = put_up<S>(offset);
  Position<stack, S> after_1s = predictor.state().q;
  Layers deep_after_1s;
  for (int ms = 1; ms <= 2000; ++ms) {
    push(predictor, 0, 0);
    if (ms == 1000) after_1s = predictor.state().q, deep_after_1s = layers_of(predictor);
  }
  const Layers layers = layers_of(predictor);
  const auto moved = (predictor.state().q - after_1s).template cast<double>().eval();
  double creep = 0;
  double deeper = 0;
  double weight = 0;
  double depth = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    creep = std::max(creep, moved.template segment<3>(7 * static_cast<int>(i)).norm());
    deeper = std::max(deeper, layers.depth_m[i] - deep_after_1s.depth_m[i]);
    const double load_N = static_cast<double>(3 - i) * kMass_kg * kGravity;
    weight = std::max(weight, std::abs(layers.normal_N[i] / load_N - 1));
    // Half the depth is worked off at rate k as fast as the load, relaxed, sinks in (method 6.3b): mean mobility at the middle of a
    // face, and of both bodies where there are two.
    const double mobility = (3 / kMass_kg + 2 * 0.25 * kSide_m * kSide_m / kMoment) / 3 * (i == 0 ? 1 : 2);
    const double expected = 2 * kWood.volume_relaxation * mobility * load_N * kStep_s / kWood.compensation_per_s;
    depth = std::max(depth, std::abs(layers.depth_m[i] - expected));
  }
  // Method 15 for what rests. Float knows the high cube's height to 1.5e-8 m.
  report.add({"scenario", "stack_creep", offset.name, scalar, creep, is_float ? 3e-6 : 1e-10, "m/s"});
  report.add({"scenario", "stack_sinks", offset.name, scalar, deeper, is_float ? 3e-8 : 1e-10, "m/s"});
  report.add({"scenario", "stack_carries", offset.name, scalar, weight, 1e-3, "relative"});
  // Aside, the cubes lean a little and the depth at the middle of the volume is another.
  if (&offset == &kAligned)
    report.add({"scenario", "stack_depth", offset.name, scalar, depth, is_float ? 1e-7 : 1e-9, "m"});
}

// ---- pushed ---------------------------------------------------------------------------------------------------------------------

constexpr int kSettle = 200;
constexpr int kGrow = 100;
constexpr int kStay = 200;

// Whether a cube stays where it is, pushed as the cube in pushed_cube.cpp.
template <class S>
bool stays(const Offset& offset, int pushed, double force_N) {
  Stack<S>& predictor = put_up<S>(offset);
  double start_m = 0;
  for (int ms = 1; ms <= kSettle + kGrow + kStay; ++ms) {
    push(predictor, pushed, force_N * std::clamp((ms - kSettle) / static_cast<double>(kGrow), 0.0, 1.0));
    if (ms == kSettle) start_m = static_cast<double>(predictor.state().q[7 * pushed]);
  }
  return std::abs(static_cast<double>(predictor.state().q[7 * pushed]) - start_m) < 1e-4;
}

template <class S>
void measure_limits(const Offset& offset, support::Report& report) {
  const char* scalar = support::scalar_name<S>();
  for (int pushed = 0; pushed < 3; ++pushed) {
    const double limit_N = kStatic * (3 - pushed) * kMass_kg * kGravity;
    double low = 0.5;
    double high = 1.4;
    for (int turn = 0; turn < 10; ++turn) {
      const double middle = 0.5 * (low + high);
      (stays<S>(offset, pushed, middle * limit_N) ? low : high) = middle;
    }
    // As of the single cube: 2.45 ± 0.02 N.
    report.add({"scenario", "stack_push_limit", std::string(offset.name) + ", " + std::string(stack.link(pushed).name),
                scalar, std::abs(0.5 * (low + high) - 1), 8e-3, "relative"});
  }
}

// A push on the high cube that grows by 10 N/s to 3 N.
template <class S>
void measure_friction(support::Report& report, support::Figure& figure) {
  const char* scalar = support::scalar_name<S>();
  constexpr double kPush_N = 3;
  Stack<S>& predictor = put_up<S>(kAside);
  for (int ms = 0; ms < kSettle; ++ms) push(predictor, 0, 0);
  const double start_m = static_cast<double>(predictor.state().q[14]);
  double uneven = 0;
  double speed_at_350 = 0;
  for (int ms = 1; ms <= 400; ++ms) {
    const double t = kStep_s * ms;
    const double force_N = std::min(10 * t, kPush_N);
    push(predictor, 2, force_N);
    const Layers layers = layers_of(predictor);
    const double speed = static_cast<double>(predictor.state().dq[12]);
    if (ms == 220)
      for (const double friction : layers.friction_N) uneven = std::max(uneven, std::abs(friction / force_N - 1));
    if (ms == 350) speed_at_350 = speed;
    figure.curve("force along x, N", "push on the high cube").add(t, force_N);
    for (std::size_t i = 3; i-- > 0;)
      figure
          .curve("force along x, N",
                 std::string("friction below the ") + std::string(stack.link(static_cast<int>(i)).name) + " cube")
          .add(t, layers.friction_N[i]);
    figure.curve("high cube went, mm", "float").add(t, 1e3 * (static_cast<double>(predictor.state().q[14]) - start_m));
    if (ms < 400) continue;
    const double expected = kPush_N / kMass_kg - kKinetic * kGravity;
    report.add({"scenario", "stack_top_slides", "3 N", scalar,
                std::abs((speed - speed_at_350) / (50 * kStep_s) / expected - 1), 1e-2, "relative"});
  }
  // A growing push accelerates the layers as their references give way: some 1e-6 m each in 0.2 s.
  report.add({"scenario", "stack_passes_on", "2.2 N", scalar, uneven, 1e-2, "relative"});
}

template <class S>
void measure_all(support::Report& report, support::Figure& figure) {
  for (const Offset* offset : {&kAligned, &kAside, &kFarAside}) measure_standing<S>(*offset, report);
  for (const Offset* offset : {&kAligned, &kAside}) measure_limits<S>(*offset, report);
  measure_friction<S>(report, figure);
  steps.report(report, "stack_warnings", "all", support::scalar_name<S>());
}

void measure(support::Report& report, support::Figure& figure) {
  support::Figure unseen("");  // looks the same
  measure_all<float>(report, figure);
  measure_all<double>(report, unseen);
}

}  // namespace

const support::Program support::program{"stack", measure};
