// SPDX-License-Identifier: MIT
// The hash of everything that a bench's work finds, over all calls that the bench counts: the same inputs, the same order.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>

#include "../bench/inputs.hpp"
#include "../bench/robots.hpp"
#include "../bench/works.hpp"
#include "bits.hpp"

namespace bits {

// The works take turns in one piece of memory: all of them together are more than a board has.
#if defined(__ARM_ARCH_6M__)
inline constexpr std::size_t kLargestWork = 5 * 1024;  // of 16 KB, half of which are stack
#else
inline constexpr std::size_t kLargestWork = 64 * 1024;
#endif
inline constexpr std::size_t kWorkAlignment = 16;
alignas(kWorkAlignment) inline unsigned char work_memory[kLargestWork];

template <class ThisWork, const auto& R, class S>
void print_bits_of(const char* run) noexcept {
  static_assert(alignof(ThisWork) <= kWorkAlignment, "the memory of the works is aligned for all of them");
  static_assert(sizeof(ThisWork) <= kLargestWork, "the memory of the works holds the largest of them");
  ThisWork* const work = new (work_memory) ThisWork();
  bench::Random random;
  bench::Inputs<R, S> in;
  Bits bits;
  for (int i = 0; i < bench::kCallsOf<ThisWork>; ++i) {
    bench::next_state(random, in);
    kinecast::Status status = work->prepare(in);
    if (ok(status)) status = work->run(in);
    if (!ok(status)) {
      kinecast::port::put(run);
      kinecast::port::put(": ");
      kinecast::port::put(sentence(status));
      kinecast::port::put("\n");
      kinecast::port::exit(1);
    }
    work->results(bits);
  }
  bits.print(run);
}

// A board whose memory does not hold the work prints nothing of it.
template <template <const auto&, class> class Work, const auto& R, class S>
void print_work_bits([[maybe_unused]] const char* run) noexcept {
#if defined(__ARM_ARCH_6M__)
  if constexpr (sizeof(Work<R, S>) <= kLargestWork)
#endif
    print_bits_of<Work<R, S>, R, S>(run);
}

}  // namespace bits
