// SPDX-License-Identifier: MIT
#include "scores.hpp"

#include "../text/text.hpp"

#include <cmath>

namespace kinecast::host {
namespace {

std::string padded(const std::string& text, std::size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

// Root mean square error at the ends of the spans, or at every sample of a single one.
class Judge {
 public:
  Judge(const DriveUnit& unit, const Log& log, Progress& progress, double steps)
      : log_(log), progress_(progress), steps_(steps), null_unit_(without_dry_friction(unit)) {
    single_ = make_replay(unit, Precision::single);
    twofold_ = make_replay(unit, Precision::twofold);
    null_ = make_replay(null_unit_, Precision::twofold);
  }

  Score at_ends(double window_s, const std::vector<Span>& spans) {
    const auto error = [&](Replay& replay) {
      double sum = 0;
      for (const Span& span : spans) {
        const double e = replay.final_position(log_, span, StartVelocity::causal) - log_.position[span.last];
        sum += e * e;
        advance(span);
      }
      return std::sqrt(sum / static_cast<double>(spans.size()));
    };
    return {window_s, spans.size(), error(*single_), error(*twofold_), error(*null_)};
  }

  Score everywhere(Span span) {
    const auto error = [&](Replay& replay) {
      const Trace trace = replay.trace(log_, span, StartVelocity::causal);
      double sum = 0;
      for (std::size_t i = 0; i < trace.position.size(); ++i) {
        const double e = trace.position[i] - log_.position[span.first + i];
        sum += e * e;
      }
      advance(span);
      return std::sqrt(sum / static_cast<double>(trace.position.size()));
    };
    return {0, span.last - span.first + 1, error(*single_), error(*twofold_), error(*null_)};
  }

 private:
  void advance(Span span) {
    done_ += static_cast<double>(span.last - span.first);
    progress_.show_share(done_ / (3 * steps_));
  }

  const Log& log_;
  Progress& progress_;
  double steps_;
  double done_{0};
  DriveUnit null_unit_;
  std::unique_ptr<Replay> single_, twofold_, null_;
};

}  // namespace

std::vector<Score> find_scores(const DriveUnit& unit, const Log& log, const std::vector<double>& windows_s,
                               Progress& progress) {
  std::vector<std::vector<Span>> spans;
  double steps = static_cast<double>(log.size());
  for (const double window : windows_s) {
    spans.push_back(windows(log, window));
    for (const Span& span : spans.back()) steps += static_cast<double>(span.last - span.first);
  }
  Judge judge(unit, log, progress, steps);
  std::vector<Score> scores;
  for (std::size_t i = 0; i < windows_s.size(); ++i)
    if (!spans[i].empty()) scores.push_back(judge.at_ends(windows_s[i], spans[i]));
  scores.push_back(judge.everywhere(whole(log)));
  return scores;
}

std::string window_name(const Score& score) {
  return score.window_s > 0 ? rounded(score.window_s, 4) + " s" : "whole log";
}

std::string score_table(const std::vector<Score>& scores, const std::string& unit) {
  std::string out = padded("window", 10) + padded("count", 8) + padded("error float", 14) + padded("double", 12) +
                    padded("null", 12) + padded("null/error", 12) + "   root mean square, " + unit + "\n";
  for (const Score& score : scores)
    out += padded(window_name(score), 10) + padded(std::to_string(score.count), 8) +
           padded(rounded(score.single, 4), 14) + padded(rounded(score.twofold, 4), 12) +
           padded(rounded(score.null, 4), 12) + padded(rounded(score.null / score.single, 3), 12) + "\n";
  return out;
}

}  // namespace kinecast::host
