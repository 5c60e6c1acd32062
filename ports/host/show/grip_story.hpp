// SPDX-License-Identifier: MIT
// What a gripper does with a box: the fingers close, squeeze, the lift goes up by 0.1 m, holds, and the fingers open. The gripper
// and its controller are those of lib/docs/examples/gripper.hpp; this is what the controller is told over time.
#pragma once

#include <cmath>

#include "gripper.hpp"

namespace kinecast::host {

struct GripStory {
  double squeeze_V{6};   // of each finger's motor, from squeeze_at_s on
  double loosened_V{6};  // from loosen_at_s on
  double squeeze_at_s{0.2};
  double lift_at_s{0.4};
  double lift_m{0.1};
  double lift_mps2{1.6};  // up to half the way, then as much down
  double loosen_at_s{1e3};
  double let_go_at_s{2};

  [[nodiscard]] double lifted_at_s() const { return lift_at_s + 2 * std::sqrt(lift_m / lift_mps2); }
};

template <class S>
[[nodiscard]] example::Targets<S> grip_targets(const GripStory& story, double t_s) {
  constexpr double kApproach_V = 2;
  constexpr double kInside_m = 5e-3;  // into the box, so that the voltage alone says how hard
  example::Targets<S> out;
  const bool is_open = t_s >= story.let_go_at_s;
  out.finger_m = static_cast<S>(is_open ? 0.0 : example::kTouch_m + kInside_m);
  out.squeeze_V = static_cast<S>(is_open                    ? example::kFingerVolts
                                 : t_s < story.squeeze_at_s ? kApproach_V
                                 : t_s < story.loosen_at_s  ? story.squeeze_V
                                                            : story.loosened_V);
  if (t_s < story.lift_at_s) return out;
  if (!is_open) out.load_kg = S(example::kBoxMass_kg);
  const double since = t_s - story.lift_at_s;
  const double left = story.lifted_at_s() - t_s;
  const double a = story.lift_mps2;
  if (since < left) {
    out.lift_m = static_cast<S>(0.5 * a * since * since);
    out.lift_mps = static_cast<S>(a * since);
    out.lift_mps2 = static_cast<S>(a);
  } else if (left > 0) {
    out.lift_m = static_cast<S>(story.lift_m - 0.5 * a * left * left);
    out.lift_mps = static_cast<S>(a * left);
    out.lift_mps2 = static_cast<S>(-a);
  } else {
    out.lift_m = static_cast<S>(story.lift_m);
  }
  return out;
}

}  // namespace kinecast::host
