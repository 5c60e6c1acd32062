// SPDX-License-Identifier: MIT
// Calls all that volume contact offers, on a robot and a free block whose solids touch the world and each other: the compiler's
// warnings and clang-tidy see every template instantiated.
#include <kinecast/kinecast.hpp>

namespace probe {

using namespace kinecast;  // NOLINT(google-build-using-namespace): the words a robot is written in

inline constexpr auto hand = robot(
    "hand",
    link("arm", revolute(kAxisY), at(0, 0, 0.5), at_joint(coulomb(0.1)),
         body(1.0, com(0, 0, -0.1), inertia(0.01, 0.01, 0.01))),
    link("finger", on("arm"), prismatic(kAxisX), at(0, 0, -0.2), body(0.2, com(0, 0, 0), inertia(1e-4, 1e-4, 1e-4))),
    link("block", floating(), body(0.5, com(0, 0, 0), inertia(1e-3, 1e-3, 1e-3))));

inline constexpr auto bench = environment(
    half_space("lift", moves(), material(friction(0.8, 0.6), compensation(100), relaxation(1e-2))),
    box("belt", at(1, 0, 0), size(1, 1, 0.2), conveyor(0.1, 0, 0)), wedge("ramp", at(0, 1, 0), size(0.3, 0.2, 0.1)),
    box("pad", on("finger"), size(0.02, 0.02, 0.04), of_kind(1)),
    box("block", on("block"), size(0.1, 0.1, 0.1), pair(1, material(friction(1.0)))));

template <class S, class... Options>
Status grasp(S& sum) {
  using P = Predictor<hand, S, Options...>;
  P predictor;
  typename P::Scene scene;
  Status status = build_scene<hand, bench, S>(hand, bench, scene);
  const auto also = [&](Status next) { status = ok(status) ? next : status; };
  predictor.set_scene(scene);
  also(predictor.set_contact_parameters({S(100), S(1e-3), S(1)}));
  also(predictor.move_surface(find_surface(bench, "lift"), {}));
  const Command<hand, S> commands[2] = {Command<hand, S>::Zero(), Command<hand, S>::Zero()};
  State<hand, S> states[2];
  also(predictor.step(commands[0], S(1e-3)));
  also(predictor.rollout(commands, 2, S(1e-3), states).status);
  also(predictor.correct(states[0]));
  sum += predictor.contact_report().touching() ? predictor.contact_report()[0].moment_Nm.x : S(0);
  return status;
}

template Status grasp<float, Contacts<bench, 3, Volume<>>>(float&);
template Status grasp<double, RungeKuttaGill, Contacts<bench, 2, WrenchPrograms<8, 6>>>(double&);

// The paper's functional, of a robot without friction in its joints.
inline constexpr auto block =
    robot("block", link("block", floating(), body(0.5, com(0, 0, 0), inertia(1e-3, 1e-3, 1e-3))));
inline constexpr auto plate =
    environment(box("plate", size(1, 1, 0.1)), prism<6>("block", radius(0.05), height(0.1), on("block")));

template <class S, Functional functional, FrictionRule rule>
Status slide_block(S& sum) {
  Predictor<block, S, Contacts<plate, 1, WrenchPrograms<16, 8, functional, rule>>> predictor;
  const Status status = predictor.step(Command<block, S>::Zero(), S(1e-3));
  sum += predictor.contact_report().touching() ? S(1) : S(0);
  return status;
}
template Status slide_block<float, Functional::velocity, FrictionRule::resolved>(float&);
template Status slide_block<double, Functional::energy, FrictionRule::resolved_by_state>(double&);

}  // namespace probe
