// SPDX-License-Identifier: MIT
// Forward dynamics in double against MuJoCo's, same robot, same states, one process. Both take turns batch by batch, and
// the ratio is the median over the batches' own ratios: a busy machine slows neighbours in time alike. Two opponents:
// the cheapest correct sequence of its stages, and mj_forward() as users call it. Prints BENCH lines for run.py.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "../oracle/mjcf.hpp"
#include "inputs.hpp"
#include "rival.hpp"
#include "robots.hpp"
#include "works.hpp"

namespace {

using bench::median;
using bench::ns_per_call;

class Rival {
 public:
  explicit Rival(const std::string& xml) : model_(bench::load_mujoco(xml)) {
    if (!model_) return;
    model_->opt.enableflags = 0;  // no energies: nobody asked for them here
    data_.reset(mj_makeData(model_.get()));
  }

  [[nodiscard]] bool is_loaded() const { return data_ != nullptr; }
  [[nodiscard]] const mjModel& model() const { return *model_; }
  [[nodiscard]] mjData& data() { return *data_; }

  // CRB, LTDL, RNE: the stages without which there is no acceleration.
  [[gnu::noipa]] void shortest() noexcept {
    const mjModel* m = model_.get();
    mjData* d = data_.get();
    mj_kinematics(m, d);
    mj_comPos(m, d);
    mj_crb(m, d);
    mj_factorM(m, d);
    mj_comVel(m, d);
    mj_rne(m, d, 0, d->qfrc_bias);
    mju_sub(d->qfrc_smooth, d->qfrc_applied, d->qfrc_bias, m->nv);
    mj_solveM(m, d, d->qacc, d->qfrc_smooth, 1);
  }
  [[gnu::noipa]] void forward() noexcept { mj_forward(model_.get(), data_.get()); }

 private:
  bench::MujocoModel model_;
  bench::MujocoData data_;
};

// MuJoCo gives a free joint's angular velocity, acceleration and torque in body axes; we in the world's.
template <const auto& R>
class Frames {
 public:
  explicit Frames(const kinecast::Position<R, double>& q) {
    if constexpr (Shape::kHas.floating > 0) turn_ = to_matrix(kinecast::detail::quaternion_at<double>(q, 3));
  }
  void write(const kinecast::Velocity<R, double>& ours, double* theirs) const {
    std::copy_n(ours.data(), Shape::kDofs, theirs);
    if constexpr (Shape::kHas.floating > 0) turn(theirs, transpose(turn_));
  }
  [[nodiscard]] kinecast::Velocity<R, double> read(const double* theirs) const {
    kinecast::Velocity<R, double> ours;
    std::copy_n(theirs, Shape::kDofs, ours.data());
    if constexpr (Shape::kHas.floating > 0) turn(ours.data(), turn_);
    return ours;
  }

 private:
  using Shape = kinecast::Shape<R>;
  static_assert(Shape::kHas.spherical == 0 && (Shape::kHas.floating == 0 || Shape::is_floating(0)));

  static void turn(double* v, const kinecast::Mat3<double>& by) {
    const kinecast::Vec3<double> turned = by * kinecast::Vec3<double>{v[3], v[4], v[5]};
    v[3] = turned.x, v[4] = turned.y, v[5] = turned.z;
  }
  kinecast::Mat3<double> turn_{kinecast::kIdentity3<double>};
};

void report(const char* work, const char* robot, const char* metric, double value) {
  bench::report(work, robot, "double", metric, value);
}

template <const auto& R>
struct Ours {
  static inline bench::Aba<R, double> aba;
  [[gnu::noipa]] static kinecast::Status call(const bench::Inputs<R, double>& in) noexcept { return aba.run(in); }
};

bool fail(const char* robot, const char* sentence) {
  std::fprintf(stderr, "against_mujoco %s: %s\n", robot, sentence);
  return false;
}

template <const auto& R>
bool compare(const char* name) {
  constexpr int kBatches = 6000;  // about 1 s per robot
  constexpr double kBatchNs = 20000;
  constexpr double kSameAcceleration = 1e-9;  // of the largest; both compute in double, MuJoCo rotates inertias first

  // Its bodies come depth first; our robots are listed so, and the comparison below would show if one were not.
  Rival rival(oracle::to_mjcf(R));
  if (!rival.is_loaded()) return false;
  if (rival.model().nv != kinecast::Shape<R>::kDofs || rival.model().nq != kinecast::Shape<R>::kPositions)
    return fail(name, "MuJoCo made another robot of it");
  mjData& d = rival.data();

  std::vector<double> ours_ns;
  std::vector<double> shortest_ns;
  std::vector<double> forward_ns;
  std::vector<double> shortest_ratio;
  std::vector<double> forward_ratio;
  int calls = 1;
  bench::Random random;
  bench::Inputs<R, double> in;
  for (int batch = -bench::kStates; batch < kBatches; ++batch) {  // the first ones warm up
    bench::next_state(random, in);
    const Frames<R> frames(in.q);
    std::copy_n(in.q.data(), in.q.size(), d.qpos);
    frames.write(in.dq, d.qvel);
    frames.write(in.tau, d.qfrc_applied);

    if (!ok(Ours<R>::call(in))) return fail(name, "forward_dynamics() failed");
    const auto& ddq = Ours<R>::aba.ddq;
    const double tolerance = kSameAcceleration * ddq.cwiseAbs().maxCoeff();
    rival.shortest();
    const double shortest_error = (ddq - frames.read(d.qacc)).cwiseAbs().maxCoeff();
    rival.forward();
    const double forward_error = (ddq - frames.read(d.qacc)).cwiseAbs().maxCoeff();
    // A NaN is no agreement either.
    if (!(shortest_error <= tolerance) || !(forward_error <= tolerance)) {
      std::fprintf(stderr, "errors %g and %g, tolerance %g\n", shortest_error, forward_error, tolerance);
      return fail(name, "the accelerations differ");
    }

    const double own = ns_per_call(calls, [&] { (void)Ours<R>::call(in); });
    const double their_shortest = ns_per_call(calls, [&] { rival.shortest(); });
    const double their_forward = ns_per_call(calls, [&] { rival.forward(); });
    if (batch < 0) {
      calls = std::max(10, static_cast<int>(kBatchNs / own));
      continue;
    }
    ours_ns.push_back(own);
    shortest_ns.push_back(their_shortest);
    forward_ns.push_back(their_forward);
    shortest_ratio.push_back(their_shortest / own);
    forward_ratio.push_back(their_forward / own);
  }
  report("aba", name, "ns", median(ours_ns));
  report("mujoco", name, "ns", median(shortest_ns));
  report("mujoco_forward", name, "ns", median(forward_ns));
  report("aba_vs_mujoco", name, "ratio", median(shortest_ratio));
  report("aba_vs_mujoco_forward", name, "ratio", median(forward_ratio));
  return true;
}

}  // namespace

int main() {
  bench::print_version();
  const bool done =
      compare<robots::arm6>("arm6") && compare<robots::chain<20>>("chain20") && compare<robots::humanoid>("humanoid");
  return done ? 0 : 1;
}
