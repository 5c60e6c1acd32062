// SPDX-License-Identifier: MIT
// How far a result is from the truth, and the worst of many.
#pragma once

#include <Eigen/Core>

#include <limits>

namespace support {

// The largest difference relative to the largest entry of the truth: what a quantity's small entries are good for depends on
// its large ones. An all-zero truth is compared absolutely.
template <class A, class B>
[[nodiscard]] double relative_error(const A& ours, const B& truth) {
  // Sized at run time: the compiler would unroll every size.
  const Eigen::MatrixXd expected = truth.template cast<double>();
  const Eigen::MatrixXd difference = Eigen::MatrixXd(ours.template cast<double>()) - expected;
  const double size = expected.cwiseAbs().maxCoeff();
  const double error = difference.cwiseAbs().maxCoeff();
  if (!difference.allFinite()) return std::numeric_limits<double>::infinity();
  return size > 0 ? error / size : error;
}

// The largest figure seen; a NaN sticks.
class Maximum {
 public:
  void see(double value) {
    if (!(value <= value_)) value_ = value;
  }
  [[nodiscard]] double value() const { return value_; }

 private:
  double value_{0};
};

}  // namespace support
