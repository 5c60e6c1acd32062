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

// The number of contacts that touch, or would by the end of the free step; implicit friction asks for it.
struct PressingContacts {
  int pressing{0};
};
struct NoPressingContacts {
  static constexpr int pressing = 0;
};

// The contacts of a step. on_links: there are surfaces on links, and contacts with them have an owner's side.
template <class S, int Capacity, bool on_links, class Record = ContactRecord<S>>
struct ContactList : std::conditional_t<Record::kHasReference, NoPressingContacts, PressingContacts> {
  int count{0};
  bool is_overfull{false};
  std::array<PointContact<S, Record>, static_cast<std::size_t>(Capacity)> contacts;
  std::array<OwnerSide<S>, static_cast<std::size_t>(on_links ? Capacity : 0)> owners;
  S urgency[static_cast<std::size_t>(Capacity)];  // the gap at the end of the free step: the smallest ones are kept

  // The place of a contact with this gap: a new one if there is room, or that of a contact that is less deep. -1: none.
  [[nodiscard]] int place_for(S gap) noexcept {
    if (count < Capacity) {
      urgency[count] = gap;
      return count++;
    }
    is_overfull = Record::kHasReference || this->pressing > Capacity;
    int shallowest = 0;
    for (int i = 1; i < Capacity; ++i)
      if (urgency[i] > urgency[shallowest]) shallowest = i;
    if (!(gap < urgency[shallowest])) return -1;
    urgency[shallowest] = gap;
    return shallowest;
  }
};

namespace detail {

// The gap of a plane, linear in the place.
template <class S>
struct PlaneGap {
  S at_origin;
  Vec3<S> slope;
  [[nodiscard, gnu::always_inline]] S operator()(const Vec3<S>& place) const noexcept {
    return at_origin + dot(slope, place);
  }
};

// The axes of a contact. Points of a body that touch the same face share them.
template <class S>
struct FaceAxes {
  ContactAxes<S> in_surface;
  ContactAxes<S> in_body;
};

template <const auto& R, const auto& World, class S, int Capacity, class Memory>
struct Detector {
  using Scene = kinecast::Scene<R, World, S>;
  using Record = typename Memory::Known;
  const Model<R, S>& model;
  const Scene& scene;
  const Workspace<R, S>& dynamics;
  const StepMotion<R, S>& motion;
  const Memory& memory;
  S dt;
  ContactRows rows;
  ContactList<S, Capacity, Scene::kHasLinkSurfaces, Record>& list;
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

  [[nodiscard, gnu::always_inline]] static FaceAxes<S> find_axes(const Mat3<S>& turn, const Vec3<S>& normal) noexcept {
    const Tangents<S> tangents = tangents_of(normal);
    const ContactAxes<S> in_surface{normal, tangents.t2, tangents.t3};
    return {in_surface, turned_back(turn, in_surface)};
  }
  // The same for the normal z: the axes are rows of the rotation.
  [[nodiscard, gnu::always_inline]] static FaceAxes<S> find_axes_of_plane(const Mat3<S>& turn) noexcept {
    constexpr S o = S(0);
    constexpr S e = S(1);
    return {{{o, o, e}, {e, o, o}, {o, e, o}}, {turn.row_z, turn.row_x, turn.row_y}};
  }
  // The components of a velocity along the axes of a contact.
  [[gnu::always_inline]] static void find_components(const ContactAxes<S>& axes, const Vec3<S>& v,
                                                     S (&out)[3]) noexcept {
    out[0] = dot(axes.n, v), out[1] = dot(axes.t2, v), out[2] = dot(axes.t3, v);
  }

  // The reference of a contact: that of the last step if the contact is known and did not slide, else the projection of
  // the touching point onto the surface.
  [[nodiscard]] Vec3<S> find_reference(const Record* known, const FaceAxes<S>& axes, const RelativeMotion<S>& relative,
                                       const Mat3<S>& turn, const Vec3<S>& touched, S gap, S radius,
                                       const Vec3<S>& conveyor) const noexcept {
    if (known == nullptr || known->is_sliding || known->was_moved) return touched - gap * axes.in_surface.n;
    Vec3<S> reference = known->reference;
    // The touched material point moves with a conveyor, and the touching point of a sphere rolls on.
    if constexpr (Scene::kHasConveyor) reference = reference + memory.dt * conveyor;
    if constexpr (Scene::kHasSpheres)
      reference = reference + (memory.dt * radius) * cross(turn * relative.now.angular, axes.in_surface.n);
    return reference;
  }

