// SPDX-License-Identifier: MIT
// The textbook's dense dynamics, in double, in world axes, from the user's description of the robot: poses by Rodrigues'
// formula, Jacobians, M = Sum of m JvT Jv + JwT I Jw + rotors, bias from the accelerations that remain with ddq = 0,
// Cholesky. It knows nothing of the library's frames, sweeps or spatial algebra; test_reference.cpp holds it against
// finite differences and Lagrange's equation.
#pragma once

#include <kinecast/model/robot.hpp>

#include <cmath>
#include <cstddef>

namespace dense {

struct Vec {
  double at[3];
  double& operator[](int i) noexcept { return at[i]; }
  double operator[](int i) const noexcept { return at[i]; }
};
struct Mat {
  double at[3][3];
  double* operator[](int i) noexcept { return at[i]; }
  const double* operator[](int i) const noexcept { return at[i]; }
};

inline Vec operator+(const Vec& a, const Vec& b) noexcept { return {{a[0] + b[0], a[1] + b[1], a[2] + b[2]}}; }
inline Vec operator-(const Vec& a, const Vec& b) noexcept { return {{a[0] - b[0], a[1] - b[1], a[2] - b[2]}}; }
inline Vec operator*(double k, const Vec& a) noexcept { return {{k * a[0], k * a[1], k * a[2]}}; }
inline double dot(const Vec& a, const Vec& b) noexcept { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Vec cross(const Vec& a, const Vec& b) noexcept {
  return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}
inline Vec operator*(const Mat& m, const Vec& v) noexcept {
  Vec out{};
  for (int i = 0; i < 3; ++i) out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
  return out;
}
inline Mat operator*(const Mat& a, const Mat& b) noexcept {
  Mat out{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
  return out;
}
inline Mat transposed(const Mat& m) noexcept {
  return {{{m[0][0], m[1][0], m[2][0]}, {m[0][1], m[1][1], m[2][1]}, {m[0][2], m[1][2], m[2][2]}}};
}
inline Vec column(const Mat& m, int j) noexcept { return {{m[0][j], m[1][j], m[2][j]}}; }

inline Vec vec(const kinecast::Vec3<double>& v) noexcept { return {{v.x, v.y, v.z}}; }
inline Mat mat(const kinecast::Mat3<double>& m) noexcept {
  return {{{m.row_x.x, m.row_x.y, m.row_x.z}, {m.row_y.x, m.row_y.y, m.row_y.z}, {m.row_z.x, m.row_z.y, m.row_z.z}}};
}
inline Mat mat(const kinecast::Sym3<double>& m) noexcept {
  return {{{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}}};
}

// Rodrigues: 1 + sin K + (1 - cos) K², K = [axis x].
inline Mat rotation(const Vec& axis, double angle) noexcept {
  const double length = std::sqrt(dot(axis, axis));
  const Vec a = (1 / length) * axis;
  const double s = std::sin(angle);
  const double c = std::cos(angle);
  Mat out{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out[i][j] = (1 - c) * a[i] * a[j] + (i == j ? c : 0);
  out[0][1] -= s * a[2], out[0][2] += s * a[1], out[1][2] -= s * a[0];
  out[1][0] += s * a[2], out[2][0] -= s * a[1], out[2][1] += s * a[0];
  return out;
}
// A quaternion (w, x, y, z) as a turn by 2 atan2(|v|, w) about v.
inline Mat rotation_of_quaternion(const double* q) noexcept {
  const double length = std::sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(length > 0)) return rotation({{1, 0, 0}}, 0);
  return rotation({{q[1], q[2], q[3]}}, 2 * std::atan2(length, q[0]));
}

template <class R>
[[nodiscard]] constexpr int count_dofs(const R& robot) noexcept {
  int n = 0;
  for (const kinecast::Link& l : robot.links) {
    if (l.joint == kinecast::JointKind::revolute || l.joint == kinecast::JointKind::prismatic) n += 1;
    if (l.joint == kinecast::JointKind::spherical) n += 3;
    if (l.joint == kinecast::JointKind::floating) n += 6;
  }
  return n;
}
template <class R>
[[nodiscard]] constexpr int count_positions(const R& robot) noexcept {
  int n = count_dofs(robot);
  for (const kinecast::Link& l : robot.links)
    if (l.joint == kinecast::JointKind::spherical || l.joint == kinecast::JointKind::floating) n += 1;
  return n;
}

// Symmetric positive definite systems: A = L Lᵀ in place (false if A is not), then x <- A⁻¹ x.
template <std::size_t Size>
[[nodiscard]] inline bool factor(double (&a)[Size][Size]) noexcept {
  constexpr int N = static_cast<int>(Size);
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = a[i][j];
      for (int k = 0; k < j; ++k) sum -= a[i][k] * a[j][k];
      if (i != j) {
        a[i][j] = sum / a[j][j];
      } else {
        if (!(sum > 0)) return false;
        a[i][i] = std::sqrt(sum);
      }
    }
  }
  return true;
}
template <std::size_t Size>
inline void solve(const double (&l)[Size][Size], double* x) noexcept {
  constexpr int N = static_cast<int>(Size);
  for (int i = 0; i < N; ++i) {
    for (int k = 0; k < i; ++k) x[i] -= l[i][k] * x[k];
    x[i] /= l[i][i];
  }
  for (int i = N - 1; i >= 0; --i) {
    for (int k = i + 1; k < N; ++k) x[i] -= l[k][i] * x[k];
    x[i] /= l[i][i];
  }
}

// Where a joint's entries begin, in q and in dq.
struct Entry {
  int q;
  int v;
};

template <const auto& R>
class Reference {
 public:
  static constexpr int kLinks = R.kLinks;
  static constexpr int kDofs = count_dofs(R);
  static constexpr int kPositions = count_positions(R);
  static constexpr std::size_t kLinkSize = static_cast<std::size_t>(kLinks);
  static constexpr std::size_t kDofSize = static_cast<std::size_t>(kDofs);
  using Robot = std::decay_t<decltype(R)>;

