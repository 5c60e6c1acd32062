// SPDX-License-Identifier: MIT
// Everything that survives from one step of a Predictor to the next, reports included, in one struct. Rollouts,
// snapshots and integrators that can fail in the middle of a step copy it; an absent feature is an empty type.
#pragma once

#include <kinecast/contact/joint_limits.hpp>
#include <kinecast/dynamics/driven_dynamics.hpp>
#include <kinecast/predict/integrate.hpp>

#include <array>
#include <cstddef>
#include <type_traits>

namespace kinecast::detail {

// The first degree of freedom that was faster than its speed limit at the end of the last step; -1: none was.
struct FastJoint {
  int joint{-1};
  template <const auto& R, class S>
  [[nodiscard]] Status look(const Model<R, S>& model, const Velocity<R, S>& dq, Status status) noexcept {
    joint = find_too_fast(model, dq);
    return joint >= 0 && !is_warning(status) ? Status::too_fast : status;
  }
};
struct NoFastJoint {
  static constexpr int joint = -1;
  template <const auto& R, class S>
  [[nodiscard]] static Status look(const Model<R, S>& /*model*/, const Velocity<R, S>& /*dq*/, Status status) noexcept {
    return status;
  }
};

template <const auto& R, class S, class DriveMemory, class ContactMemory, class Rigidity, class ContactReport,
          class EventReport>
struct Now {
  using Shape = kinecast::Shape<R>;
  using Fast = std::conditional_t<(Shape::kHas.speed_limits > 0), FastJoint, NoFastJoint>;

  State<R, S> state;
  DriveMemory drives{};
  Report<R, S> report{};
  ContactReport contact_report{};
  Rigidity rigidity{};
  ContactMemory contacts{};
  EventReport events{};
  Fast fast{};

  // All of it, trivially copyable (Eigen's vectors are not).
  struct Snapshot {
    std::array<S, static_cast<std::size_t>(Shape::kPositions)> q;
    std::array<S, static_cast<std::size_t>(Shape::kDofs)> dq;
    std::array<S, static_cast<std::size_t>(Shape::kDofs)> friction_Nm;
    std::array<S, static_cast<std::size_t>(Shape::kDofs)> transmitted_Nm;
    PlainReport<R, S> report;
    ContactReport contact_report;
    DriveMemory memory;
    ContactMemory contacts;
    Rigidity rigidity;
    EventReport events;
    Fast fast;
  };

  [[nodiscard]] Snapshot snapshot() const noexcept {
    static_assert(std::is_trivially_copyable_v<Snapshot>);
    Snapshot copy{{}, {}, {}, {}, report, contact_report, drives, contacts, rigidity, events, fast};
    put(state.q, copy.q), put(state.dq, copy.dq);
    put(report.friction_Nm, copy.friction_Nm), put(report.transmitted_Nm, copy.transmitted_Nm);
    return copy;
  }
  void restore(const Snapshot& from) noexcept {
    static_cast<PlainReport<R, S>&>(report) = from.report;
    put(from.q, state.q), put(from.dq, state.dq);
    put(from.friction_Nm, report.friction_Nm), put(from.transmitted_Nm, report.transmitted_Nm);
    contact_report = from.contact_report;
    drives = from.memory;
    contacts = from.contacts;
    rigidity = from.rigidity;
    events = from.events;
    fast = from.fast;
  }

 private:
  template <class From, class To>
  static void put(const From& from, To& to) noexcept {
    for (int i = 0; i < static_cast<int>(from.size()); ++i) to.data()[i] = from.data()[i];
  }
};

}  // namespace kinecast::detail
