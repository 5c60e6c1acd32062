// SPDX-License-Identifier: MIT
#include "run.hpp"

#include "../text/progress.hpp"
#include "../text/text.hpp"
#include "carried_runner.hpp"
#include "compiled_program.hpp"
#include "json_values.hpp"
#include "number_program.hpp"
#include "runner.hpp"

#include <kinecast/core/status.hpp>

#include <chrono>
#include <sstream>

namespace kinecast::host {
namespace {

bool can_touch(const Scenario& scenario) { return scenario.contacts_at_once > 0; }

// Comments say where a robot comes from; the same robot from elsewhere is the same program.
std::string without_comments(const std::string& header) {
  std::istringstream lines(header);
  std::string out;
  for (std::string line; std::getline(lines, line);)
    if (trimmed(line).substr(0, 2) != "//") out += line + "\n";
  return out;
}

// Only what decides the types: all numbers of the environment are in the plan.
ProgramSource source_of(const ImportedRobot& robot, const std::string& scalar, const Scenario& scenario) {
  const std::string types = "robots::" + robot.identifier + ", " + scalar;
  std::string main = "#include \"robot.hpp\"\n#include \"runner.hpp\"\n\n";
  if (can_touch(scenario)) {
    main += "inline constexpr auto world = kinecast::environment(\n";
    for (std::size_t i = 0; i < scenario.surfaces.size(); ++i) {
      const std::string name = "\"" + std::to_string(i) + "\"";
      const bool is_box = scenario.surfaces[i].shape.form == SurfaceDescription::Form::box;
      main += (is_box ? "    kinecast::box(" + name + ", kinecast::size(1, 1, 1))"
                      : "    kinecast::half_space(" + name + ")");
      main += i + 1 < scenario.surfaces.size() ? ",\n" : ");\n\n";
    }
    main += "int main() { return runner::run<" + types + ", world, " + std::to_string(scenario.contacts_at_once) +
            ">(); }\n";
  } else {
    main += "int main() { return runner::run<" + types + ">(); }\n";
  }
  return {robot.robot.name,
          main,
          {{"robot.hpp", without_comments(header_of(robot, scalar, "kinecast simulate"))}, {"runner.hpp", kRunner}}};
}

// In the order in which runner.hpp reads it.
std::vector<double> plan_of(const Joints& joints, const Scenario& scenario) {
  std::vector<double> out{static_cast<double>(scenario.steps), static_cast<double>(scenario.steps_per_row),
                          scenario.step_s};
  out.insert(out.end(), scenario.q.begin(), scenario.q.end());
  out.insert(out.end(), scenario.dq.begin(), scenario.dq.end());
  out.push_back(static_cast<double>(scenario.commands.size()));
  for (const JointCommand& c : scenario.commands) {
    const JointPlace& place = joints.places[static_cast<std::size_t>(c.joint)];
    out.insert(out.end(), {static_cast<double>(place.v), static_cast<double>(place.q), c.is_pd ? 1.0 : 0.0, c.kp, c.kd,
                           c.value.is_held ? 1.0 : 0.0, static_cast<double>(c.value.points.size())});
    for (const auto& [time, value] : c.value.points) out.insert(out.end(), {time, value});
  }
  if (!can_touch(scenario)) return out;
  for (const ScenarioSurface& s : scenario.surfaces) {
    out.insert(out.end(), s.shape.position_m.begin(), s.shape.position_m.end());
    for (const Triple& row : s.shape.rotation) out.insert(out.end(), row.begin(), row.end());
    for (const double edge : s.shape.size_m) out.push_back(0.5 * edge);
    out.insert(out.end(), {s.static_friction, s.kinetic_friction, s.restitution, s.compensation_per_s, s.relaxation});
  }
  return out;
}

class Reader {
 public:
  Reader(NumberProgram& from, const Joints& joints, const Description& robot, const Scenario& scenario)
      : from_(from), joints_(joints), robot_(robot), scenario_(scenario), progress_("simulating") {}

  // False: the program ended in the middle.
  [[nodiscard]] bool read(Run& out, kinecast::Status& status, long& steps, int& refused) {
    for (;;) {
      const double tag = number();
      if (failed_) return false;
      switch (static_cast<runner::Tag>(static_cast<int>(tag))) {
        case runner::Tag::sample:
          out.samples.push_back(sample());
          break;
        case runner::Tag::progress:
          progress_.show_share(number() / static_cast<double>(scenario_.steps));
          break;
        case runner::Tag::end:
          status = static_cast<kinecast::Status>(whole());
          steps = static_cast<long>(number());
          refused = whole();
          end(out);
          return !failed_;
      }
    }
  }

