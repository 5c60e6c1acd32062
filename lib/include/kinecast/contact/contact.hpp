// SPDX-License-Identifier: MIT
// Contacts of points: their records, which survive from step to step, the contacts of one step, and the report.
#pragma once

#include <kinecast/math/placement.hpp>
#include <kinecast/math/rotation.hpp>
#include <kinecast/math/vec3.hpp>
#include <kinecast/model/environment/material.hpp>
#include <kinecast/model/environment/solid.hpp>
#include <kinecast/solve/rows.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace kinecast {

// A contact point and the surface that it touches.
struct ContactPair {
  std::int16_t point{-1};
  std::int16_t surface{-1};
};
[[nodiscard]] constexpr bool operator==(const ContactPair& a, const ContactPair& b) noexcept {
  return a.point == b.point && a.surface == b.surface;
}

// Pose and velocity of a moving surface, in world axes.
template <class S>
struct SurfaceMotion {
  Quaternion<S> turn{};
  Vec3<S> position{};
  Vec3<S> linear{};  // velocity of the surface's origin
  Vec3<S> angular{};
};

// Where the solver starts: whether the contact's normal impulse was at its bound (zero) in the first pass of the last
// step, where all contacts stick, and in the last pass.
struct WarmStart {
  bool at_bound_sticking{false};
  bool at_bound_at_end{false};
};

// What a contact remembers from step to step (method 16.4, 16.5).
template <class S>
struct PointRecord {
  static constexpr bool kHasReference = false;
  ContactPair pair{};
  Regime regime{Regime::open};
  bool is_sliding{false};  // it slid faster than the speed that counts as slip: its friction is the kinetic one
  S impulse[3]{};          // along n, t2, t3
  S displacement[2]{};     // of the anchor, along t2 and t3: how far friction is strained
  S approach{};  // normal velocity of a contact that arrived in this step and is to rebound in the next one; else 0
  std::uint8_t face{kNoFace};  // face of the solid through which the point came
  bool was_moved{false};       // a measurement moved the point
};

// What a contact remembers from step to step (method 2.1).
template <class S>
struct ContactRecord {
  static constexpr bool kHasReference = true;
  ContactPair pair{};
  bool is_sliding{false};
  bool was_moved{false};  // a measurement moved the point: the reference is then set where it touches
  WarmStart warm_start{};
  Vec3<S> reference{};  // p_R, in the surface's frame
  S approach{};  // normal velocity of a contact that arrived in this step and is to rebound in the next one; else 0
  std::uint8_t face{kNoFace};  // face of the solid through which the point came
};

// The memory of all contacts. Joints: number of bodies whose joint can have dry friction that meets the contact.
template <class S, int Capacity, int Moving, int Joints, class Record = ContactRecord<S>>
struct ContactMemory {
  using Known = Record;
  int count{0};
  bool had_rows{false};  // stops, loops or couplings acted in the last step
  S dt{};                // duration of the last step
  std::array<Record, static_cast<std::size_t>(Capacity)> records{};
  std::array<SurfaceMotion<S>, static_cast<std::size_t>(Moving)> moving{};
  std::array<std::int16_t, static_cast<std::size_t>(Joints)> friction{};  // sign of a joint's friction; 0: it stuck

  // The record of a pair, or nullptr.
  [[nodiscard]] const Record* find(const ContactPair& pair) const noexcept {
    for (int i = 0; i < count; ++i)
      if (records[static_cast<std::size_t>(i)].pair == pair) return &records[static_cast<std::size_t>(i)];
    return nullptr;
  }
  // Tells whether any record fulfils a condition.
  template <class Condition>
  [[nodiscard]] bool has(Condition condition) const noexcept {
    for (int i = 0; i < count; ++i)
      if (condition(records[static_cast<std::size_t>(i)])) return true;
    return false;
  }
};

