// SPDX-License-Identifier: MIT
// Volume contacts as constraints (method 16.8): a cone at each corner of the contact polygon. Forces within the cones
// of the corners are all the wrenches that friction on the polygon can transmit (S004's argument for its programs), so
// that centre of pressure, static friction and kinetic friction come out of the one solve.
//
// The compliance of a patch, relaxation times the mean mobility at p0, is shared by the corners: corner i has the share
// s_i of the area, the halves of its two triangles with p0, and the compliance R/s_i. Its normal row works off the half
// thickness that was fitted to the patch, at the corner.
//
// A patch has one anchor, the strain d and the turn psi at p0. While any corner holds, it moves along with the solid;
// where all slide, it is fitted to what friction strains each of them, weighted by load.
#pragma once

#include <kinecast/contact/constraint.hpp>
#include <kinecast/contact/friction_cone.hpp>
#include <kinecast/contact/moving_surfaces.hpp>
#include <kinecast/contact/targets.hpp>
#include <kinecast/contact/volume/volume_detection.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace kinecast {

namespace detail {

// Whether a body carries a solid.
template <const auto& R, const auto& World>
[[nodiscard]] constexpr bool carries_solid(int body) noexcept {
  bool any = false;
  for_each_surface(World.surfaces, [&](const auto& s, int /*index*/) { any = any || body_of<R>(s.link_name) == body; });
  return any;
}

}  // namespace detail

template <const auto& R, class S, const auto& World, int Capacity, int MostCorners>
struct Patches : Constraint<R, S> {
  static_assert(Capacity >= 1, "kinecast: room for at least one contact");
  static constexpr int kCones = Capacity * MostCorners;
  static constexpr int kLines = 0;
  static constexpr bool kFindsByPart = false;
  using Scene = VolumeScene<R, World, S>;
  using Record = PatchRecord<S, MostCorners>;
  using Memory = ContactMemory<S, Capacity, Scene::kMoving, 0, Record>;
  using ContactReport = kinecast::ContactReport<S, Capacity, ContactWrench<S>>;
  using Contact = VolumeContact<S, MostCorners>;
  static constexpr bool kHasLinkSurfaces = Scene::kHasLinkSurfaces;

  const Scene* scene{&volume_scene<R, World, S>};
  ContactParameters<S> parameters{};
  VolumeList<S, Capacity, MostCorners, kHasLinkSurfaces> list;
  VolumeScratch<S, Scene::kMostFaces, MostCorners> geometry;
  std::array<RowSupport<R>, static_cast<std::size_t>(kHasLinkSurfaces ? Capacity : 0)> supports;

  [[nodiscard]] static constexpr bool needs(int body) noexcept { return detail::carries_solid<R, World>(body); }
  using Constraint<R, S>::set;
  void set(const ContactParameters<S>& other) noexcept { parameters = other; }
  void set_scene(const Scene& other) noexcept { scene = &other; }
  void start(Memory& memory) const noexcept { place_moving_surfaces(*scene, memory); }
  [[nodiscard]] bool place_surface(int surface, const SurfaceMotion<S>& motion, Memory& memory) const noexcept {
    return place_moving_surface(*scene, surface, motion, memory);
  }
  static void carry_surfaces(S dt, Memory& memory) noexcept { advance_surfaces(dt, memory); }
  [[nodiscard]] Status warning() const noexcept {
    if (list.is_simplified) return Status::contact_simplified;
    return list.is_overfull ? Status::contacts_dropped : Status::ok;
  }

  [[nodiscard]] Status find(const FreeStep<R, S>& step, const Memory& memory) noexcept {
    return detect_volumes(step.in.model, *scene, step.work, *step.motion, memory, step.in.dt, geometry, list);
  }
  [[nodiscard]] bool is_needed() const noexcept { return list.count > 0; }

