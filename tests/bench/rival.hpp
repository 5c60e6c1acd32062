// SPDX-License-Identifier: MIT
// What the comparisons with MuJoCo share: a model from MJCF text, times of batches, and the lines that run.py reads.
#pragma once

#include <mujoco/mujoco.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace bench {

struct FreeMujoco {
  void operator()(mjModel* model) const noexcept { mj_deleteModel(model); }
  void operator()(mjData* data) const noexcept { mj_deleteData(data); }
};
using MujocoModel = std::unique_ptr<mjModel, FreeMujoco>;
using MujocoData = std::unique_ptr<mjData, FreeMujoco>;

// Null, and a sentence on stderr, if MuJoCo refuses the text.
inline MujocoModel load_mujoco(const std::string& xml) {
  mjVFS files;
  mj_defaultVFS(&files);
  mj_makeEmptyFileVFS(&files, "robot.xml", static_cast<int>(xml.size()));
  std::memcpy(files.filedata[0], xml.data(), xml.size());
  char error[500] = "";
  MujocoModel model(mj_loadXML("robot.xml", &files, error, sizeof error));
  mj_deleteVFS(&files);
  if (!model) std::fprintf(stderr, "MuJoCo refuses the robot: %s\n", error);
  return model;
}

template <class Call>
double ns_per_call(int calls, Call&& call) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  for (int i = 0; i < calls; ++i) call();
  const std::chrono::duration<double, std::nano> time = Clock::now() - start;
  return time.count() / calls;
}

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// run.py records by this line whom the ratios compare with.
inline void print_version() { std::printf("RIVAL MuJoCo %s\n", mj_versionString()); }

inline void report(const char* work, const char* robot, const char* scalar, const char* metric, double value) {
  std::printf("BENCH %s %s %s %s %.2f\n", work, robot, scalar, metric, value);
}

}  // namespace bench