// The three directions of a contact: the normal, out of the touched solid, and two tangents, (t2, t3, n) right-handed.
template <class S>
struct ContactAxes {
  Vec3<S> n{};
  Vec3<S> t2{};
  Vec3<S> t3{};
};
// Rᵀ applied to all three axes.
template <class S>
[[nodiscard, gnu::always_inline]] inline ContactAxes<S> turned_back(const Mat3<S>& r,
                                                                    const ContactAxes<S>& a) noexcept {
  return {transpose_times(r, a.n), transpose_times(r, a.t2), transpose_times(r, a.t3)};
}
// R applied to all three axes.
template <class S>
[[nodiscard, gnu::always_inline]] inline ContactAxes<S> operator*(const Mat3<S>& r, const ContactAxes<S>& a) noexcept {
  return {r * a.n, r * a.t2, r * a.t3};
}

// What only contacts of implicit friction have.
template <class S, class Record>
struct ContactMotion {
  S free[3];            // velocity of the robot's bodies at the end of the free step, along n, t2, t3
  S bend[2];            // part of the drift that accelerations have, along t2 and t3, on surfaces that move; else 0
  const Record* known;  // what is remembered of the contact, or null
  bool presses;         // it touches, or would by the end of the free step; else it is near
};
struct NoContactMotion {};
// A contact of implicit friction has no reference.
struct NoReference {};

// A contact of a point in this step.
template <class S, class Record = ContactRecord<S>>
struct PointContact : std::conditional_t<Record::kHasReference, NoContactMotion, ContactMotion<S, Record>> {
  ContactPair pair;
  std::int16_t body;   // the point's body
  std::int16_t owner;  // the body that carries the surface, or kWorld
  const MaterialConstants<S>* material;
  Vec3<S> place;        // the touching point, in the body's frame
  ContactAxes<S> axes;  // n, t2, t3 in body axes
  // p_R, in the surface's frame
  std::conditional_t<Record::kHasReference, Vec3<S>, NoReference> reference;
  S gap;              // distance from the surface; negative inside
  S displacement[2];  // of the point from its reference, along t2 and t3
  S velocity[3];      // of the point relative to the surface before the step, along n, t2, t3
  S drift[3];         // part of the relative velocity at the end of the free step that no impulse explains
  bool is_sliding;    // whether it slid in the last step
  WarmStart warm_start;
  std::uint8_t face;  // face of the solid through which the point came, or kNoFace
  S approach;         // normal velocity with which it arrived in the last step, or 0

  // Whether the point comes to the surface within this step (predictive rows). It rebounds in the next step: from the
  // surface, not from above it.
  [[nodiscard]] bool arrives() const noexcept { return gap > S(0) && !(approach < S(0)); }
};

// Place and axes of a contact in the frame of the body that carries the surface.
template <class S>
struct OwnerSide {
  Vec3<S> place;
  ContactAxes<S> axes;
};

// One contact in the report.
template <class S>
struct ContactForce {
  ContactPair pair{};
  Vec3<S> point_m{};       // the touching point, in the world
  Vec3<S> normal{};        // out of the touched surface, in the world
  Vec3<S> force_N{};       // on the point's body, in the world; the surface's body feels the opposite
  S normal_N{};            // its part along the normal, never negative
  S tangential_N{};        // size of the friction force
  S depth_m{};             // before the step; negative: a gap that the step would have closed
  S slip_mps{};            // tangential speed before the step
  bool is_sliding{false};  // decided in this step
};

template <class S, int Capacity, class Force = ContactForce<S>>
struct ContactReport {
  int count{0};
  int iterations{0};  // iterations of the solver in all passes
  int passes{0};      // number of solves: one, and one more each time that contacts began to slide
  std::array<Force, static_cast<std::size_t>(Capacity)> contacts{};

  [[nodiscard]] bool touching() const noexcept {
    for (int i = 0; i < count; ++i)
      if (contacts[static_cast<std::size_t>(i)].normal_N > S(0)) return true;
    return false;
  }
  [[nodiscard]] const Force& operator[](int i) const noexcept { return contacts[static_cast<std::size_t>(i)]; }
};

}  // namespace kinecast
