// SPDX-License-Identifier: MIT
// A two-joint arm with two 6:1 geared motors (DFKI, double pendulum, design C.1, sys_id runs of 2023-06-29) against its
// recordings: windows driven with the measured torque, error of both angles at the end. Parameters from the files' headers,
// nothing fitted here.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "recording.hpp"
#include "support/program.hpp"

namespace {

using kinecast::at;
using kinecast::at_joint;
using kinecast::body;
using kinecast::com;
using kinecast::coulomb;
using kinecast::inertia;
using kinecast::kAxisY;
using kinecast::link;
using kinecast::on;
using kinecast::revolute;
using kinecast::rotor_inertia;
using kinecast::viscous;
using recording::Recording;
using recording::Series;
using support::kNone;

// q = 0 hangs down; the links point along -z. The headers' inertias are about the joints.
constexpr double m1 = 0.5234602, m2 = 0.6255677;
constexpr double l1 = 0.2;
constexpr double r1 = 0.2, r2 = 0.2556931;
constexpr double I1 = 0.0318872, I2 = 0.0508698;
constexpr double Ir = 6.2872e-5;
constexpr double gr = 6;
constexpr double b = 0.001;
constexpr double kCoulomb1 = 0.16 * 1.5707963267948966;  // published as cf atan(100 dq): cf pi/2 at speed
constexpr double kCoulomb2 = 0.12 * 1.5707963267948966;

// The header's rotors couple: the elbow's rotor sits on link 1 and turns against its gear, with dq1 - gr dq2, so that
//   m00 += gr² Ir + Ir,  m01 -= gr Ir,  m11 += gr² Ir.
// The library's rotors do not couple (method 1.2), but the extra terms are constants, and a planar arm's mass matrix has three:
//   I2 in m00, m01, m11;  I1 and the shoulder's rotor in m00;  the elbow's rotor in m11.
// Taking gr Ir from I2 and giving it back to both rotors is therefore the same matrix, exactly. (Without the coupling the
// scores would be 4 to 9 % lower: the header's model is not the best one, but it is the published one.)
constexpr double kElbowRotor = (gr * gr + gr) * Ir;
constexpr double kShoulderRotor = (gr * gr + 1 + gr) * Ir;
constexpr double kInertia1 = I1 - m1 * r1 * r1;  // about the centre of mass
constexpr double kInertia2 = I2 - gr * Ir - m2 * r2 * r2;

constexpr auto kArm = kinecast::robot(
    "double pendulum", kinecast::gravity(0, 0, -9.81),
    link("upper", on("world"), revolute(kAxisY), body(m1, com(0, 0, -r1), inertia(kInertia1, kInertia1, kInertia1)),
         at_joint(rotor_inertia(kShoulderRotor), coulomb(kCoulomb1), viscous(b))),
    link("fore", on("upper"), revolute(kAxisY), at(0, 0, -l1),
         body(m2, com(0, 0, -r2), inertia(kInertia2, kInertia2, kInertia2)),
         at_joint(rotor_inertia(kElbowRotor), coulomb(kCoulomb2), viscous(b))));
constexpr auto kNull = recording::without_dry_friction(kArm);

struct File {
  explicit File(const Recording& recording)
      : time(recording["t_s"]),
        angle{recording["q1_rad"], recording["q2_rad"]},
        torque{recording["tau_meas1_Nm"], recording["tau_meas2_Nm"]} {}
  Series time;
  std::array<Series, 2> angle;
  std::array<Series, 2> torque;
};

struct Horizon {
  const char* name;
  std::size_t samples;  // at the nominal 500 Hz
  std::array<double, 2> reference;
  std::array<double, 2> gate;
};
constexpr std::array<Horizon, 4> kHorizons{{{"0.05s", 25, {0.0086, 0.0157}, {0.0095, 0.0175}},
                                            {"0.1s", 50, {0.020, 0.038}, {0.022, 0.042}},
                                            {"0.2s", 100, {0.047, 0.086}, {0.052, 0.095}},
                                            {"0.5s", 250, {0.065, 0.099}, {kNone, kNone}}}};

// Error of both angles at the end of every window of every file, in rad.
template <const auto& R, class S>
std::array<double, 2> in_windows(const std::vector<File>& files, std::size_t length, int steps_per_sample) {
  std::array<recording::RootMeanSquare, 2> errors;
  kinecast::Predictor<R, S> predictor;
  for (const File& file : files) {
    const auto predict = [&](std::size_t begin, std::size_t end) {
      auto state = kinecast::zero_state<R, S>();
      for (std::size_t i = 0; i < 2; ++i) {
        const auto joint = static_cast<Eigen::Index>(i);
        state.q[joint] = static_cast<S>(file.angle[i][begin]);
        state.dq[joint] = static_cast<S>(recording::start_velocity(file.time, file.angle[i], begin));
      }
      support::require(predictor.reset(state), "reset");
      for (std::size_t k = begin; k < end; ++k) {
        const kinecast::Command<R, S> torque(static_cast<S>(file.torque[0][k]), static_cast<S>(file.torque[1][k]));
        // The samples are not evenly spaced: each step lasts as long as it did.
        const double dt_s = (file.time[k + 1] - file.time[k]) / steps_per_sample;
        for (int i = 0; i < steps_per_sample; ++i)
          support::require(predictor.step(torque, static_cast<S>(dt_s)), "step");
      }
      for (std::size_t i = 0; i < 2; ++i)
        errors[i].see(static_cast<double>(predictor.state().q[static_cast<Eigen::Index>(i)]) - file.angle[i][end]);
    };
    recording::for_each_window({100, 150, length}, file.time.size(), predict);
  }
  return {errors[0].value(), errors[1].value()};
}

template <class S>
void measure(const std::vector<File>& files, int steps_per_sample, const std::string& ending, support::Report& report) {
  for (const Horizon& horizon : kHorizons) {
    const std::array<double, 2> ours = in_windows<kArm, S>(files, horizon.samples, steps_per_sample);
    const std::array<double, 2> null = in_windows<kNull, S>(files, horizon.samples, steps_per_sample);
    for (std::size_t i = 0; i < 2; ++i) {
      support::Score score;
      score.set = "double_pendulum";
      score.protocol = "windows";
      score.robot = 'q' + std::to_string(i + 1) + '_' + horizon.name + ending;
      score.scalar = support::scalar_name<S>();
      score.ours = ours[i];
      score.null = null[i];
      score.reference = horizon.reference[i];
      score.gate = horizon.gate[i];
      score.unit = "rad";
      report.add_recording(score);
    }
  }
}

void measure_all(support::Report& report) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(KINECAST_RECORDINGS_DIR "/dfki_double_pendulum"))
    if (entry.path().extension() == ".csv") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<File> files;
  files.reserve(paths.size());
  for (const auto& path : paths) files.emplace_back(Recording(path));
  // A step per sample, as a predictor on the robot would; and a quarter of it, so that no gate is passed by the integrator's
  // error.
  measure<double>(files, 1, "", report);
  measure<float>(files, 1, "", report);
  measure<double>(files, 4, "_step_0.5ms", report);
  measure<float>(files, 4, "_step_0.5ms", report);
}

}  // namespace

const support::Program support::program{"validation.double_pendulum", measure_all};
