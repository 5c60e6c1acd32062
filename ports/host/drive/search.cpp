// SPDX-License-Identifier: MIT
#include "search.hpp"

#include "../text/text.hpp"
#include "replay.hpp"

#include <ceres/ceres.h>
#include <glog/logging.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

namespace kinecast::host {
namespace {

// Shorter than the robot's: a step's own error must not be taken for friction. At 1 ms a Stribeck value of 10 s/rad comes out
// as 7.6, at 0.2 ms as 9.4, where the encoder's grain leaves ± 0.8.
constexpr double kStep_s = 2e-4;

struct Window {
  const Log* log;
  Span span;
};

// In double: the robot's rounding is no parameter's. Every unknown is a parameter block of its own, so that it can be held.
struct WindowErrors {
  const DriveFile& drive;
  const std::vector<Coordinate>& space;
  std::vector<Window> windows;

  bool operator()(const double* const* x, double* errors) const {
    std::vector<double> values;
    for (std::size_t i = 0; i < space.size(); ++i) values.push_back(space[i].value(x[i][0]));
    const DriveUnit unit = tentative_unit(drive, values);
    if (!validate(unit).ok()) return false;
    try {
      const auto replay = make_replay(unit, Precision::twofold, kStep_s);
      for (const Window& window : windows)
        *errors++ = replay->final_position(*window.log, window.span, StartVelocity::centred) -
                    window.log->position[window.span.last];
    } catch (const Failure&) {
      return false;  // parameters under which the motion runs away
    }
    return true;
  }
};

class Watch final : public ceres::IterationCallback {
 public:
  explicit Watch(Progress& progress) : progress_(progress) {}
  double enough{-1};  // cost at which to end
  ceres::CallbackReturnType operator()(const ceres::IterationSummary& summary) override {
    progress_.show("step " + std::to_string(++steps_) + ", sum of squares " + rounded(2 * summary.cost, 6));
    return summary.cost <= enough ? ceres::SOLVER_TERMINATE_SUCCESSFULLY : ceres::SOLVER_CONTINUE;
  }

 private:
  Progress& progress_;
  int steps_{0};
};

std::vector<Window> all_windows(const std::vector<Log>& logs, double window_s) {
  std::vector<Window> out;
  for (const Log& log : logs)
    for (const Span& span : windows(log, window_s)) out.push_back({&log, span});
  return out;
}

double smallest_error_in(const std::vector<Window>& windows) {
  double motion = 0;
  double grain = std::numeric_limits<double>::infinity();
  for (const Window& window : windows) {
    const std::vector<double>& position = window.log->position;
    const double moved = position[window.span.last] - position[window.span.first];
    motion += moved * moved;
    for (std::size_t i = window.span.first; i < window.span.last; ++i)
      if (const double step = std::abs(position[i + 1] - position[i]); step > 0) grain = std::min(grain, step);
  }
  motion = std::sqrt(motion / static_cast<double>(windows.size()));
  const double rounding = std::isfinite(grain) ? grain / std::sqrt(12) : 0;
  return std::max({rounding, 1e-4 * motion, 1e-9});
}

}  // namespace

struct Search::Solver {
  explicit Solver(Progress& progress) : watch(progress) {}

  std::vector<double> x;  // the problem knows the address of each
  ceres::Problem problem;
  ceres::Solver::Options options;
  Watch watch;

  [[nodiscard]] std::vector<double*> blocks() {
    std::vector<double*> out;
    for (double& value : x) out.push_back(&value);
    return out;
  }

