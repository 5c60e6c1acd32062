// SPDX-License-Identifier: MIT
// Detection of contacts (method 2.1): contact points and spheres of every body against every surface. A body is skipped
// if the sphere about its points stays away from the surface. Points that touch get a row, and (predictive rows, method
// 2.1, FIX 22) those that would touch by the end of the step. At most Capacity contacts are kept, the deepest ones. All
// geometry is relative to the touched solid, never a difference of world positions of two points.
#pragma once

#include <kinecast/contact/contact.hpp>
#include <kinecast/contact/relative_motion.hpp>
#include <kinecast/core/status.hpp>
#include <kinecast/model/environment/scene.hpp>

#include <cmath>
#include <type_traits>

namespace kinecast {

// The points that get a row.
enum class ContactRows : std::uint8_t {
  touching,    // points on or below the surface: the papers'
  predictive,  // also points that the free motion would bring there within the step
};

// The points that detection looks at. The memory that it is given has a kScope if that is not `all`.
enum class DetectionScope : std::uint8_t {
  all,    // all points, as ContactRows says
  known,  // points that the memory knows, wherever they are
  near,   // points that are closer to a surface than the memory's reach()
};
template <class Memory, class = void>
inline constexpr DetectionScope kScopeOf = DetectionScope::all;
template <class Memory>
inline constexpr DetectionScope kScopeOf<Memory, std::void_t<decltype(Memory::kScope)>> = Memory::kScope;

// The contacts of a step. on_links: there are surfaces on links, and contacts with them have an owner's side.
template <class S, int Capacity, bool on_links>
struct ContactList {
  int count{0};
  bool is_overfull{false};
  // The place behind the last contact holds the candidate.
  std::array<PointContact<S>, static_cast<std::size_t>(Capacity + 1)> contacts;
  std::array<OwnerSide<S>, static_cast<std::size_t>(on_links ? Capacity + 1 : 0)> owners;
  S urgency[static_cast<std::size_t>(Capacity)];  // the gap at the end of the free step: the smallest ones are kept

  [[nodiscard]] PointContact<S>& candidate() noexcept { return contacts[static_cast<std::size_t>(count)]; }
  // Keeps the candidate if there is room, or in place of a contact that is less deep.
  void keep(S gap) noexcept {
    if (count < Capacity) {
      urgency[count++] = gap;
      return;
    }
    is_overfull = true;
    int shallowest = 0;
    for (int i = 1; i < Capacity; ++i)
      if (urgency[i] > urgency[shallowest]) shallowest = i;
    if (!(gap < urgency[shallowest])) return;
    urgency[shallowest] = gap;
    contacts[static_cast<std::size_t>(shallowest)] = candidate();
    if constexpr (on_links) owners[static_cast<std::size_t>(shallowest)] = owners[static_cast<std::size_t>(Capacity)];
  }
};

namespace detail {

// A component of a motion field, linear in the place.
template <class S>
struct LinearField {
  S at_origin;
  Vec3<S> slope;
  [[nodiscard, gnu::always_inline]] S operator()(const Vec3<S>& place) const noexcept {
    return at_origin + dot(slope, place);
  }
};
template <class S>
[[nodiscard, gnu::always_inline]] inline LinearField<S> along(const Vec3<S>& axis, const Motion<S>& m) noexcept {
  return {dot(axis, m.linear), cross(axis, m.angular)};
}

// The motion fields along the three axes of a contact. Points of a body that touch the same face share them.
template <class S>
struct ContactFields {
  ContactAxes<S> in_surface;
  ContactAxes<S> in_body;
  LinearField<S> velocity[3];
  LinearField<S> drift[3];
  LinearField<S> free;  // along the normal
};

template <const auto& R, const auto& World, class S, int Capacity, class Memory>
struct Detector {
  using Scene = kinecast::Scene<R, World, S>;
  const Model<R, S>& model;
  const Scene& scene;
  const Workspace<R, S>& dynamics;
  const StepMotion<R, S>& motion;
  const Memory& memory;
  S dt;
  ContactRows rows;
  ContactList<S, Capacity, Scene::kHasLinkSurfaces>& list;
  Status status{Status::ok};

  template <class Surface>
  [[nodiscard, gnu::always_inline]] SurfaceState<S> state_of(const Surface& surface) const noexcept {
    return surface_state<Scene>(surface, motion, memory);
  }

