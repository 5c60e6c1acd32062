// SPDX-License-Identifier: MIT
// The rows of joints whose dry friction meets the contact (method 5.3, mixed space). Each joint has one unknown
// impulse, which stops it; if that is more than static friction can hold, the joint slides with its kinetic friction, a
// known impulse. drive/open_joints.hpp gives the friction of a joint; contact/resolve.hpp solves these rows.
#pragma once

#include <kinecast/dynamics/driven_dynamics.hpp>
#include <kinecast/dynamics/factor.hpp>
#include <kinecast/dynamics/step_motion.hpp>
#include <kinecast/papers/contact_problem.hpp>
#include <kinecast/papers/implicit_friction.hpp>

#include <cmath>

namespace kinecast {

namespace detail {

// The joints' part of the problem of a step. For a robot without friction in its joints all functions are empty.
template <Functional functional, class S, class Problem>
class JointRows {
 public:
  static constexpr int kMostReturns = 3;
  // Number of passes that joints can ask for: each slides, and returns to sticking, a few times.
  static constexpr int kMostChanges = (2 * kMostReturns + 1) * Problem::kJoints;

  explicit JointRows(Problem& problem) noexcept : p_(problem) {}

  // All joints start sticking, but those that slid in the last step and do not move back: they go on sliding.
  void begin() noexcept {
    if constexpr (Problem::kJoints > 0) {
      for (int j = 0; j < p_.joints; ++j) {
        impulse(j) = {S(0), false, false, 0};
        if (const int sign = p_.joint[static_cast<std::size_t>(j)].last_sign; sign != 0) slide(j, S(sign));
      }
    }
  }

  // Adds the unknowns of the joints that stick, behind those of the contacts. The friction of a sliding joint is known
  // and adds to g.
  void add() noexcept {
    if constexpr (Problem::kJoints > 0) {
      auto& qp = p_.problem;
      first_ = qp.unknowns;
      for (int j = 0; j < p_.joints; ++j) {
        const auto& W = p_.W[static_cast<std::size_t>(j)].y;
        if (impulse(j).slides) {
          for (int k = 0; k < p_.rank; ++k) qp.g[k] += impulse(j).value * W[k];
          continue;
        }
        const int i = qp.unknowns++;
        S A = S(0);
        for (int k = 0; k < p_.rank; ++k) {
          qp.row[i][k] = W[k];
          A += qp.row[i][k] * qp.row[i][k];
        }
        const JointFriction<S>& row = p_.joint[static_cast<std::size_t>(j)];
        qp.offset[i] = row.offset;
        qp.lambda[i] = row.relaxation * (functional == Functional::velocity ? A * A : A);
        qp.is_bounded[i] = false;
        p_.solution.at_bound[i] = false;
      }
    }
  }
  void read_back() noexcept {
    if constexpr (Problem::kJoints > 0) {
      int next = first_;
      for (int j = 0; j < p_.joints; ++j)
        if (!impulse(j).slides) impulse(j).value = p_.solution.x[next++];
    }
  }

  // Joints that static friction cannot hold begin to slide: all that move, against their motion; if none of them moves,
  // the most overloaded one, against the motion that its impulse would have stopped. If other joints then reverse that
  // motion, so that friction would drive the joint, it is tried again as sticking. False: no joint changes.
  [[nodiscard]] bool start_sliding() noexcept {
    bool any = false;
    if constexpr (Problem::kJoints > 0) {
      int worst = -1;
      S largest = S(1);  // impulse over the one that static friction can hold
      for (int j = 0; j < p_.joints; ++j) {
        JointImpulse<S>& x = impulse(j);
        const JointFriction<S>& row = p_.joint[static_cast<std::size_t>(j)];
        if (x.slides) {
          if (!drives(j) || x.returns == kMostReturns) continue;
          x.slides = false;
          ++x.returns;
          any = true;
          continue;
        }
        const S holds = row.holds[x.value > S(0) ? 1 : 0];
        if (!(std::abs(x.value) > holds)) continue;
        if (std::abs(row.dq) > holds * mobility_of(j)) {  // friction cannot stop the joint within the step
          slide(j, -row.dq);
          any = true;
        } else if (!(std::abs(x.value) < largest * holds)) {
          worst = j;
          largest = holds > S(0) ? std::abs(x.value) / holds : Tolerance<S>::kLargestInput;
        }
      }
      if (!any && worst >= 0) {
        slide(worst, impulse(worst).value);
        any = true;
      }
    }
    return any;
  }