  // The velocity of the surface's own motion at a place on the body, in body axes.
  [[nodiscard]] Vec3<S> skin_at(const PointGroup<S>& group, const SurfaceState<S>& state, const Vec3<S>& from,
                                const Vec3<S>& place) const noexcept {
    const Mat3<S>& turn = motion.poses[static_cast<std::size_t>(group.body)].rotation;
    return transpose_times(turn, state.linear + cross(state.angular, from) + state.conveyor) +
           cross(transpose_times(turn, state.angular), place);
  }

  // Pose and motion of a body relative to a surface that it comes near.
  struct View {
    Mat3<S> turn;    // turns body axes into the surface's
    Vec3<S> origin;  // the body's origin, in the surface's frame
    Vec3<S> inner;   // a point inside of the body, in the surface's frame
    RelativeMotion<S> relative;

    // The velocity of a place on the body relative to the surface, in the surface's frame: before the step, and at the
    // end of the free step.
    [[nodiscard]] Vec3<S> velocity(const Vec3<S>& place) const noexcept {
      return turn * (relative.now.linear + cross(relative.now.angular, place));
    }
    [[nodiscard]] Vec3<S> free_velocity(const Vec3<S>& place) const noexcept {
      return turn *
             (relative.free.linear + cross(relative.free.angular, place) + relative.drift + relative.spin * place);
    }
  };
  [[nodiscard]] View find_view(const PointGroup<S>& group, int owner, const SurfaceState<S>& state,
                               const Vec3<S>& from) const noexcept {
    const Mat3<S> turn = transpose(state.pose.rotation) * motion.poses[static_cast<std::size_t>(group.body)].rotation;
    const Vec3<S> origin = transpose_times(state.pose.rotation, from);
    return {turn, origin, origin + turn * group.inner,
            find_relative_motion<Scene>(model, dynamics, motion, group.body, owner, state, from, dt)};
  }

  // The face of a solid that holds a point (method 2.1), or kNoFace: none does in this step. `outside`: the largest gap
  // of all faces; reach: as in detect_group().
  template <class At, class Surface>
  [[nodiscard]] int find_face(const At& at, S outside, const View& view, const Surface& surface, const Vec3<S>& place,
                              const ContactPair& pair, const Record* known, S keeps, S reach) const noexcept {
    constexpr DetectionScope kScope = kScopeOf<Memory>;
    constexpr S kRim = Tolerance<S>::kRim;
    // A contact keeps its face while the point touches it. A measurement can put the point behind a plate.
    if (known != nullptr && known->face != kNoFace && !(known->was_moved && outside > kRim)) {
      const S gap = at.gap(known->face, at.place);
      const bool holds = kScope == DetectionScope::known || gap <= (kScope == DetectionScope::near ? reach : keeps) ||
                         known->approach < S(0);
      if (holds && !at.is_beside(known->face)) return known->face;
    }
    if constexpr (kScope == DetectionScope::known) return kNoFace;

    // A point outside of the solid: the free motion leads it to a face.
    Vec3<S> velocity = view.free_velocity(place);
    if constexpr (Scene::kHasConveyor) velocity = velocity + surface.conveyor;  // the belt moves, and not the solid
    const Vec3<S> ahead = dt * velocity;
    if (outside > kRim) {
      if constexpr (kScope == DetectionScope::near) return at.nearest_face();
      if (rows != ContactRows::predictive) return kNoFace;
      return flush_face(at, at.entry_face(at.place, ahead, S(0)), ahead, pair);
    }
    // A point inside of the solid or at its surface, without a record: the last step led it there.
    if (memory.dt > S(0)) {
      velocity = view.velocity(place);
      if constexpr (Scene::kHasConveyor) velocity = velocity + surface.conveyor;
      const Vec3<S> way = memory.dt * velocity;
      const int entry = at.entry_face(at.place - way, way, kRim);
      if (entry != kNoFace) return flush_face(at, entry, ahead, pair);
      const int face = at.face_at_surface();
      if (face != kNoFace) return face;
    }
    return at.start().face;
  }

