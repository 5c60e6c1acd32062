// SPDX-License-Identifier: MIT
// How far and how fast a joint may go, as words of its link:
//
//   link("fore", on("upper"), revolute(kAxisY), …, limits(-2.0, 2.0), speed_limit(6.0))
//   limits(-2.0, 2.0, rebound(0.5))       rigid stops that give back half of the speed
//   limits(-2.0, 2.0, soft(400, 3))       stops that yield: a spring and a damper that push, and never pull
//
// Values are in rad and rad/s at a turning joint, in m and m/s at a slide. contact/joint_limits.hpp makes them act.
#pragma once

namespace kinecast {

struct JointLimits {
  bool has_stops{false};
  double lower{0};
  double upper{0};
  double rebound{0};            // rebound speed over approach speed of a rigid stop
  double spring_Nm_per_rad{0};  // spring of soft stops; with neither spring nor damper stops are rigid
  double damper_Nms_per_rad{0};
  bool has_speed{false};
  double speed{0};
};

namespace detail {
struct ReboundWord {
  double ratio;
  constexpr void apply(JointLimits& l) const noexcept { l.rebound = ratio; }
};
struct SoftWord {
  double spring;
  double damper;
  constexpr void apply(JointLimits& l) const noexcept { l.spring_Nm_per_rad = spring, l.damper_Nms_per_rad = damper; }
};
struct LimitsWord {
  JointLimits value;
  template <class Link>
  constexpr void apply(Link& l) const noexcept {
    const JointLimits before = l.limits;
    l.limits = value;
    l.limits.speed = before.speed, l.limits.has_speed = before.has_speed;
  }
};
struct SpeedLimitWord {
  double speed;
  template <class Link>
  constexpr void apply(Link& l) const noexcept {
    l.limits.speed = speed, l.limits.has_speed = true;
  }
};
}  // namespace detail

[[nodiscard]] constexpr detail::ReboundWord rebound(double ratio) noexcept { return {ratio}; }
// Spring and damper are in N.m/rad and N.m.s/rad, or in N/m and N.s/m at a slide.
[[nodiscard]] constexpr detail::SoftWord soft(double spring, double damper) noexcept { return {spring, damper}; }
template <class... Words>
[[nodiscard]] constexpr detail::LimitsWord limits(double lower, double upper, const Words&... words) noexcept {
  JointLimits l{};
  l.has_stops = true;
  l.lower = lower;
  l.upper = upper;
  (words.apply(l), ...);
  return {l};
}
// A joint that goes faster gives a warning of the step, and nothing slows it down.
[[nodiscard]] constexpr detail::SpeedLimitWord speed_limit(double speed) noexcept { return {speed}; }

}  // namespace kinecast
