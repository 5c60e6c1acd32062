// SPDX-License-Identifier: MIT
// Float against double for one robot over random states. The double run starts from the inputs as float rounded them
// (orientations made unit again, because double refuses others), so that what is measured is the library's own arithmetic
// and the rounding of its constants. Error of a state: largest difference over largest entry in double.
#pragma once

#include <kinecast/kinecast.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "states.hpp"
#include "support/errors.hpp"
#include "support/report.hpp"

namespace oracle {

using support::kNone;
using support::relative_error;
using support::Report;

inline constexpr int kStates = 10000;

// The errors of all states, and their statistics.
class Errors {
 public:
  void see(double error) { errors_.push_back(error); }

  // The largest for the table and the bound (none: printed only); two percentiles as a note.
  void report(Report& to, const char* protocol, const std::string& robot, double bound) {
    std::sort(errors_.begin(), errors_.end());
    char note[80];
    std::snprintf(note, sizeof note, "99.9 %% %.3g, median %.3g, %zu states", percentile(99.9), percentile(50),
                  errors_.size());
    to.add({"float", protocol, robot, "float", errors_.empty() ? kNone : errors_.back(), bound}, note);
  }

 private:
  [[nodiscard]] double percentile(double p) const {
    const auto last = static_cast<double>(errors_.size() - 1);
    return errors_[static_cast<std::size_t>(std::lround(p / 100 * last))];
  }
  std::vector<double> errors_;
};

// What one scalar computes for a state.
template <const auto& R, class S, std::size_t Points>
struct Results {
  static constexpr int kRows = 3 * static_cast<int>(Points);
  kinecast::Velocity<R, S> ddq;
  kinecast::Velocity<R, S> tau;  // that the sample's own tau, read as accelerations, needs
  kinecast::JointMatrix<R, S> H;
  kinecast::Matrix<S, kRows, kRows> A;
};

template <const auto& R, class S, std::size_t Points>
[[nodiscard]] bool compute(const kinecast::Model<R, S>& model, const Sample<R, S>& s,
                           const std::array<kinecast::PointOnBody<S>, Points>& points, Results<R, S, Points>& out) {
  using namespace kinecast;
  static Workspace<R, S> work;
  Kinematics<R, S> k;
  if (!ok(inverse_dynamics(model, s.q, s.dq, s.tau, work, out.tau))) return false;
  if (!ok(mass_matrix(model, s.q, work, out.H))) return false;
  if (!ok(forward_dynamics(model, s.q, s.dq, s.tau, work, out.ddq))) return false;
  if (!ok(update_kinematics(model, s.q, s.dq, k))) return false;
  ContactFactor<R, S, static_cast<int>(Points)> Y;
  if (!ok(contact_map(model, work, k, points, static_cast<int>(Points), Y))) return false;
  contact_matrix(Y, out.A);
  return true;
}

// The robot's points as both scalars know them.
template <const auto& R, class S, std::size_t Points>
[[nodiscard]] auto points_of(const std::array<kinecast::ContactPoint, Points>& points) {
  std::array<kinecast::PointOnBody<S>, Points> out{};
  for (std::size_t i = 0; i < Points; ++i) {
    const auto p = points[i].position_m.template cast<S>();
    out[i] = kinecast::point_on_link<R, S>(kinecast::model<R, S>, points[i].link, {p.x, p.y, p.z});
  }
  return out;
}

// Contact points are given apart, because golden robots have none of their own. Only forward dynamics has a bound.
template <const auto& R, std::size_t Points>
void measure_float(const std::string& name, const Ranges& ranges, double bound,
                   const std::array<kinecast::ContactPoint, Points>& points, Report& report) {
  const auto points_f = points_of<R, float>(points);
  const auto points_d = points_of<R, double>(points);
  Random random(20240229);
  Errors forward;
  Errors inverse;
  Errors mass;
  Errors contact;
  int refused = 0;
  for (int i = 0; i < kStates; ++i) {
    const Sample<R, double> drawn = random_sample<R>(random, ranges);
    const Sample<R, float> in_f{drawn.q.template cast<float>(), drawn.dq.template cast<float>(),
                                drawn.tau.template cast<float>()};
    Sample<R, double> in_d{in_f.q.template cast<double>(), in_f.dq.template cast<double>(),
                           in_f.tau.template cast<double>()};
    normalize<R>(in_d.q);
    Results<R, float, Points> f;
    Results<R, double, Points> d;
    if (!compute(kinecast::model<R, float>, in_f, points_f, f) ||
        !compute(kinecast::model<R, double>, in_d, points_d, d)) {
      ++refused;
      continue;
    }
    forward.see(relative_error(f.ddq, d.ddq));
    inverse.see(relative_error(f.tau, d.tau));
    mass.see(relative_error(f.H, d.H));
    contact.see(relative_error(f.A, d.A));
  }
  if (refused > 0) {
    report.fail(name + ": " + std::to_string(refused) + " states refused");
    return;
  }
  forward.report(report, "forward_dynamics", name, bound);
  inverse.report(report, "inverse_dynamics", name, kNone);
  mass.report(report, "mass_matrix", name, kNone);
  contact.report(report, "contact_matrix", name, kNone);
}

}  // namespace oracle