  // A point that slides over the seam between two solids, or back over the rim of one, would strike the edge of a side
  // face. It stays on the face on which it lies already, and into which the free motion presses it, if something holds
  // it at this height: another surface, or the same face another point of its body.
  template <class At>
  [[nodiscard]] int flush_face(const At& at, int entry, const Vec3<S>& ahead, const ContactPair& pair) const noexcept {
    if (entry == kNoFace) return kNoFace;
    for (int i = 0; i < std::decay_t<decltype(at.solid)>::kFaces; ++i) {
      if (i == entry || !(std::abs(at.gap(i, at.place)) <= Tolerance<S>::kRim) || !(at.solid.height(i, ahead) < S(0)))
        continue;
      const bool is_held = memory.has([&](const Record& r) {
        if (r.pair.point == pair.point) return r.pair.surface != pair.surface;
        return r.pair.surface == pair.surface && r.face == i && body_of(r.pair.point) == body_of(pair.point);
      });
      if (is_held) return i;
    }
    return entry;
  }
  [[nodiscard]] int body_of(int point) const noexcept { return model.points[static_cast<std::size_t>(point)].body; }

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
    PlaneGap<S> plane{};
    if constexpr (Solid::kIsPlane) {
      const Mat3<S>& r = state.pose.rotation;
      const Vec3<S> up{r.row_x.z, r.row_y.z, r.row_z.z};
      plane = {dot(up, from), transpose_times(pose.rotation, up)};
      if (plane(group.center) - group.radius > reach) return;
    } else if constexpr (Solid::kGapIsBound) {
      const Vec3<S> center = transpose_times(state.pose.rotation, from + pose.rotation * group.center);
      if (surface.solid.largest_gap(center) - group.radius > reach) return;
    }