 private:
  [[nodiscard]] double number() {
    double value = 0;
    if (!from_.read(value)) failed_ = true;
    return failed_ ? 0 : value;
  }
  [[nodiscard]] int whole() { return static_cast<int>(number()); }
  [[nodiscard]] double time_of(double step) const { return step * scenario_.step_s; }
  [[nodiscard]] std::vector<double> list(std::size_t count) {
    std::vector<double> out(count);
    for (double& x : out) x = number();
    return out;
  }
  [[nodiscard]] Triple triple() {
    Triple out{};
    for (double& x : out) x = number();
    return out;
  }

  [[nodiscard]] Sample sample() {
    Sample s;
    s.time_s = time_of(number());
    s.q = list(joints_.positions.size());
    s.dq = list(joints_.velocities.size());
    s.command = list(joints_.velocities.size());
    s.torque_Nm = list(joints_.velocities.size());
    for (std::size_t i = 0; i < robot_.links.size(); ++i) {
      Rows turn{};
      LinkPose pose;
      for (std::size_t row = 0; row < 3; ++row) turn[row] = triple(), pose.position_m[row] = number();
      pose.quaternion = quaternion_of(turn);
      s.links.push_back(pose);
    }
    s.kinetic_J = number();
    s.potential_J = number();
    const int contacts = whole();
    for (int i = 0; i < contacts && !failed_; ++i) {
      ContactSample c;
      c.point = robot_.points.at(static_cast<std::size_t>(whole())).name;
      c.position_m = triple();
      c.force_N = triple();
      c.normal_N = number();
      c.slides = whole() != 0;
      s.contacts.push_back(c);
    }
    return s;
  }

  void end(Run& out) {
    out.fast_joint = whole();
    for (int i = 0; i < runner::kWarnings; ++i) {
      const auto steps = static_cast<long>(number());
      const double first_s = time_of(number());
      if (steps > 0) out.warnings.push_back({sentence(static_cast<kinecast::Status>(i)), steps, first_s});
    }
    out.peak_N = number();
    out.peak_s = time_of(number());
    out.start_depth_m = number();
    out.start_point = whole();
    out.start_surface = whole();
    for (std::size_t i = 0; i < joints_.velocities.size(); ++i) {
      out.saturated.push_back(static_cast<long>(number()));
      out.stop_torque.push_back(number());
    }
  }

  NumberProgram& from_;
  const Joints& joints_;
  const Description& robot_;
  const Scenario& scenario_;
  Progress progress_;
  bool failed_{false};
};

[[noreturn]] void refuse_step(const Joints& joints, const Scenario& scenario, kinecast::Status status, long steps,
                              int refused) {
  const std::string joint =
      refused < 0 ? "" : ", joint " + printable(joints.velocities.at(static_cast<std::size_t>(refused)).name);
  throw Failure(ExitCode::bad_input, scenario.file + ": the simulation stopped at " +
                                         rounded(static_cast<double>(steps) * scenario.step_s, 6) + " s" + joint +
                                         ": " + sentence(status) +
                                         ". Nothing was written; a shorter \"step_s\" or smaller " + "gains may help");
}

}  // namespace

Run run_scenario(const ImportedRobot& robot, const std::string& scalar, const Joints& joints,
                 const Scenario& scenario) {
  const std::filesystem::path program = compiled_program(source_of(robot, scalar, scenario));
  const auto start = std::chrono::steady_clock::now();
  NumberProgram running(program, plan_of(joints, scenario));
  Run out;
  kinecast::Status status = kinecast::Status::ok;
  long steps = 0;
  int refused = -1;
  const bool complete = Reader(running, joints, robot.robot, scenario).read(out, status, steps, refused);
  const int code = running.exit_code();
  if (code == runner::kBadEnvironment)
    throw Failure(ExitCode::bad_input, scenario.file + ": environment: the library refuses these numbers");
  if (!complete || code != 0)
    throw Failure(ExitCode::environment,
                  program.string() + ": ended unexpectedly with exit code " + std::to_string(code));
  if (!ok(status)) refuse_step(joints, scenario, status, steps, refused);
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  out.wall_s = passed.count();
  return out;
}

}  // namespace kinecast::host