  // An upper bound of how far the points of a body move within the step: sizes are sums of absolute values.
  [[nodiscard, gnu::always_inline]] S reach_of(const PointGroup<S>& group, int owner, const SurfaceState<S>& state,
                                               const Vec3<S>& from) const noexcept {
    const Motion<S>& free = motion.free[static_cast<std::size_t>(group.body)];
    S speed = sum_of_sizes(free.linear + cross(free.angular, group.center)) + sum_of_sizes(free.angular) * group.radius;
    if constexpr (Scene::kMoves)
      speed += sum_of_sizes(state.linear) + sum_of_sizes(state.conveyor) +
               sum_of_sizes(state.angular) * (sum_of_sizes(from) + sum_of_sizes(group.center) + group.radius);
    if constexpr (Scene::kHasLinkSurfaces) {
      if (owner >= 0) {
        const std::size_t at = static_cast<std::size_t>(owner);
        const Motion<S>& theirs = motion.free[at];
        const Vec3<S> apart = motion.poses[static_cast<std::size_t>(group.body)].position - motion.poses[at].position;
        speed += sum_of_sizes(theirs.linear) +
                 sum_of_sizes(theirs.angular) * (sum_of_sizes(apart) + sum_of_sizes(group.center) + group.radius);
      }
    }
    return dt * speed;
  }

  static void find_fields(const RelativeMotion<S>& r, const Mat3<S>& turn, const Vec3<S>& normal,
                          ContactFields<S>& out) noexcept {
    const Tangents<S> tangents = tangents_of(normal);
    out.in_surface = {normal, tangents.t2, tangents.t3};
    out.in_body = turned_back(turn, out.in_surface);
    const Vec3<S>* const axes[3] = {&out.in_body.n, &out.in_body.t2, &out.in_body.t3};
    for (int i = 0; i < 3; ++i) {
      out.velocity[i] = along(*axes[i], r.now);
      out.drift[i] = {dot(*axes[i], r.drift), transpose_times(r.spin, *axes[i])};
    }
    out.free = along(out.in_body.n, r.free);
  }

  // The reference of a contact: that of the last step if the contact is known and did not slide, else the projection of
  // the touching point onto the surface.
  [[nodiscard]] Vec3<S> find_reference(const ContactRecord<S>* known, const ContactFields<S>& fields,
                                       const RelativeMotion<S>& relative, const Mat3<S>& turn, const Vec3<S>& touched,
                                       S gap, S radius, const Vec3<S>& conveyor) const noexcept {
    if (known == nullptr || known->is_sliding || known->was_moved) return touched - gap * fields.in_surface.n;
    Vec3<S> reference = known->reference;
    // The touched material point moves with a conveyor, and the touching point of a sphere rolls on.
    if constexpr (Scene::kHasConveyor) reference = reference + memory.dt * conveyor;
    if constexpr (Scene::kHasSpheres)
      reference = reference + (memory.dt * radius) * cross(turn * relative.now.angular, fields.in_surface.n);
    return reference;
  }

  // Pose and motion of a body relative to a surface that it comes near.
  struct View {
    Mat3<S> turn;    // turns body axes into the surface's
    Vec3<S> origin;  // the body's origin, in the surface's frame
    Vec3<S> inner;   // a point inside of the body, in the surface's frame
    RelativeMotion<S> relative;
  };
  [[nodiscard]] View find_view(const PointGroup<S>& group, int owner, const SurfaceState<S>& state,
                               const Vec3<S>& from) const noexcept {
    const Mat3<S> turn = transpose(state.pose.rotation) * motion.poses[static_cast<std::size_t>(group.body)].rotation;
    const Vec3<S> origin = transpose_times(state.pose.rotation, from);
    return {turn, origin, origin + turn * group.inner,
            find_relative_motion<Scene>(model, dynamics, motion, group.body, owner, state, from, dt)};
  }

