// SPDX-License-Identifier: MIT
// 428 real tosses of a cube onto a table: Pfrommer, Halm, Posa, ContactNets, CoRL 2020. Every toss is rolled out from its
// first row to its end, with the files' own mass, inertia, friction and restitution; what the library adds (compensation,
// relaxation) keeps its defaults, and nothing is fitted here.
//   position  distance of the centres over the cube's width, mean over a toss, then over the tosses
//   rotation  angle between the orientations, likewise
// The first row is given, not predicted, and does not count (if it did, all figures would be 1 % smaller).
#include <kinecast/contact/contacts.hpp>
#include <kinecast/papers/stage.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "recording.hpp"
#include "support/program.hpp"

namespace {

using kinecast::ContactRows;
using kinecast::Contacts;
using kinecast::FrictionRule;
using kinecast::Functional;
using kinecast::Relaxed;
using recording::Recording;
using recording::Series;
using support::kNone;

constexpr double kSample_s = 1.0 / 148;
constexpr double kWidth_m = 0.1048;
constexpr double kGravity = 9.81;
constexpr double kInertia = 0.00081;

constexpr auto kCube = kinecast::robot(
    "cube", kinecast::gravity(0, 0, -kGravity),
    kinecast::link("cube", kinecast::floating(),
                   kinecast::body(0.37, kinecast::com(0, 0, 0), kinecast::inertia(kInertia, kInertia, kInertia))),
    kinecast::contact_box(kinecast::on("cube"), kinecast::size(kWidth_m, kWidth_m, kWidth_m)));

// Spring, damper and membrane are read by penalty and fused contact only. A corner feels about 0.1 kg: 5000 N/m is less than
// a tenth of what is stable at four steps per sample (method 3), and the damper gives the restitution of the files,
// exp(-pi z/sqrt(1 - z²)) = 0.125 for z = 0.55 of critical. The membrane is S001's.
constexpr auto kTable = kinecast::environment(kinecast::half_space(
    "table", kinecast::material(kinecast::friction(0.18), kinecast::restitution(0.125), kinecast::spring(5000),
                                kinecast::damper(25), kinecast::membrane(0.5e-3))));

using Quaternion = kinecast::Quaternion<double>;
using Vec3 = kinecast::Vec3<double>;

struct Row {
  Vec3 position;
  Quaternion turn;
  Vec3 linear;
  Vec3 angular;  // world axes; the files have body axes
};
using Toss = std::vector<Row>;

void read(const std::filesystem::path& path, std::vector<Toss>& tosses) {
  const Recording file(path, "");
  const Series& toss = file["toss"];
  const auto vector = [&](const char* x, const char* y, const char* z, std::size_t i) {
    return Vec3{file[x][i], file[y][i], file[z][i]};
  };
  for (std::size_t i = 0; i < file.size(); ++i) {
    if (i == 0 || toss[i] > toss[i - 1] || toss[i] < toss[i - 1]) tosses.emplace_back();
    Row row;
    row.position = vector("x", "y", "z", i);
    row.turn = kinecast::normalized(Quaternion{file["qw"][i], file["qx"][i], file["qy"][i], file["qz"][i]});
    row.linear = vector("vx", "vy", "vz", i);
    row.angular = kinecast::to_matrix(row.turn) * vector("wx", "wy", "wz", i);
    tosses.back().push_back(row);
  }
}

double distance(const Vec3& a, const Vec3& b) {
  const Vec3 d = a - b;
  return std::sqrt(dot(d, d));
}

// By the chord between the quaternions, which is exact for small angles too; q and -q are one orientation.
double angle_deg(const Quaternion& a, const Quaternion& b) {
  const auto chord = [&](double sign) {
    return std::sqrt(squared_norm(Quaternion{a.w - sign * b.w, a.x - sign * b.x, a.y - sign * b.y, a.z - sign * b.z}));
  };
  return 4 * std::asin(std::min(chord(1), chord(-1)) / 2) * 180 / 3.14159265358979324;
}

struct Errors {
  Series position;  // percent of the width, one per toss
  Series rotation;  // degrees