  template <class AllRows>
  void add_rows(const FreeStep<R, S>& step, const Memory& memory, AllRows& rows) noexcept {
    S largest = S(0);
    Mobility mobility[static_cast<std::size_t>(Capacity)];
    int cone = rows.cones;
    for (int i = 0; i < list.count; ++i) {
      const Contact& c = list.contacts[static_cast<std::size_t>(i)];
      mobility[i] = fill_rows(step, i, rows.rows_of_cone(cone));
      for (const int end = cone + c.corners; cone < end; ++cone)
        for (int axis = 0; axis < 3; ++axis) largest = std::max(largest, rows.rows_of_cone(cone)[axis].mobility);
    }
    cone = rows.cones;
    for (int i = 0; i < list.count; ++i) {
      Contact& c = list.contacts[static_cast<std::size_t>(i)];
      ask(c, step.in.dt, memory.find(c.pair), mobility[i], Tolerance<S>::kImmobile * largest,
          &rows.cone[static_cast<std::size_t>(cone)], rows.rows_of_cone(cone));
      cone += c.corners;
    }
    rows.cones = cone;
  }

  // A corner that static friction did not hold, and that slides by now, has kinetic friction. An anchor that bears
  // little load is strained no further than that can strain it.
  template <class AllRows>
  [[nodiscard]] bool revise(const FreeStep<R, S>& step, const Velocity<R, S>& /*dq*/, AllRows& rows) noexcept {
    bool changed = false;
    int cone = 0;
    for (int i = 0; i < list.count; ++i) {
      Contact& c = list.contacts[static_cast<std::size_t>(i)];
      if (relax_anchor(c, step.in.dt, &rows.cone[static_cast<std::size_t>(cone)], rows.rows_of_cone(cone)))
        changed = true;
      for (const int end = cone + c.corners; cone < end; ++cone) {
        Cone<S>& corner = rows.cone[static_cast<std::size_t>(cone)];
        if (detail::becomes_kinetic(*c.material, parameters.slip_mps, corner, rows.rows_of_cone(cone))) changed = true;
      }
    }
    return changed;
  }

  // Where corners slide, the solver may end with a change that differs from what its impulses bring by its tolerance:
  // the impulses count, and momentum is in balance.
  template <class AllRows>
  static void settle(AllRows& rows) noexcept {
    bool slides = false;
    for (int i = 0; i < rows.cones; ++i)
      slides = slides || rows.cone[static_cast<std::size_t>(i)].regime == Regime::slides;
    if (slides) rows.follow_impulses();
  }

  template <class AllRows>
  void keep(S dt, const AllRows& rows, Memory& memory) const noexcept {
    memory.count = list.count;
    memory.dt = dt;
    int first = 0;
    for (int i = 0; i < list.count; ++i) {
      const Contact& c = list.contacts[static_cast<std::size_t>(i)];
      const Cone<S>* const cone = &rows.cone[static_cast<std::size_t>(first)];
      const auto* const row = rows.rows_of_cone(first);
      first += c.corners;
      Record& record = memory.records[static_cast<std::size_t>(i)];
      record.pair = c.pair;
      record.center = c.center;
      record.reach = c.reach;
      record.corners = static_cast<std::int16_t>(c.corners);
      for (int l = 0; l < c.corners; ++l) {
        auto& corner = record.corner[l];
        corner.place = c.center + c.corner[l][0] * c.in_solid.t2 + c.corner[l][1] * c.in_solid.t3;
        corner.regime = cone[l].regime;
        corner.is_sliding = cone[l].regime == Regime::slides && cone[l].slip > parameters.slip_mps;
        const S inverse = S(1) / c.share[l];
        for (int axis = 0; axis < 3; ++axis) corner.pressure[axis] = inverse * row[3 * l + axis].impulse;
      }
      const Strain anchor = moved_anchor(c, dt, cone, row, rows.change);
      record.displacement = anchor.along[0] * c.in_solid.t2 + anchor.along[1] * c.in_solid.t3;
      record.rotation = anchor.turn;
    }
  }

