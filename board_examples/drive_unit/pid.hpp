// SPDX-License-Identifier: MIT
// e = sat(24 V, gamma (K_P (q_d - q) + K_I int (q_d - q) dt - K_D dq)), gamma being the gear ratio.
#pragma once

namespace example {

struct PidGains {
  float gear_ratio;
  float proportional;  // motor volts per radian, and so on, before the gear ratio
  float integral;
  float derivative;
  float limit_V;
};

class Pid {
 public:
  explicit constexpr Pid(const PidGains& gains) noexcept : gains_(gains) {}

  float volts(float target_rad, float angle_rad, float speed_rad_s, float dt_s) noexcept {
    const float error = target_rad - angle_rad;
    const float wanted = gains_.gear_ratio * (gains_.proportional * error + gains_.integral * error_integral_ -
                                              gains_.derivative * speed_rad_s);
    if (wanted > gains_.limit_V) return gains_.limit_V;
    if (wanted < -gains_.limit_V) return -gains_.limit_V;
    // Only here: at its limit the drive cannot obey the integral, which would grow for nothing.
    error_integral_ += error * dt_s;
    return wanted;
  }

 private:
  PidGains gains_;
  float error_integral_ = 0;
};

}  // namespace example
