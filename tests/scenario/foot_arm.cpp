// SPDX-License-Identifier: MIT
// The resting claims on a second, spatial scene: an arm with six joints falls on its foot, whose four corners are more than a
// rigid body needs, and rests there by static friction. Every figure in float and double.
#include <kinecast/kinecast.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include "resting.hpp"
#include "robots/foot_arm.hpp"
#include "support/program.hpp"

namespace {

using namespace kinecast;
using robots::foot_arm;

inline constexpr auto ground =
    environment(half_space("ground", material(friction(0.8, 0.6), compensation(200), relaxation(1e-2))));

constexpr double kEnd_s = 6;
constexpr double kRest_s = 5;

template <class S>
void run(support::Report& report, support::Figure& figure) {
  static Predictor<foot_arm, S, Contacts<ground, 4>> predictor;
  const char* scalar = support::scalar_name<S>();
  State<foot_arm, S> start = zero_state<foot_arm, S>();
  // The shin 7 degrees out of the vertical plane of the thigh, the sole about level, a few millimetres above the ground.
  start.q << S(0.3), S(0.45), S(-0.85), S(0.25), S(0.41), S(-0.12);
  if (const Status status = predictor.reset(start); !ok(status)) return report.fail(sentence(status));
  scenario::Resting seen(0, 4, kRest_s);
  double ground_N = 0;
  int warnings = 0;
  const std::string axis = std::string(scalar) + ": force, N";
  for (int ms = 1; ms <= static_cast<int>(kEnd_s * 1000); ++ms) {
    const Status status = predictor.step(Command<foot_arm, S>::Zero(), S(1e-3));
    if (!ok(status)) return report.fail(sentence(status));
    if (is_warning(status)) ++warnings;
    const double t = 1e-3 * ms;
    const auto& contacts = predictor.contact_report();
    seen.see(t, contacts);
    double force[4] = {};
    for (int i = 0; i < contacts.count; ++i) {
      force[contacts[i].pair.point] = static_cast<double>(contacts[i].normal_N);
      if (ms == static_cast<int>(kEnd_s * 1000)) ground_N += static_cast<double>(contacts[i].normal_N);
    }
    for (int point = 0; point < 4; ++point)
      figure.curve(axis, std::string(foot_arm.point(point).name)).add(t, std::min(force[point], 20.0));
    if constexpr (sizeof(S) == sizeof(float))
      for (int i = 0; i < 6; ++i)
        figure.curve("joint angles, rad", std::string(foot_arm.link(i).name))
            .add(t, static_cast<double>(predictor.state().q[i]));
  }
  // Bounds of the issue, as for the pendulum.
  report.add({"scenario", "foot_arm_chatter", "relaxed", scalar, seen.chatter(), 2e-3, "per ms"});
  report.add({"scenario", "foot_arm_drift", "relaxed", scalar, seen.drift_mps(), 1e-5, "m/s"});
  report.add({"scenario", "foot_arm_depth", "relaxed", scalar, seen.deepest_m(), 1e-3, "m"});
  report.expect(seen.rests_on(4), std::string(scalar) +
                                      ": the four corners rest in every step of the last second, but at times only " +
                                      std::to_string(seen.fewest()) + (seen.slides() ? ", and some slide" : ""));
  // The ground carries some, the bracket the rest.
  report.expect(ground_N > 0 && ground_N < 3.4 * 9.80665, "the ground carries a part of the arm's weight");
  support::Report::remark("foot arm, " + std::string(scalar) + ": the ground carries " + std::to_string(ground_N) +
                          " N of " + std::to_string(3.4 * 9.80665) + " N; warnings " + std::to_string(warnings));
}

void measure(support::Report& report, support::Figure& figure) {
  run<float>(report, figure);
  run<double>(report, figure);
}

}  // namespace

const support::Program support::program{"foot_arm", measure};