  template <class AllRows, class Report>
  void report(S dt, const StepMotion<R, S>* motion, const AllRows& rows, Report& /*robot*/,
              ContactReport& out) const noexcept {
    const S inverse_dt = S(1) / dt;
    out.count = list.count;
    int first = 0;
    for (int i = 0; i < list.count; ++i) {
      const Contact& c = list.contacts[static_cast<std::size_t>(i)];
      const Cone<S>* const cone = &rows.cone[static_cast<std::size_t>(first)];
      const auto* const row = rows.rows_of_cone(first);
      first += c.corners;
      Vec3<S> force{};   // along n, t2, t3
      Vec3<S> moment{};  // about them
      bool holds = false;
      bool slides = false;
      for (int l = 0; l < c.corners; ++l) {
        const Vec3<S> f{row[3 * l].impulse, row[3 * l + 1].impulse, row[3 * l + 2].impulse};
        const S x = c.corner[l][0];
        const S y = c.corner[l][1];
        force = force + f;
        moment = moment + Vec3<S>{x * f.z - y * f.y, y * f.x, -x * f.x};
        holds = holds || cone[l].regime == Regime::holds;
        slides = slides || (cone[l].regime == Regime::slides && cone[l].slip > parameters.slip_mps);
      }
      const auto pose = motion->poses[static_cast<std::size_t>(c.body)];
      const Mat3<S> axes = transpose(Mat3<S>{c.axes.n, c.axes.t2, c.axes.t3});
      force = inverse_dt * force;
      auto& entry = out.contacts[static_cast<std::size_t>(i)];
      entry.pair = c.pair;
      entry.point_m = pose.position + pose.rotation * c.place;
      entry.normal = pose.rotation * c.axes.n;
      entry.force_N = pose.rotation * (axes * force);
      entry.normal_N = force.x;
      entry.tangential_N = std::sqrt(force.y * force.y + force.z * force.z);
      entry.depth_m = c.depth;
      entry.slip_mps = std::sqrt(c.velocity[3] * c.velocity[3] + c.velocity[4] * c.velocity[4]);
      entry.is_sliding = force.x > S(0) && (slides || !holds);
      entry.moment_Nm = pose.rotation * (axes * (inverse_dt * moment));
      entry.area_m2 = c.area;
    }
  }

 private:
  // A field of small displacements of the patch: that of p0 along t2 and t3, and the turn about n.
  struct Strain {
    S along[2];
    S turn;
    [[nodiscard]] S at(int axis, const S (&corner)[2]) const noexcept {
      return axis == 0 ? along[0] - turn * corner[1] : along[1] + turn * corner[0];
    }
  };
  [[nodiscard]] static Strain anchor_of(const Contact& c) noexcept {
    return {{c.displacement[0], c.displacement[1]}, c.displacement[2]};
  }
  // The motion of a corner along n, t2, t3, of the six numbers of a motion at p0 (contact/volume/volume_contact.hpp).
  [[nodiscard, gnu::always_inline]] static Vec3<S> at_corner(const S (&m)[6], const S (&corner)[2]) noexcept {
    return {m[0] + corner[1] * m[1] - corner[0] * m[2], m[3] - corner[1] * m[5], m[4] + corner[0] * m[5]};
  }
  [[nodiscard]] static S rate_of(const Contact& c, S dt) noexcept {
    return detail::within_step(c.material->compensation, S(2) * dt);  // half of the thickness is worked off at it
  }

  // Means of the three directions at p0, of forces and of moments.
  struct Mobility {
    S force;
    S moment;
  };
  struct Columns {
    S of[static_cast<std::size_t>(Shape<R>::kDofs)][6];  // by entry of the support: the motion at p0
  };
  [[gnu::always_inline]] static void store(const Vec3<S>& linear, const Vec3<S>& angular, S (&m)[6]) noexcept {
    m[0] = linear.x, m[3] = linear.y, m[4] = linear.z;
    m[5] = angular.x, m[1] = angular.y, m[2] = angular.z;
  }
  // Calls put(linear, angular, path, j) with the motions of a body at `place`, along `axes`, for its columns j.
  template <class Put>
  [[gnu::always_inline]] static void for_each_column(const FreeStep<R, S>& step, int body, const Vec3<S>& place,
                                                     const ContactAxes<S>& axes, Put&& put) noexcept {
    detail::PathColumns<R, S> path;
    Factor{step.in.model, step.work}.rows(body, path);
    const ContactAxes<S> a = axes;  // copies: stores to the columns cannot change them
    const Vec3<S> r = place;
    for (int j = 0; j < path.count; ++j) {
      const Vec3<S> turning = path.motion[j].angular;
      const Vec3<S> moving = path.motion[j].linear + cross(turning, r);
      put(Vec3<S>{dot(a.n, moving), dot(a.t2, moving), dot(a.t3, moving)},
          Vec3<S>{dot(a.n, turning), dot(a.t2, turning), dot(a.t3, turning)}, path, j);
    }
  }

