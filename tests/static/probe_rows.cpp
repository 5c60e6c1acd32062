// SPDX-License-Identifier: MIT
// Calls all that stops, loops and rigid joints offer, beside contacts and drives and without: the compiler's warnings and
// clang-tidy see every template instantiated.
#include <kinecast/kinecast.hpp>

namespace probe {

using namespace kinecast;  // NOLINT(google-build-using-namespace): the words a robot is written in

inline constexpr auto rod = body(0.5, com(0, 0, -0.1), inertia(0.002, 0.002, 0.0001));

// Stops alone: they act between the sweeps.
inline constexpr auto plain =
    robot("plain", link("upper", revolute(kAxisY), rod, limits(-0.5, 0.5, rebound(0.5)), speed_limit(6)),
          link("lower", on("upper"), at(0, 0, -0.2), revolute(kAxisY), rod, limits(0, 1, soft(100, 1))),
          contact_point("tip", on("lower"), at(0, 0, -0.2)));

// With drives, friction, a free base and a loop.
inline constexpr auto linkage =
    robot("linkage", link("trunk", floating(), rod),
          link("left", on("trunk"), at(-0.1, 0, 0), revolute(kAxisY), rod, at_joint(coulomb(0.1)), limits(-1, 1)),
          link("right", on("trunk"), at(0.1, 0, 0), revolute(kAxisY), rod, velocity_driven(), limits(-1, 1)),
          contact_point("toe", on("left"), at(0, 0, -0.2)),
          closure("pin", point_of("left", 0.1, 0, -0.2), point_of("right", -0.1, 0, -0.2)));

inline constexpr auto ground = environment(half_space("ground"));
inline constexpr auto floor_and_shoe = environment(half_space("floor"), box("shoe", on("left"), size(0.1, 0.1, 0.02)));

template <const auto& R, class S, class... Options>
Status hold(S& sum) {
  Predictor<R, S, Options...> predictor;
  Status status = predictor.set_row_parameters({S(200), S(1), S(1e-4)});
  const auto also = [&](Status next) { status = ok(status) ? next : status; };
  const Command<R, S> commands[2] = {Command<R, S>::Zero(), Command<R, S>::Zero()};
  State<R, S> states[2];
  also(predictor.step(commands[0], S(1e-3)));
  also(predictor.rollout(commands, 2, S(1e-3), states).status);
  also(predictor.correct(states[0]));
  predictor.restore(predictor.snapshot());
  sum += predictor.report().limit_Nm[0] + S(predictor.fast_joint());
  return status;
}
template Status hold<plain, float>(float&);
template Status hold<plain, double, RungeKuttaGill>(double&);
template Status hold<plain, float, Contacts<ground, 2>>(float&);
template Status hold<plain, float, Contacts<ground, 2, Relaxed<Functional::velocity, ContactRows::predictive>>>(float&);
template Status hold<plain, float, Contacts<ground, 2, Penalty<>>>(float&);
template Status hold<linkage, float>(float&);
template Status hold<linkage, double, RungeKuttaGill>(double&);
template Status hold<linkage, float, Contacts<ground, 2>>(float&);
template Status hold<linkage, float, Contacts<floor_and_shoe, 2, Volume<>>>(float&);

template <const auto& R, class S, class... Options>
Status stiffen(int& changed) {
  Predictor<R, S, Adaptive, Options...> predictor;
  JointSet<R> joints;
  Status status = joints.add(1);
  const auto also = [&](Status next) { status = ok(status) ? next : status; };
  also(predictor.rigidify(joints));
  also(predictor.step(Command<R, S>::Zero(), S(1e-3)));
  RigidityRule<R, S> rule;
  rule.rest = S(0.01), rule.wake = S(0.1), rule.horizon_s = S(0.01);
  also(predictor.adapt(rule, Command<R, S>::Zero(), S(1e-3), changed));
  also(predictor.correct(predictor.state()));
  return status;
}
template Status stiffen<plain, float>(int&);
template Status stiffen<linkage, float>(int&);
template Status stiffen<linkage, double, Contacts<ground, 2>>(int&);

}  // namespace probe
