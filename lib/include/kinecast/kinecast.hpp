// SPDX-License-Identifier: MIT
// kinecast: forecasts what a robot's body will do next, in fixed memory. The whole library, in the order in which a
// step uses it, kept by hand. Any header can be included alone; what is not used costs neither flash nor RAM.
#pragma once

// core: Status, scalars and their tolerances, options, elementary functions.
#include <kinecast/core/constexpr_math.hpp>
#include <kinecast/core/elementary.hpp>
#include <kinecast/core/option.hpp>
#include <kinecast/core/rules.hpp>
#include <kinecast/core/scalar.hpp>
#include <kinecast/core/status.hpp>

// math: vectors, rotations, spatial algebra, small factorisations.
#include <kinecast/math/cholesky.hpp>
#include <kinecast/math/gram_schmidt.hpp>
#include <kinecast/math/householder.hpp>
#include <kinecast/math/lu.hpp>
#include <kinecast/math/placement.hpp>
#include <kinecast/math/rotation.hpp>
#include <kinecast/math/spatial.hpp>
#include <kinecast/math/types.hpp>
#include <kinecast/math/vec3.hpp>

// model: the robot as a constexpr value, its rules, and the numbers that the sweeps read.
#include <kinecast/model/drive.hpp>
#include <kinecast/model/frames.hpp>
#include <kinecast/model/limits.hpp>
#include <kinecast/model/model.hpp>
#include <kinecast/model/robot.hpp>
#include <kinecast/model/robot_rules.hpp>
#include <kinecast/model/shape.hpp>
#include <kinecast/model/tree.hpp>
#include <kinecast/model/validate.hpp>
#include <kinecast/model/word.hpp>

// model/environment: what a robot can touch, its rules, and the numbers that contact reads.
#include <kinecast/model/environment/convex.hpp>
#include <kinecast/model/environment/convex_rules.hpp>
#include <kinecast/model/environment/environment.hpp>
#include <kinecast/model/environment/environment_rules.hpp>
#include <kinecast/model/environment/material.hpp>
#include <kinecast/model/environment/scene.hpp>
#include <kinecast/model/environment/solid.hpp>

// kinematics: screws, transfers between bodies, poses, velocities, Jacobians.
#include <kinecast/kinematics/kinematics.hpp>
#include <kinecast/kinematics/screws.hpp>
#include <kinecast/kinematics/transfer.hpp>

// drive: from commands to torques at the joints, and the friction of gears.
#include <kinecast/drive/articulated_friction.hpp>
#include <kinecast/drive/effort.hpp>
#include <kinecast/drive/friction_law.hpp>
#include <kinecast/drive/joint_action.hpp>
#include <kinecast/drive/open_joints.hpp>

// dynamics: articulated inertias, forward and inverse dynamics, the factor of the inverse inertia.
#include <kinecast/dynamics/bias.hpp>
#include <kinecast/dynamics/collision_matrix.hpp>
#include <kinecast/dynamics/contact_map.hpp>
#include <kinecast/dynamics/driven_dynamics.hpp>
#include <kinecast/dynamics/energy.hpp>
#include <kinecast/dynamics/factor.hpp>
#include <kinecast/dynamics/forward_dynamics.hpp>
#include <kinecast/dynamics/impulse_response.hpp>
#include <kinecast/dynamics/inverse_dynamics.hpp>
#include <kinecast/dynamics/joints.hpp>
#include <kinecast/dynamics/mass_matrix.hpp>
#include <kinecast/dynamics/step_motion.hpp>
#include <kinecast/dynamics/tree.hpp>
#include <kinecast/dynamics/workspace.hpp>

// solve: solvers of a step, which know no robot.
#include <kinecast/solve/active_set.hpp>
#include <kinecast/solve/basic_solution.hpp>
#include <kinecast/solve/energy_form.hpp>
#include <kinecast/solve/factored_problem.hpp>
#include <kinecast/solve/inequality_qp.hpp>
#include <kinecast/solve/lcp.hpp>
#include <kinecast/solve/velocity_form.hpp>

// contact: what holds the robot: contact points, stops, loops, couplings, dry joints; one list, one solver.
#include <kinecast/contact/constraint.hpp>
#include <kinecast/contact/contact.hpp>
#include <kinecast/contact/contacts.hpp>
#include <kinecast/contact/coupling_row.hpp>
#include <kinecast/contact/couplings.hpp>
#include <kinecast/contact/detection.hpp>
#include <kinecast/contact/dry_joints.hpp>
#include <kinecast/contact/joint_limits.hpp>
#include <kinecast/contact/loops.hpp>
#include <kinecast/contact/points.hpp>
#include <kinecast/contact/stops.hpp>

// predict: the step: commands in, next state out.
#include <kinecast/predict/evaluation.hpp>
#include <kinecast/predict/integrate.hpp>
#include <kinecast/predict/integrators.hpp>
#include <kinecast/predict/now.hpp>
#include <kinecast/predict/predictor.hpp>

// Extensions, which none of the headers above includes: volume contact, impacts, event-driven steps, joints that become
// rigid, constraints for controllers, the papers' methods.
#include <kinecast/contact/impact/robot_impact.hpp>
#include <kinecast/contact/volume/volume.hpp>
#include <kinecast/control/constraints.hpp>
#include <kinecast/dynamics/adaptive/adaptive.hpp>
#include <kinecast/papers/implicit_friction.hpp>
#include <kinecast/papers/rotor_friction.hpp>
#include <kinecast/papers/stage.hpp>
#include <kinecast/papers/wrench_programs.hpp>
#include <kinecast/predict/events/event_driven.hpp>