  // Fills the rows of the corners of contact i.
  template <class Row>
  [[nodiscard]] Mobility fill_rows(const FreeStep<R, S>& step, int i, Row* row) noexcept {
    const Contact& c = list.contacts[static_cast<std::size_t>(i)];
    const auto coordinate = [](const auto& path, int j) { return detail::coordinate_of<R>(path.dof[j]); };
    const RowSupport<R>* support = &detail::path_of<R>(c.body);
    Columns columns;
    bool is_relative = false;
    if constexpr (kHasLinkSurfaces) {
      if (c.owner >= 0) {
        const OwnerSide<S>& owner = list.owners[static_cast<std::size_t>(i)];
        columns = {};
        for_each_column(step, c.body, c.place, c.axes,
                        [&](const Vec3<S>& v, const Vec3<S>& w, const auto& path, int j) {
                          store(v, w, columns.of[coordinate(path, j)]);
                        });
        for_each_column(step, c.owner, owner.place, owner.axes,
                        [&](const Vec3<S>& v, const Vec3<S>& w, const auto& path, int j) {
                          S(&m)[6] = columns.of[coordinate(path, j)];
                          m[0] -= v.x, m[3] -= v.y, m[4] -= v.z, m[5] -= w.x, m[1] -= w.y, m[2] -= w.z;
                        });
        support = &find_support(i);
        if constexpr (!kRowsAreDense<Shape<R>::kDofs>) {
          for (int k = 0; k < support->count; ++k) {
            const S(&from)[6] = columns.of[support->place[static_cast<std::size_t>(k)]];
            std::copy(from, from + 6, columns.of[k]);
          }
        }
        is_relative = true;
      }
    }
    if (!is_relative) {
      constexpr bool kIsDense = kRowsAreDense<Shape<R>::kDofs>;
      if (kIsDense && support->count < Shape<R>::kDofs) columns = {};
      for_each_column(step, c.body, c.place, c.axes, [&](const Vec3<S>& v, const Vec3<S>& w, const auto& path, int j) {
        store(v, w, columns.of[kIsDense ? coordinate(path, j) : path.count - 1 - j]);
      });
    }
    for (int at = 0; at < 3 * c.corners; ++at) {
      row[at].set_support(*support);
      row[at].mobility = S(0);
    }
    const int count = row[0].support->count;
    Mobility sum{S(0), S(0)};
    for (int k = 0; k < count; ++k) {
      const S(&m)[6] = columns.of[k];
      sum.force += m[0] * m[0] + m[3] * m[3] + m[4] * m[4];
      sum.moment += m[1] * m[1] + m[2] * m[2] + m[5] * m[5];
      for (int l = 0; l < c.corners; ++l) {
        const Vec3<S> y = at_corner(m, c.corner[l]);
        Row* const of_corner = row + 3 * l;
        of_corner[0].y[k] = y.x, of_corner[1].y[k] = y.y, of_corner[2].y[k] = y.z;
        of_corner[0].mobility += y.x * y.x, of_corner[1].mobility += y.y * y.y, of_corner[2].mobility += y.z * y.z;
      }
    }
    for (int at = 0; at < 3 * c.corners; ++at) detail::end_row(row[at]);
    return {S(1.0 / 3.0) * sum.force, S(1.0 / 3.0) * sum.moment};
  }
  // The support of a contact between two bodies. Contacts of the same two share it.
  [[nodiscard]] const RowSupport<R>& find_support(int i) noexcept {
    const Contact& c = list.contacts[static_cast<std::size_t>(i)];
    for (int k = 0; k < i; ++k) {
      const Contact& other = list.contacts[static_cast<std::size_t>(k)];
      if (other.body == c.body && other.owner == c.owner) return supports[static_cast<std::size_t>(k)];
    }
    RowSupport<R>& own = supports[static_cast<std::size_t>(i)];
    own = detail::path_of<R>(c.body);
    detail::add_path<R>(c.owner, own);
    return own;
  }