  // Poses for q. `values` is the robot R itself or one of the same tree with other numbers.
  [[gnu::noinline]] void place(const Robot& values, const double* q) noexcept {
    robot_ = &values;
    Entry next{0, 0};
    for (int i = 0; i < kLinks; ++i) {
      const kinecast::Link& l = values.link(i);
      entry_[i] = next;
      seat_[i] = l.parent < 0 ? mat(l.rotation) : rot[l.parent] * mat(l.rotation);
      pos[i] = l.parent < 0 ? vec(l.position_m) : pos[l.parent] + rot[l.parent] * vec(l.position_m);
      rot[i] = seat_[i];
      switch (l.joint) {
        case kinecast::JointKind::revolute:
          rot[i] = seat_[i] * rotation(vec(l.axis), q[next.q]);
          break;
        case kinecast::JointKind::prismatic:
          pos[i] = pos[i] + q[next.q] * axis(i);
          break;
        case kinecast::JointKind::spherical:
          rot[i] = seat_[i] * rotation_of_quaternion(q + next.q);
          break;
        case kinecast::JointKind::floating:
          pos[i] = {{q[next.q], q[next.q + 1], q[next.q + 2]}};
          rot[i] = rotation_of_quaternion(q + next.q + 3);
          break;
        case kinecast::JointKind::fixed:
          break;
      }
      const int n = dofs(i);
      next.v += n;
      next.q += n + (n == 3 || n == 6 ? 1 : 0);
    }
  }

