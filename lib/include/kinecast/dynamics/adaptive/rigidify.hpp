// SPDX-License-Identifier: MIT
// Adaptive articulated bodies (after Redon, Galoppo, Lin): joints that hardly move become rigid at run time, the
// links between them merge, and the sweeps visit the joints that are left (rigidified_dynamics.hpp), with the results
// of a robot whose joints are welded where they stand. A rigid joint keeps its position; its velocity is zero. Only
// joints with one axis can be rigid.
//
// rigidify() is done when the choice changes; it makes a hybrid tree: the bodies with an active joint,
// each with the mass and inertia of all that is welded to it, and how its joint sits on the active body
// before it, a constant placement
//
//   p_parent = Rz(beta) (Rx(alpha) p + (a, b, 0)) + e z,   p = Rz(gamma) Rz(q) p_child + (d + slide) z
//
// With b = 0 this is the common normal of the two axes; where these are nearly parallel its feet run away, and b takes
// what they would have made up for. The hybrid tree has frames of its own: a body's is turned by beta and slid by e
// along its axis for the sake of one child, so that, as in model/frames.hpp, two planar screws lie between most
// neighbours. No memory but the struct; cost on a Cortex-M4F about 450 instructions per joint.
#pragma once

#include <kinecast/dynamics/workspace.hpp>
#include <kinecast/kinematics/kinematics.hpp>
#include <kinecast/kinematics/transfer.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace kinecast {

// JointSet is a choice among the joints, each named by its body.
template <const auto& R>
class JointSet {
 public:
  using Shape = kinecast::Shape<R>;

  // add() takes a joint with one axis, and answers index_out_of_range for any other.
  [[nodiscard]] constexpr Status add(int body) noexcept { return put(body, true); }
  [[nodiscard]] constexpr Status remove(int body) noexcept { return put(body, false); }
  [[nodiscard]] constexpr bool has(int body) const noexcept { return chosen_[static_cast<std::size_t>(body)]; }
  [[nodiscard]] constexpr int count() const noexcept {
    int sum = 0;
    for (const bool is_in : chosen_) sum += is_in ? 1 : 0;
    return sum;
  }
  [[nodiscard]] static constexpr bool can_have(int body) noexcept {
    return body >= 0 && body < Shape::kBodies && (Shape::is_revolute(body) || Shape::is_prismatic(body));
  }

 private:
  [[nodiscard]] constexpr Status put(int body, bool is_in) noexcept {
    if (!can_have(body)) return Status::index_out_of_range;
    chosen_[static_cast<std::size_t>(body)] = is_in;
    return Status::ok;
  }
  std::array<bool, static_cast<std::size_t>(Shape::kBodies)> chosen_{};
};

// HybridJoint describes a body of the hybrid tree and its joint.
template <class S>
struct HybridJoint {
  // Of an active body along_x is (alpha, a), along_z is what precedes and follows the joint's own screw (gamma and the
  // turn of the body's frame, d and its slide), inertia and second moment those of all that is welded to the body, in
  // the hybrid tree's frame. Rigid: along_z is the joint's screw where it stands.
  JointConstants<S> joint{};
  Screw<S> frame{};  // the body's frame on the hybrid tree, in its own: turned and slid along z
  Screw<S> turn{};   // beta and e, where the parent's frame has not taken them
  S across{};        // b
  // Of a body that hangs on the world this is what stands for gravity, before the joint turns; of a spherical one it is
  // the seat on the parent.
  Vec3<S> offset{};
  std::int16_t parent{};  // the active body before it, or kWorld
  std::int16_t slot{};    // slots are those of JointIndex (model/shape.hpp), on the hybrid tree
  std::int16_t slot_of_parent{};
  bool first_in_slot{};
  bool is_rigid{};
  bool is_merged{};   // other bodies are welded to it
  bool is_plain{};    // along_z is the identity
  bool is_turned{};   // turn is not the identity
  bool is_framed{};   // frame is not the identity
  bool is_settled{};  // a child has seen frame as it is
};

template <const auto& R, class S>
struct RigidJoints {
  using Shape = kinecast::Shape<R>;
  template <class T, int Size>
  using Table = std::array<T, static_cast<std::size_t>(Size)>;

