// SPDX-License-Identifier: MIT
// The table of lib/docs/memory_and_time.md: what a Predictor weighs, by robot, by the number of contacts that it has room for and by
// scalar. Nothing runs: sizeof is the bill.
#include <kinecast/predict/predictor.hpp>

#include <cstdio>

#include "arm_on_ground/arm.hpp"
#include "robots/boxes.hpp"
#include "robots/drives.hpp"

namespace {

using namespace kinecast;

inline constexpr auto crate = robots::make_box(2, 0.3, 0.2, 0.1);
inline constexpr auto ground = environment(half_space("ground", material(friction(0.6))));

template <class Float, class Double>
void print(const char* robot, int contacts) {
  std::printf("%-26s %8d %13zu %12zu %14zu\n", robot, contacts, sizeof(Float), sizeof(typename Float::Snapshot),
              sizeof(Double));
}
template <const auto& R>
void print_free(const char* robot) {
  print<Predictor<R, float>, Predictor<R, double>>(robot, 0);
}
template <const auto& R, int Most>
void print_touching(const char* robot) {
  print<Predictor<R, float, Contacts<ground, Most>>, Predictor<R, double, Contacts<ground, Most>>>(robot, Most);
}

}  // namespace

int main() {
  std::printf("robot                      contacts  float: RAM B   snapshot B  double: RAM B\n");
  print_free<robots::drive_unit>("one geared motor");
  print_free<robots::arm6_drives>("6R arm, six geared motors");
  print_free<example::arm>("two-link arm, two motors");
  print_touching<example::arm, 1>("the same");
  print_touching<example::arm, 2>("the same");
  print_touching<example::arm, 4>("the same");
  print_free<crate>("free box");
  print_touching<crate, 2>("the same");
  print_touching<crate, 4>("the same");
  print_touching<crate, 8>("the same");
}
