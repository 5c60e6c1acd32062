// SPDX-License-Identifier: MIT
// Where the tool finds the library's headers, Eigen, the boards' start-up code and the toolchain files: beside itself if it was
// installed, else in the checkout that it was built from.
#pragma once

#include <filesystem>

namespace kinecast::host {

struct Home {
  std::filesystem::path include;     // holds kinecast/kinecast.hpp
  std::filesystem::path eigen;       // holds Eigen/Core
  std::filesystem::path ports;       // holds stm32f405/board.ld
  std::filesystem::path toolchains;  // holds stm32f405.cmake
  std::filesystem::path package;     // holds kinecast-config.cmake
};

// Throws Failure (environment) that says what is missing and how to mend it.
[[nodiscard]] const Home& home();

}  // namespace kinecast::host
