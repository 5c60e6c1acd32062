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
// Another board's metric from the reference board's: compilers differ most in what they make of a floating base.
struct Line {
  double offset;
  double slope;
  double floating;
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
  return {0, 1, 0};  // the reference
}

// Words of 4 bytes in Rows (solve/rows.hpp) and NewtonWork (solve/newton.hpp) in float.
int numbers_of_solver(int dofs, bool is_small, int cones, int lines) {
  const int entries = (dofs + 2) / 3 * 3;
  const int row = entries + 8 + (is_small ? 0 : 1);
  const int general = is_small ? dofs : std::max(cones, 1);  // the part of the system that is not symmetric
  const int sparse = is_small ? 0 : (dofs + general) / 2 + general * dofs;
  return (3 * cones + lines) * row + 10 * cones + 4 * lines + dofs * (dofs + 1) / 2 + 4 * dofs + sparse +
         general * (general + 2);
}

}  // namespace

const char* metric_name(Metric metric) {
  constexpr const char* kNames[kMetrics] = {"instructions", "stack_B", "ram_B", "flash_B"};
  return kNames[static_cast<std::size_t>(metric)];
}

// After contact/contacts.hpp and solve/rows.hpp: what holds a robot are rows of one list, three of each contact and one of each stop
// and, where a joint has dry friction, of each joint with friction. A row has an entry for every coordinate, in tiles of three;
// robots of few coordinates have rows, and a system, of their own kind.
Features cost_features(const RobotCounts& c, Touching touching) {
  constexpr int kFewCoordinates = 8;
  const int contacts = touching == Touching::ground ? most_contacts(c) : 0;
  const bool touches = contacts > 0;
  const bool has_rows = touches || c.limited > 0;
  const bool opens_joints = has_rows && c.dry > 0;
  const int joint_rows = has_rows ? (opens_joints ? c.frictions : 0) + c.limited : 0;
  const bool is_small = c.dofs <= kFewCoordinates;
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
      {"stops", c.limited},
      {"has_rows", flag(has_rows)},
      {"numbers_of_solver", has_rows ? numbers_of_solver(c.dofs, is_small, contacts, joint_rows) : 0},
      {"opens_joints", flag(opens_joints)},
      {"rows_and_drives", flag(has_rows && c.drives > 0)},
      {"rows_and_floating", flag(has_rows && c.floating > 0)},
      {"touches", flag(touches)},
      {"contacts", contacts},
      {"dofs_if_touching", touches ? c.dofs : 0},
      {"solves_limbs", flag(has_rows && !is_small)},
      {"unrolled_entries", has_rows && is_small ? c.dofs * c.dofs : 0},
      {"touches_and_drives", flag(touches && c.drives > 0)},
      {"touches_and_stops", flag(touches && c.limited > 0)},
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
    cost[i] = std::max(0.0, line.offset + line.slope * reference + line.floating * value_of(features, "floating"));
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
