// SPDX-License-Identifier: MIT
// Contact points as constraints: a cone for each that touches, or would touch by the end of the step (method 2.1, 16).
// Its normal row asks for the velocity that arrives at the surface or works the depth off (contact/targets.hpp), its
// tangents for none, but for what the anchor asks: the anchor is where friction holds the point, strained by
//
//   d += dt v_t   while it holds,      d = -R_t x_t / k   while it slides: as far as friction can strain it
//
// so that a held point does not creep (method 16.5). On surfaces that move, one half of the accelerations in v_t
// counts, because the step moves the positions with its last velocity: so a turning surface takes the anchor along.
// Static friction holds; a contact that slides faster than slip_mps has kinetic friction.
#pragma once

#include <kinecast/contact/constraint.hpp>
#include <kinecast/contact/detection.hpp>
#include <kinecast/contact/friction_cone.hpp>
#include <kinecast/contact/moving_surfaces.hpp>
#include <kinecast/contact/targets.hpp>
#include <kinecast/solve/packs.hpp>

#include <array>
#include <cmath>
#include <cstddef>

namespace kinecast {

template <const auto& R, class S, const auto& World, int Capacity>
struct Points : Constraint<R, S> {
  static_assert(Capacity >= 1, "kinecast: room for at least one contact");
  static_assert(Shape<R>::kPoints > 0, "kinecast: the robot has no contact points that could touch anything");
  static constexpr int kCones = Capacity;
  static constexpr int kLines = 0;
  using Scene = kinecast::Scene<R, World, S>;
  using Memory = ContactMemory<S, Capacity, Scene::kMoving, 0, PointRecord<S>>;
  using ContactReport = kinecast::ContactReport<S, Capacity>;
  using Contact = PointContact<S, PointRecord<S>>;
  static constexpr bool kHasLinkSurfaces = Scene::kHasLinkSurfaces;

  const Scene* scene{&kinecast::scene<R, World, S>};
  ContactParameters<S> parameters{};
  ContactList<S, Capacity, kHasLinkSurfaces, PointRecord<S>> list;
  std::array<RowSupport<R>, static_cast<std::size_t>(kHasLinkSurfaces ? Capacity : 0)> supports;

  // Bodies with points; and all of them, where links carry surfaces.
  [[nodiscard]] static constexpr bool needs(int body) noexcept { return kHasLinkSurfaces || has_points<R>(body); }
  using Constraint<R, S>::set;
  void set(const ContactParameters<S>& other) noexcept { parameters = other; }
  void set_scene(const Scene& other) noexcept { scene = &other; }
  void start(Memory& memory) const noexcept { place_moving_surfaces(*scene, memory); }
  [[nodiscard]] bool place_surface(int surface, const SurfaceMotion<S>& motion, Memory& memory) const noexcept {
    return place_moving_surface(*scene, surface, motion, memory);
  }
  static void carry_surfaces(S dt, Memory& memory) noexcept { advance_surfaces(dt, memory); }
  // Anchors remember strains and no places: they stay as they are.
  static void correct(Memory& memory) noexcept {
    for (PointRecord<S>& record : memory.records) record.was_moved = true;
  }
  [[nodiscard]] Status warning() const noexcept { return list.is_overfull ? Status::contacts_dropped : Status::ok; }

  [[nodiscard]] Status find(const FreeStep<R, S>& step, const Memory& memory) noexcept {
    return detect_contacts(step.in.model, *scene, step.work, *step.motion, memory, ContactRows::predictive, step.in.dt,
                           list);
  }
  [[nodiscard]] bool is_needed() const noexcept { return list.count > 0; }