  Point solve(ceres::Solver::Summary& summary) {
    ceres::Solve(options, &problem, &summary);
    return {x, 2 * summary.final_cost, static_cast<int>(summary.iterations.size())};
  }
};

Search::Search(const DriveFile& drive, const std::vector<Log>& logs, double window_s, Progress& progress)
    : solver_(std::make_unique<Solver>(progress)) {
  FLAGS_minloglevel = google::GLOG_FATAL;  // what Ceres has to say is in its summary
  for (const Unknown& unknown : drive.unknowns) space_.emplace_back(drive.file, unknown);
  const std::vector<Window> windows = all_windows(logs, window_s);
  windows_ = windows.size();
  if (windows.size() <= space_.size())
    throw Failure(ExitCode::not_identifiable, "too little recorded: " + std::to_string(windows.size()) +
                                                  " window(s) of " + rounded(window_s, 4) + " s for " +
                                                  std::to_string(space_.size()) +
                                                  " unknown(s). Record more, or choose a shorter --window");
  smallest_error_ = smallest_error_in(windows);

  Solver& s = *solver_;
  s.x.assign(space_.size(), kCentre);
  ceres::NumericDiffOptions differences;
  differences.relative_step_size = kRelativeStep;
  // In groups, so that the threads have something to share.
  const std::size_t threads = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t group = std::max<std::size_t>(1, windows.size() / (4 * threads));
  for (std::size_t start = 0; start < windows.size(); start += group) {
    const auto from = windows.begin() + static_cast<std::ptrdiff_t>(start);
    const auto to = windows.begin() + static_cast<std::ptrdiff_t>(std::min(start + group, windows.size()));
    auto* cost = new ceres::DynamicNumericDiffCostFunction<WindowErrors, ceres::CENTRAL>(
        new WindowErrors{drive, space_, {from, to}}, ceres::TAKE_OWNERSHIP, differences);
    for (std::size_t i = 0; i < space_.size(); ++i) cost->AddParameterBlock(1);
    cost->SetNumResiduals(static_cast<int>(to - from));
    s.problem.AddResidualBlock(cost, nullptr, s.blocks());
  }
  for (std::size_t i = 0; i < space_.size(); ++i) {
    s.problem.SetParameterLowerBound(&s.x[i], 0, space_[i].low());
    s.problem.SetParameterUpperBound(&s.x[i], 0, space_[i].high());
  }
  s.options.linear_solver_type = ceres::DENSE_QR;
  s.options.num_threads = static_cast<int>(threads);
  s.options.logging_type = ceres::SILENT;
  s.options.callbacks.push_back(&s.watch);
}

Search::~Search() = default;

Search::Point Search::best() {
  ceres::Solver::Summary summary;
  Point point = solver_->solve(summary);
  if (summary.IsSolutionUsable()) return point;
  throw Failure(ExitCode::not_identifiable,
                "the search failed: " + summary.message + " Try other guesses, or narrower min and max");
}

std::optional<Search::Point> Search::best_with_held(const std::vector<double>& start, std::size_t held, double enough) {
  Solver& s = *solver_;
  s.x = start;  // same size: the addresses stay
  s.watch.enough = enough / 2;
  s.problem.SetParameterBlockConstant(&s.x[held]);
  ceres::Solver::Summary summary;
  Point point = s.solve(summary);
  s.problem.SetParameterBlockVariable(&s.x[held]);
  s.watch.enough = -1;
  if (!summary.IsSolutionUsable()) return std::nullopt;
  return point;
}

Eigen::MatrixXd Search::jacobian(const std::vector<double>& x) {
  Solver& s = *solver_;
  s.x = x;
  ceres::Problem::EvaluateOptions options;
  options.num_threads = s.options.num_threads;
  options.parameter_blocks = s.blocks();
  ceres::CRSMatrix sparse;
  if (!s.problem.Evaluate(options, nullptr, nullptr, nullptr, &sparse))
    throw Failure(ExitCode::not_identifiable, "the prediction fails near the solution. Try narrower min and max");
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(sparse.num_rows, sparse.num_cols);
  for (int row = 0; row < sparse.num_rows; ++row)
    for (int k = sparse.rows[static_cast<std::size_t>(row)]; k < sparse.rows[static_cast<std::size_t>(row) + 1]; ++k)
      dense(row, sparse.cols[static_cast<std::size_t>(k)]) = sparse.values[static_cast<std::size_t>(k)];
  return dense;
}

}  // namespace kinecast::host