 private:
  [[nodiscard]] JointImpulse<S>& impulse(int j) noexcept { return p_.joint_impulse[static_cast<std::size_t>(j)]; }
  void slide(int j, S direction) noexcept {
    const JointFriction<S>& row = p_.joint[static_cast<std::size_t>(j)];
    impulse(j).value = std::copysign(row.slides[direction > S(0) ? 1 : 0], direction) + row.viscous;
    impulse(j).slides = true;
  }
  // Whether the friction of a sliding joint drives it. A joint that a contact blocks moves only by the relaxation: it
  // stands.
  [[nodiscard]] bool drives(int j) noexcept {
    const S velocity = velocity_of(j);
    JointImpulse<S>& x = impulse(j);
    x.stands = !(std::abs(velocity) > Tolerance<S>::kStandingJoint * std::abs(x.value) * mobility_of(j));
    return x.value * velocity > S(0) && !x.stands;
  }
  [[nodiscard]] S mobility_of(int j) const noexcept {
    S sum = S(0);
    for (const S w : p_.W[static_cast<std::size_t>(j)].y) sum += w * w;
    return sum;
  }
  [[nodiscard]] S velocity_of(int j) const noexcept {
    S sum = S(0);
    for (int k = 0; k < p_.rank; ++k) sum += p_.W[static_cast<std::size_t>(j)].y[k] * p_.solution.t[k];
    return sum;
  }

  Problem& p_;
  int first_{0};  // unknown of the first joint that sticks
};

// Finds the row of W of every open joint: its velocity in factor space.
template <const auto& R, class S, class Problem>
inline void find_joint_rows(const Model<R, S>& model, const Workspace<R, S>& dynamics, Problem& p) noexcept {
  for (int j = 0; j < p.joints; ++j) {
    auto& row = p.W[static_cast<std::size_t>(j)];
    row = {};
    Factor{model, dynamics}.joint_row(p.joint[static_cast<std::size_t>(j)].body, S(1), row.y);
  }
}

}  // namespace detail

// Finds the joints that have dry friction in this step, and their friction. `last_signs`: by body, the signs of the
// friction of joints that slid in the last step; null: they are not known.
template <const auto& R, class S, class Parameters, class Memory, class Signs, class Problem>
inline void open_joints(const Parameters& parameters, const DrivenInput<R, S>& in, const Memory& memory,
                        const Workspace<R, S>& work, const Signs* last_signs, Problem& p) noexcept {
  for (int b = 0; b < Shape<R>::kBodies; ++b) {
    if (!(work.hinges[static_cast<std::size_t>(b)].inverse_D > S(0))) continue;  // the joint's acceleration is given
    JointFriction<S>& joint = p.joint[static_cast<std::size_t>(p.joints)];
    if (!find_joint_friction(parameters, in, memory, b, joint)) continue;
    find_kinetic_friction(in.model, in.dt, joint);
    const int sign = last_signs != nullptr ? (*last_signs)[static_cast<std::size_t>(b)] : 0;
    if (!(S(sign) * joint.dq > S(0))) joint.last_sign = sign;
    ++p.joints;
  }
}

// Adds the friction of the joints to the drives' actions, and sets the velocity of joints that stick without creep to
// zero.
template <const auto& R, class S, class Problem>
inline void hold_stuck_joints(const Problem& p, S dt, Workspace<R, S>& dynamics, Velocity<R, S>& dq) noexcept {
  for (int j = 0; j < p.joints; ++j) {
    const JointFriction<S>& friction = p.joint[static_cast<std::size_t>(j)];
    const JointImpulse<S>& x = p.joint_impulse[static_cast<std::size_t>(j)];
    if (friction.stops && !x.slides) dq[friction.dof] = S(0);
    JointAction<S>& action = dynamics.actions[static_cast<std::size_t>(friction.body)];
    action.torque += x.value / dt;
    action.sticks = !x.slides || x.stands;
  }
}

}  // namespace kinecast