  template <class AllRows>
  void add_rows(const FreeStep<R, S>& step, const Memory& /*memory*/, AllRows& rows) noexcept {
    detail::PathColumns<R, S> columns;
    columns.motion[0] = {};  // the compiler does not see that every body has a column
    columns.dof[0] = 0;
    int body = kWorld;  // whose columns are there
    S largest = S(0);
    const bool can_pack = !kRowsAreDense<Shape<R>::kDofs> && rests();
    for (int i = 0; i < list.count;) {
      const Contact& c = list.contacts[static_cast<std::size_t>(i)];
      const int count = count_of_face(i);
      auto* const row = rows.rows_of_cone(rows.cones + i);
      for (int k = 0; k < count; ++k) rows.cone[static_cast<std::size_t>(rows.cones + i + k)].storage = Storage::spread;
      if (is_alone(i)) {
        detail::fill_force_rows(step.in.model, step.work, c.body,
                                detail::forces_at(c.place, Mat3<S>{c.axes.n, c.axes.t2, c.axes.t3}), row);
      } else {
        if (body != c.body) Factor{step.in.model, step.work}.rows(c.body, columns);
        body = c.body;
        if (can_pack && count >= kLeastPack && !(kHasLinkSurfaces && c.owner >= 0))
          pack_rows(columns, i, count, rows);
        else
          fill_rows(columns, i, count, row);
      }
      if constexpr (kHasLinkSurfaces) {
        for (int k = 0; k < count; ++k)
          if (list.contacts[static_cast<std::size_t>(i + k)].owner >= 0) relate_to_owner(step, i + k, row + 3 * k);
      }
      for (int k = 0; k < 3 * count; ++k) largest = row[k].mobility > largest ? row[k].mobility : largest;
      i += count;
    }
    for (int i = 0; i < list.count; ++i)
      ask(list.contacts[static_cast<std::size_t>(i)], step.in.dt, Tolerance<S>::kImmobile * largest,
          rows.cone[static_cast<std::size_t>(rows.cones + i)], rows.rows_of_cone(rows.cones + i));
    rows.cones += list.count;
  }

  // A contact that static friction did not hold, and that slides by now, has kinetic friction. The anchor of a contact
  // that an impact loaded in the last step, and that bears little in this one, would give its strain back as motion.
  template <class AllRows>
  [[nodiscard]] bool revise(const FreeStep<R, S>& step, const Velocity<R, S>& /*dq*/, AllRows& rows) noexcept {
    bool changed = false;
    for (int i = 0; i < list.count; ++i) {
      Cone<S>& cone = rows.cone[static_cast<std::size_t>(i)];
      Contact& contact = list.contacts[static_cast<std::size_t>(i)];
      if (cone.regime == Regime::holds && relax_anchor(contact, step.in.dt, cone, rows.rows_of_cone(i))) changed = true;
      if (detail::becomes_kinetic(*contact.material, parameters.slip_mps, cone, rows.rows_of_cone(i))) changed = true;
    }
    return changed;
  }

  template <class AllRows>
  void keep(S dt, const AllRows& rows, Memory& memory) const noexcept {
    memory.count = list.count;
    memory.dt = dt;
    for (int i = 0; i < list.count; ++i) {
      const Contact& c = list.contacts[static_cast<std::size_t>(i)];
      const Cone<S>& cone = rows.cone[static_cast<std::size_t>(i)];
      const auto* const row = rows.rows_of_cone(i);
      PointRecord<S>& record = memory.records[static_cast<std::size_t>(i)];
      record.pair = c.pair;
      record.face = c.face;
      record.was_moved = false;
      record.regime = cone.regime;
      record.is_sliding = cone.regime == Regime::slides && cone.slip > parameters.slip_mps;
      for (int axis = 0; axis < 3; ++axis) record.impulse[axis] = row[axis].impulse;
      const S k = detail::within_step(c.material->compensation, dt);
      for (int axis = 0; axis < 2; ++axis) {
        const S strain = c.displacement[axis];
        if (cone.regime == Regime::holds)
          record.displacement[axis] = strain + dt * (row[1 + axis].velocity - k * strain - S(0.5) * c.bend[axis]);
        else if (cone.regime == Regime::slides && k > S(0))
          record.displacement[axis] = -row[1].compliance * row[1 + axis].impulse / k;
        else
          record.displacement[axis] = S(0);
      }
      const bool rebounds = c.material->restitution > S(0) && c.arrives() && row[0].impulse > S(0);
      record.approach = rebounds ? c.velocity[0] : S(0);
    }
  }