    const int end = group.first + group.count;
    int i = group.first;
    if constexpr (Solid::kIsPlane && !Scene::kHasSpheres) {
      while (i < end && plane(place_of(i)) > reach) ++i;
      if (i == end) return;
    }
    const View view = find_view(group, surface.body, state, from);
    FaceAxes<S> axes = find_axes_of_plane(view.turn);
    for (; i < end; ++i) {
      const int point = scene.order[static_cast<std::size_t>(i)];
      const Skin<S>& skin = model.skins[static_cast<std::size_t>(point)];
      const Vec3<S>& place = place_of(i);
      const S radius = Scene::kHasSpheres ? skin.radius : S(0);
      if constexpr (Solid::kIsPlane) {
        if (plane(place) - radius > reach) continue;
      }
      if ((surface.touched_by >> static_cast<unsigned>(skin.kind) & 1U) == 0) continue;
      const ContactPair pair{static_cast<std::int16_t>(point), static_cast<std::int16_t>(index)};
      const Vec3<S> center = view.origin + view.turn * place;
      const Record* known = nullptr;
      Closest<S> found;
      if constexpr (Solid::kFaces > 0) {
        const PointAtSolid<Solid, S> at{surface.solid, center, view.inner, radius};
        const S outside = surface.solid.largest_gap(center) - radius;
        if (outside > reach) continue;
        known = memory.find(pair);
        if (kScopeOf<Memory> == DetectionScope::known && known == nullptr) continue;
        const int face = find_face(at, outside, view, surface, place, pair, known, keeps, reach);
        if (face == kNoFace) continue;
        if (known != nullptr && known->face != face) known = nullptr;
        found = at.at(face);
      } else {
        found = surface.solid.closest(center, view.inner);
      }
      const S gap = Scene::kHasSpheres ? found.gap - radius : found.gap;
      if (gap > reach) continue;
      if (!is_finite(gap + sum_of_sizes(found.normal))) {
        status = Status::non_finite_input;  // the user's height function gave it
        return;
      }
      if constexpr (Solid::kFaces == 0) known = memory.find(pair);
      bool touches = gap <= (known != nullptr ? keeps : S(0)) || (known != nullptr && known->approach < S(0));
      if constexpr (kScopeOf<Memory> != DetectionScope::all)
        touches = kScopeOf<Memory> == DetectionScope::near || known != nullptr;
      if (!touches && rows == ContactRows::touching) continue;
      if constexpr (!Solid::kIsPlane)
        if (!is_same(found.normal, axes.in_surface.n)) axes = find_axes(view.turn, found.normal);

      const Vec3<S> touching = Scene::kHasSpheres ? place - radius * axes.in_body.n : place;
      const RelativeMotion<S>& relative = view.relative;
      const Vec3<S> drift = relative.drift + relative.spin * touching;
      const Vec3<S> free = relative.free.linear + cross(relative.free.angular, touching);
      const S drift_normal = dot(axes.in_body.n, drift);
      const S free_normal = dot(axes.in_body.n, free);
      const S predicted = gap + dt * (free_normal + drift_normal);
      const bool presses = touches || predicted < S(0);
      if (Record::kHasReference && !presses) continue;
      S velocity[3];
      find_components(axes.in_body, relative.now.linear + cross(relative.now.angular, touching), velocity);
      if constexpr (!Record::kHasReference) {
        // An impact at another point may turn the motion: a point that its speed could bring to the surface within the
        // step gets a row too.
        if (!presses) {
          const S speed2 = velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2];
          if (gap * gap > dt * dt * speed2) continue;
        }
        list.pressing += presses ? 1 : 0;
      }
      const int slot = list.place_for(predicted < gap ? predicted : gap);
      if (slot < 0) continue;
      PointContact<S, Record>& c = list.contacts[static_cast<std::size_t>(slot)];
      c.place = touching;
      c.drift[0] = drift_normal;
      c.drift[1] = dot(axes.in_body.t2, drift), c.drift[2] = dot(axes.in_body.t3, drift);
      for (int axis = 0; axis < 3; ++axis) c.velocity[axis] = velocity[axis];
      if constexpr (!Record::kHasReference) {
        c.free[0] = free_normal;
        c.free[1] = dot(axes.in_body.t2, free), c.free[2] = dot(axes.in_body.t3, free);
        c.bend[0] = S(0), c.bend[1] = S(0);
        if constexpr (Scene::kMoves) {
          const Vec3<S> its_own = skin_at(group, state, from, touching);
          c.bend[0] = c.drift[1] + dot(axes.in_body.t2, its_own);
          c.bend[1] = c.drift[2] + dot(axes.in_body.t3, its_own);
        }
        c.known = known;
        c.presses = presses;
      }
      c.pair = pair;
      c.body = static_cast<std::int16_t>(group.body);
      c.owner = static_cast<std::int16_t>(surface.body);
      c.material = &scene.material(index, skin.kind);
      c.gap = gap;
      c.axes = axes.in_body;
      c.is_sliding = known != nullptr && known->is_sliding;
      if constexpr (Record::kHasReference) c.warm_start = known != nullptr ? known->warm_start : WarmStart{};
      c.face = found.face;
      c.approach = known != nullptr ? known->approach : S(0);
      const Vec3<S> touched = Scene::kHasSpheres ? center - radius * found.normal : center;
      if constexpr (Record::kHasReference) {
        c.reference = find_reference(known, axes, view.relative, view.turn, touched, gap, radius, surface.conveyor);
        const Vec3<S> displacement = touched - c.reference;
        c.displacement[0] = dot(axes.in_surface.t2, displacement);
        c.displacement[1] = dot(axes.in_surface.t3, displacement);
      } else {
        c.displacement[0] = known != nullptr ? known->displacement[0] : S(0);
        c.displacement[1] = known != nullptr ? known->displacement[1] : S(0);
      }
      if constexpr (Scene::kHasLinkSurfaces) {
        if (c.owner >= 0)
          list.owners[static_cast<std::size_t>(slot)] = {
              surface.placement.position + surface.placement.rotation * touched,
              surface.placement.rotation * axes.in_surface};
      }
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
    ContactList<S, Capacity, Scene<R, World, S>::kHasLinkSurfaces, typename Memory::Known>& list) noexcept {
  list.count = 0;
  list.is_overfull = false;
  if constexpr (!Memory::Known::kHasReference) list.pressing = 0;
  detail::Detector<R, World, S, Capacity, Memory> detector{model, scene, dynamics, motion, memory, dt, rows, list};
  for (const PointGroup<S>& group : scene.groups)
    for_each_surface(scene.surfaces,
                     [&](const auto& surface, int index) { detector.detect_group(group, surface, index); });
  if constexpr (!Memory::Known::kHasReference)
    if (list.pressing == 0) list.count = 0;
  return detector.status;
}

}  // namespace kinecast
