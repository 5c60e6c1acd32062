// SPDX-License-Identifier: MIT
// Least squares by Ceres over the unknowns of a drive unit: the errors are the prediction's at the end of short windows of the
// recordings.
#pragma once

#include "../text/progress.hpp"
#include "log_file.hpp"
#include "search_space.hpp"

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <vector>

namespace kinecast::host {

class Search {
 public:
  // All arguments must outlive it. Throws Failure if the logs hold fewer windows than there are unknowns.
  Search(const DriveFile& drive, const std::vector<Log>& logs, double window_s, Progress& progress);
  ~Search();
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  struct Point {
    std::vector<double> x;
    double square_sum{0};  // of the errors
    int iterations{0};
  };
  // From the guesses. Throws Failure if the search breaks down.
  [[nodiscard]] Point best();
  // From here, with one coordinate held; ends as soon as the square sum is at most `enough`. Empty if it breaks down.
  [[nodiscard]] std::optional<Point> best_with_held(const std::vector<double>& start, std::size_t held, double enough);
  // How the errors change with the coordinates.
  [[nodiscard]] Eigen::MatrixXd jacobian(const std::vector<double>& x);

  [[nodiscard]] const std::vector<Coordinate>& space() const { return space_; }
  [[nodiscard]] std::size_t windows() const { return windows_; }
  // Below this an error means nothing: the encoder's grain, and a ten-thousandth of the motion in a window, which no model
  // of a gear reaches. Without it a log from a simulation would seem to identify everything.
  [[nodiscard]] double smallest_error() const { return smallest_error_; }

 private:
  struct Solver;  // keeps Ceres out of this header
  std::vector<Coordinate> space_;
  std::size_t windows_{0};
  double smallest_error_{0};
  std::unique_ptr<Solver> solver_;
};

}  // namespace kinecast::host