  template <class AllRows, class Report, class Contacts>
  void report(S dt, const StepMotion<R, S>* motion, const AllRows& rows, Report& /*robot*/,
              Contacts& out) const noexcept {
    const S inverse_dt = S(1) / dt;
    out.count = 0;
    const Contact* last = nullptr;
    Placement<S> pose;
    ContactAxes<S> a;  // of the last contact's face, in the world
    for (int i = 0; i < list.count; ++i) {
      const Contact& c = list.contacts[static_cast<std::size_t>(i)];
      const Cone<S>& cone = rows.cone[static_cast<std::size_t>(i)];
      const auto* const row = rows.rows_of_cone(i);
      if (!c.presses && !(row[0].impulse > S(0))) continue;
      const S n = inverse_dt * row[0].impulse;
      const S t2 = inverse_dt * row[1].impulse;
      const S t3 = inverse_dt * row[2].impulse;
      const bool is_same_body = last != nullptr && last->body == c.body;
      if (!is_same_body) pose = motion->poses[static_cast<std::size_t>(c.body)];  // a copy: stores cannot change it
      if (!is_same_body || !is_same_face(*last, c)) a = pose.rotation * c.axes;
      last = &c;
      const Vec3<S> point = pose.position + pose.rotation * c.place;
      const Vec3<S> force = n * a.n + t2 * a.t2 + t3 * a.t3;
      ContactForce<S>& to = out.contacts[static_cast<std::size_t>(out.count++)];
      to.pair = c.pair;
      to.point_m = point;
      to.normal = a.n;
      to.force_N = force;
      to.normal_N = n;
      to.tangential_N = std::sqrt(t2 * t2 + t3 * t3);
      to.depth_m = -c.gap;
      to.slip_mps = cone.speed;
      to.is_sliding = cone.regime == Regime::slides;
    }
  }

 private:
  // The columns of a body along the axes n, t2, t3 of a face. The points of the body that touch the face share them.
  struct FaceColumns {
    Motion<S> motion[static_cast<std::size_t>(Shape<R>::kDofs)];
  };
  // Whether no neighbour in the list is a contact of the same body. Three forces inward are then cheaper than the six
  // columns of the body, where a floating base makes these many.
  [[nodiscard]] bool is_alone(int i) const noexcept {
    if constexpr (kRowsAreDense<Shape<R>::kDofs>) return false;
    const auto body = [&](int k) { return list.contacts[static_cast<std::size_t>(k)].body; };
    return (i == 0 || body(i - 1) != body(i)) && (i + 1 == list.count || body(i + 1) != body(i));
  }
  // Whether friction held all contacts in the last step: the solver begins with packs where they are worth it.
  [[nodiscard]] bool rests() const noexcept {
    for (int i = 0; i < list.count; ++i) {
      const PointRecord<S>* const known = list.contacts[static_cast<std::size_t>(i)].known;
      if (known == nullptr || known->regime == Regime::slides) return false;
    }
    return true;
  }
  // The number of contacts from contact i on that touch the same face with the same body.
  [[nodiscard]] int count_of_face(int i) const noexcept {
    const Contact& c = list.contacts[static_cast<std::size_t>(i)];
    int end = i + 1;
    while (end < list.count && list.contacts[static_cast<std::size_t>(end)].body == c.body &&
           is_same_face(list.contacts[static_cast<std::size_t>(end)], c))
      ++end;
    return end - i;
  }
  // Stores the rows of contacts of one face as a pack (solve/packs.hpp). Not in add_rows(): the columns are
  // on its frame.
  template <class AllRows>
  [[gnu::noinline]] void pack_rows(const detail::PathColumns<R, S>& columns, int first, int count,
                                   AllRows& rows) const noexcept {
    const Contact& c = list.contacts[static_cast<std::size_t>(first)];
    const ContactAxes<S> a = c.axes;  // a copy: stores to the rows cannot change it
    auto* const row = rows.rows_of_cone(rows.cones + first);
    for (int j = 0; j < columns.count; ++j) {
      const Vec3<S> moment = along(a, columns.motion[j].angular);
      const Vec3<S> force = along(a, columns.motion[j].linear);
      const int k = columns.count - 1 - j;
      row[0].y[k] = moment.x, row[1].y[k] = moment.y, row[2].y[k] = moment.z;
      row[3].y[k] = force.x, row[4].y[k] = force.y, row[5].y[k] = force.z;
    }
    for (int i = 0; i < 3 * count; ++i) row[i].set_support(detail::path_of<R>(c.body));
    for (int i = 0; i < 6; ++i) detail::end_row(row[i]);
    for (int i = 0; i < count; ++i) {
      const Vec3<S> place = along(a, list.contacts[static_cast<std::size_t>(first + i)].place);
      detail::set_place(row + 3 * i, place.x, place.y, place.z);
      rows.cone[static_cast<std::size_t>(rows.cones + first + i)].storage =
          i == 0 ? Storage::first_of_pack : Storage::in_pack;
    }
    detail::find_pack_mobilities(row, count);
  }
  [[nodiscard]] static Vec3<S> along(const ContactAxes<S>& a, const Vec3<S>& v) noexcept {
    return {dot(a.n, v), dot(a.t2, v), dot(a.t3, v)};
  }
  // Whether two contacts of a body have the same axes. Tangents follow from the normal and the surface's frame.
  [[nodiscard]] static bool is_same_face(const Contact& a, const Contact& b) noexcept {
    const Vec3<S>& u = a.axes.n;
    const Vec3<S>& v = b.axes.n;
    return a.pair.surface == b.pair.surface &&
           !(std::abs(u.x - v.x) > S(0) || std::abs(u.y - v.y) > S(0) || std::abs(u.z - v.z) > S(0));
  }
  static void turn_columns(const detail::PathColumns<R, S>& columns, const ContactAxes<S>& axes,
                           FaceColumns& out) noexcept {
    const ContactAxes<S> a = axes;  // a copy: stores to the columns cannot change it
    for (int j = 0; j < columns.count; ++j)
      out.motion[j] = {along(a, columns.motion[j].angular), along(a, columns.motion[j].linear)};
  }

