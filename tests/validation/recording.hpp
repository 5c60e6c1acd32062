// SPDX-License-Identifier: MIT
// Recordings of real machines: CSV files with '#' lines, a line of column names, numbers. What the protocols share: the
// windows, the start velocity, the errors. Every surprise is an exception with a sentence.
#pragma once

#include <kinecast/kinecast.hpp>
#include <kinecast/predict/predictor.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "support/require.hpp"

namespace recording {

using Series = std::vector<double>;

// ---- files --------------------------------------------------------------------------------------------------------------

namespace detail {

template <class Take>
void split(std::string_view line, Take take) {
  for (std::size_t start = 0; start <= line.size();) {
    const std::size_t end = std::min(line.find(',', start), line.size());
    take(line.substr(start, end - start));
    start = end + 1;
  }
}

inline double number(std::string_view text, const std::string& where) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    throw std::runtime_error(where + ": not a number: " + std::string(text));
  return value;
}

}  // namespace detail

class Recording {
 public:
  // `clock`: the column that grows from row to row; empty: there is none.
  explicit Recording(const std::filesystem::path& path, std::string_view clock = "t_s")
      : file_(path.filename().string()) {
    std::ifstream in(path);
    if (!in) throw std::runtime_error(path.string() + ": cannot be read");
    int line_number = 0;
    for (std::string line; std::getline(in, line);) {
      ++line_number;
      if (line.empty() || line[0] == '#') continue;
      if (names_.empty()) {
        detail::split(line, [&](std::string_view name) { names_.emplace_back(name); });
        columns_.resize(names_.size());
        continue;
      }
      const std::string where = file_ + ", line " + std::to_string(line_number);
      std::size_t i = 0;
      detail::split(line, [&](std::string_view text) {
        if (i == names_.size()) throw std::runtime_error(where + ": more numbers than columns");
        columns_[i++].push_back(detail::number(text, where));
      });
      if (i != names_.size()) throw std::runtime_error(where + ": fewer numbers than columns");
    }
    if (columns_.empty() || columns_[0].empty()) throw std::runtime_error(file_ + ": no rows");
    if (clock.empty()) return;
    const Series& time = (*this)[clock];
    for (std::size_t k = 1; k < time.size(); ++k)
      if (!(time[k] > time[k - 1]))
        throw std::runtime_error(file_ + ": time does not grow at row " + std::to_string(k));
  }

  [[nodiscard]] const Series& operator[](std::string_view name) const {
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (names_[i] == name) return columns_[i];
    throw std::runtime_error(file_ + ": no column " + std::string(name));
  }

  [[nodiscard]] std::size_t size() const { return columns_[0].size(); }

 private:
  std::string file_;
  std::vector<std::string> names_;
  std::vector<Series> columns_;
};

// ---- protocols ----------------------------------------------------------------------------------------------------------

// Predictions that restart: from `first`, then every `stride` samples, each `length` samples long.
struct Windows {
  std::size_t first;
  std::size_t stride;
  std::size_t length;
};

// Calls with the first and the last sample of every window that the recording holds.
template <class Predict>
void for_each_window(const Windows& windows, std::size_t samples, Predict predict) {
  for (std::size_t k = windows.first; k + windows.length < samples; k += windows.stride) predict(k, k + windows.length);
}

// The velocity that a predictor could know at sample k: the slope of the straight line through the last ten positions.
inline double start_velocity(const Series& time, const Series& position, std::size_t k) {
  constexpr std::size_t kSamples = 10;
  double mean_time = 0;
  double mean_position = 0;
  for (std::size_t i = k + 1 - kSamples; i <= k; ++i) mean_time += time[i], mean_position += position[i];
  mean_time /= kSamples;
  mean_position /= kSamples;
  double covariance = 0;
  double variance = 0;
  for (std::size_t i = k + 1 - kSamples; i <= k; ++i) {
    covariance += (time[i] - mean_time) * (position[i] - mean_position);
    variance += (time[i] - mean_time) * (time[i] - mean_time);
  }
  return covariance / variance;
}

class RootMeanSquare {
 public:
  void see(double error) { sum_ += error * error, ++count_; }
  [[nodiscard]] double value() const { return std::sqrt(sum_ / count_); }

 private:
  double sum_{0};
  int count_{0};
};

// ---- models -------------------------------------------------------------------------------------------------------------

// The null of every validation: the same robot without Coulomb, static and load-dependent friction.
template <class Robot>
[[nodiscard]] constexpr Robot without_dry_friction(Robot robot) {
  for (auto& link : robot.links) {
    for (kinecast::DriveSide* side : {&link.drive.at_motor, &link.drive.at_joint}) {
      side->coulomb_Nm = side->stiction_Nm = {};
      side->has_stiction = side->has_stribeck = false;
      side->stribeck_s_per_rad = 0;
    }
    link.drive.load_loss = 0;
  }
  return robot;
}

// A joint that moves alone, as a predictor of R: what EMPS and the servo are.
template <const auto& R, class S, class Integrator = kinecast::SymplecticEuler>
class Axis {
 public:
  using Predictor = kinecast::Predictor<R, S, kinecast::ArticulatedFriction, Integrator>;

  Axis(double position, double velocity) { reset(position, velocity); }
  Axis(const kinecast::Model<R, S>& model, double position, double velocity) : predictor_(model) {
    reset(position, velocity);
  }

  void step(double command, double dt_s) {
    kinecast::Command<R, S> u;
    u[0] = static_cast<S>(command);
    support::require(predictor_.step(u, static_cast<S>(dt_s)), "step");
  }
  [[nodiscard]] double position() const { return static_cast<double>(predictor_.state().q[0]); }

  // Goes on where the other one is, its friction's memory included.
  void follow(const Axis& other) { predictor_.restore(other.predictor_.snapshot()); }

 private:
  void reset(double position, double velocity) {
    auto state = kinecast::zero_state<R, S>();
    state.q[0] = static_cast<S>(position);
    state.dq[0] = static_cast<S>(velocity);
    support::require(predictor_.reset(state), "reset");
  }

  Predictor predictor_;
};

}  // namespace recording
