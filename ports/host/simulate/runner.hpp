// SPDX-License-Identifier: MIT
// What `kinecast simulate` compiles with a robot: reads a plan from stdin, steps the Predictor, and writes what it saw to stdout,
// both as plain doubles of this machine. The tool carries this text inside; simulate/run.cpp is the other end of both streams.
#pragma once

#include <kinecast/dynamics/energy.hpp>
#include <kinecast/predict/predictor.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace runner {

// Each record of the output begins with one of these.
enum class Tag { sample, progress, end };
inline constexpr int kWarnings = static_cast<int>(kinecast::Status::non_finite_input);

class Plan {
 public:
  [[nodiscard]] bool read() {
    double buffer[4096];
    for (std::size_t count = 0; (count = std::fread(buffer, sizeof(double), 4096, stdin)) > 0;)
      numbers_.insert(numbers_.end(), buffer, buffer + count);
    return !numbers_.empty();
  }
  [[nodiscard]] double number() { return numbers_.at(at_++); }
  [[nodiscard]] int whole() { return static_cast<int>(number()); }

 private:
  std::vector<double> numbers_;
  std::size_t at_{0};
};

// A value over time: linear between its points, or held until the next one; before the first and after the last it stays.
struct Series {
  bool is_held{false};
  std::vector<std::pair<double, double>> points;
  std::size_t last{0};  // the newest point that is not later than the time asked for: time only grows

  explicit Series(Plan& plan) : is_held(plan.whole() != 0), points(static_cast<std::size_t>(plan.whole())) {
    for (auto& [time, value] : points) time = plan.number(), value = plan.number();
  }
  [[nodiscard]] double at(double time) {
    // A step's time is a product: 0.0003 * 3 falls short of a row's 0.0009 by rounding, and the row would act a step late.
    constexpr double kAlmost_s = 1e-9;
    while (last + 1 < points.size() && points[last + 1].first <= time + kAlmost_s) ++last;
    const auto& [t0, v0] = points[last];
    if (is_held || last + 1 == points.size() || time <= t0) return v0;
    const auto& [t1, v1] = points[last + 1];
    return v0 + (v1 - v0) * (time - t0) / (t1 - t0);
  }
};

// What a degree of freedom is told: a value, or kp (value - q) - kd dq.
struct Channel {
  int v;
  int q;
  bool is_pd;
  double kp;
  double kd;
  Series series;

  explicit Channel(Plan& plan)
      : v(plan.whole()),
        q(plan.whole()),
        is_pd(plan.whole() != 0),
        kp(plan.number()),
        kd(plan.number()),
        series(plan) {}
};

class Output {
 public:
  void add(double value) { numbers_.push_back(value); }
  template <class Vector>
  void add_all(const Vector& values) {
    for (int i = 0; i < static_cast<int>(values.size()); ++i) add(static_cast<double>(values[i]));
  }
  template <class Vec3>
  void add_vec3(const Vec3& v) {
    for (const auto x : {v.x, v.y, v.z}) add(static_cast<double>(x));
  }
  void write() {
    std::fwrite(numbers_.data(), sizeof(double), numbers_.size(), stdout);
    numbers_.clear();
  }

 private:
  std::vector<double> numbers_;
};

template <const auto& R, class S, class... Options>
class Runner {
 public:
  using Predictor = kinecast::Predictor<R, S, Options...>;
  using Shape = kinecast::Shape<R>;
  static constexpr bool kHasSurfaces = Predictor::Holders::kHasSurfaces;

  explicit Runner(Plan& plan)
      : steps_(static_cast<long>(plan.number())), every_(static_cast<long>(plan.number())), dt_(plan.number()) {
    for (int i = 0; i < Shape::kPositions; ++i) start_.q[i] = static_cast<S>(plan.number());
    for (int i = 0; i < Shape::kDofs; ++i) start_.dq[i] = static_cast<S>(plan.number());
    const int channels = plan.whole();
    for (int i = 0; i < channels; ++i) channels_.emplace_back(plan);
  }