  // Fills the rows of contacts of one face from the columns of their body, which come from the world outward.
  template <class Row>
  [[gnu::noinline]] void fill_rows(const detail::PathColumns<R, S>& path, int first, int count,
                                   Row* row) const noexcept {
    FaceColumns columns;
    columns.motion[0] = {};  // the compiler does not see that every body has a column
    turn_columns(path, list.contacts[static_cast<std::size_t>(first)].axes, columns);
    for (int i = 0; i < count; ++i)
      fill_rows(list.contacts[static_cast<std::size_t>(first + i)], path, columns, row + 3 * i);
  }
  // Fills the three rows of a contact from the columns of its body, which come from the world outward.
  template <class Row>
  static void fill_rows(const Contact& c, const detail::PathColumns<R, S>& path, const FaceColumns& columns,
                        Row* row) noexcept {
    constexpr bool kIsDense = kRowsAreDense<Shape<R>::kDofs>;
    const Vec3<S> place = along(c.axes, c.place);
    Vec3<S> squares{};
    if (kIsDense && path.count < Shape<R>::kDofs)
      for (int axis = 0; axis < 3; ++axis)
        for (S& y : row[axis].y) y = S(0);
    for (int j = 0; j < path.count; ++j) {
      const Vec3<S> y = columns.motion[j].linear + cross(columns.motion[j].angular, place);
      const int k = kIsDense ? detail::coordinate_of<R>(path.dof[j]) : path.count - 1 - j;
      row[0].y[k] = y.x, row[1].y[k] = y.y, row[2].y[k] = y.z;
      squares = {squares.x + y.x * y.x, squares.y + y.y * y.y, squares.z + y.z * y.z};
    }
    row[0].mobility = squares.x, row[1].mobility = squares.y, row[2].mobility = squares.z;
    for (int axis = 0; axis < 3; ++axis) {
      row[axis].set_support(detail::path_of<R>(c.body));
      detail::end_row(row[axis]);
    }
  }

