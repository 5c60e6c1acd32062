// SPDX-License-Identifier: MIT
// Joints whose dry friction meets the contact (method 5.3, mixed space): a row each in the contact problem,
// one unknown that stops the joint; where that is more than static friction can hold, the joint slides with
// its kinetic friction, a known impulse. What a joint's friction is says drive/open_joints.hpp; when these
// rows are solved, contact/resolve.hpp.
#pragma once

#include <kinecast/contact/contact_problem.hpp>
#include <kinecast/dynamics/driven_dynamics.hpp>
#include <kinecast/dynamics/factor_row.hpp>
#include <kinecast/dynamics/implicit_friction.hpp>
#include <kinecast/dynamics/step_motion.hpp>

#include <cmath>

namespace kinecast {

namespace detail {

// Of a robot without friction in its joints all of this is empty.
template <Functional functional, class S, class Problem>
class JointRows {
 public:
  static constexpr int kMostReturns = 3;
  // Passes of the solver that joints can ask for: each slides, and returns, a few times.
  static constexpr int kMostChanges = (2 * kMostReturns + 1) * Problem::kJoints;

  explicit JointRows(Problem& problem) noexcept : p_(problem) {}

  // All stick, but those that slid in the last step and do not move back: they go on sliding.
  void begin() noexcept {
    if constexpr (Problem::kJoints > 0) {
      for (int j = 0; j < p_.joints; ++j) {
        impulse(j) = {S(0), false, false, 0};
        if (const int sign = p_.joint[static_cast<std::size_t>(j)].last_sign; sign != 0) slide(j, S(sign));
      }
    }
  }

  // Behind the unknowns of the contacts: those of the joints that stick. What slides is known, and goes to g.
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

  // Joints that static friction cannot hold begin to slide: all that move, against their motion, and if there are none,
  // the most overloaded one, against the motion that its impulse would have stopped. Where others then turn that motion
  // round, so that friction would drive, the joint is tried again as sticking.
  [[nodiscard]] bool start_sliding() noexcept {
    bool any = false;
    if constexpr (Problem::kJoints > 0) {
      int worst = -1;
      S largest = S(1);  // impulse over what can be held
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
        if (std::abs(row.dq) > holds * mobility_of(j)) {  // it cannot stop within the step
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
  // Does the friction of a sliding joint push it on? A joint that a contact blocks moves by its relaxation only.
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

// The velocity of every open joint in factor space: its row of W.
template <const auto& R, class S, class Problem>
inline void find_joint_rows(const Model<R, S>& model, const Workspace<R, S>& dynamics, Problem& p) noexcept {
  for (int j = 0; j < p.joints; ++j) {
    auto& row = p.W[static_cast<std::size_t>(j)];
    row = {};
    add_joint_row(model, dynamics, p.joint[static_cast<std::size_t>(j)].body, S(1), row.y);
  }
}

}  // namespace detail

// Which joints have dry friction in this step, and what it is. `last_signs`: of the friction of joints that slid in the
// last step, by body; null: they are not known.
template <const auto& R, class S, class Parameters, class Memory, class Signs, class Problem>
inline void open_joints(const Parameters& parameters, const DrivenInput<R, S>& in, const Memory& memory,
                        const Workspace<R, S>& work, const Signs* last_signs, Problem& p) noexcept {
  for (int b = 0; b < Shape<R>::kBodies; ++b) {
    if (!(work.hinges[static_cast<std::size_t>(b)].inverse_D > S(0))) continue;  // its acceleration is given
    JointFriction<S>& joint = p.joint[static_cast<std::size_t>(p.joints)];
    if (!find_joint_friction(parameters, in, memory, b, joint)) continue;
    const int sign = last_signs != nullptr ? (*last_signs)[static_cast<std::size_t>(b)] : 0;
    if (!(S(sign) * joint.dq > S(0))) joint.last_sign = sign;
    ++p.joints;
  }
}

// What the joints' friction did, into the drives' actions; a joint that sticks without creep stands still.
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