  // Adds the contacts of all points of a body with a surface to the list.
  template <class Surface>
  void detect_group(const PointGroup<S>& group, const Surface& surface, int index) noexcept {
    if (surface.body == group.body) return;
    const Placement<S>& pose = motion.poses[static_cast<std::size_t>(group.body)];
    const SurfaceState<S> state = state_of(surface);
    const Vec3<S> from = pose.position - state.pose.position;
    const S keeps = Tolerance<S>::kKeepsTouching * (S(1) + sum_of_sizes(from));
    S reach = keeps + (rows == ContactRows::predictive ? reach_of(group, surface.body, state, from) : S(0));
    if constexpr (kScopeOf<Memory> != DetectionScope::all) reach = keeps + memory.reach();

    // The body is skipped if the sphere about its points stays away. The gap of a plane is linear in the place, so that
    // it needs no frame.
    using Solid = typename Surface::Shape;
    LinearField<S> plane{};
    if constexpr (Solid::kIsPlane) {
      const Mat3<S>& r = state.pose.rotation;
      const Vec3<S> up{r.row_x.z, r.row_y.z, r.row_z.z};
      plane = {dot(up, from), transpose_times(pose.rotation, up)};
      if (plane(group.center) - group.radius > reach) return;
    } else if constexpr (Solid::kGapIsBound) {
      const Vec3<S> center = transpose_times(state.pose.rotation, from + pose.rotation * group.center);
      if (surface.solid.closest(center, center).gap - group.radius > reach) return;
    }

    const int end = group.first + group.count;
    int i = group.first;
    if constexpr (Solid::kIsPlane && !Scene::kHasSpheres) {
      while (i < end && plane(place_of(i)) > reach) ++i;
      if (i == end) return;
    }
    const View view = find_view(group, surface.body, state, from);
    ContactFields<S> fields;
    find_fields(view.relative, view.turn, {S(0), S(0), S(1)}, fields);
    for (; i < end; ++i) {
      const int point = scene.order[static_cast<std::size_t>(i)];
      const Skin<S>& skin = model.skins[static_cast<std::size_t>(point)];
      const Vec3<S>& place = place_of(i);
      const S radius = Scene::kHasSpheres ? skin.radius : S(0);
      if constexpr (Solid::kIsPlane) {
        if (plane(place) - radius > reach) continue;
      }
      if ((surface.touched_by >> static_cast<unsigned>(skin.kind) & 1U) == 0) continue;
      const Vec3<S> center = view.origin + view.turn * place;
      const Closest<S> found = surface.solid.closest(center, view.inner);
      const S gap = Scene::kHasSpheres ? found.gap - radius : found.gap;
      if (gap > reach) continue;
      if (!is_finite(gap + sum_of_sizes(found.normal))) {
        status = Status::non_finite_input;  // the user's height function gave it
        return;
      }
      const ContactPair pair{static_cast<std::int16_t>(point), static_cast<std::int16_t>(index)};
      const ContactRecord<S>* known = memory.find(pair);
      bool touches = gap <= (known != nullptr ? keeps : S(0)) || (known != nullptr && known->approach < S(0));
      if constexpr (kScopeOf<Memory> != DetectionScope::all)
        touches = kScopeOf<Memory> == DetectionScope::near || known != nullptr;
      if (!touches && rows == ContactRows::touching) continue;
      if constexpr (!Solid::kIsPlane)
        if (!is_same(found.normal, fields.in_surface.n)) find_fields(view.relative, view.turn, found.normal, fields);

      PointContact<S>& c = list.candidate();
      c.place = Scene::kHasSpheres ? place - radius * fields.in_body.n : place;
      for (int axis = 0; axis < 3; ++axis) c.drift[axis] = fields.drift[axis](c.place);
      const S predicted = gap + dt * (fields.free(c.place) + c.drift[0]);
      if (!touches && !(predicted < S(0))) continue;
      for (int axis = 0; axis < 3; ++axis) c.velocity[axis] = fields.velocity[axis](c.place);
      c.pair = pair;
      c.body = static_cast<std::int16_t>(group.body);
      c.owner = static_cast<std::int16_t>(surface.body);
      c.material = &scene.material(index, skin.kind);
      c.gap = gap;
      c.axes = fields.in_body;
      c.is_sliding = known != nullptr && known->is_sliding;
      c.warm_start = known != nullptr ? known->warm_start : WarmStart{};
      c.approach = known != nullptr ? known->approach : S(0);
      const Vec3<S> touched = Scene::kHasSpheres ? center - radius * found.normal : center;
      c.reference = find_reference(known, fields, view.relative, view.turn, touched, gap, radius, surface.conveyor);
      const Vec3<S> displacement = touched - c.reference;
      c.displacement[0] = dot(fields.in_surface.t2, displacement);
      c.displacement[1] = dot(fields.in_surface.t3, displacement);
      if constexpr (Scene::kHasLinkSurfaces) {
        if (c.owner >= 0)
          list.owners[static_cast<std::size_t>(list.count)] = {
              surface.placement.position + surface.placement.rotation * touched,
              surface.placement.rotation * fields.in_surface};
      }
      list.keep(predicted < gap ? predicted : gap);
    }
  }

  [[nodiscard, gnu::always_inline]] const Vec3<S>& place_of(int i) const noexcept {
    return model.points[static_cast<std::size_t>(scene.order[static_cast<std::size_t>(i)])].position;
  }
  [[nodiscard]] static bool is_same(const Vec3<S>& a, const Vec3<S>& b) noexcept {
    return !(sum_of_sizes(a - b) > S(0));
  }
};

}  // namespace detail

// Fills `list` with the contacts of this step, from what the sweeps left in `dynamics` and `motion`. If a height
// function gives a NaN, the Status says so.
template <const auto& R, const auto& World, class S, int Capacity, class Memory>
[[nodiscard]] inline Status detect_contacts(
    const Model<R, S>& model, const Scene<R, World, S>& scene, const Workspace<R, S>& dynamics,
    const StepMotion<R, S>& motion, const Memory& memory, ContactRows rows, S dt,
    ContactList<S, Capacity, Scene<R, World, S>::kHasLinkSurfaces>& list) noexcept {
  list.count = 0;
  list.is_overfull = false;
  detail::Detector<R, World, S, Capacity, Memory> detector{model, scene, dynamics, motion, memory, dt, rows, list};
  for (const PointGroup<S>& group : scene.groups)
    for_each_surface(scene.surfaces,
                     [&](const auto& surface, int index) { detector.detect_group(group, surface, index); });
  return detector.status;
}

}  // namespace kinecast
