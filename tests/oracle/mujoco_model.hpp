// SPDX-License-Identifier: MIT
// MuJoCo's model of a text, MJCF or URDF, and its data, freed by their owners.
#pragma once

#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

namespace oracle {

struct DeleteModel {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
};
struct DeleteData {
  void operator()(mjData* d) const { mj_deleteData(d); }
};
using MujocoModel = std::unique_ptr<mjModel, DeleteModel>;
using MujocoData = std::unique_ptr<mjData, DeleteData>;

[[nodiscard]] inline MujocoModel load(const std::string& text) {
  const auto files = std::make_unique<mjVFS>();  // 2 MB
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "robot.xml", static_cast<int>(text.size()));
  const int file = mj_findFileVFS(files.get(), "robot.xml");
  std::memcpy(files->filedata[file], text.data(), text.size());
  char error[500] = "";
  MujocoModel model(mj_loadXML("robot.xml", files.get(), error, sizeof error));
  mj_deleteVFS(files.get());
  if (!model) throw std::runtime_error(error);
  return model;
}

[[noreturn]] inline void end_on_mujoco_error(const char* message) {
  std::printf("FAILED: MuJoCo says: %s\n", message);
  std::exit(1);
}

}  // namespace oracle
