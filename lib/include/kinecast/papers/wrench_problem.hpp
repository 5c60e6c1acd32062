// SPDX-License-Identifier: MIT
// The volume contacts of a step as rows: six per contact in the order of contact/volume/volume_contact.hpp, A_s = Y Yᵀ
// (method 6.3 in the factor form of method 14).
#pragma once

#include <kinecast/contact/volume/volume_contact.hpp>
#include <kinecast/papers/contact_factor.hpp>
#include <kinecast/papers/contact_problem.hpp>
#include <kinecast/solve/inequality_qp.hpp>

#include <array>
#include <cstddef>

namespace kinecast {

// What a volume contact remembers from step to step.
template <class S>
struct VolumeRecord {
  ContactPair pair{};  // the surfaces A and B
  bool is_sliding{false};
  bool was_moved{false};
  Vec3<S> displacement{};  // d_ref of A since the contact sticks, axes of B's solid (method 6.3, CHOICE 31)
  S rotation{};            // rotation of A about the normal since the contact sticks

  [[nodiscard]] bool has_slid() const noexcept { return is_sliding; }
  [[nodiscard]] bool keeps_strain() const noexcept { return !is_sliding && !was_moved; }
};

// The impulse of one contact, about p0.
template <class S>
struct WrenchImpulse {
  S wrench[6];
  bool slides;
};

// The problem of a step with volume contacts. The members that JointRows, ConstraintRows and the solver use have the
// same names as in ContactProblem. QpRank: dimension of the solver's factor space, which is the number of rows in the
// paper's functional.
template <class S, int MaxRank, int QpRank, int Capacity, int MaxCorners, int Joints, int Constraints, class Bodies>
struct WrenchProblem {
  static constexpr int kUnknowns = 6 * Capacity + Joints + Constraints;
  static constexpr int kJoints = Joints;
  static constexpr int kConstraints = Constraints;
  static constexpr int kRank = MaxRank;

  int count;
  int rank;
  S g[static_cast<std::size_t>(MaxRank)];
  S Y[static_cast<std::size_t>(6 * Capacity)][static_cast<std::size_t>(MaxRank)];
  S mobility[static_cast<std::size_t>(6 * Capacity)];
  WrenchImpulse<S> impulse[static_cast<std::size_t>(Capacity)];
  union {
    Bodies bodies;
    FactoredProblem<S, QpRank, kUnknowns> problem;
  };
  FactoredSolution<S, QpRank, kUnknowns> solution;
  Inequalities<S, kUnknowns, MaxCorners * Capacity> pressure;  // they keep the centre of pressure in the polygon

  int joints;
  std::array<JointFriction<S>, static_cast<std::size_t>(Joints)> joint;
  std::array<JointImpulse<S>, static_cast<std::size_t>(Joints)> joint_impulse;
  std::array<FrictionRow<S, MaxRank>, static_cast<std::size_t>(Joints)> W;

  int constraints;
  std::array<ConstraintRow<S, MaxRank>, static_cast<std::size_t>(Constraints)> constraint;
};

namespace detail {

// Adds sign times the six rows of a wrench at `place` of a body, along `axes`.
template <class S, class Rows>
inline void add_wrench_rows(const Vec3<S>& place, const ContactAxes<S>& axes, const Motion<S>* C, int filled, S sign,
                            Rows row) noexcept {
  const ContactAxes<S> f = axes;
  const ContactAxes<S> m{cross(place, f.n), cross(place, f.t2), cross(place, f.t3)};
  for (int j = 0; j < filled; ++j) {
    const Motion<S> v{sign * C[j].angular, sign * C[j].linear};
    row[0][j] += dot(m.n, v.angular) + dot(f.n, v.linear);
    row[1][j] += dot(f.t2, v.angular);
    row[2][j] += dot(f.t3, v.angular);
    row[3][j] += dot(m.t2, v.angular) + dot(f.t2, v.linear);
    row[4][j] += dot(m.t3, v.angular) + dot(f.t3, v.linear);
    row[5][j] += dot(f.n, v.angular);
  }
}

}  // namespace detail

// Finds the six rows of contact c and the squares of their lengths. `owner`: B's side of the contact, if B is a body.
template <class S, class Contact, class Columns, class Bodies, class Rows>
inline void find_wrench_rows(const Contact& c, const OwnerSide<S>* owner, const Columns& columns, const Bodies& bodies,
                             Rows row, S* mobility) noexcept {
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < columns.rank; ++j) row[i][j] = S(0);
  const int slot = columns.slot_of(c.body);
  detail::add_wrench_rows(c.place, c.axes, bodies[slot], columns.filled[slot], S(1), row);
  if (owner != nullptr) {
    const int theirs = columns.slot_of(c.owner);
    detail::add_wrench_rows(owner->place, owner->axes, bodies[theirs], columns.filled[theirs], S(-1), row);
  }
  for (int i = 0; i < 6; ++i) {
    S square = S(0);
    for (int j = 0; j < columns.rank; ++j) square += row[i][j] * row[i][j];
    mobility[i] = square;
  }
}

}  // namespace kinecast
