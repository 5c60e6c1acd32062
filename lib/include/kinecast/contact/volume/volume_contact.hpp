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

// What a volume contact remembers from step to step.
template <class S>
struct VolumeRecord {
  ContactPair pair{};  // the surfaces A and B
  bool is_sliding{false};
  bool was_moved{false};
  Vec3<S> displacement{};  // d_ref of A since the contact sticks, axes of B's solid (method 6.3, CHOICE 31)
  S rotation{};            // rotation of A about the normal since the contact sticks
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
  ContactAxes<S> in_solid;  // n, t2, t3 in the axes of B's solid
  S depth;                  // mean thickness of the volume
  S area;                   // area of the contact plane that the volume covers
  S moments[6];             // area, x, y, xx, xy, yy over all faces: the entries of Q
  S heights[3];             // h, hx, hy over all faces: the entries of w
  S half_thickness[3];      // the fitted half thickness at p0, and its slopes along t2 and t3
  S displacement[3];        // d_ref along t2, t3 and about n
  S velocity[6];            // relative motion before the step
  S drift[6];               // part of the motion at the end of the free step that no impulse explains
  S bend[2];                // velocity products in the drift, along t2 and t3: a step's path bends by half of them
  bool is_sliding;          // whether the contact slid in the last step
  int corners;              // number of corners of the contact polygon, counter-clockwise
  S corner[static_cast<std::size_t>(MaxCorners)][2];
  S reach;  // distance of the farthest corner from p0
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