  // Velocities and accelerations for dq and ddq (null: zero), after place().
  [[gnu::noinline]] void move(const double* dq, const double* ddq) noexcept {
    const double none[6] = {};
    for (int i = 0; i < kLinks; ++i) {
      const int p = robot_->link(i).parent;
      const Vec zero{};
      const Vec wp = p < 0 ? zero : w[p];
      const Vec r = p < 0 ? zero : pos[i] - pos[p];
      const double* d = dq + entry_[i].v;
      const double* dd = ddq == nullptr ? none : ddq + entry_[i].v;
      w[i] = wp;
      alpha[i] = p < 0 ? zero : alpha[p];
      v[i] = p < 0 ? zero : v[p] + cross(wp, r);
      acc[i] = p < 0 ? zero : acc[p] + cross(alpha[p], r) + cross(wp, cross(wp, r));
      switch (robot_->link(i).joint) {
        case kinecast::JointKind::revolute:
          w[i] = wp + d[0] * axis(i);
          alpha[i] = alpha[i] + d[0] * cross(wp, axis(i)) + dd[0] * axis(i);
          break;
        case kinecast::JointKind::prismatic:
          v[i] = v[i] + d[0] * axis(i);
          acc[i] = acc[i] + (2 * d[0]) * cross(wp, axis(i)) + dd[0] * axis(i);
          break;
        case kinecast::JointKind::spherical: {
          const Vec turn = rot[i] * Vec{{d[0], d[1], d[2]}};
          w[i] = wp + turn;
          alpha[i] = alpha[i] + cross(wp, turn) + rot[i] * Vec{{dd[0], dd[1], dd[2]}};
          break;
        }
        case kinecast::JointKind::floating:
          v[i] = {{d[0], d[1], d[2]}};
          w[i] = {{d[3], d[4], d[5]}};
          acc[i] = {{dd[0], dd[1], dd[2]}};
          alpha[i] = {{dd[3], dd[4], dd[5]}};
          break;
        case kinecast::JointKind::fixed:
          break;
      }
    }
  }

  // World point of a link's point, and its Jacobian [angular; linear].
  [[nodiscard]] Vec point(int link, const Vec& in_link) const noexcept {
    return link < 0 ? in_link : pos[link] + rot[link] * in_link;
  }
  [[gnu::noinline]] void jacobian(int link, const Vec& world_point, double (&J)[6][kDofSize]) const noexcept {
    for (auto& row : J)
      for (double& entry : row) entry = 0;
    for (int i = link; i >= 0; i = robot_->link(i).parent) {
      const int n = dofs(i);
      for (int k = 0; k < n; ++k) {
        Vec turn{};
        Vec slide{};
        column_of(i, k, turn, slide);
        const Vec linear = slide + cross(turn, world_point - pos[i]);
        for (int r = 0; r < 3; ++r) J[r][entry_[i].v + k] = turn[r], J[3 + r][entry_[i].v + k] = linear[r];
      }
    }
  }

  [[nodiscard]] Vec com(int i) const noexcept { return pos[i] + rot[i] * vec(robot_->link(i).com_m); }
  [[nodiscard]] Mat inertia(int i) const noexcept {
    return rot[i] * mat(robot_->link(i).inertia_kgm2) * transposed(rot[i]);
  }

  // M, after place().
  [[gnu::noinline]] void find_mass_matrix() noexcept {
    for (int i = 0; i < kDofs; ++i)
      for (int j = 0; j < kDofs; ++j) M[i][j] = 0;
    for (int i = 0; i < kLinks; ++i) {
      const kinecast::Link& l = robot_->link(i);
      if (dofs(i) == 1) M[entry_[i].v][entry_[i].v] += l.drive.at_joint.rotor_inertia_kgm2;
      const Vec c = com(i);
      const Mat about_com = inertia(i);
      for (int a = i; a >= 0; a = robot_->link(a).parent) {
        for (int ka = 0; ka < dofs(a); ++ka) {
          Vec turn{};
          Vec slide{};
          column_of(a, ka, turn, slide);
          const Vec push = l.mass_kg * (slide + cross(turn, c - pos[a]));
          const Vec twist = about_com * turn;
          for (int b = i; b >= 0; b = robot_->link(b).parent) {
            for (int kb = 0; kb < dofs(b); ++kb) {
              Vec turn_b{};
              Vec slide_b{};
              column_of(b, kb, turn_b, slide_b);
              M[entry_[b].v + kb][entry_[a].v + ka] +=
                  dot(turn_b, twist) + dot(slide_b + cross(turn_b, c - pos[b]), push);
            }
          }
        }
      }
    }
  }