  // The corner of the last step that is nearest to a place in B's frame. The `likely` one is taken if it is near.
  [[nodiscard]] static const typename Record::Corner& nearest(const Record& known, const Vec3<S>& place, int likely,
                                                              S near) noexcept {
    const auto squared_way = [&](int l) {
      const Vec3<S> off = known.corner[l].place - place;
      return dot(off, off);
    };
    int best = likely < known.corners ? likely : 0;
    S least = squared_way(best);
    if (least < near) return known.corner[best];
    for (int l = 0; l < known.corners; ++l) {
      const S square = squared_way(l);
      if (square < least) least = square, best = l;
    }
    return known.corner[best];
  }

  // What a contact asks of the rows of its corners, and where the solver starts. `immobile`: the mobility of rows that
  // cannot move.
  template <class Row>
  void ask(Contact& c, S dt, const Record* known, const Mobility& mobility, S immobile, Cone<S>* cone,
           Row* row) const noexcept {
    const MaterialConstants<S>& material = *c.material;
    find_shares(c);
    if (known != nullptr) shift_anchor(*known, c);
    const S rate = rate_of(c, dt);
    const S(&h)[3] = c.half_thickness;
    const S deepest = h[0] + (std::abs(h[1]) + std::abs(h[2])) * c.reach;
    const S out_rate = rate * deepest > parameters.push_out_mps ? parameters.push_out_mps / deepest : rate;
    const S soft = detail::softness(material.volume_relaxation, material.relaxation_is_absolute, mobility.force);
    const S stiffer = stiffening(c, mobility);
    const Strain anchor = anchor_of(c);
    constexpr S kNear = S(1) / S(64);
    const S near = kNear * c.reach * kNear * c.reach;
    S motion[6];
    for (int i = 0; i < 6; ++i) motion[i] = c.free[i] + c.drift[i];
    for (int l = 0; l < c.corners; ++l, ++cone, row += 3) {
      const S(&at)[2] = c.corner[l];
      const Vec3<S> free = at_corner(c.free, at);
      const Vec3<S> then = at_corner(motion, at);
      const Vec3<S> velocity = at_corner(c.velocity, at);
      row[0].free = free.x, row[1].free = free.y, row[2].free = free.z;
      row[0].bias = then.x - out_rate * (stiffer * h[0] + h[1] * at[0] + h[2] * at[1]);
      row[1].bias = then.y + rate * anchor.at(0, at);
      row[2].bias = then.z + rate * anchor.at(1, at);
      const S of_corner = soft / c.share[l];
      const bool slips = row[1].mobility > immobile || row[2].mobility > immobile;
      row[0].soften(row[0].mobility > immobile ? stiffer * of_corner : S(0));
      row[1].soften(slips ? of_corner : S(0));
      row[2].compliance = row[1].compliance, row[2].stiffness = row[1].stiffness;
      cone->rebound = S(0);
      cone->speed = std::sqrt(velocity.y * velocity.y + velocity.z * velocity.z);
      cone->is_known = known != nullptr;
      cone->regime = Regime::open;
      bool was_sliding = false;
      for (int axis = 0; axis < 3; ++axis) row[axis].impulse = S(0);
      if (known != nullptr) {
        const auto& last = nearest(*known, c.center + at[0] * c.in_solid.t2 + at[1] * c.in_solid.t3, l, near);
        cone->regime = last.regime;
        was_sliding = last.is_sliding;
        for (int axis = 0; axis < 3; ++axis) row[axis].impulse = c.share[l] * last.pressure[axis];
      }
      detail::set_friction(
          was_sliding || detail::arrives_sliding(material, row)
              ? material.kinetic_friction * detail::smoothing(parameters.smoothing_s_per_m, cone->speed)
              : material.static_friction,
          *cone, row);
    }
  }

  // A patch is to give way to a moment as a body does that is relaxed as a whole (method 6.3b). Corners that are close
  // together would give way further: their normal rows are so much stiffer.
  [[nodiscard]] static S stiffening(const Contact& c, const Mobility& mobility) noexcept {
    const S square = c.reach * c.reach;
    if (!(mobility.moment * square > Tolerance<S>::kPointLike * mobility.force)) return S(1);
    const S turning = std::min(mobility.moment, S(6) * mobility.force / square);
    S xx = S(0);
    S xy = S(0);
    S yy = S(0);
    for (int l = 0; l < c.corners; ++l) {
      const S x = c.corner[l][0];
      const S y = c.corner[l][1];
      xx += c.share[l] * x * x, xy += c.share[l] * x * y, yy += c.share[l] * y * y;
    }
    const S half = S(0.5) * (xx - yy);
    const S large = S(0.5) * (xx + yy) + std::sqrt(half * half + xy * xy);
    const S small = large > S(0) ? (xx * yy - xy * xy) / large : S(0);
    return std::max(std::min(turning * small / mobility.force, S(1)), S(1.0 / 8.0));
  }

