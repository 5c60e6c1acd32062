// SPDX-License-Identifier: MIT
// A scenario.json, read strictly: which robot the URDF becomes, where it starts, what it is told, what it can touch, how long.
//
//   {
//     "base": "floating",                  "floating" or "fixed" (default), as of `kinecast import --base`
//     "drives": "drives.json",             as of --drives; paths are relative to this file
//     "contacts": "auto",                  "auto" (default), "none" or a contacts.json, as of --contacts
//     "gravity_mps2": [0, 0, -9.80665],
//     "duration_s": 2,                     rounded to whole steps
//     "step_s": 1e-3,
//     "output_s": 0.01,                    between rows of the CSV; default: every step, up to 20 000 rows
//     "contacts_at_once": 8,               how many the solver has room for; default: all that there can be, at most 12
//     "start": {
//       "q": {"elbow": 1.2},               rad, or m at a slide; what is not named starts at 0
//       "dq": {"elbow": 0.5},              rad/s, or m/s
//       "base": {                          of a floating base: its link's frame in the world
//         "position_m": [0, 0, 0.5], "rpy": [0, 0, 0],              or "quaternion_wxyz": [1, 0, 0, 0]
//         "linear_mps": [0, 0, 0], "angular_radps": [0, 0, 0]       world axes
//       }
//     },
//     "commands": {                        by joint; what is not named gets 0
//       "elbow": {"torque_Nm": 1.5},       "force_N" at a slide, "voltage_V" at a DC motor, "velocity" where that is given
//       "wrist": {"pd": {"kp": 20, "kd": 1, "target": [[0, 0], [1, 0.5]]}},
//       "hand": {"csv": {"file": "log.csv", "column": "u", "time": "t"}}
//     },
//     "environment": [
//       {"ground": {"name": "floor", "height_m": 0, "rpy": [0, 0, 0], "friction": 0.8}},
//       {"box": {"name": "step", "at_m": [1, 0, 0.05], "rpy": [0, 0, 0], "size_m": [0.5, 1, 0.1], "friction": [0.8, 0.6],
//                "restitution": 0, "compensation_per_s": 200, "relaxation": 0.01}}
//     ]
//   }
//
// A value over time is a number; or [[t, v], …], linear between the points, held before the first and after the last, and a jump
// where two points have the same t; or {"file", "column", "time"} of a CSV, each row held until the next, the last to the end,
// the first from 0 on.
// A PD's output, kp (target - q) - kd dq, is computed at every step and is in the unit of its joint's command: N.m, N or V.
#pragma once

#include "../robot/imported_robot.hpp"
#include "../text/json_table.hpp"
#include "joints.hpp"
#include "record.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kinecast::host {

struct ValueOverTime {
  bool is_held{false};                            // between points; otherwise linear
  std::vector<std::pair<double, double>> points;  // time and value; at least one
};

struct JointCommand {
  int joint{0};  // index in Joints::places
  bool is_pd{false};
  double kp{0};
  double kd{0};
  ValueOverTime value{};  // of the command, or the target
};

struct ScenarioSurface {
  SurfaceDescription shape;
  double static_friction{0.5};  // defaults: kinecast/model/environment/material.hpp
  double kinetic_friction{0.5};
  double restitution{0};
  double compensation_per_s{200};
  double relaxation{1e-2};
};

struct Scenario {
  std::string file;
  long steps{0};
  double step_s{1e-3};
  long steps_per_row{1};
  std::vector<double> q;
  std::vector<double> dq;
  std::vector<JointCommand> commands;
  std::vector<ScenarioSurface> surfaces;
  int contacts_at_once{0};
  std::vector<std::string> notes;   // a sentence each
  std::vector<std::string> inputs;  // files that it names
};

// What the command line says goes before what the file says.
struct ScenarioOverrides {
  std::string base;
  std::string drives;
  std::string contacts;
};

class ScenarioFile {
 public:
  explicit ScenarioFile(const std::string& file);
  // The robot that the file asks for.
  [[nodiscard]] ImportOptions import_options(const std::string& urdf, const ScenarioOverrides& overrides) const;
  [[nodiscard]] std::optional<Triple> gravity_mps2() const;
  // The rest of it, for that robot.
  [[nodiscard]] Scenario scenario_of(const Description& robot, const Joints& joints) const;

 private:
  [[nodiscard]] JsonTable top() const;
  [[nodiscard]] std::string beside(const std::string& path) const;

  std::string file_;
  std::shared_ptr<const Json> document_;
};

}  // namespace kinecast::host
