// SPDX-License-Identifier: MIT
// A whole step with contact against MuJoCo's mj_step(): the six-link pendulum (method 8) in the seconds in which it lies on the
// ground, 1 to 5 s, at 1 ms. All take turns, batch by batch along the run, so that a busy machine slows neighbours in time
// alike; a batch counts with the median of its repetitions. MuJoCo has Newton and Euler; of its other settings the fastest counts:
// every combination of cone, softness, impedance and way of finding the contacts.
// Before anything is timed, both must have done the same: the same contacts, load, depth and pose. Prints BENCH lines for run.py.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "contact_works.hpp"
#include "rival.hpp"
#include "robots.hpp"

namespace {

using bench::median;
using bench::ns_per_call;

constexpr int kLinks = 6;
constexpr double kLink_m = 0.1;
constexpr int kFirst = 1000;  // steps
constexpr int kLast = 5000;
constexpr int kAtRest = 4000;
constexpr int kBatch = 20;  // 150 us of MuJoCo
constexpr int kBatches = (kLast - kFirst) / kBatch;
constexpr int kRepetitions = 15;         // 1 s in all
constexpr int kRepetitionsOfChoice = 5;  // 3 s for all of MuJoCo's settings

// What there is to see of a run.
struct Sight {
  int steps_at_rest{0};
  double contacts{0};  // mean over the steps at rest
  double load_N{0};    // the same
  double deepest_m{0};
  double x_m{0};  // middle of the last link, and how far it is from lying, at the end
  double tilt_rad{0};

  void see_depth(double depth_m) { deepest_m = std::max(deepest_m, depth_m); }
  void see_rest(int touching, double force_N) {
    ++steps_at_rest;
    contacts += (touching - contacts) / steps_at_rest;
    load_N += (force_N - load_N) / steps_at_rest;
  }
  template <class Angles>
  void see_end(const Angles& q) {
    double angle = 0;
    for (int i = 0; i < kLinks; ++i) {
      angle += static_cast<double>(q[i]);
      x_m -= (i < kLinks - 1 ? kLink_m : kLink_m / 2) * std::sin(angle);
    }
    tilt_rad = std::abs(std::remainder(angle - std::acos(0.0), 2 * std::acos(0.0)));
  }
  void print(const char* who) const {
    std::printf("%-54s %.2f contacts at rest, load %.3f N, deepest %.3f mm, x %.1f mm, tilt %.3f deg\n", who, contacts,
                load_N, 1e3 * deepest_m, 1e3 * x_m, tilt_rad * 90 / std::acos(0.0));
  }
};

// Two runs of one scene. How the fall goes on is a matter of the contact models; how and where it ends is not.
bool are_alike(const Sight& a, const Sight& b) {
  // Ours lies on four corners. MuJoCo's last link rocks: in 6 to 26 of 100 steps it has fewer, whatever margin, cone and
  // softness. That is less work for it; but it must lie (four), not stand on an edge (two).
  constexpr double kContacts = 3;
  constexpr double kTilt = 0.01;     // rad: flat, to 1 mm over the link's length
  constexpr double kDeepest = 1e-3;  // m: the project's bound on this scene
  constexpr double kLoad = 0.1;      // relative: the links above still swing a little
  constexpr double kPlace = 0.03;    // m, of a pendulum of 0.6 m: where it stopped sliding
  bool alike = std::abs(a.load_N - b.load_N) <= kLoad * a.load_N && std::abs(a.x_m - b.x_m) <= kPlace;
  for (const Sight& s : {a, b})
    alike = alike && s.contacts > kContacts && s.tilt_rad <= kTilt && s.deepest_m <= kDeepest;
  return alike;
}

template <class S>
class Ours {
 public:
  using Scene = bench::GroundScene<robots::pendulum6>;
  using Predictor = kinecast::Predictor<robots::pendulum6, S, Scene::Contacts>;

  [[gnu::noipa]] void step() noexcept {
    Scene::control(predictor_.state(), 0, command_);
    failed_ = predictor_.step(command_, S(0.001)) != kinecast::Status::ok || failed_;
  }
  // All of the run; leaves it at its first timed step.
  Sight see() {
    Sight sight;
    kinecast::State<robots::pendulum6, S> state = kinecast::zero_state<robots::pendulum6, S>();
    Scene::start(state);
    failed_ = !ok(predictor_.reset(state));
    for (int k = 0; k < kLast; ++k) {
      if (k == kFirst) start_ = predictor_.snapshot();
      step();
      const auto& contacts = predictor_.contact_report();
      double force = 0;
      for (int i = 0; i < contacts.count; ++i) {
        force += static_cast<double>(contacts[i].normal_N);
        if (k >= kFirst) sight.see_depth(static_cast<double>(contacts[i].depth_m));
      }
      if (k >= kAtRest) sight.see_rest(contacts.count, force);
    }
    sight.see_end(predictor_.state().q);
    rewind();
    return sight;
  }
  void rewind() { predictor_.restore(start_); }
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  Predictor predictor_;
  kinecast::Command<robots::pendulum6, S> command_;
  typename Predictor::Snapshot start_;
  bool failed_{false};
};

// A way to run the scene in MuJoCo.
struct Setting {
  mjtCone cone;
  double softness_s;  // time constant of its contacts; 0.02 is its default, 0.002 the hardest that it advises at 1 ms
  // Its solimp: how near a contact comes to a rigid one, at first touch and from 1 mm of depth on.
  double impedance_at_touch;
  double impedance_deep;
  // Box against ground as a list in the model; otherwise the broad phase finds who may touch. (2.2.2 has no mid-phase yet.)
  bool predefined_pairs;

