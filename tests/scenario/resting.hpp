// SPDX-License-Identifier: MIT
// Does a body rest on its contact points? Watches every step's contact report: depth over the whole run; forces, friction
// states and drift of the points in the last second.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>

namespace scenario {

class Resting {
 public:
  // The points `first` and the `count - 1` after it are those whose forces are watched; the window starts at `from_s`.
  Resting(int first, int count, double from_s) : first_(first), count_(count), from_s_(from_s) {}

  // `t`: at the end of the step. Forces of steps shorter than 1 ms are seen once per millisecond.
  template <class ContactReport>
  void see(double t, const ContactReport& report) {
    for (int i = 0; i < report.count; ++i) deepest_m_ = std::max(deepest_m_, static_cast<double>(report[i].depth_m));
    std::map<int, double> now;
    bool slides = false;
    for (int i = 0; i < report.count; ++i) {
      const auto& c = report[i];
      if (!(c.normal_N > 0)) continue;
      slides = slides || c.is_sliding;
      if (c.pair.point >= first_ && c.pair.point < first_ + count_) {
        now[c.pair.point] = static_cast<double>(c.normal_N);
        if (t > from_s_) place(t, c);
      }
    }
    if (t > from_s_) {
      fewest_ = std::min(fewest_, static_cast<int>(now.size()));
      any_slides_ = any_slides_ || slides;
      deepest_at_rest_m_ = std::max(deepest_at_rest_m_, deepest_of(report));
      for (int point = first_; point < first_ + count_; ++point) {
        const double f = force(now, point);
        change_N_ += std::abs(f - force(last_, point));
        sum_N_ += f;
      }
    }
    last_ = now;
  }

  [[nodiscard]] double deepest_m() const { return deepest_m_; }
  [[nodiscard]] double deepest_at_rest_m() const { return deepest_at_rest_m_; }
  // Mean change of a normal force per millisecond over its mean (golden/README.md).
  [[nodiscard]] double chatter() const { return change_N_ / sum_N_; }
  // `points` carry load in every step of the window, and nothing slides.
  [[nodiscard]] bool rests_on(int points) const { return fewest_ >= points && !any_slides_; }
  [[nodiscard]] int fewest() const { return fewest_; }
  [[nodiscard]] bool slides() const { return any_slides_; }
  // The largest distance between a point's first and last place in the window over the time between: net drift.
  [[nodiscard]] double drift_mps() const {
    double largest = 0;
    for (const auto& [point, p] : places_)
      if (p.to_s > p.from_s)
        largest = std::max(
            largest, std::hypot(p.to[0] - p.from[0], p.to[1] - p.from[1], p.to[2] - p.from[2]) / (p.to_s - p.from_s));
    return largest;
  }

 private:
  struct Place {
    double from_s, to_s;
    double from[3], to[3];
  };

  template <class Contact>
  void place(double t, const Contact& c) {
    const double at[3] = {static_cast<double>(c.point_m.x), static_cast<double>(c.point_m.y),
                          static_cast<double>(c.point_m.z)};
    Place& p = places_.try_emplace(c.pair.point, Place{t, t, {at[0], at[1], at[2]}, {}}).first->second;
    p.to_s = t;
    std::copy(at, at + 3, p.to);
  }
  template <class ContactReport>
  [[nodiscard]] static double deepest_of(const ContactReport& report) {
    double deepest = 0;
    for (int i = 0; i < report.count; ++i) deepest = std::max(deepest, static_cast<double>(report[i].depth_m));
    return deepest;
  }
  [[nodiscard]] static double force(const std::map<int, double>& of, int point) {
    const auto found = of.find(point);
    return found == of.end() ? 0 : found->second;
  }

  int first_;
  int count_;
  double from_s_;
  double deepest_m_{0};
  double deepest_at_rest_m_{0};
  int fewest_{1000};
  bool any_slides_{false};
  double change_N_{0};
  double sum_N_{0};
  std::map<int, double> last_;
  std::map<int, Place> places_;
};

}  // namespace scenario
