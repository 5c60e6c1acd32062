// SPDX-License-Identifier: MIT
// A volume contact: what survives from step to step, what a step works with, and what it reports
// (method 6). Six numbers belong to it, motions and wrenches alike, of A relative to B at p0, the centroid
// of the volume that A and B share:
//
//   index   0     1      2     | 3    4    5
//   motion  v_n   w_1    w_2   | v_1  v_2  w_n        along the normal n and the tangents t2 = e_1, t3 = e_2
//   wrench  f_n   tau_1  tau_2 | f_1  f_2  tau_n
//
// The first three are the normal part, which pushes apart; the others are the friction part.
#pragma once

#include <kinecast/contact/contact.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace kinecast {

// What a volume contact remembers from step to step: its anchor at p0 (method 16.5), and of each corner of its polygon
// where the solver starts from.
template <class S, int MaxCorners>
struct PatchRecord {
  struct Corner {
    Vec3<S> place{};  // in the frame of B's solid
    S pressure[3]{};  // impulse along n, t2, t3, over the corner's share of the area
    Regime regime{Regime::open};
    bool is_sliding{false};  // it slid faster than the speed that counts as slip: its friction is the kinetic one
  };
  ContactPair pair{};
  std::int16_t corners{0};
  Vec3<S> center{};        // p0, in the frame of B's solid
  S reach{};               // of the polygon
  Vec3<S> displacement{};  // axes of B's solid
  S rotation{};
  Corner corner[static_cast<std::size_t>(MaxCorners)]{};

  [[nodiscard]] static constexpr bool has_slid() noexcept { return false; }
  [[nodiscard]] static constexpr bool keeps_strain() noexcept { return true; }
};

// A volume contact of this step.
template <class S, int MaxCorners>
struct VolumeContact {
  ContactPair pair;
  std::int16_t body;   // the body that carries A
  std::int16_t owner;  // the body that carries B, or kWorld
  const MaterialConstants<S>* material;
  Vec3<S> place;            // p0, in the frame of A's body
  ContactAxes<S> axes;      // n, t2, t3 in the axes of A's body
  Vec3<S> center;           // p0, in the frame of B's solid
  ContactAxes<S> in_solid;  // n, t2, t3 in the axes of B's solid
  S depth;                  // mean thickness of the volume
  S area;                   // area of the contact plane that the volume covers
  S moments[6];             // area, x, y, xx, xy, yy over all faces: the entries of Q
  S heights[3];             // h, hx, hy over all faces: the entries of w
  S half_thickness[3];      // the fitted half thickness at p0, and its slopes along t2 and t3
  S displacement[3];        // d_ref along t2, t3 and about n
  S velocity[6];            // relative motion before the step
  S free[6];                // motion of the robot's bodies at the end of the free step
  S drift[6];               // part of the motion at the end of the free step that no impulse explains
  S bend[2];                // velocity products in the drift, along t2 and t3: a step's path bends by half of them
  bool is_sliding;          // whether the contact slid in the last step
  int corners;              // number of corners of the contact polygon, counter-clockwise
  S corner[static_cast<std::size_t>(MaxCorners)][2];
  S share[static_cast<std::size_t>(MaxCorners)];  // of the area, for each corner: of contacts on cones
  S reach;                                        // distance of the farthest corner from p0
};

template <class S, int Capacity, int MaxCorners, bool on_links>
struct VolumeList {
  int count{0};
  bool is_overfull{false};
  bool is_simplified{false};  // a volume could not be built, and a point stands for it
  std::array<VolumeContact<S, MaxCorners>, static_cast<std::size_t>(Capacity + 1)> contacts;
  std::array<OwnerSide<S>, static_cast<std::size_t>(on_links ? Capacity + 1 : 0)> owners;
};

// One volume contact in the report. The fields of ContactForce are those of p0.
template <class S>
struct ContactWrench : ContactForce<S> {
  Vec3<S> moment_Nm{};  // about p0, on A's body, in the world
  S area_m2{};
};

}  // namespace kinecast
