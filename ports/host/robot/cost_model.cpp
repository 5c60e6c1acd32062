// SPDX-License-Identifier: MIT
#include "cost_model.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace kinecast::host {
namespace {

struct Term {
  const char* feature;
  double coefficient;
};
struct Fit {
  std::vector<Term> terms;  // on the reference board
  double largest_error;     // as a share, on all boards
};
// Another board's metric from the reference board's.
struct Line {
  double offset;
  double slope;
};
struct BoardFit {
  const char* board;
  std::array<Line, kMetrics> lines;
};

#include "cost_table.inc"

constexpr int kMostContacts = 8;  // as in the firmware's template

double value_of(const Features& features, const std::string& name) {
  for (const auto& [known, value] : features)
    if (known == name) return value;
  throw std::logic_error("cost_table.inc asks for " + name);
}

Line line_of(const std::string& board, std::size_t metric) {
  for (const BoardFit& fit : kBoardFits)
    if (board == fit.board) return fit.lines[metric];
  return {0, 1};  // the reference
}

}  // namespace

const char* metric_name(Metric metric) {
  constexpr const char* kNames[kMetrics] = {"instructions", "stack_B", "ram_B", "flash_B"};
  return kNames[static_cast<std::size_t>(metric)];
}

// After predict/predictor.hpp: stops that are nothing but stops are settled joint by joint; beside drives, a floating base or
// contacts they are rows of one problem, whose unknowns are contact forces, the friction of joints, and stops.
Features cost_features(const RobotCounts& c, Touching touching) {
  const int contacts = touching == Touching::ground ? most_contacts(c) : 0;
  const bool touches = contacts > 0;
  const bool stops_alone = c.limited > 0 && c.drives == 0 && c.floating == 0 && !touches;
  const bool has_rows = touches || (c.limited > 0 && !stops_alone);
  const int joint_rows = has_rows ? (c.frictions > 0 ? c.bodies : 0) + c.limited : 0;
  const int rank = joint_rows > 0 ? c.dofs : std::min(c.dofs, 6 * c.touching_bodies);  // directions of the problem
  const auto flag = [](bool is) { return is ? 1.0 : 0.0; };
  return {
      {"one", 1},
      {"joints", c.single_axis},
      {"slides", c.slides},
      {"has_slides", flag(c.slides > 0)},
      {"floating", c.floating},
      {"branches", c.branches},
      {"has_branches", flag(c.branches > 0)},
      {"more_roots", c.roots - 1},
      {"bodies_if_points", c.points > 0 ? c.bodies : 0},
      {"has_drives", flag(c.drives > 0)},
      {"driven_joints", c.drives > 0 ? c.single_axis : 0},
      {"dry_joints", c.dry},
      {"stops_alone", flag(stops_alone)},
      {"joints_with_stops_alone", stops_alone ? c.limited : 0},
      {"has_rows", flag(has_rows)},
      {"dofs_with_rows", has_rows ? c.dofs : 0},
      {"joint_rows", joint_rows},
      {"joint_rows_times_rank", joint_rows * rank},
      {"dofs_if_friction_rows", has_rows && c.frictions > 0 ? c.dofs : 0},
      {"rows_and_friction", flag(has_rows && c.frictions > 0)},
      {"rows_and_floating", flag(has_rows && c.floating > 0)},
      {"touches", flag(touches)},
      {"contacts", contacts},
      {"contacts_times_rank", contacts * rank},
      {"touching_rank_times_dofs", touches ? rank * c.dofs : 0},
      {"rows_and_branches", flag(has_rows && c.branches > 0)},
      {"touches_and_friction", flag(touches && c.frictions > 0)},
      {"touches_and_stops", flag(touches && c.limited > 0)},
      {"stops_times_dofs", has_rows ? c.limited * c.dofs : 0},
  };
}

const std::vector<Core>& supported_cores() {
  constexpr double kKiB = 1024;
  static const std::vector<Core> all{
      {"Cortex-M0", "microbit", 16 * kKiB, 256 * kKiB},       {"Cortex-M4F", "mps2-an386", 4096 * kKiB, 4096 * kKiB},
      {"Cortex-M4F", "stm32f405", 128 * kKiB, 1024 * kKiB},   {"Cortex-M7", "mps2-an500", 4096 * kKiB, 4096 * kKiB},
      {"Cortex-M33", "mps2-an505", 2048 * kKiB, 4096 * kKiB}, {"Cortex-M55", "mps3-an547", 512 * kKiB, 512 * kKiB},
  };
  return all;
}

Cost predict_cost(const Features& features, const Core& core) {
  Cost cost{};
  for (std::size_t i = 0; i < kMetrics; ++i) {
    double reference = 0;
    for (const Term& term : kFits[i].terms) reference += term.coefficient * value_of(features, term.feature);
    const Line line = line_of(core.board, i);
    cost[i] = std::max(0.0, line.offset + line.slope * reference);
  }
  return cost;
}

Cost fit_errors() {
  Cost errors{};
  for (std::size_t i = 0; i < kMetrics; ++i) errors[i] = kFits[i].largest_error;
  return errors;
}

int most_fitted_dofs() { return kMostFittedDofs; }

int most_contacts(const RobotCounts& counts) { return std::min(counts.points, kMostContacts); }

TouchingRange touching_range() { return kTouchingRange; }

}  // namespace kinecast::host