  // The environment's numbers, so that another friction needs no compiler.
  template <const auto& World>
  [[nodiscard]] kinecast::Status place(Plan& plan) {
    using namespace kinecast;
    auto world = World;
    const auto vec3 = [&] {
      const double x = plan.number();
      const double y = plan.number();
      return Vec3<double>{x, y, plan.number()};
    };
    for_each_surface(world.surfaces, [&](auto& s, int /*index*/) {
      s.position_m = vec3();
      s.rotation.row_x = vec3(), s.rotation.row_y = vec3(), s.rotation.row_z = vec3();
      const Vec3<double> half = vec3();
      if constexpr (std::is_same_v<std::decay_t<decltype(s.solid)>, BoxSolid>) s.solid.half_m = half;
      Material m{};
      m.static_friction = plan.number(), m.kinetic_friction = plan.number(), m.restitution = plan.number();
      m.compensation_per_s = plan.number(), m.relaxation = plan.number();
      for (Material& each : s.materials) each = m;
    });
    static typename Predictor::Scene scene{};
    const Status status = build_scene<R, World, S>(R, world, scene);
    if (ok(status)) predictor_.set_scene(scene);
    return status;
  }

  void run() {
    using namespace kinecast;
    Status status = predictor_.reset(start_);
    if (is_warning(status)) see_warning(status, 0);
    long step = 0;
    Command<R, S> command = command_at(step);
    for (; step < steps_ && ok(status); ++step) {
      status = predictor_.step(command, static_cast<S>(dt_));
      if (!ok(status)) break;
      if (is_warning(status)) see_warning(status, step + 1);
      look(step + 1);
      if (step == 0) write_sample(0, start_, command);  // with the forces of the first step
      command = command_at(step + 1);
      if ((step + 1) % every_ == 0 || step + 1 == steps_) write_sample(step + 1, predictor_.state(), command);
      if ((step + 1) % std::max(1L, steps_ / 500) == 0) report_progress(step + 1);
    }
    write_end(status, step);
  }

 private:
  // What the joints are told in the state that the predictor is in.
  kinecast::Command<R, S> command_at(long step) {
    const double time = static_cast<double>(step) * dt_;
    const auto& now = predictor_.state();
    kinecast::Command<R, S> command = kinecast::Command<R, S>::Zero();
    for (Channel& c : channels_) {
      const double value = c.series.at(time);
      command[c.v] = static_cast<S>(
          c.is_pd ? c.kp * (value - static_cast<double>(now.q[c.q])) - c.kd * static_cast<double>(now.dq[c.v]) : value);
    }
    return command;
  }

  void see_warning(kinecast::Status status, long step) {
    const auto at = static_cast<std::size_t>(status);
    if (warnings_[at].count++ == 0) warnings_[at].first = step;
    if (status == kinecast::Status::too_fast && fast_ < 0) fast_ = predictor_.fast_joint();
  }

  // What would be missed between two samples.
  void look(long step) {
    const auto& report = predictor_.report();
    for (int i = 0; i < Shape::kDofs; ++i) {
      const auto at = static_cast<std::size_t>(i);
      saturated_[at] += report.saturated(i) ? 1 : 0;
      if constexpr (Shape::kHas.limits > 0)
        stop_Nm_[at] = std::max(stop_Nm_[at], static_cast<double>(std::abs(report.limit_Nm[at])));
    }
    if constexpr (kHasSurfaces) {
      double sum = 0;
      const auto& contacts = predictor_.contact_report();
      for (int i = 0; i < contacts.count; ++i) {
        sum += static_cast<double>(contacts[i].normal_N);
        const auto depth = static_cast<double>(contacts[i].depth_m);
        if (step == 1 && depth > start_depth_m_)
          start_depth_m_ = depth, start_point_ = contacts[i].pair.point, start_surface_ = contacts[i].pair.surface;
      }
      if (sum > peak_N_) peak_N_ = sum, peak_step_ = step;
    }
  }