  // Generalised force that the accelerations found by move() need: with ddq null, the bias b of M ddq + b = tau.
  // Rotors excepted: their share is in M alone.
  [[gnu::noinline]] void find_force(double (&out)[kDofSize]) const noexcept {
    for (double& entry : out) entry = 0;
    for (int i = 0; i < kLinks; ++i) {
      const kinecast::Link& l = robot_->link(i);
      const Vec arm = com(i) - pos[i];
      const Vec a = acc[i] + cross(alpha[i], arm) + cross(w[i], cross(w[i], arm)) - vec(robot_->gravity_mps2);
      const Mat about_com = inertia(i);
      add_force(i, com(i), l.mass_kg * a, about_com * alpha[i] + cross(w[i], about_com * w[i]), out);
    }
  }

  // Adds JᵀF of a force at a world point and a moment, both in world axes, on a link.
  [[gnu::noinline]] void add_force(int link, const Vec& world_point, const Vec& force, const Vec& moment,
                                   double (&out)[kDofSize]) const noexcept {
    for (int i = link; i >= 0; i = robot_->link(i).parent) {
      for (int k = 0; k < dofs(i); ++k) {
        Vec turn{};
        Vec slide{};
        column_of(i, k, turn, slide);
        out[entry_[i].v + k] += dot(turn, moment) + dot(slide + cross(turn, world_point - pos[i]), force);
      }
    }
  }

  [[nodiscard]] double kinetic(const double* dq) const noexcept {
    double twice = 0;
    for (int i = 0; i < kLinks; ++i) {
      const kinecast::Link& l = robot_->link(i);
      if (!moves(i)) continue;
      const Vec speed = v[i] + cross(w[i], com(i) - pos[i]);
      twice += l.mass_kg * dot(speed, speed) + dot(w[i], inertia(i) * w[i]);
      if (dofs(i) == 1) twice += l.drive.at_joint.rotor_inertia_kgm2 * dq[entry_[i].v] * dq[entry_[i].v];
    }
    return 0.5 * twice;
  }
  // Of the links that can move.
  [[nodiscard]] double potential() const noexcept {
    double sum = 0;
    for (int i = 0; i < kLinks; ++i)
      if (moves(i)) sum -= robot_->link(i).mass_kg * dot(vec(robot_->gravity_mps2), com(i));
    return sum;
  }
  // False for links welded to the world.
  [[nodiscard]] bool moves(int link) const noexcept {
    for (int i = link; i >= 0; i = robot_->link(i).parent)
      if (dofs(i) > 0) return true;
    return false;
  }

  // First entries of a link's joint in q and dq, and its number of degrees of freedom.
  [[nodiscard]] Entry entry(int link) const noexcept { return entry_[link]; }
  [[nodiscard]] int dofs(int i) const noexcept {
    switch (robot_->link(i).joint) {
      case kinecast::JointKind::spherical:
        return 3;
      case kinecast::JointKind::floating:
        return 6;
      case kinecast::JointKind::fixed:
        return 0;
      default:
        return 1;
    }
  }

  Mat rot[kLinkSize];  // link axes to world axes
  Vec pos[kLinkSize];
  Vec w[kLinkSize];
  Vec v[kLinkSize];
  Vec alpha[kLinkSize];
  Vec acc[kLinkSize];
  double M[kDofSize][kDofSize];

 private:
  // Unit motion of degree of freedom k of a joint, at its link's origin, world axes.
  void column_of(int i, int k, Vec& turn, Vec& slide) const noexcept {
    turn = slide = Vec{};
    switch (robot_->link(i).joint) {
      case kinecast::JointKind::revolute:
        turn = axis(i);
        break;
      case kinecast::JointKind::prismatic:
        slide = axis(i);
        break;
      case kinecast::JointKind::spherical:
        turn = column(rot[i], k);
        break;
      case kinecast::JointKind::floating:
        (k < 3 ? slide : turn)[k % 3] = 1;
        break;
      case kinecast::JointKind::fixed:
        break;
    }
  }
  [[nodiscard]] Vec axis(int i) const noexcept {
    const Vec a = vec(robot_->link(i).axis);
    return (1 / std::sqrt(dot(a, a))) * (seat_[i] * a);
  }

  const Robot* robot_{nullptr};
  Mat seat_[kLinkSize];  // link axes before the joint turns
  Entry entry_[kLinkSize];
};

}  // namespace dense