  [[nodiscard]] std::string name() const {
    return std::string("MuJoCo, ") + (cone == mjCONE_ELLIPTIC ? "elliptic, " : "pyramidal, ") +
           (softness_s < 0.01 ? "2 ms, " : "20 ms, ") +
           (impedance_at_touch > 0.95 ? "impedance 0.99, " : "impedance 0.9, ") +
           (predefined_pairs ? "pairs" : "broad phase");
  }
};

std::vector<Setting> all_settings() {
  struct Impedance {
    double at_touch;
    double deep;
  };
  constexpr Impedance kImpedances[] = {{0.9, 0.95}, {0.99, 0.99}};  // MuJoCo's default, and nearly rigid from the start
  std::vector<Setting> settings;
  for (const mjtCone cone : {mjCONE_PYRAMIDAL, mjCONE_ELLIPTIC})
    for (const double softness_s : {0.02, 0.002})
      for (const Impedance& impedance : kImpedances)
        for (const bool pairs : {false, true})
          settings.push_back({cone, softness_s, impedance.at_touch, impedance.deep, pairs});
  return settings;
}

// Boxes that touch the ground and nothing else. MuJoCo has one coefficient of friction: the sliding one, which decides where the
// pendulum stops; at rest it needs no more.
std::string pendulum_xml(const Setting& setting) {
  const auto number = [](double x) { return std::to_string(x); };
  // With predefined pairs the geoms' own masks and values do not count, and no mask lets a geom touch.
  const std::string contact = " condim=\"3\" solref=\"" + number(setting.softness_s) + " 1\" solimp=\"" +
                              number(setting.impedance_at_touch) + " " + number(setting.impedance_deep) + " 0.001\"";
  const auto mask = [&](const char* type, const char* affinity) {
    return setting.predefined_pairs ? std::string(" contype=\"0\" conaffinity=\"0\"")
                                    : std::string(" contype=\"") + type + "\" conaffinity=\"" + affinity +
                                          "\" friction=\"0.4 0.005 0.0001\"" + contact;
  };
  std::string xml =
      "<mujoco><compiler angle=\"radian\"/><option timestep=\"0.001\" gravity=\"0 0 -9.80665\"/><worldbody>"
      "<geom name=\"ground\" type=\"plane\" size=\"5 5 0.1\"" +
      mask("1", "0") + "/>";
  std::string end;
  std::string pairs;
  for (int i = 0; i < kLinks; ++i) {
    const std::string name = "link" + std::to_string(i);
    xml += "<body pos=\"0 0 " + std::string(i == 0 ? "0.42" : "-0.1") +
           "\"><joint type=\"hinge\" axis=\"0 1 0\"/><geom name=\"" + name +
           "\" type=\"box\" size=\"0.02 0.02 0.05\" pos=\"0 0 -0.05\" mass=\"0.3\"" + mask("0", "1") + "/>";
    end += "</body>";
    pairs += "<pair geom1=\"ground\" geom2=\"" + name + "\" friction=\"0.4 0.4 0.005 0.0001 0.0001\"" + contact + "/>";
  }
  xml += end + "</worldbody>";
  if (setting.predefined_pairs) xml += "<contact>" + pairs + "</contact>";
  return xml + "</mujoco>";
}

class Theirs {
 public:
  explicit Theirs(const Setting& setting) : model_(bench::load_mujoco(pendulum_xml(setting))), name_(setting.name()) {
    if (!model_) return;
    mjOption& option = model_->opt;
    option.integrator = mjINT_EULER;
    option.solver = mjSOL_NEWTON;
    option.cone = setting.cone;
    option.jacobian = mjJAC_DENSE;
    option.collision = setting.predefined_pairs ? mjCOL_PAIR : mjCOL_DYNAMIC;
    // Nothing that this scene does not have. Viscosity is applied as in ours: Euler would treat its own implicitly, at a cost.
    option.disableflags |= mjDSBL_EQUALITY | mjDSBL_FRICTIONLOSS | mjDSBL_LIMIT | mjDSBL_PASSIVE | mjDSBL_CLAMPCTRL |
                           mjDSBL_ACTUATION | mjDSBL_SENSOR;
    option.enableflags = 0;
    data_.reset(mj_makeData(model_.get()));
    start_.reset(mj_makeData(model_.get()));
  }
  [[nodiscard]] bool is_loaded() const { return data_ != nullptr; }
  [[nodiscard]] const char* name() const { return name_.c_str(); }