  // Shares the area out: each triangle of p0 and two corners goes to them in halves, so that an even pressure acts at
  // the centroid. No corner has less than a fraction of the even share.
  static void find_shares(Contact& c) noexcept {
    S sum = S(0);
    for (int l = 0; l < c.corners; ++l) c.share[l] = S(0);
    for (int l = 0; l < c.corners; ++l) {
      const int next = l + 1 < c.corners ? l + 1 : 0;
      const S area = std::max(c.corner[l][0] * c.corner[next][1] - c.corner[next][0] * c.corner[l][1], S(0));
      c.share[l] += area, c.share[next] += area;
      sum += S(2) * area;
    }
    const S even = S(1) / static_cast<S>(c.corners);
    const S inverse = sum > S(0) ? S(1) / sum : S(0);
    constexpr S kLeastShare = S(1) / S(8);
    for (int l = 0; l < c.corners; ++l) c.share[l] = std::max(c.share[l] * inverse, kLeastShare * even);
  }

  // The anchor at this step's p0: the field of displacements stays where it was on B. It says nothing of places beyond
  // the last patch: there, a turn about a corner or an edge would be a large strain.
  static void shift_anchor(const Record& known, Contact& c) noexcept {
    const Vec3<S> moved = c.center - known.center;
    if (dot(moved, moved) > known.reach * known.reach) {
      c.displacement[2] = S(0);
      return;
    }
    if (c.reach > known.reach) c.displacement[2] *= known.reach / c.reach;
    const S place[2] = {dot(c.in_solid.t2, moved), dot(c.in_solid.t3, moved)};
    const Strain last = anchor_of(c);
    c.displacement[0] = last.at(0, place);
    c.displacement[1] = last.at(1, place);
  }

  // The rigid field that fits the corners' displacements best: field(l, axis), by weight(l).
  template <class Weight, class Field>
  [[nodiscard, gnu::always_inline]] static Strain fit(const Contact& c, Weight&& weight, Field&& field) noexcept {
    S sum = S(0);
    S place[2] = {};
    S mean[2] = {};
    S turning = S(0);
    S square = S(0);
    for (int l = 0; l < c.corners; ++l) {
      const S w = weight(l);
      const S x = c.corner[l][0];
      const S y = c.corner[l][1];
      const S along[2] = {w * field(l, 0), w * field(l, 1)};
      sum += w;
      place[0] += w * x, place[1] += w * y;
      mean[0] += along[0], mean[1] += along[1];
      turning += x * along[1] - y * along[0];
      square += w * (x * x + y * y);
    }
    if (!(sum > S(0))) return {{S(0), S(0)}, S(0)};
    const S inverse = S(1) / sum;
    for (int axis = 0; axis < 2; ++axis) place[axis] *= inverse, mean[axis] *= inverse;
    turning -= sum * (place[0] * mean[1] - place[1] * mean[0]);
    square -= sum * (place[0] * place[0] + place[1] * place[1]);
    constexpr S kLeast = S(4) * Tolerance<S>::kTouchingHalfWidth;
    const S turn = square > sum * kLeast * kLeast ? turning / square : S(0);
    return {{mean[0] + turn * place[1], mean[1] - turn * place[0]}, turn};
  }
  // How far friction can strain a corner, and the bend of a step's path on what turns beside it, times k; the largest
  // of them.
  template <class Row>
  [[nodiscard]] static S largest_strain(const Contact& c, const Cone<S>* cone, const Row* row) noexcept {
    S most = S(0);
    for (int l = 0; l < c.corners; ++l)
      most = std::max(most, cone[l].friction * row[3 * l].impulse * row[3 * l + 1].compliance);
    if (Scene::kMoves || c.owner >= 0) most += std::abs(c.bend[0]) + std::abs(c.bend[1]);
    return most;
  }

