// SPDX-License-Identifier: MIT
// Chooses, at compile time, a frame for every body that makes the sweeps cheap: z along the joint axis and, where the
// geometry allows it, x along the common normal to the next axis (modified Denavit-Hartenberg). Then
//
//   p_parent = Rx(alpha) p + a x,   p = Rz(q + offset) p_child + d z                                  (a plain joint)
//
// A joint that this does not fit gets a mount: p_parent = Rz(beta) Rx(alpha) p + r. That is every second child of a
// body, children of floating and spherical bodies (their frames stay as the user gave them), and axes so nearly
// parallel that the common normal runs away from the robot, which would cost all digits in float.
#pragma once

#include <kinecast/core/constexpr_math.hpp>
#include <kinecast/core/scalar.hpp>
#include <kinecast/math/placement.hpp>
#include <kinecast/math/spatial.hpp>
#include <kinecast/model/robot.hpp>
#include <kinecast/model/tree.hpp>

namespace kinecast::detail {

[[nodiscard]] constexpr double length(const Vec3<double>& v) noexcept { return constant::sqrt(dot(v, v)); }
// Rounds numbers that differ from 0, 1 or -1 by rounding only: products become cheap, symmetric robots stay symmetric.
[[nodiscard]] constexpr double snap(double x) noexcept {
  for (const double whole : {-1.0, 0.0, 1.0})
    if (constant::abs(x - whole) < Tolerance<double>::kSnapsToWhole) return whole;
  return x;
}
[[nodiscard]] constexpr Vec3<double> unit(const Vec3<double>& v) noexcept {
  const Vec3<double> u = (1.0 / length(v)) * v;
  return {snap(u.x), snap(u.y), snap(u.z)};
}
[[nodiscard]] constexpr Mat3<double> from_columns(const Vec3<double>& x, const Vec3<double>& y,
                                                  const Vec3<double>& z) noexcept {
  return transpose(Mat3<double>{x, y, z});
}
// Gives some unit vector at right angles to z.
[[nodiscard]] constexpr Vec3<double> any_normal(const Vec3<double>& z) noexcept {
  const Vec3<double> away = constant::abs(z.x) < 0.8 ? kAxisX : kAxisY;
  return unit(away - dot(away, z) * z);
}

// The common normal of two axes: the body's own, through its origin along z, and the next one, through w along u. The
// frame of the body is laid at its foot.
struct CommonNormal {
  bool usable{false};
  Vec3<double> x{};
  double foot_on_own_axis{0};
};
[[nodiscard]] constexpr CommonNormal common_normal(const Vec3<double>& z, const Vec3<double>& w, const Vec3<double>& u,
                                                   double reach) noexcept {
  const Vec3<double> n = cross(z, u);
  const double sine = length(n);
  const Vec3<double> aside = w - dot(w, z) * z;
  if (sine < Tolerance<double>::kParallelAxes) {
    const double distance = length(aside);
    return {true, distance > Tolerance<double>::kParallelAxes ? unit(aside) : any_normal(z), 0};
  }
  if (sine < Tolerance<double>::kClearlyCrossed) return {};
  const double cosine = dot(z, u);
  const double own = (dot(w, z) - cosine * dot(w, u)) / (sine * sine);
  const double next = own * cosine - dot(w, u);
  if (constant::abs(own) > reach || constant::abs(next) > reach) return {};
  return {true, unit(n), snap(own)};
}

// The chosen frames of all bodies, each placed in its link's own frame, and which joints are plain.
template <int Links>
struct Frames {
  std::array<Placement<double>, static_cast<std::size_t>(Links)>
      link_in_body{};                                                           // link frame in its body's *link* frame
  std::array<Placement<double>, static_cast<std::size_t>(Links)> body_frame{};  // chosen frame in the body's link frame
  std::array<bool, static_cast<std::size_t>(Links)> plain{};                    // joint of this body needs no mount
};

template <int Links, int Points, int Loops, int Couplings>
[[nodiscard]] constexpr Frames<Links> choose_frames(const Robot<Links, Points, Loops, Couplings>& robot,
                                                    const Tree<Links>& tree) noexcept {
  Frames<Links> f{};
  for (int i = 0; i < Links; ++i) {
    const Link& l = robot.link(i);
    const std::size_t at = static_cast<std::size_t>(i);
    f.link_in_body[at] = kNoPlacement<double>;
    if (l.joint != JointKind::fixed) continue;  // the link frame is the body's link frame
    const Placement<double> placed{l.rotation, l.position_m};
    f.link_in_body[at] = l.parent >= 0 ? f.link_in_body[static_cast<std::size_t>(l.parent)] * placed : placed;
  }
  for (int b = 0; b < tree.bodies; ++b) {
    const std::size_t at = static_cast<std::size_t>(b);
    const Link& l = robot.link(tree.link_of_body[at]);
    f.body_frame[at] = kNoPlacement<double>;
    if (!has_single_axis(l.joint)) continue;  // as the user gave it
    const Vec3<double> z = unit(l.axis);
    Vec3<double> x = any_normal(z);
    double slide = 0;
    if (const int c = tree.preferred_child[at]; c >= 0) {
      const Link& child = robot.link(tree.link_of_body[static_cast<std::size_t>(c)]);
      const Placement<double> in_body =
          f.link_in_body[static_cast<std::size_t>(child.parent)] * Placement<double>{child.rotation, child.position_m};
      const double reach = 2 * (length(in_body.position) + length(l.com_m) + length(child.com_m));
      const CommonNormal normal = common_normal(z, in_body.position, unit(in_body.rotation * child.axis), reach);
      f.plain[static_cast<std::size_t>(c)] = normal.usable;
      if (normal.usable) x = normal.x, slide = normal.foot_on_own_axis;
    }
    if (const int p = tree.parent[at]; tree.preferred_child[at] < 0 && p >= 0 && f.plain[at]) {
      // The last body of a branch takes its parent's normal, so that its joint has no angle offset.
      const Mat3<double> in_parent = f.link_in_body[static_cast<std::size_t>(l.parent)].rotation * l.rotation;
      const Mat3<double> parent_axes = transpose(f.body_frame[static_cast<std::size_t>(p)].rotation);
      x = unit(transpose_times(in_parent, parent_axes.row_x));
    }
    f.body_frame[at] = {from_columns(x, cross(z, x), z), slide * z};
  }
  return f;
}

}  // namespace kinecast::detail
