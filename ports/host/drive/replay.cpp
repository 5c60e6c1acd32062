// SPDX-License-Identifier: MIT
#include "replay.hpp"

#include "../text/csv.hpp"

#include <kinecast/predict/predictor.hpp>

#include <algorithm>
#include <cmath>

namespace kinecast::host {
namespace {

constexpr std::size_t kSlopeSamples = 10;

// Least squares through the samples first … last.
double slope(const Log& log, std::size_t first, std::size_t last) {
  const double count = static_cast<double>(last - first + 1);
  double mean_time = 0;
  double mean_position = 0;
  for (std::size_t i = first; i <= last; ++i) mean_time += log.time_s[i], mean_position += log.position[i];
  mean_time /= count;
  mean_position /= count;
  double product = 0;
  double square = 0;
  for (std::size_t i = first; i <= last; ++i) {
    const double t = log.time_s[i] - mean_time;
    product += t * (log.position[i] - mean_position);
    square += t * t;
  }
  return product / square;
}

double start_velocity(const Log& log, std::size_t at, StartVelocity start) {
  if (!log.velocity.empty()) return log.velocity[at];
  if (start == StartVelocity::causal) return slope(log, at - (kSlopeSamples - 1), at);
  // As many samples on both sides, but no more than a hundredth of a second: a slow logger's slope would blur the start.
  constexpr double kReach_s = 0.01;
  std::size_t reach = 1;
  while (reach < kSlopeSamples / 2 && at + reach + 1 < log.size() &&
         log.time_s[at + reach + 1] - log.time_s[at] <= kReach_s)
    ++reach;
  return slope(log, at - reach, std::min(at + reach, log.size() - 1));
}

template <const auto& R, class S>
class ReplayOf final : public Replay {
 public:
  ReplayOf(const DriveUnit& unit, double longest_step_s) : longest_step_s_(longest_step_s) {
    if (const Status status = build_model<R, S>(unit, model_); !ok(status))
      throw Failure(ExitCode::bad_input, std::string("the drive unit: ") + sentence(status));
  }

  double final_position(const Log& log, Span span, StartVelocity start) override {
    run(log, span, start, [](std::size_t /*sample*/) {});
    return position();
  }

  Trace trace(const Log& log, Span span, StartVelocity start) override {
    Trace out;
    out.span = span;
    run(log, span, start, [&](std::size_t /*sample*/) {
      out.position.push_back(position());
      out.friction.push_back(static_cast<double>(predictor_.report().friction_Nm[0]));
      out.held.push_back(predictor_.report().held(0));
    });
    return out;
  }

 private:
  [[nodiscard]] double position() const { return static_cast<double>(predictor_.state().q[0]); }

  static void expect(const Log& log, std::size_t sample, Status status) {
    if (ok(status)) return;
    refuse_line(log.file, log.line[sample], std::string("the prediction stops here: ") + sentence(status));
  }

  // visit(sample) at every sample of the span, the first one too.
  template <class Visit>
  void run(const Log& log, Span span, StartVelocity start, Visit visit) {
    State<R, S> state = zero_state<R, S>();
    state.q[0] = static_cast<S>(log.position[span.first]);
    state.dq[0] = static_cast<S>(start_velocity(log, span.first, start));
    expect(log, span.first, predictor_.reset(state));
    visit(span.first);
    Velocity<R, S> command;
    Velocity<R, S> external = Velocity<R, S>::Zero();
    for (std::size_t i = span.first; i < span.last; ++i) {
      const double interval = log.time_s[i + 1] - log.time_s[i];
      const int steps = inner_steps(interval, longest_step_s_);
      const S dt = static_cast<S>(interval / steps);
      command[0] = static_cast<S>(log.command[i]);
      if (!log.external.empty()) external[0] = static_cast<S>(log.external[i]);
      for (int k = 0; k < steps; ++k) expect(log, i, predictor_.step(command, external, dt));
      visit(i + 1);
    }
  }

  double longest_step_s_;
  Model<R, S> model_{};
  Predictor<R, S> predictor_{model_};
};

template <const auto& R>
std::unique_ptr<Replay> make(const DriveUnit& unit, Precision precision, double step_s) {
  if (precision == Precision::single) return std::make_unique<ReplayOf<R, float>>(unit, step_s);
  return std::make_unique<ReplayOf<R, double>>(unit, step_s);
}

}  // namespace

std::unique_ptr<Replay> make_replay(const DriveUnit& unit, Precision precision, double longest_step_s) {
  const bool slides = unit.links[0].joint == JointKind::prismatic;
  const bool has_voltage = unit.links[0].drive.actuator == Actuator::dc_motor;
  const auto make_it = slides ? (has_voltage ? make<sliding_by_voltage> : make<sliding_by_torque>)
                              : (has_voltage ? make<turning_by_voltage> : make<turning_by_torque>);
  return make_it(unit, precision, longest_step_s);
}

int inner_steps(double interval_s, double longest_step_s) {
  constexpr double kJitter = 0.01;  // a 1 kHz log whose clock wavers is still one step per sample
  return std::max(1, static_cast<int>(std::ceil(interval_s / longest_step_s - kJitter)));
}

std::vector<Span> windows(const Log& log, double length_s) {
  const double spacing = std::max(length_s / 2, 0.1);
  std::vector<Span> out;
  double next_start = 0;
  std::size_t last = 0;
  for (std::size_t first = kSlopeSamples - 1; first < log.size(); ++first) {
    if (log.time_s[first] < next_start) continue;
    const double half_interval = 0.5 * (log.time_s[first] - log.time_s[first - 1]);
    while (last < log.size() && log.time_s[last] < log.time_s[first] + length_s - half_interval) ++last;
    if (last == log.size()) break;
    out.push_back({first, last});
    next_start = log.time_s[first] + spacing - half_interval;
  }
  return out;
}

Span whole(const Log& log) { return {kSlopeSamples - 1, log.size() - 1}; }

}  // namespace kinecast::host