  // The anchor at the end of the step.
  template <class Row, class Change>
  [[nodiscard]] static Strain moved_anchor(const Contact& c, S dt, const Cone<S>* cone, const Row* row,
                                           const Change& change) noexcept {
    const S rate = rate_of(c, dt);
    const Strain anchor = anchor_of(c);
    S held = S(0);
    S loaded = S(0);
    bool all_hold = true;
    bool slides = false;
    for (int l = 0; l < c.corners; ++l) {
      loaded += row[3 * l].impulse;
      if (cone[l].regime == Regime::holds) held += row[3 * l].impulse;
      all_hold = all_hold && cone[l].regime == Regime::holds;
      slides = slides || cone[l].regime == Regime::slides;
    }
    if (!(loaded > S(0)) || !(rate > S(0))) return {{S(0), S(0)}, S(0)};
    // Where a corner slides, the solver's last correction changed the velocities after it found those of the rows.
    const Strain moved = fit(
        c, [&](int l) { return c.share[l]; },
        [&](int l, int axis) {
          const Row& r = row[3 * l + 1 + axis];
          if (!slides) return r.velocity;
          S velocity = r.bias;
          for (int k = 0; k < r.support->count; ++k)
            velocity += r.y[k] * change[static_cast<std::size_t>(r.support->place[static_cast<std::size_t>(k)])];
          return velocity;
        });
    const Strain motion{{moved.along[0] - rate * anchor.along[0] - S(0.5) * c.bend[0],
                         moved.along[1] - rate * anchor.along[1] - S(0.5) * c.bend[1]},
                        moved.turn - rate * anchor.turn};
    const Strain out{{anchor.along[0] + dt * motion.along[0], anchor.along[1] + dt * motion.along[1]},
                     anchor.turn + dt * motion.turn};
    if (all_hold) return out;
    // Corners at their limit, or lifted, may be at rest beside others that hold; then the anchor stays rigid. Where
    // they move, or none holds, it is fitted to what strains each of them.
    const S strained = largest_strain(c, cone, row);
    bool moves = !(held > S(0));
    for (int l = 0; l < c.corners; ++l) {
      const S x = motion.at(0, c.corner[l]);
      const S y = motion.at(1, c.corner[l]);
      moves = moves || (cone[l].regime != Regime::holds && x * x + y * y > strained * strained);
    }
    if (!moves) return out;
    const S inverse = S(1) / rate;
    return fit(
        c, [&](int l) { return row[3 * l].impulse; },
        [&](int l, int axis) {
          const Row& r = row[3 * l + 1 + axis];
          return cone[l].regime == Regime::holds ? out.at(axis, c.corner[l]) : -inverse * r.compliance * r.impulse;
        });
  }

  // An anchor is strained no further than friction can strain it (method 16.5), under a load that has fallen too: where
  // it is strained by more than twice that, it is let go so far. A corner that slides beside others that hold may be
  // strained kFurther times that, until all slide. True: the anchor was let go.
  template <class Row>
  [[nodiscard]] static bool relax_anchor(Contact& c, S dt, const Cone<S>* cone, Row* row) noexcept {
    const S rate = rate_of(c, dt);
    constexpr S kFurther = S(4);
    const S most = largest_strain(c, cone, row);
    const Strain anchor = anchor_of(c);
    S square = S(0);
    for (int l = 0; l < c.corners; ++l) {
      if (cone[l].regime == Regime::open) continue;
      const S x = anchor.at(0, c.corner[l]);
      const S y = anchor.at(1, c.corner[l]);
      const S counts = cone[l].regime == Regime::holds ? S(1) : S(1) / (kFurther * kFurther);
      square = std::max(square, counts * (x * x + y * y));
    }
    const S strain = rate * rate * square;
    if (!(strain > S(4) * most * most)) return false;
    const S lost = S(1) - most / std::sqrt(strain);
    for (int l = 0; l < c.corners; ++l)
      for (int axis = 0; axis < 2; ++axis) row[3 * l + 1 + axis].bias -= rate * lost * anchor.at(axis, c.corner[l]);
    for (S& d : c.displacement) d *= S(1) - lost;
    return true;
  }
};

}  // namespace kinecast
