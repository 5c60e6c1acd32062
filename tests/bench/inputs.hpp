// SPDX-License-Identifier: MIT
// The states that a bench measures: random, the same ones on every machine.
#pragma once

#include <kinecast/model/model.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace bench {

inline constexpr int kStates = 16;

// How many calls of a work are counted: one per state, unless it says otherwise.
template <class Work, class = void>
inline constexpr int kCallsOf = kStates;
template <class Work>
inline constexpr int kCallsOf<Work, std::void_t<decltype(Work::kCalls)>> = Work::kCalls;

// Whether a work's calls may end with a warning: those of the most expensive steps may.
template <class Work, class = void>
inline constexpr bool kMayWarn = false;
template <class Work>
inline constexpr bool kMayWarn<Work, std::void_t<decltype(Work::kMayWarn)>> = Work::kMayWarn;

// Whether mean and 99.9th percentile of a work's calls are asked for.
template <class Work, class = void>
inline constexpr bool kHasDistribution = false;
template <class Work>
inline constexpr bool kHasDistribution<Work, std::void_t<decltype(Work::kHasDistribution)>> = Work::kHasDistribution;

// Whether a work did what its row says, where it can tell.
template <class Work>
[[nodiscard]] auto is_as_said(const Work& work, int /*preferred*/) noexcept -> decltype(work.is_as_said()) {
  return work.is_as_said();
}
template <class Work>
[[nodiscard]] bool is_as_said(const Work& /*work*/, long /*otherwise*/) noexcept {
  return true;
}

template <const auto& R, class S>
struct Inputs {
  kinecast::Position<R, S> q;
  kinecast::Velocity<R, S> dq;
  kinecast::Velocity<R, S> tau;
};

// Marsaglia's xorshift, 32 bit.
class Random {
 public:
  // Uniform in [-size, size).
  template <class S>
  [[nodiscard]] S within(S size) noexcept {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 17U;
    state_ ^= state_ << 5U;
    return size * (S(1) / S(2147483648)) * static_cast<S>(static_cast<std::int32_t>(state_));
  }

 private:
  std::uint32_t state_{2463534242U};
};

// Not a template over the robot, so that the base firmware (firmware.cpp) contains all of it for every robot.
template <class S>
[[gnu::noipa]] void fill(Random& random, S size, S* values, int count) noexcept {
  for (int i = 0; i < count; ++i) values[i] = random.within(size);
}

// A unit quaternion without a square root: the square of any other one, over its length squared.
template <class S>
[[gnu::noipa]] void square_quaternion(S* p) noexcept {
  const S w = p[0] + S(2);  // not near zero
  const S v = p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
  const S scale = S(1) / (w * w + v);
  p[0] = (w * w - v) * scale;
  for (int i = 1; i < 4; ++i) p[i] = S(2) * w * p[i] * scale;
}

// First entry in q of every quaternion of a robot.
template <const auto& R>
inline constexpr auto kQuaternions = [] {
  using Shape = kinecast::Shape<R>;
  std::array<int, static_cast<std::size_t>(Shape::kHas.floating + Shape::kHas.spherical + 1)> first{};
  std::size_t count = 0;
  for (int b = 0; b < Shape::kBodies; ++b)
    if (Shape::is_floating(b) || Shape::is_spherical(b))
      first[count++] = Shape::q_of(b) + (Shape::is_floating(b) ? 3 : 0);
  first[count] = -1;
  return first;
}();

// Angles all around, moderate rates and torques.
template <const auto& R, class S>
void next_state(Random& random, Inputs<R, S>& in) noexcept {
  using Shape = kinecast::Shape<R>;
  fill(random, S(3.1), in.q.data(), Shape::kPositions);
  fill(random, S(2), in.dq.data(), Shape::kDofs);
  fill(random, S(5), in.tau.data(), Shape::kDofs);
  for (const int* first = kQuaternions<R>.data(); *first >= 0; ++first) square_quaternion(in.q.data() + *first);
}

}  // namespace bench
