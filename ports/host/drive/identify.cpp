// SPDX-License-Identifier: MIT
#include "identify.hpp"

#include "search.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace kinecast::host {
namespace {

// An unknown is lost if it could be this much off (in its logarithm: by a factor 1.35) and nobody would see it.
constexpr double kLost = 0.3;

Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }

// What is found by fitting the others again to an unknown that is held kLost off: the unknowns that made up for it, itself
// included; none if the errors grew. The Jacobian alone cannot say this: friction's grain makes exchangeable unknowns look
// different at small steps.
std::vector<std::size_t> exchangeable(Search& search, const Search::Point& best, const Eigen::MatrixXd& information,
                                      std::size_t held, double noise) {
  // A tenth on the error (its square sum: a fifth), or what noise alone may do.
  const double unseen = std::max(1.2 * best.square_sum, best.square_sum + 8 * noise * noise);
  for (const double offset : {kLost, -kLost}) {
    std::vector<double> start = best.x;
    start[held] += offset;
    if (start[held] < search.space()[held].low() || start[held] > search.space()[held].high()) continue;
    // The others begin where the linear model wants them.
    std::vector<Eigen::Index> others;
    for (std::size_t i = 0; i < start.size(); ++i)
      if (i != held) others.push_back(index(i));
    const Eigen::MatrixXd square = information(others, others);
    const Eigen::VectorXd pull = -offset * information(others, std::vector<Eigen::Index>{index(held)});
    const Eigen::VectorXd moved = square.completeOrthogonalDecomposition().solve(pull);
    for (std::size_t k = 0; k < others.size(); ++k) {
      const auto i = static_cast<std::size_t>(others[k]);
      const double limited = std::clamp(moved[index(k)], -2.0, 2.0);
      start[i] = std::clamp(start[i] + limited, search.space()[i].low(), search.space()[i].high());
    }
    const auto found = search.best_with_held(start, held, unseen);
    if (!found || found->square_sum > unseen) continue;
    std::vector<std::size_t> group;
    for (std::size_t i = 0; i < start.size(); ++i)
      if (i == held || std::abs(found->x[i] - best.x[i]) > 0.1 * kLost) group.push_back(i);
    return group;
  }
  return {};
}

// Unknowns on which nothing depends; if there are none, the first that the errors do not tell from others. One at a time: what
// else is blind shows when the user has given these a value.
void find_blind(Search& search, const Search::Point& best, const Eigen::MatrixXd& information,
                const Eigen::MatrixXd& inverse, double noise, Identification& out) {
  std::vector<std::size_t> worst_first;
  for (std::size_t i = 0; i < best.x.size(); ++i) {
    worst_first.push_back(i);
    if (std::sqrt(information(index(i), index(i))) * kLost <= noise) out.blind.push_back({i});
  }
  if (!out.blind.empty()) return;
  const auto variance = [&](std::size_t i) { return inverse(index(i), index(i)); };
  std::sort(worst_first.begin(), worst_first.end(),
            [&](std::size_t a, std::size_t b) { return variance(a) > variance(b); });
  for (const std::size_t i : worst_first) {
    // How much the others' freedom widens the unknown's own error; above 5 its correlation with them is above 0.98.
    const double widening = std::sqrt(information(index(i), index(i)) * variance(i));
    const bool is_wide = noise * std::sqrt(variance(i)) > 0.5 * kLost;
    if (widening < 5 && !is_wide) continue;
    const std::vector<std::size_t> group = exchangeable(search, best, information, i, noise);
    if (group.empty()) continue;
    out.blind.push_back(group);
    return;
  }
}

}  // namespace

Identification identify(const DriveFile& drive, const std::vector<Log>& logs, double window_s, Progress& progress) {
  Search search(drive, logs, window_s, progress);
  Search::Point best = search.best();
  std::vector<double> values;
  for (std::size_t i = 0; i < best.x.size(); ++i) values.push_back(search.space()[i].value(best.x[i]));
  mirror_stiction(drive, values);
  for (std::size_t i = 0; i < best.x.size(); ++i) best.x[i] = search.space()[i].of(values[i]);  // the same errors
  const Eigen::MatrixXd jacobian = search.jacobian(best.x);
  const double freedom = static_cast<double>(search.windows() - best.x.size());
  // Windows overlap by half, so that each error counts about twice.
  const double noise = std::sqrt(2.0) * std::max(std::sqrt(best.square_sum / freedom), search.smallest_error());

  Identification out;
  out.windows = search.windows();
  out.iterations = best.iterations;
  const Eigen::MatrixXd information = jacobian.transpose() * jacobian;
  const Eigen::MatrixXd inverse = information.completeOrthogonalDecomposition().pseudoInverse();
  find_blind(search, best, information, inverse, noise, out);
  const Eigen::MatrixXd covariance = noise * noise * inverse;
  for (std::size_t i = 0; i < best.x.size(); ++i) {
    const Coordinate& coordinate = search.space()[i];
    const double x = best.x[i];
    out.estimates.push_back({coordinate.value(x), std::sqrt(covariance(index(i), index(i))) * coordinate.slope(x),
                             x - coordinate.low() < 1e-6 || coordinate.high() - x < 1e-6});
    for (std::size_t j = 0; j < i; ++j) {
      const double both = std::sqrt(covariance(index(i), index(i)) * covariance(index(j), index(j)));
      const double correlation = covariance(index(i), index(j)) / both;
      if (std::abs(correlation) >= 0.95) out.correlations.push_back({j, i, correlation});
    }
  }
  return out;
}

}  // namespace kinecast::host
