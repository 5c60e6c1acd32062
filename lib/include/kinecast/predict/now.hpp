// SPDX-License-Identifier: MIT
// Everything that survives from one step of a Predictor to the next, in one struct. Rollout and the rollback of an
// event-driven step copy it; snapshot() and restore() copy the part of it that later steps depend on; an absent feature
// is an empty type. A step works on copies of its Outcome and its report, and writes what contacts remember and report
// in place when nothing can fail any more: a copy of those would cost hundreds of instructions in every step.
#pragma once

#include <kinecast/dynamics/driven_dynamics.hpp>
#include <kinecast/predict/integrate.hpp>

#include <array>
#include <cstddef>
#include <type_traits>

namespace kinecast::detail {

// The first degree of freedom that was faster than its speed limit at the end of the last step; -1: none was.
struct FastJoint {
  int joint{-1};
};
struct NoFastJoint {
  static constexpr int joint = -1;
};

// Where a step leads to: the state, and what the drives remember of it.
template <const auto& R, class S, class DriveMemory>
struct Outcome {
  State<R, S> state;
  DriveMemory drives{};
};

template <const auto& R, class S, class DriveMemory, class ContactMemory, class Rigidity, class ContactReport,
          class EventReport>
struct Now : Outcome<R, S, DriveMemory> {
  using Shape = kinecast::Shape<R>;
  using Outcome = detail::Outcome<R, S, DriveMemory>;

  Report<R, S> report{};
  ContactReport contact_report{};
  Rigidity rigidity{};
  ContactMemory contacts{};
  EventReport events{};
  std::conditional_t<(Shape::kHas.speed_limits > 0), FastJoint, NoFastJoint> fast{};

  // What later steps depend on, trivially copyable (Eigen's vectors are not).
  struct Snapshot {
    std::array<S, static_cast<std::size_t>(Shape::kPositions)> q;
    std::array<S, static_cast<std::size_t>(Shape::kDofs)> dq;
    DriveMemory memory;
    ContactMemory contacts;
    Rigidity rigidity;
  };

  [[nodiscard]] Snapshot snapshot() const noexcept {
    static_assert(std::is_trivially_copyable_v<Snapshot>);
    Snapshot copy{{}, {}, this->drives, contacts, rigidity};
    for (int i = 0; i < Shape::kPositions; ++i) copy.q[static_cast<std::size_t>(i)] = this->state.q[i];
    for (int i = 0; i < Shape::kDofs; ++i) copy.dq[static_cast<std::size_t>(i)] = this->state.dq[i];
    return copy;
  }
  void restore(const Snapshot& from) noexcept {
    for (int i = 0; i < Shape::kPositions; ++i) this->state.q[i] = from.q[static_cast<std::size_t>(i)];
    for (int i = 0; i < Shape::kDofs; ++i) this->state.dq[i] = from.dq[static_cast<std::size_t>(i)];
    this->drives = from.memory;
    contacts = from.contacts;
    rigidity = from.rigidity;
  }
  void commit(const Outcome& next) noexcept { static_cast<Outcome&>(*this) = next; }
};

}  // namespace kinecast::detail