  bool ready{false};  // rigidify() has succeeded
  int active{0};
  Table<std::int16_t, Shape::kBodies> order{};  // the active bodies, parents first, and then the rigid ones likewise
  Table<HybridJoint<S>, Shape::kBodies> joints{};
  Table<Mat3<S>, Shape::kHas.spherical>
      seats{};  // a spherical joint's seat turns axes of the parent to those of the active parent

  [[nodiscard]] const HybridJoint<S>& operator[](int body) const noexcept {
    return joints[static_cast<std::size_t>(body)];
  }
  [[nodiscard]] int body(int place) const noexcept { return order[static_cast<std::size_t>(place)]; }
  [[nodiscard]] bool is_rigid(int body) const noexcept { return joints[static_cast<std::size_t>(body)].is_rigid; }
};

namespace detail {

// These give a body's frame in its parent's, and the frame before its own joint turns.
template <const auto& R, class S>
[[nodiscard]] inline Placement<S> across_joint(const Model<R, S>& model, const Screws<R, S>& screws, int b) noexcept {
  return {turned_by_joint(model, screws, b, kIdentity3<S>), origin_in_parent(model, screws, b)};
}
template <const auto& R, class S>
[[nodiscard]] inline Placement<S> seat_of(const Model<R, S>& model, int b) noexcept {
  const Screw<S>& x = model.joint(b).along_x;
  Placement<S> seat{{{S(1), S(0), S(0)}, {S(0), x.cos, -x.sin}, {S(0), x.sin, x.cos}}, {x.slide, S(0), S(0)}};
  if constexpr (Shape<R>::kHas.mounts > 0) {
    if (const int index = Shape<R>::index(b).mount; index >= 0) {
      const Mount<S>& mount = model.mount(index);
      const Mat3<S> axes = transpose(seat.rotation);
      seat.rotation = transpose(
          Mat3<S>{turn_z(mount.turn, axes.row_x), turn_z(mount.turn, axes.row_y), turn_z(mount.turn, axes.row_z)});
      seat.position = mount.position + turn_z(mount.turn, seat.position);
    }
  }
  return seat;
}

template <class S>
[[nodiscard]] inline Screw<S> unit_turn(S cosine, S sine) noexcept {
  const S length = std::sqrt(cosine * cosine + sine * sine);
  if (!(length > S(0))) return {S(1), S(0), S(0)};
  return {cosine / length, sine / length, S(0)};
}

// This writes a seat as Rz(beta) (Rx(alpha) Rz(gamma) + ...), the form that the top of this file gives.
template <class S>
inline void set_seat(const Placement<S>& seat, HybridJoint<S>& out) noexcept {
  const Mat3<S>& r = seat.rotation;
  const Vec3<S>& p = seat.position;
  const S sine = std::sqrt(r.row_x.z * r.row_x.z + r.row_y.z * r.row_y.z);
  const bool parallel = sine <= Tolerance<S>::kParallelSeats;
  out.turn = parallel ? unit_turn(p.x, p.y) : unit_turn(-r.row_y.z, r.row_x.z);
  const Screw<S> alpha = unit_turn(r.row_z.z, parallel ? S(0) : sine);
  // gamma comes from what beta leaves, Rz(-beta) seat = Rx(alpha) Rz(gamma): where the tilt is small it makes up for
  // beta.
  const Vec3<S> row = out.turn.cos * r.row_x + out.turn.sin * r.row_y;
  const Screw<S> gamma = unit_turn(row.x, -row.y);
  const Vec3<S> shifted = turn_back_z(out.turn, p);
  // A foot farther away than the joints are from each other would cost digits.
  const bool crossed = !parallel && shifted.y * shifted.y <= sine * sine * dot(p, p);
  const S back = crossed ? shifted.y / alpha.sin : S(0);  // along the joint's axis, to the common normal
  out.joint.along_x = {alpha.cos, alpha.sin, shifted.x};
  out.joint.along_z = {gamma.cos, gamma.sin, -back};
  out.turn.slide = shifted.z + back * alpha.cos;
  out.across = crossed || parallel ? S(0) : shifted.y;
}

template <class S>
inline constexpr Screw<S> kNoScrew{S(1), S(0), S(0)};

// The screw leads from F to G: p_F = Rz p_G + slide z.
template <class S>
[[nodiscard]] inline Screw<S> inverse(const Screw<S>& k) noexcept {
  return {k.cos, -k.sin, -k.slide};
}
template <class S>
[[nodiscard, gnu::always_inline]] inline Screw<S> operator*(const Screw<S>& a, const Screw<S>& b) noexcept {
  return {a.cos * b.cos - a.sin * b.sin, a.sin * b.cos + a.cos * b.sin, a.slide + b.slide};
}

// This sees a placement in a body's own frame from the body's frame on the hybrid tree.
template <class S>
[[nodiscard]] inline Placement<S> seen_from(const Screw<S>& frame, const Placement<S>& placed) noexcept {
  const Screw<S> back = inverse(frame);
  const Mat3<S> axes = transpose(placed.rotation);
  const Vec3<S> p = turn_z(back, placed.position);
  return {transpose(Mat3<S>{turn_z(back, axes.row_x), turn_z(back, axes.row_y), turn_z(back, axes.row_z)}),
          {p.x, p.y, p.z + back.slide}};
}

// Bodies are merged inward, so that a rigid body has all that is welded to it when it joins its parent. Rigid bodies on
// the world join nothing.
template <const auto& R, class S>
inline void merge_rigid(const Model<R, S>& model, const Screws<R, S>& screws, RigidJoints<R, S>& out) noexcept {
  using Shape = kinecast::Shape<R>;
  for (int i = Shape::kBodies - 1; i >= out.active; --i) {
    const int b = out.body(i);
    HybridJoint<S>& own = out.joints[static_cast<std::size_t>(b)];
    own.joint.along_z = screws[b];
    own.parent = kWorld;
    if constexpr (Shape::kBodies > 1) {
      if (Shape::is_root(b)) continue;
      own.parent = Shape::index(b).parent;
      HybridJoint<S>& parent = out.joints[static_cast<std::size_t>(own.parent)];
      parent.joint.inertia = parent.joint.inertia + to_parent_inertia(model, screws, b, own.joint.inertia);
      parent.is_merged = true;
    }
  }
}

// True if an active body hangs on an active one by a plain joint: then their own frames serve.
template <const auto& R, class S>
[[nodiscard]] inline bool hangs_plain(const RigidJoints<R, S>& out, int b) noexcept {
  const JointIndex& index = Shape<R>::index(b);
  return index.root < 0 && index.mount < 0 && !out.is_rigid(index.parent);
}

template <const auto& R, class S>
inline void settle_plain(RigidJoints<R, S>& out) noexcept {
  for (int i = 0; i < out.active; ++i)
    if (const int b = out.body(i); hangs_plain(out, b))
      out.joints[static_cast<std::size_t>(Shape<R>::index(b).parent)].is_settled = true;
}

// This finds where an active body's joint sits on the active body before it, by walking the rigid joints between. The
// parent's frame is turned for its sake, unless another child has fixed it.
template <const auto& R, class S>
inline void find_seat(const Model<R, S>& model, const Screws<R, S>& screws, int b, RigidJoints<R, S>& out) noexcept {
  using Shape = kinecast::Shape<R>;
  HybridJoint<S>& own = out.joints[static_cast<std::size_t>(b)];
  const JointIndex& index = Shape::index(b);
  own.joint.along_z = kNoScrew<S>;
  if (index.root >= 0) {
    own.parent = kWorld;
    own.offset = model.root(index.root).minus_gravity;
    return;
  }
  own.parent = index.parent;
  if (hangs_plain(out, b)) return;
  Placement<S> seat = seat_of(model, b);
  if (Shape::is_spherical(b)) seat.rotation = kIdentity3<S>;  // the rotation in its screw contains that of its seat
  int p = index.parent;
  while (out.is_rigid(p) && Shape::index(p).root < 0) {
    seat = across_joint(model, screws, p) * seat;
    p = Shape::index(p).parent;
  }
  if (out.is_rigid(p)) {  // all bodies between are rigid on the world
    own.parent = kWorld;
    own.offset = transpose_times(seat.rotation, turn_back_z(screws[p], model.root(Shape::index(p).root).minus_gravity));
    return;
  }
  own.parent = static_cast<std::int16_t>(p);
  HybridJoint<S>& parent = out.joints[static_cast<std::size_t>(p)];
  if (parent.is_framed) seat = seen_from(parent.frame, seat);
  if constexpr (Shape::kHas.spherical > 0) {
    if (Shape::is_spherical(b)) {
      own.offset = seat.position;
      out.seats[static_cast<std::size_t>(index.free)] = seat.rotation;
      parent.is_settled = true;
      return;
    }
  }
  own.is_plain = false;
  set_seat(seat, own);
  own.is_turned = parent.is_settled || !JointSet<R>::can_have(p);
  if (!own.is_turned) {
    parent.frame = own.turn;
    parent.is_framed = true;
  }
  parent.is_settled = true;
}

// This brings an active body into its frame on the hybrid tree, once its children have chosen that frame.
template <class S>
inline void take_frame(HybridJoint<S>& own) noexcept {
  if (own.is_framed) {
    own.joint.along_z = own.joint.along_z * own.frame;
    own.joint.inertia = inertia_z(inverse(own.frame), own.joint.inertia);
    own.is_plain = false;
  }
  if (!own.is_framed && !own.is_merged) return;
  const Sym3<S>& r = own.joint.inertia.rotational;
  const S half = S(0.5) * (r.xx + r.yy + r.zz);  // ∫ x xᵀ dm = ½ tr I - I
  own.joint.second_moment = {half - r.xx, -r.xy, -r.xz, half - r.yy, -r.yz, half - r.zz};
}

// This chooses the bodies of the hybrid tree that hand their sums on through memory. There are no more of them than in
// the robot's own tree: two active bodies apart from each other in the order have a body with a slot between
// them, whose slot is then free.
template <const auto& R, class S>
inline void assign_slots(RigidJoints<R, S>& out) noexcept {
  using Shape = kinecast::Shape<R>;
  for (int b = 0; b < Shape::kBodies; ++b) {
    HybridJoint<S>& own = out.joints[static_cast<std::size_t>(b)];
    own.slot = own.slot_of_parent = std::int16_t{-1};
    own.first_in_slot = false;
  }
  if constexpr (Shape::kHas.slots > 0) {
    std::int16_t slots = 0;
    for (int i = out.active - 1; i >= 0; --i) {
      HybridJoint<S>& own = out.joints[static_cast<std::size_t>(out.body(i))];
      if (own.parent == kWorld || own.parent == out.body(i - 1)) continue;
      HybridJoint<S>& parent = out.joints[static_cast<std::size_t>(own.parent)];
      if (parent.slot < 0) parent.slot = slots++, own.first_in_slot = true;
      own.slot_of_parent = parent.slot;
    }
  }
}

}  // namespace detail

