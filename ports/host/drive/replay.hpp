// SPDX-License-Identifier: MIT
// A recording driven through the library's Predictor, the one that runs on the robot: its commands with its own sample
// intervals, from a measured state on. No measurement enters after the start.
#pragma once

#include "drive_unit.hpp"
#include "log_file.hpp"

#include <memory>
#include <vector>

namespace kinecast::host {

enum class Precision { single, twofold };  // float, as on the robot; double

// The velocity at the start of a prediction, unless the log has it: the slope of ten samples that ended there, all that a
// robot could know; or, for identification after the fact, of samples around it, which does not lag.
enum class StartVelocity { causal, centred };

inline constexpr double kRobotStep_s = 1e-3;  // what a robot's control loop affords

// From one sample to a later one.
struct Span {
  std::size_t first;
  std::size_t last;
};

// What was predicted for the samples of a span, its first one included.
struct Trace {
  Span span{};
  std::vector<double> position;
  std::vector<double> friction;  // Nm or N, in the interval that ends at the sample
  std::vector<bool> held;
};

class Replay {
 public:
  virtual ~Replay() = default;
  [[nodiscard]] virtual double final_position(const Log& log, Span span, StartVelocity start) = 0;
  [[nodiscard]] virtual Trace trace(const Log& log, Span span, StartVelocity start) = 0;
};

// Both throw Failure with the log's line where the library refuses a step.
[[nodiscard]] std::unique_ptr<Replay> make_replay(const DriveUnit& unit, Precision precision,
                                                  double longest_step_s = kRobotStep_s);

// Steps of the library in one sample interval: one, unless the interval is longer than a step may be.
[[nodiscard]] int inner_steps(double interval_s, double longest_step_s = kRobotStep_s);

// Windows of this length, each starting max(length/2, 0.1 s) after the one before. Empty if the log is too short.
[[nodiscard]] std::vector<Span> windows(const Log& log, double length_s);
[[nodiscard]] Span whole(const Log& log);

}  // namespace kinecast::host
