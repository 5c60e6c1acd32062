// SPDX-License-Identifier: MIT
// The main README's example on a board: when does the arm's tip touch the ground, and what does the answer cost?
// Float only, no heap.
#include <kinecast/kinecast.hpp>

#include "arm.hpp"
#include "kinecast_port/example.hpp"

namespace {

using namespace kinecast;
using example::arm;
using example::world;

Predictor<arm, float, Contacts<world, 2>> predictor;  // all the RAM that the forecast needs

// V for the motor, N.m for the other joint. Not inlined, so that its stack can be measured.
[[gnu::noinline]] Status step() { return predictor.step({12.0F, 0.2F}, 1e-3F); }

}  // namespace

int main() {
  const bool counts = port::counter_start();
  std::uint32_t most = 0;
  int ms = 0;
  for (; ms < 1000 && !predictor.contact_report().touching(); ++ms) port::raise(port::count_step(step), most);
  port::print("the tip touches in ", port::integer(ms), " ms\n");

  const std::uint32_t stack_bytes = port::stack_of_step(predictor, step);
  if (!port::begin_costs(counts)) return 0;
  port::print_cost("instructions per step, at most", most);
  port::print_bytes("stack of a step that touches", stack_bytes);
  port::print_bytes("RAM of the predictor", sizeof predictor);
  port::print_bytes("RAM of a snapshot", sizeof predictor.snapshot());
  port::print_bytes("RAM of this firmware, without stack", port::ram_static_bytes());
  port::print_bytes("flash of this firmware", port::flash_used_bytes());
  return 0;
}
