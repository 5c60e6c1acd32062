// SPDX-License-Identifier: MIT
// One bench: one work on one robot in one scalar, chosen by compile definitions (CMakeLists.txt), so that the size of
// the program is the work's own. Prints `BENCH work robot scalar metric value` for run.py.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "inputs.hpp"
#include "kinecast_port/text.hpp"
#include "robots.hpp"
#include "works.hpp"

namespace {

namespace port = kinecast::port;
using Scalar = KINECAST_BENCH_SCALAR;
using Inputs = bench::Inputs<KINECAST_BENCH_ROBOT, Scalar>;
using Work = bench::KINECAST_BENCH_WORK<KINECAST_BENCH_ROBOT, Scalar>;
constexpr int kCalls = bench::kCallsOf<Work>;
constexpr bool kHasDistribution = bench::kHasDistribution<Work>;

// The counts of all calls, where their distribution is asked for.
std::array<std::uint32_t, kHasDistribution ? static_cast<std::size_t>(kCalls) : 0> counts_of_calls;

void report(const char* metric, std::uint32_t value) noexcept {
  port::put("BENCH " KINECAST_BENCH_NAME " ");
  port::put(metric);
  port::put(" ");
  port::put(port::integer(value));
  port::put("\n");
}

int fail(const char* sentence) noexcept {
  port::put("bench " KINECAST_BENCH_NAME ": ");
  port::put(sentence);
  port::put("\n");
  return 1;
}

}  // namespace

// Static, as in a firmware: the difference to the base firmware's variables is the work's RAM. Visible outside: results
// that nobody can read would not be computed.
Work bench_work;

// What is counted, the call and the return included. By this name run.py finds its stack bound, and callgrind its start.
extern "C" [[gnu::noipa]] kinecast::Status bench_call(const Inputs& in) noexcept { return bench_work.run(in); }

int main() {
  const bool counts = port::counter_start();
  bench::Random random;
  Inputs in;
  std::uint32_t most = 0;
  std::uint32_t least = UINT32_MAX;
  for (int i = 0; i < kCalls; ++i) {
    bench::next_state(random, in);
    kinecast::Status status = bench_work.prepare(in);
    if (!ok(status)) return fail(sentence(status));
    const std::uint32_t instructions = port::count([&] { status = bench_call(in); });
    // Not even a warning: a step that dropped a contact, or gave up iterating, is not the one to measure. (Unless the most
    // expensive one is looked for.)
    if (bench::kMayWarn<Work> ? !ok(status) : status != kinecast::Status::ok) return fail(sentence(status));
    if (!bench::is_as_said(bench_work, 0)) return fail("the robot is not where the scene says");
    most = instructions > most ? instructions : most;
    least = instructions < least ? instructions : least;
    if constexpr (kHasDistribution) counts_of_calls[static_cast<std::size_t>(i)] = instructions;
  }
  if (!counts) {  // the host: callgrind counts, and wants to know how many calls it saw
    report("calls", static_cast<std::uint32_t>(kCalls));
    return 0;
  }
  kinecast::Status status = bench_work.prepare(in);
  const std::uint32_t stack = port::stack_of([&] { status = bench_call(in); });
  if (!ok(status)) return fail(sentence(status));
  report("instructions", most);
  report("instructions_min", least);
  report("stack_B", stack);
  if constexpr (kHasDistribution) {
    std::uint64_t sum = 0;
    for (const std::uint32_t one : counts_of_calls) sum += one;
    report("instructions_mean", static_cast<std::uint32_t>(sum / counts_of_calls.size()));
    std::sort(counts_of_calls.begin(), counts_of_calls.end());
    report("instructions_p999", counts_of_calls[counts_of_calls.size() - 1 - counts_of_calls.size() / 1000]);
  }
  return 0;
}