// rigidify() makes the joints of `rigid` rigid where they stand in q, and all others active. `work` is scratch: what a
// forward_dynamics() left there is gone. `out` is untouched unless this is ok.
template <const auto& R, class S>
[[nodiscard]] inline Status rigidify(const Model<R, S>& model, const Position<R, S>& q, const JointSet<R>& rigid,
                                     Workspace<R, S>& work, RigidJoints<R, S>& out) noexcept {
  using Shape = kinecast::Shape<R>;
  work.swept = false;
  if (const Status status = update_screws(model, q, work.screws); !ok(status)) return status;
  out.ready = true;
  out.active = 0;
  for (int b = 0; b < Shape::kBodies; ++b) {
    HybridJoint<S>& own = out.joints[static_cast<std::size_t>(b)];
    own.is_rigid = rigid.has(b);
    own.is_merged = own.is_turned = own.is_framed = own.is_settled = false;
    own.is_plain = true;
    own.across = S(0);
    own.joint = model.joint(b);
    if (!own.is_rigid) out.order[static_cast<std::size_t>(out.active++)] = static_cast<std::int16_t>(b);
  }
  int place = out.active;
  for (int b = 0; b < Shape::kBodies; ++b)
    if (out.is_rigid(b)) out.order[static_cast<std::size_t>(place++)] = static_cast<std::int16_t>(b);
  detail::merge_rigid(model, work.screws, out);
  detail::settle_plain(out);
  for (int i = 0; i < out.active; ++i) detail::find_seat(model, work.screws, out.body(i), out);
  for (int i = 0; i < out.active; ++i) detail::take_frame(out.joints[static_cast<std::size_t>(out.body(i))]);
  detail::assign_slots(out);
  return Status::ok;
}

}  // namespace kinecast
