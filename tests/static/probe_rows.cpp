// SPDX-License-Identifier: MIT
// Calls all that stops, loops, couplings, rigid joints, impacts and constraints offer, beside contacts and drives and without: the compiler's
// warnings and clang-tidy see every template instantiated.
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

// Two couplings, beside a stop, friction and a joint whose velocity is given.
inline constexpr auto coupled = robot(
    "coupled", link("trunk", floating(), rod),
    link("left", on("trunk"), at(-0.1, 0, 0), revolute(kAxisY), rod, at_joint(coulomb(0.1)), limits(-1, 1)),
    link("right", on("trunk"), at(0.1, 0, 0), revolute(kAxisY), rod, velocity_driven()),
    link("slide", on("left"), at(0, 0, -0.2), prismatic(kAxisX), rod),
    link("mimic", on("right"), at(0, 0, -0.2), revolute(kAxisY), rod),
    contact_point("toe", on("slide"), at(0, 0, -0.2)),
    coupling("differential", joint("slide"), follows("left", ratio(0.1)), follows("right", ratio(-0.1)), offset(0.01)),
    coupling("mimic", joint("mimic"), follows("left")));

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
template Status hold<plain, float, EventDriven<>>(float&);
template Status hold<plain, float, EventDriven<>, Contacts<ground, 2>>(float&);
template Status hold<linkage, float>(float&);
template Status hold<linkage, double, RungeKuttaGill>(double&);
template Status hold<linkage, float, Contacts<ground, 2>>(float&);
template Status hold<linkage, float, Contacts<floor_and_shoe, 2, Volume<>>>(float&);
template Status hold<coupled, float>(float&);
template Status hold<coupled, double, RungeKuttaGill>(double&);
template Status hold<coupled, float, EventDriven<>, Contacts<ground, 2>>(float&);
template Status hold<coupled, float, Contacts<floor_and_shoe, 2, Volume<>>>(float&);

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
template Status stiffen<coupled, float>(int&);
template Status stiffen<linkage, double, Contacts<ground, 2>>(int&);

template <const auto& R, class S>
Status strike(S& sum) {
  static_assert(Shape<R>::kBodies > 1, "two bodies strike each other");
  const auto& robot = model<R, S>;
  const State<R, S> state = zero_state<R, S>();
  Workspace<R, S> work;
  Kinematics<R, S> k;
  Velocity<R, S> ddq;
  Velocity<R, S> dq = state.dq;
  Status status = forward_dynamics(robot, state.q, state.dq, Velocity<R, S>(Velocity<R, S>::Zero()), work, ddq);
  const auto also = [&](Status next) { status = ok(status) ? next : status; };
  also(update_kinematics(robot, state.q, state.dq, k));
  const PointOnBody<S> a{0, {S(0), S(0), S(0.1)}};
  const PointOnBody<S> b{1, {}};
  Sym3<S> K{};
  Mat3<S> coupling{};
  also(collision_matrix(robot, work, a, K));
  also(collision_matrix(robot, work, k, a, b, K));
  also(collision_matrix(robot, work, k, a, robot, work, k, b, K));
  also(impulse_coupling(robot, work, k, a, b, coupling));
  also(impulse_response(robot, work, k, a, Vec3<S>{S(1), S(0), S(0)}, ddq));
  Impact<S> impact;
  also(resolve_impact(K, Vec3<S>{S(-1), S(0), S(0)}, S(0.5), S(0.3), impact));
  RobotImpacts<S, 2, 1> impacts;
  RobotImpactReport<S, 2, 1> report;
  impacts.points = 1;
  impacts.point[0] = {a, b, {S(0), S(0), S(1)}, {}, S(0.5), S(0.3)};
  also(resolve_impacts(robot, k, impacts, work, dq, report));

  Constraints<S, 3, 1> set;
  ConstraintResult<R, S, 3, 1> result;
  set.equal(row_of_point(a, Vector<S, 3>(S(1), S(0), S(0))), S(0));
  set.at_least(row_between(a, b, Vector<S, 3>(S(0), S(0), S(1))), S(0));
  also(constrain_accelerations(robot, state.dq, ddq, set, work, result));
  also(constrain_velocities(robot, state.dq, set, work, result));

  Lcp<S, 4> lcp{};
  LcpSolution<S, 4> solution;
  lcp.size = 1, lcp.M[0][0] = S(1), lcp.q[0] = S(-1);
  also(solve_lcp<Lemke>(lcp, solution));
  also(solve_lcp<ProjectedGaussSeidel>(lcp, solution));
  sum += K.xx + coupling.row_x.x + solution.z[0] + result.residual;
  return status;
}
template Status strike<plain, float>(float&);
template Status strike<linkage, double>(double&);

}  // namespace probe
