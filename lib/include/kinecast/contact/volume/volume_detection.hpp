// SPDX-License-Identifier: MIT
// Detection of volume contacts (method 6.1, 6.2). For every pair of solids whose bounding boxes overlap it finds the
// contact solid, its patch, the thickness as a linear field on the contact plane, and the motion of A relative to B
// there. All geometry is in B's frame, never a difference of world positions of two points. A volume that cannot be
// built is replaced by a point.
#pragma once

#include <kinecast/contact/relative_motion.hpp>
#include <kinecast/contact/volume/intersection.hpp>
#include <kinecast/contact/volume/patch.hpp>
#include <kinecast/contact/volume/volume_contact.hpp>
#include <kinecast/contact/volume/volume_scene.hpp>

#include <cmath>

namespace kinecast {

// Memory that the geometry of a pair needs; one pair after the other uses it.
template <class S, int MaxFaces, int MaxCorners>
struct VolumeScratch {
  ContactSolid<S, MaxFaces> solid;
  ClipScratch<S, MaxFaces> clip;
  ContactPatch<S, MaxCorners> patch;
};

namespace detail {

// Finds the linear field that fits the half thickness best. With Q and w summed over both covers of the plane (method
// 6.2, CHOICE 18) it is Q⁺w on the normal motions; about the centroid and in principal axes that is three divisions. A
// slope across a patch that is narrower than the cut (method 6.3b, relative to the body's size) cannot be told and is
// zero.
template <class S, int MaxCorners>
inline void fit_thickness(const ContactPatch<S, MaxCorners>& p, S size, S (&out)[3]) noexcept {
  if (!(p.area > S(0))) {
    out[0] = out[1] = out[2] = S(0);
    return;
  }
  const S inverse = S(1) / p.area;
  const S x = p.x * inverse;
  const S y = p.y * inverse;
  const S xx = p.xx - p.x * x;
  const S xy = p.xy - p.x * y;
  const S yy = p.yy - p.y * y;
  const S hx = p.hx - p.h * x;
  const S hy = p.hy - p.h * y;
  const S half = S(0.5) * (xx - yy);
  const S radius = std::sqrt(half * half + xy * xy);
  const S large = S(0.5) * (xx + yy) + radius;
  // (u, v) is the axis of the large moment, from the longer one of its two formulas.
  S u = half >= S(0) ? half + radius : xy;
  S v = half >= S(0) ? xy : radius - half;
  const S square = u * u + v * v;
  if (square > S(0)) {
    const S scale = S(1) / std::sqrt(square);
    u *= scale, v *= scale;
  } else {
    u = S(1), v = S(0);
  }
  const S small = large > S(0) ? (xx * yy - xy * xy) / large : S(0);
  const S least = Tolerance<S>::kPatchWidth * p.area * size * size;
  const S along = large > least ? (hx * u + hy * v) / large : S(0);
  const S across = small > least ? (hy * u - hx * v) / small : S(0);
  out[1] = along * u - across * v;
  out[2] = along * v + across * u;
  out[0] = p.h * inverse - out[1] * x - out[2] * y;
}

template <const auto& R, const auto& World, class S, int Capacity, int MaxCorners, class Memory>
struct VolumeDetector {
  using Scene = VolumeScene<R, World, S>;
  using Contact = VolumeContact<S, MaxCorners>;
  const Model<R, S>& model;
  const Scene& scene;
  const Workspace<R, S>& dynamics;
  const StepMotion<R, S>& motion;
  const Memory& memory;
  S dt;
  VolumeList<S, Capacity, MaxCorners, Scene::kHasLinkSurfaces>& list;
  VolumeScratch<S, Scene::kMostFaces, MaxCorners>& scratch;

  // Finds the patch of a pair in B's frame, if A and B touch.
  [[nodiscard]] Status find_volume(const VolumeShape<S>& a, const VolumeShape<S>& b, const Placement<S>& a_in_b, S skin,
                                   bool& touches) noexcept {
    touches = false;
    const bool is_near = b.is_half_space()
                             ? box_meets_plane(a.bounds, a_in_b, scene.normals[b.face], scene.distances[b.face] + skin)
                             : boxes_overlap(a.bounds, a_in_b, b.bounds, skin);
    if (!is_near) return Status::ok;
    const ConvexView<S> cut = scene.view(a);
    const ConvexView<S> cutter = scene.view(b);
    Status status = intersect(cut, cutter, a_in_b, skin, scratch.clip, scratch.solid);
    if (!ok(status)) return status;
    if (status == Status::ok) {
      if (scratch.solid.face_count == 0) return Status::ok;
      status = find_patch(scratch.solid, cut, cutter, a_in_b, scratch.patch);
      if (!ok(status)) return status;
    }
    if (is_warning(status)) {
      list.is_simplified = true;
      if (!point_patch(cut, cutter, a_in_b, skin, scratch.patch)) return Status::ok;
    }
    touches = true;
    return Status::ok;
  }