  // One toss. predict(k): position and orientation at sample k, called in order.
  template <class Predict>
  void see(const Toss& toss, Predict predict) {
    double off = 0;
    double turned = 0;
    for (std::size_t k = 1; k < toss.size(); ++k) {
      Vec3 center{};
      Quaternion turn{};
      predict(k, center, turn);
      off += distance(center, toss[k].position);
      turned += angle_deg(turn, toss[k].turn);
    }
    const double samples = static_cast<double>(toss.size() - 1);
    position.push_back(100 / kWidth_m * off / samples);
    rotation.push_back(turned / samples);
  }
};

double mean(const Series& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}
double median(Series values) {
  const auto middle = values.begin() + static_cast<Series::difference_type>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

template <class S, class Model>
Errors roll_out(const std::vector<Toss>& tosses, int steps_per_sample,
                const kinecast::ContactParameters<S>& parameters = {}) {
  using Command = kinecast::Command<kCube, S>;
  kinecast::Predictor<kCube, S, Contacts<kTable, 8, Model>> predictor;
  support::require(predictor.set_contact_parameters(parameters), "set_contact_parameters");
  const S dt = static_cast<S>(kSample_s / steps_per_sample);
  Errors errors;
  for (const Toss& toss : tosses) {
    const Row& row = toss.front();
    auto state = kinecast::zero_state<kCube, S>();
    const double q[] = {row.position.x, row.position.y, row.position.z, row.turn.w, row.turn.x, row.turn.y, row.turn.z};
    const double dq[] = {row.linear.x, row.linear.y, row.linear.z, row.angular.x, row.angular.y, row.angular.z};
    for (int i = 0; i < 7; ++i) state.q[i] = static_cast<S>(q[i]);
    for (int i = 0; i < 6; ++i) state.dq[i] = static_cast<S>(dq[i]);
    support::require(predictor.reset(state), "reset");
    errors.see(toss, [&](std::size_t, Vec3& center, Quaternion& turn) {
      for (int i = 0; i < steps_per_sample; ++i) support::require(predictor.step(Command::Zero(), dt), "step");
      const auto& now = predictor.state().q;
      const auto at = [&](int i) { return static_cast<double>(now[i]); };
      center = {at(0), at(1), at(2)};
      turn = kinecast::normalized(Quaternion{at(3), at(4), at(5), at(6)});
    });
  }
  return errors;
}

// The null: flies, stops falling where the cube would lie flat, slides on without friction, never turns.
Errors fly(const std::vector<Toss>& tosses) {
  Errors errors;
  for (const Toss& toss : tosses)
    errors.see(toss, [&](std::size_t k, Vec3& center, Quaternion& turn) {
      const Row& start = toss.front();
      const double t = kSample_s * static_cast<double>(k);
      center = start.position + t * start.linear + Vec3{0, 0, -0.5 * kGravity * t * t};
      center.z = std::max(center.z, kWidth_m / 2);
      turn = start.turn;
    });
  return errors;
}

// What data/README.md says of both figures: another implementation's (Gauss-Seidel time stepping), and its medians.
struct Figures {
  double position;
  double rotation;
};
constexpr Figures kReference{13.3, 18.4};
// Of the default at four steps per sample. 18.0 degrees are aimed at, and missed by 0.04: the gate is the reference's.
constexpr Figures kBound{13.0, 18.4};
constexpr Figures kReferenceMedian{11.0, 9.7};
constexpr Figures kNoGate{kNone, kNone};

class Table {
 public:
  Table(const std::vector<Toss>& tosses, support::Report& report)
      : tosses_(tosses), null_(fly(tosses)), report_(report) {}

  template <class S, class Model = kinecast::Implicit>
  void add(const std::string& name, int steps_per_sample, const Figures& gate = kNoGate,
           const kinecast::ContactParameters<S>& parameters = {}) {
    const Errors errors = roll_out<S, Model>(tosses_, steps_per_sample, parameters);
    const std::string full = name + '_' + std::to_string(steps_per_sample);
    add_row<S>("position", full, mean(errors.position), mean(null_.position), kReference.position, gate.position,
               "percent");
    add_row<S>("rotation", full, mean(errors.rotation), mean(null_.rotation), kReference.rotation, gate.rotation,
               "deg");
    if (std::isnan(gate.position)) return;
    add_row<S>("position", full + "_median", median(errors.position), median(null_.position), kReferenceMedian.position,
               kNone, "percent");
    add_row<S>("rotation", full + "_median", median(errors.rotation), median(null_.rotation), kReferenceMedian.rotation,
               kNone, "deg");
  }

 private:
  template <class S>
  void add_row(const char* protocol, const std::string& name, double ours, double null, double reference, double gate,
               const char* unit) {
    support::Score score;
    score.set = "cube";
    score.protocol = protocol;
    score.robot = name;
    score.scalar = support::scalar_name<S>();
    score.ours = ours;
    score.null = null;
    score.reference = reference;
    score.gate = gate;
    score.unit = unit;
    report_.add_recording(score);
  }

  const std::vector<Toss>& tosses_;
  Errors null_;
  support::Report& report_;
};

// Names end with the steps per sample.
void measure(const std::vector<Toss>& tosses, support::Report& report) {
  constexpr auto kEnergy = Functional::energy;
  constexpr auto kVelocity = Functional::velocity;
  constexpr auto kPredictive = ContactRows::predictive;
  constexpr auto kTouching = ContactRows::touching;
  Table table(tosses, report);
  for (int steps = 1; steps <= 3; ++steps) table.add<float>("default", steps);
  table.add<float>("default", 4, kBound);
  table.add<double>("default", 4, kBound);
  table.add<float, Relaxed<>>("relaxed", 4);
  table.add<float, Relaxed<kVelocity, kPredictive>>("velocity_form", 4);
  table.add<float, Relaxed<kEnergy, kPredictive, FrictionRule::resolved_by_state>>("friction_by_state", 4);
  table.add<float, Relaxed<kEnergy, kPredictive, FrictionRule::pyramid>>("friction_pyramid", 4);
  // The papers: rows of touching points only, friction that fades in, no bound on the speed out of a depth.
  const kinecast::ContactParameters<float> papers{100, 1e-3F, 100};
  table.add<float, Relaxed<kVelocity, kTouching, FrictionRule::resolved_by_state>>("papers", 4, kNoGate, papers);
  table.add<float, Relaxed<kVelocity, kTouching, FrictionRule::clipped>>("papers_clipped", 4, kNoGate, papers);
  table.add<float, kinecast::Penalty<>>("penalty", 4);
  table.add<float, kinecast::Fused<>>("fused", 4);
}

void measure_all(support::Report& report) {
  const std::filesystem::path folder(KINECAST_RECORDINGS_DIR "/cube_tosses");
  std::vector<Toss> tosses;
  for (const char* file : {"cube_tosses_id_mod4_0.csv", "cube_tosses_id_mod4_1.csv", "cube_tosses_id_mod4_2.csv"})
    read(folder / file, tosses);
  if (tosses.size() != 428) report.fail("428 tosses expected, found " + std::to_string(tosses.size()));
  measure(tosses, report);
}

}  // namespace

const support::Program support::program{"validation.cube_tosses", measure_all};
