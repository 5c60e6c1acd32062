// SPDX-License-Identifier: MIT
#include "home.hpp"

#include "failure.hpp"

namespace kinecast::host {
namespace {

Home find_home() {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path prefix = fs::read_symlink("/proc/self/exe", ignored).parent_path().parent_path();
  const fs::path installed = prefix / "share" / "kinecast";
  if (fs::exists(installed / "cmake" / "kinecast-config.cmake", ignored))
    return {prefix / "include", KINECAST_EIGEN, installed / "ports", installed / "toolchains", installed / "cmake"};
  const fs::path checkout = KINECAST_CHECKOUT;
  return {checkout / "lib" / "include", KINECAST_EIGEN, checkout / "ports", checkout / "toolchains",
          fs::path(KINECAST_BUILD_PACKAGE)};
}

}  // namespace

const Home& home() {
  static const Home found = find_home();
  std::error_code ignored;
  if (!std::filesystem::exists(found.include / "kinecast" / "kinecast.hpp", ignored))
    throw Failure(ExitCode::environment,
                  found.include.string() +
                      ": the library's headers are not there; install kinecast (cmake --install), "
                      "or run the tool from the checkout that it was built in");
  if (!std::filesystem::exists(found.eigen / "Eigen" / "Core", ignored))
    throw Failure(ExitCode::environment,
                  found.eigen.string() + ": Eigen is not there; install libeigen3-dev (sh toolchains/setup.sh)");
  return found;
}

}  // namespace kinecast::host