  // Adds the contact of a pair to the list, if A and B touch.
  [[nodiscard]] Status detect_pair(const VolumePair& pair) noexcept {
    const VolumeShape<S>& a = scene.shapes[static_cast<std::size_t>(pair.a)];
    const VolumeShape<S>& b = scene.shapes[static_cast<std::size_t>(pair.b)];
    const Placement<S>& pose = motion.poses[static_cast<std::size_t>(a.body)];
    const SurfaceState<S> state = surface_state<Scene>(b, motion, memory);
    const Vec3<S> from = pose.position - state.pose.position;
    const Mat3<S> turn = transpose(state.pose.rotation) * pose.rotation;  // body's axes to the solid's of B
    const Placement<S> a_in_b{turn * a.placement.rotation,
                              transpose_times(state.pose.rotation, from) + turn * a.placement.position};
    const ContactPair key{pair.a, pair.b};
    const auto* known = memory.find(key);
    // A contact of the last step stays while its gap may be rounding: B is a skin thicker then, and the depth counts
    // from below the skin.
    const S skin = known != nullptr ? Tolerance<S>::kKeepsTouching * (S(1) + sum_of_sizes(from)) : S(0);
    bool touches = false;
    if (const Status status = find_volume(a, b, a_in_b, skin, touches); !ok(status) || !touches) return status;

    const ContactPatch<S, MaxCorners>& patch = scratch.patch;
    Contact& c = list.contacts[static_cast<std::size_t>(list.count)];
    c.pair = key;
    c.body = a.body;
    c.owner = b.body;
    c.material = &scene.material(pair.b, a.kind);
    c.center = patch.center;
    c.in_solid = patch.axes;
    c.axes = turned_back(turn, patch.axes);
    c.place =
        a.placement.position + a.placement.rotation * transpose_times(a_in_b.rotation, patch.center - a_in_b.position);
    c.area = S(0.5) * patch.area;
    c.depth = (c.area > S(0) ? patch.volume / c.area : S(0)) - skin;
    const S moments[6] = {patch.area, patch.x, patch.y, patch.xx, patch.xy, patch.yy};
    const S heights[3] = {patch.h - S(0.5) * skin * patch.area, patch.hx - S(0.5) * skin * patch.x,
                          patch.hy - S(0.5) * skin * patch.y};
    for (int i = 0; i < 6; ++i) c.moments[i] = moments[i];
    for (int i = 0; i < 3; ++i) c.heights[i] = heights[i];
    fit_thickness(patch, sum_of_sizes(a.bounds.half), c.half_thickness);
    c.half_thickness[0] -= S(0.5) * skin;
    c.corners = patch.corners;
    c.reach = patch.reach;
    for (int i = 0; i < patch.corners; ++i) c.corner[i][0] = patch.corner[i][0], c.corner[i][1] = patch.corner[i][1];
    find_motion(c, a, state, from);
    c.is_sliding = known != nullptr && known->has_slid();
    const bool keeps_strain = known != nullptr && known->keeps_strain();
    c.displacement[0] = keeps_strain ? dot(patch.axes.t2, known->displacement) : S(0);
    c.displacement[1] = keeps_strain ? dot(patch.axes.t3, known->displacement) : S(0);
    c.displacement[2] = keeps_strain ? known->rotation : S(0);
    if constexpr (Scene::kHasLinkSurfaces) {
      if (b.body >= 0)
        list.owners[static_cast<std::size_t>(list.count)] = {b.placement.position + b.placement.rotation * patch.center,
                                                             b.placement.rotation * patch.axes};
    }
    keep_candidate();
    return Status::ok;
  }