  [[gnu::noipa]] void step() noexcept {
    for (int i = 0; i < kLinks; ++i) data_->qfrc_applied[i] = -1e-4 * data_->qvel[i];
    mj_step(model_.get(), data_.get());
  }
  Sight see() {
    Sight sight;
    mj_resetData(model_.get(), data_.get());
    data_->qpos[0] = -std::acos(0.5);
    for (int k = 0; k < kLast; ++k) {
      if (k == kFirst) mj_copyData(start_.get(), model_.get(), data_.get());
      step();
      double force = 0;
      for (int i = 0; i < data_->ncon; ++i) {
        mjtNum wrench[6];
        mj_contactForce(model_.get(), data_.get(), i, wrench);
        force += wrench[0];
        if (k >= kFirst) sight.see_depth(-data_->contact[i].dist);
      }
      if (k >= kAtRest) sight.see_rest(data_->ncon, force);
    }
    sight.see_end(data_->qpos);
    rewind();
    return sight;
  }
  void rewind() { mj_copyData(data_.get(), model_.get(), start_.get()); }

 private:
  bench::MujocoModel model_;
  bench::MujocoData data_;
  bench::MujocoData start_;
  std::string name_;
};

int fail(const char* sentence) {
  std::fprintf(stderr, "step_against_mujoco: %s\n", sentence);
  return 1;
}

// Times of a batch at every place of the stretch.
template <class Runner>
struct Timed {
  Runner& runner;
  std::vector<std::vector<double>> ns{kBatches};

  void batch(int place) {
    if (place == 0) runner.rewind();
    ns[static_cast<std::size_t>(place)].push_back(ns_per_call(kBatch, [&] { runner.step(); }));
  }
  // ns per step over the stretch: at every place the median of the repetitions.
  [[nodiscard]] double mean() const {
    double sum = 0;
    for (const auto& repetitions : ns) sum += median(repetitions);
    return sum / kBatches;
  }
};

}  // namespace

int main() {
  static Ours<float> in_float;
  static Ours<double> in_double;
  const Sight sight = in_double.see();
  sight.print("kinecast, double");
  const Sight sight_in_float = in_float.see();
  sight_in_float.print("kinecast, float");
  if (!are_alike(sight, sight_in_float)) return fail("float and double did not do the same");

  bench::print_version();
  std::vector<Theirs> candidates;
  for (const Setting& setting : all_settings()) candidates.emplace_back(setting);
  std::vector<Timed<Theirs>> rivals;
  for (Theirs& candidate : candidates) {
    if (!candidate.is_loaded()) return 1;
    const Sight their_sight = candidate.see();
    their_sight.print(candidate.name());
    if (are_alike(sight, their_sight))
      rivals.push_back({candidate});
    else
      std::printf("%-54s did not do the same\n", candidate.name());
  }
  if (rivals.empty()) return fail("no setting of MuJoCo did the same");

  // The settings take turns among themselves, and then the fastest with ours: were all of them between two batches of ours, every batch
  // of ours would start with cold caches, but none of MuJoCo's would.
  for (int repetition = 0; repetition < kRepetitionsOfChoice; ++repetition)
    for (int place = 0; place < kBatches; ++place)
      for (auto& rival : rivals) rival.batch(place);
  for (const auto& rival : rivals) std::printf("%-54s %.0f ns per step\n", rival.runner.name(), rival.mean());
  const auto is_faster = [](const Timed<Theirs>& a, const Timed<Theirs>& b) { return a.mean() < b.mean(); };
  Timed<Theirs> fastest{std::min_element(rivals.begin(), rivals.end(), is_faster)->runner};
  std::printf("the fastest: %s\n", fastest.runner.name());

  Timed<Ours<float>> ours_float{in_float};
  Timed<Ours<double>> ours_double{in_double};
  for (int repetition = 0; repetition < kRepetitions; ++repetition)
    for (int place = 0; place < kBatches; ++place)
      ours_float.batch(place), ours_double.batch(place), fastest.batch(place);
  if (in_float.failed() || in_double.failed()) return fail("a step failed, or warned");

  const double theirs = fastest.mean();
  bench::report("step", "pendulum6", "float", "ns", ours_float.mean());
  bench::report("step", "pendulum6", "double", "ns", ours_double.mean());
  bench::report("mujoco_step", "pendulum6", "double", "ns", theirs);
  bench::report("step_vs_mujoco", "pendulum6", "float", "ratio", theirs / ours_float.mean());
  bench::report("step_vs_mujoco", "pendulum6", "double", "ratio", theirs / ours_double.mean());
  return 0;
}
