// SPDX-License-Identifier: MIT
// Calls all that contact offers, on a robot that touches everything and itself: the compiler's warnings and clang-tidy see every
// template instantiated.
#include <kinecast/kinecast.hpp>

namespace probe {

using namespace kinecast;  // NOLINT(google-build-using-namespace): the words a robot is written in

struct Hills {
  template <class S>
  static S height(S x, S y) noexcept {
    return S(0.1) * x * y;
  }
};

inline constexpr auto walker =
    robot("walker", link("trunk", floating(), body(3.0, com(0, 0, 0.1), inertia(0.02, 0.02, 0.02))),
          link("leg", on("trunk"), revolute(kAxisY), at(0, 0, -0.1), at_joint(coulomb(0.1)),
               body(0.5, com(0, 0, -0.1), inertia(0.002, 0.002, 0.001))),
          contact_sphere("knee", on("leg"), at(0, 0, -0.1), radius(0.02), of_kind(1)),
          contact_box(on("leg"), at(0, 0, -0.2), size(0.1, 0.05, 0.02)));

inline constexpr auto world = environment(
    half_space("lift", moves(), material(friction(0.8, 0.6), compensation(100), relaxation(1e-2), restitution(0.2))),
    box("belt", at(1, 0, 0), size(1, 1, 0.2), conveyor(0.1, 0, 0)), terrain<Hills>("hills", rpy(0, 0, 0.1)),
    polyhedron("wedge", faces(face(0, 0, -1, 0), face(0.6, 0, 0.8, 0.1)),
               material(friction(0.5), spring(4e3), damper(200), membrane(5e-4))),
    box("shelf", on("trunk"), at(0, 0, 0.2), size(0.1, 0.1, 0.02), touched_by(1), pair(1, material())));

template <class S, class... Options>
Status touch(S& sum) {
  using P = Predictor<walker, S, Options...>;
  P predictor;
  typename P::Scene scene;
  Status status = build_scene<walker, world, S>(walker, world, scene);
  const auto also = [&](Status next) { status = ok(status) ? next : status; };
  predictor.set_scene(scene);
  also(predictor.set_contact_parameters({S(100), S(1e-3), S(1)}));
  also(predictor.move_surface(find_surface(world, "lift"), {}));
  const Command<walker, S> commands[2] = {Command<walker, S>::Zero(), Command<walker, S>::Zero()};
  State<walker, S> states[2];
  also(predictor.step(commands[0], S(1e-3)));
  also(predictor.rollout(commands, 2, S(1e-3), states).status);
  also(predictor.correct(states[0]));
  sum += predictor.contact_report().touching() ? predictor.contact_report()[0].normal_N : S(0);
  return status;
}

template Status touch<float, Contacts<world, 6>>(float&);
template Status touch<float, Contacts<world, 6, Relaxed<>>>(float&);
template Status touch<double, RungeKuttaGill, Contacts<world, 6, Relaxed<>>>(double&);
template Status touch<double, Contacts<world, 6>, ImplicitFriction>(double&);
template Status touch<float, RungeKuttaGill, Contacts<world, 4, Fused<>>>(float&);
template Status touch<float, Contacts<world, 4, Penalty<>>>(float&);
template Status touch<double, Contacts<world, 4, Relaxed<Functional::velocity, ContactRows::predictive>>>(double&);
template Status touch<float, Contacts<world, 4, Unrelaxed>>(float&);

// Friction rules that joints with friction do not take: a free box.
inline constexpr auto crate =
    robot("crate", link("crate", floating(), body(1.0, com(0, 0, 0), inertia(0.01, 0.01, 0.01))),
          contact_box(on("crate"), size(0.1, 0.1, 0.1)));
inline constexpr auto floor = environment(half_space("floor"));

template <class S, FrictionRule rule>
Status slide(S& sum) {
  Predictor<crate, S, Contacts<floor, 4, Relaxed<Functional::energy, ContactRows::touching, rule>>> predictor;
  const Status status = predictor.step(Command<crate, S>::Zero(), S(1e-3));
  sum += predictor.contact_report().touching() ? S(1) : S(0);
  return status;
}
template Status slide<float, FrictionRule::clipped>(float&);
template Status slide<double, FrictionRule::pyramid>(double&);

}  // namespace probe