  void find_motion(Contact& c, const VolumeShape<S>& a, const SurfaceState<S>& state,
                   const Vec3<S>& from) const noexcept {
    RelativeMotion<S> r = find_relative_motion<Scene>(model, dynamics, motion, c.body, c.owner, state, from, dt);
    if constexpr (Scene::kHasConveyor) {  // the conveyor of A; that of B is in `state`
      const Vec3<S> skin = a.placement.rotation * a.conveyor;
      r.now.linear = r.now.linear + skin;
      r.drift = r.drift + skin;
    }
    const auto& products = products_of(dynamics, motion);
    const std::size_t at = static_cast<std::size_t>(c.body);
    Vec3<S> turning = dt * products[at].alpha;
    if constexpr (Scene::kHasLinkSurfaces) {
      if (c.owner >= 0) {
        const std::size_t theirs = static_cast<std::size_t>(c.owner);
        turning = turning - dt * transpose_times(motion.poses[at].rotation,
                                                 motion.poses[theirs].rotation * products[theirs].alpha);
      }
    }
    if constexpr (Scene::kMoves) turning = turning - transpose_times(motion.poses[at].rotation, state.angular);
    const auto components = [&](const Vec3<S>& linear, const Vec3<S>& angular, S(&out)[6]) {
      out[0] = dot(c.axes.n, linear);
      out[1] = dot(c.axes.t2, angular);
      out[2] = dot(c.axes.t3, angular);
      out[3] = dot(c.axes.t2, linear);
      out[4] = dot(c.axes.t3, linear);
      out[5] = dot(c.axes.n, angular);
    };
    components(r.now.linear + cross(r.now.angular, c.place), r.now.angular, c.velocity);
    components(r.free.linear + cross(r.free.angular, c.place), r.free.angular, c.free);
    const Vec3<S> drift = r.drift + r.spin * c.place;
    components(drift, turning, c.drift);
    Vec3<S> bend = drift;
    if constexpr (Scene::kMoves) bend = bend + skin_velocity(c, a, state, from);
    c.bend[0] = dot(c.axes.t2, bend);
    c.bend[1] = dot(c.axes.t3, bend);
  }

  // The velocity of the surfaces past each other at p0 that conveyors and moving surfaces cause, in the axes of A's
  // body: this part of the drift is not a velocity product.
  [[nodiscard]] Vec3<S> skin_velocity(const Contact& c, const VolumeShape<S>& a, const SurfaceState<S>& state,
                                      const Vec3<S>& from) const noexcept {
    const Mat3<S>& axes = motion.poses[static_cast<std::size_t>(c.body)].rotation;
    Vec3<S> theirs = state.conveyor;
    if (c.owner < 0) theirs = theirs + state.linear + cross(state.angular, from + axes * c.place);
    return transpose_times(axes, theirs) - a.placement.rotation * a.conveyor;
  }

  // Keeps the candidate at the end of the list if there is room, or in place of a smaller one.
  void keep_candidate() noexcept {
    if (list.count < Capacity) {
      ++list.count;
      return;
    }
    list.is_overfull = true;
    const auto size = [&](int i) {
      const Contact& c = list.contacts[static_cast<std::size_t>(i)];
      return c.depth * c.area;
    };
    int smallest = 0;
    for (int i = 1; i < Capacity; ++i)
      if (size(i) < size(smallest)) smallest = i;
    if (!(size(Capacity) > size(smallest))) return;
    list.contacts[static_cast<std::size_t>(smallest)] = list.contacts[static_cast<std::size_t>(Capacity)];
    if constexpr (Scene::kHasLinkSurfaces)
      list.owners[static_cast<std::size_t>(smallest)] = list.owners[static_cast<std::size_t>(Capacity)];
  }
};

}  // namespace detail

// Fills `list` with the volume contacts of this step, from what the sweeps left in `dynamics` and `motion`.
template <const auto& R, const auto& World, class S, int Capacity, int MaxCorners, class Memory>
[[nodiscard]] inline Status detect_volumes(
    const Model<R, S>& model, const VolumeScene<R, World, S>& scene, const Workspace<R, S>& dynamics,
    const StepMotion<R, S>& motion, const Memory& memory, S dt,
    VolumeScratch<S, VolumeScene<R, World, S>::kMostFaces, MaxCorners>& scratch,
    VolumeList<S, Capacity, MaxCorners, VolumeScene<R, World, S>::kHasLinkSurfaces>& list) noexcept {
  list.count = 0;
  list.is_overfull = false;
  list.is_simplified = false;
  detail::VolumeDetector<R, World, S, Capacity, MaxCorners, Memory> detector{model,  scene, dynamics, motion,
                                                                             memory, dt,    list,     scratch};
  for (int i = 0; i < scene.pair_count; ++i)
    if (const Status status = detector.detect_pair(scene.pairs[static_cast<std::size_t>(i)]); !ok(status))
      return status;
  return Status::ok;
}

}  // namespace kinecast
