// SPDX-License-Identifier: MIT
// Calls everything the library offers, once per scalar, on the robot that has everything: the compiler's warnings and
// clang-tidy see every template instantiated. The gates take their flags from this file's compile command.
#include <kinecast/kinecast.hpp>

#include "../robots/drives.hpp"
#include "../robots/zoo.hpp"

namespace probe {

using namespace kinecast;
using robots::zoo;

template <class S>
Status everything(Workspace<zoo, S>& work, Kinematics<zoo, S>& kinematics, State<zoo, S>& state, S& energy) {
  const Model<zoo, S>& robot = model<zoo, S>;
  Model<zoo, S> built = robot;
  Velocity<zoo, S> tau;
  Velocity<zoo, S> ddq;
  JointMatrix<zoo, S> mass;
  ContactFactor<zoo, S, 3> factor;
  Matrix<S, 9, 9> contact;
  const LinkWrenches<zoo, S> wrenches = LinkWrenches<zoo, S>::Zero();
  const Vector<S, 9> forces = Vector<S, 9>::Zero();
  Status status = build_model<zoo, S>(zoo, built);
  const auto also = [&](Status next) { status = ok(status) ? next : status; };
  also(gravity_torque(robot, state.q, work, tau));
  also(bias_torque(robot, state.q, state.dq, work, tau));
  also(forward_dynamics(robot, state.q, state.dq, tau, wrenches, work, ddq));
  also(inverse_dynamics(robot, state.q, state.dq, ddq, wrenches, work, tau));
  also(mass_matrix(robot, state.q, work, mass));
  also(forward_dynamics(robot, state.q, state.dq, tau, work, ddq));
  also(update_kinematics(robot, state.q, state.dq, kinematics));
  also(contact_map(robot, work, kinematics, robot.points, 3, factor));
  contact_matrix(factor, contact);
  also(response(robot, factor, forces, work, ddq));
  also(step_symplectic(robot, tau, S(1e-3), work, state));
  also(step_gill(robot, tau, S(1e-3), work, state));
  const PointOnBody<S> tip = point_on_link(robot, Shape<zoo>::kLinks - 1, Vector<S, 3>(S(0), S(0), S(1)));
  energy = kinetic_energy(robot, kinematics, state.dq) + potential_energy(robot, kinematics) +
           momentum(robot, kinematics).mass + link_pose(robot, kinematics, 1).position[0] +
           link_velocity(robot, kinematics, 1).linear[0] + point_position(kinematics, tip)[0] +
           point_velocity(kinematics, tip)[0] + point_jacobian(kinematics, tip)(0, 0);
  return status;
}

// A driven robot, by every kind of friction and integrator.
template <const auto& R, class S, class Friction, class Integrator>
Status predict(S& sum) {
  Predictor<R, S, Friction, Integrator> predictor;
  const auto start = predictor.snapshot();
  const Velocity<R, S> push = Velocity<R, S>::Zero();
  const Command<R, S> commands[2] = {Command<R, S>::Ones(), Command<R, S>::Zero()};
  State<R, S> states[2];
  const State<R, S> state = predictor.state();
  Status status = predictor.reset(state);
  const auto also = [&](Status next) { status = ok(status) ? next : status; };
  also(predictor.correct(state));
  also(predictor.step(commands[0], S(1e-3)));
  also(predictor.step(commands[0], push, S(1e-3)));
  also(predictor.rollout(commands, 2, S(1e-3), states).status);
  sum += predictor.report().friction_Nm[0] + S(predictor.report().held(0) || predictor.report().saturated(0));
  predictor.restore(start);
  return predictor.refused_joint() < 0 ? status : Status::index_out_of_range;
}
template <const auto& R, class S>
Status predict_all(S& sum) {
  Status status = predict<R, S, ArticulatedFriction, SymplecticEuler>(sum);
  const auto also = [&](Status next) { status = ok(status) ? next : status; };
  also(predict<R, S, ArticulatedFriction, RungeKuttaGill>(sum));
  also(predict<R, S, RotorFriction, SymplecticEuler>(sum));
  also(predict<R, S, RotorFriction, RungeKuttaGill>(sum));
  also(predict<R, S, ImplicitFriction, SymplecticEuler>(sum));
  also(predict<R, S, ImplicitFriction, RungeKuttaGill>(sum));
  return status;
}
template Status predict_all<robots::arm6_drives>(float&);
template Status predict_all<robots::arm6_drives>(double&);
template Status predict<zoo, float, ArticulatedFriction, RungeKuttaGill>(float&);

template Status everything(Workspace<zoo, float>&, Kinematics<zoo, float>&, State<zoo, float>&, float&);
template Status everything(Workspace<zoo, double>&, Kinematics<zoo, double>&, State<zoo, double>&, double&);

}  // namespace probe