  void write_sample(long step, const kinecast::State<R, S>& state, const kinecast::Command<R, S>& command) {
    using namespace kinecast;
    if (!ok(update_kinematics(model<R, S>, state.q, state.dq, kinematics_))) return;
    out_.add(static_cast<double>(Tag::sample));
    out_.add(static_cast<double>(step));
    out_.add_all(state.q);
    out_.add_all(state.dq);
    out_.add_all(command);
    out_.add_all(predictor_.report().transmitted_Nm);
    for (int i = 0; i < Shape::kLinks; ++i) {
      const Pose<S> pose = link_pose(model<R, S>, kinematics_, i);
      for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) out_.add(static_cast<double>(pose.rotation(row, column)));
        out_.add(static_cast<double>(pose.position[row]));
      }
    }
    out_.add(static_cast<double>(kinetic_energy(model<R, S>, kinematics_, state.dq)));
    out_.add(static_cast<double>(potential_energy(model<R, S>, kinematics_)));
    write_contacts();
    out_.write();
  }

  void write_contacts() {
    if constexpr (kHasSurfaces) {
      const auto& contacts = predictor_.contact_report();
      out_.add(contacts.count);
      for (int i = 0; i < contacts.count; ++i) {
        out_.add(contacts[i].pair.point);
        out_.add_vec3(contacts[i].point_m);
        out_.add_vec3(contacts[i].force_N);
        out_.add(static_cast<double>(contacts[i].normal_N));
        out_.add(contacts[i].is_sliding ? 1 : 0);
      }
    } else {
      out_.add(0);
    }
  }

  void report_progress(long step) {
    out_.add(static_cast<double>(Tag::progress));
    out_.add(static_cast<double>(step));
    out_.write();
    std::fflush(stdout);
  }

  void write_end(kinecast::Status status, long steps) {
    out_.add(static_cast<double>(Tag::end));
    out_.add(static_cast<double>(status));
    out_.add(static_cast<double>(steps));
    out_.add(predictor_.refused_joint());
    out_.add(fast_);
    for (const Warning& w : warnings_) out_.add(static_cast<double>(w.count)), out_.add(static_cast<double>(w.first));
    for (const double x : {peak_N_, static_cast<double>(peak_step_), start_depth_m_}) out_.add(x);
    out_.add(start_point_);
    out_.add(start_surface_);
    for (std::size_t i = 0; i < static_cast<std::size_t>(Shape::kDofs); ++i) {
      out_.add(static_cast<double>(saturated_[i]));
      out_.add(stop_Nm_[i]);
    }
    out_.write();
  }

  struct Warning {
    long count{0};
    long first{0};
  };

  Predictor predictor_{};
  kinecast::Kinematics<R, S> kinematics_{};
  kinecast::State<R, S> start_{};
  std::vector<Channel> channels_{};
  long steps_;
  long every_;
  double dt_;
  Output out_{};
  std::array<Warning, static_cast<std::size_t>(kWarnings)> warnings_{};
  std::array<long, static_cast<std::size_t>(Shape::kDofs)> saturated_{};
  std::array<double, static_cast<std::size_t>(Shape::kDofs)> stop_Nm_{};
  int fast_{-1};
  double peak_N_{0};
  long peak_step_{0};
  double start_depth_m_{0};
  int start_point_{-1};
  int start_surface_{-1};
};

// The environment does not keep a rule: the tool says so by the exit code, before any record.
inline constexpr int kBadEnvironment = 3;

template <const auto& R, class S>
int run() {
  Plan plan;
  if (!plan.read()) return 2;
  static Runner<R, S> runner(plan);
  runner.run();
  return std::fflush(stdout) == 0 ? 0 : 2;
}

template <const auto& R, class S, const auto& World, int Capacity>
int run() {
  Plan plan;
  if (!plan.read()) return 2;
  static Runner<R, S, kinecast::Contacts<World, Capacity>> runner(plan);
  if (!ok(runner.template place<World>(plan))) return kBadEnvironment;
  runner.run();
  return std::fflush(stdout) == 0 ? 0 : 2;
}

}  // namespace runner