  // A contact with a surface on a link: the rows are those of the relative motion. Contacts of the same two bodies
  // share a support.
  template <class Row>
  void relate_to_owner(const FreeStep<R, S>& step, int i, Row* row) noexcept {
    const Contact& c = list.contacts[static_cast<std::size_t>(i)];
    const OwnerSide<S>& owner = list.owners[static_cast<std::size_t>(i)];
    FactorRow<R, S> relative[3] = {};
    for (int k = 0; k < row[0].support->count; ++k) {
      const int dof = detail::coordinate_of<R>(row[0].support->place[static_cast<std::size_t>(k)]);  // and back
      for (int axis = 0; axis < 3; ++axis) relative[axis][dof] = row[axis].y[k];
    }
    const Mat3<S> theirs{-owner.axes.n, -owner.axes.t2, -owner.axes.t3};
    Factor{step.in.model, step.work}.rows(c.owner, detail::forces_at(owner.place, theirs), relative[0], relative[1],
                                          relative[2]);
    const RowSupport<R>* support = nullptr;
    for (int k = 0; k < i && support == nullptr; ++k) {
      const Contact& other = list.contacts[static_cast<std::size_t>(k)];
      if (other.body == c.body && other.owner == c.owner) support = &supports[static_cast<std::size_t>(k)];
    }
    if (support == nullptr) {
      RowSupport<R>& own = supports[static_cast<std::size_t>(i)];
      own = detail::path_of<R>(c.body);
      detail::add_path<R>(c.owner, own);
      support = &own;
    }
    for (int axis = 0; axis < 3; ++axis) detail::fill_row<R, S>(relative[axis], *support, row[axis]);
  }

  [[nodiscard]] static S softness(const MaterialConstants<S>& material, S mobility) noexcept {
    return detail::softness(material.relaxation, material.relaxation_is_absolute, mobility);
  }

  // An anchor is strained no further than friction can strain it (method 16.5), under a load that has fallen too: if it
  // is strained by more than twice that, it is let go so far. (On a surface that turns, the step's own error strains it
  // too: by half of the acceleration.) True: it was.
  template <class Row>
  [[nodiscard]] static bool relax_anchor(Contact& c, S dt, const Cone<S>& cone, Row* row) noexcept {
    const S k = detail::within_step(c.material->compensation, dt);
    S most = cone.friction * row[0].impulse * row[1].compliance;
    if constexpr (Scene::kMoves) most += std::abs(c.bend[0]) + std::abs(c.bend[1]);
    const S strain = k * k * (c.displacement[0] * c.displacement[0] + c.displacement[1] * c.displacement[1]);
    if (!(strain > S(4) * most * most)) return false;
    const S keeps = most / std::sqrt(strain);
    for (int axis = 0; axis < 2; ++axis) {
      const S lost = (S(1) - keeps) * c.displacement[axis];
      c.displacement[axis] -= lost;
      row[1 + axis].bias -= k * lost;
    }
    return true;
  }

  // What the contact asks of its rows, and where the solver starts. `immobile`: the mobility of rows that cannot move.
  template <class Row>
  void ask(const Contact& c, S dt, S immobile, Cone<S>& cone, Row* row) const noexcept {
    const MaterialConstants<S>& material = *c.material;
    const S k = detail::within_step(material.compensation, dt);
    const S without = c.gap > S(0) ? -c.gap / dt : detail::push_out(k, -c.gap, parameters);
    const S target = c.arrives() ? without : detail::with_restitution(without, c, dt);
    cone.rebound = target > without ? target - without : S(0);
    for (int axis = 0; axis < 3; ++axis) row[axis].free = c.free[axis] + c.drift[axis];
    row[0].bias = row[0].free - target;
    for (int axis = 1; axis < 3; ++axis) row[axis].bias = row[axis].free + k * c.displacement[axis - 1];
    if (without > S(0)) row[0].free -= without;  // working off a depth brings energy
    const S a2 = row[1].mobility;
    const S a3 = row[2].mobility;
    const S tangential = a2 > immobile && a3 > immobile ? S(0.5) * (a2 + a3) : a2 > a3 ? a2 : a3;
    row[0].soften(row[0].mobility > immobile ? softness(material, row[0].mobility) : S(0));
    row[1].soften(tangential > immobile ? softness(material, tangential) : S(0));
    row[2].compliance = row[1].compliance, row[2].stiffness = row[1].stiffness;
    cone.speed = std::sqrt(c.velocity[1] * c.velocity[1] + c.velocity[2] * c.velocity[2]);
    cone.is_known = c.known != nullptr;
    cone.regime = c.known != nullptr ? c.known->regime : Regime::open;
    for (int axis = 0; axis < 3; ++axis) row[axis].impulse = c.known != nullptr ? c.known->impulse[axis] : S(0);
    detail::set_friction(c.is_sliding || detail::arrives_sliding(material, row)
                             ? material.kinetic_friction * detail::smoothing(parameters.smoothing_s_per_m, cone.speed)
                             : material.static_friction,
                         cone, row);
  }
};

}  // namespace kinecast
