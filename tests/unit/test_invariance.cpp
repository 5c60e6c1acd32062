// SPDX-License-Identifier: MIT
// What must not matter: where the world's frame is, in which order links are listed, how a link's frame lies in its link,
// which way an axis points. Each pair of robots is the same machine, described twice.
#include <kinecast/kinecast.hpp>

#include "measure.hpp"
#include "robot_checks.hpp"
#include "unity_main.hpp"

namespace unit_invariance {
namespace {

using kinecast::Link;
using kinecast::Mat3;
using kinecast::Sym3;
using kinecast::transpose;
using kinecast::transpose_times;
using measure::assert_below;
using measure::Worst;
using Vec = kinecast::Vec3<double>;

constexpr int kStates = measure::kEffort;
// Two ways to compute the same accelerations differ by the rounding of both; cond(M) here is 30.
template <class S>
constexpr double kRounding = 100 * measure::kEps<S>;

constexpr auto make_machine() {
  using namespace kinecast;
  constexpr auto kBody = inertia(0.010, 0.011, 0.012, 0.001, 0.0002, 0.0003);
  return robot("machine",
               link("trunk", on("world"), revolute(kAxisZ), at(0.1, 0.2, 0.3), rpy(0.1, 0.2, 0.3),
                    body(1.0, com(0.01, 0.02, 0.1), kBody)),
               link("left", on("trunk"), revolute({0.6, 0.8, 0}), at(0.1, 0, 0.2), at_joint(rotor_inertia(0.05)),
                    body(0.9, com(-0.02, 0.05, 0.1), kBody)),
               link("left_hand", on("left"), prismatic({0, 0.6, 0.8}), at(0, 0.1, 0.2), rpy(0.4, 0, 0),
                    body(0.8, com(0.03, 0.05, 0.02), kBody)),
               link("right", on("trunk"), revolute(kAxisX), at(-0.1, 0.1, 0.2), rpy(0, 0.5, 0),
                    body(0.7, com(0.06, 0.02, 0.1), kBody)),
               link("tool", on("left_hand"), fixed(), at(0, 0, 0.1), rpy(0.3, 0.2, 0.1),
                    body(0.2, com(0.01, 0.02, 0.03), inertia(0.001, 0.001, 0.001))));
}
constexpr auto kMachine = make_machine();

// The world's frame turned and shifted, gravity with it.
constexpr auto make_moved() {
  using namespace kinecast;
  auto moved = kMachine;
  const Mat3<double> turn = rotation_from_rpy(0.7, -1.1, 2.3);
  Link& root = moved.links[0];
  root.rotation = turn * root.rotation;
  root.position_m = turn * root.position_m + Vec{3, -4, 5};
  moved.gravity_mps2 = turn * moved.gravity_mps2;
  return moved;
}
constexpr auto kMoved = make_moved();

// The right arm first.
constexpr auto make_reordered() {
  auto other = kMachine;
  other.links[1] = kMachine.link(3);
  other.links[2] = kMachine.link(1);
  other.links[3] = kMachine.link(2);
  other.links[3].parent = 2;
  other.links[4].parent = 3;
  return other;
}
constexpr auto kReordered = make_reordered();
constexpr int kPlaceOf[] = {0, 2, 3, 1};  // of the machine's joints, in kReordered

// Every link's frame turned in its link, and shifted along the joint's axis where that leaves the joint as it is.
constexpr Sym3<double> turned_back(const Mat3<double>& turn, const Sym3<double>& m) {
  return kinecast::rotated(transpose(turn), m);
}
constexpr auto make_relabelled() {
  constexpr int kLinks = static_cast<int>(kMachine.links.size());
  using namespace kinecast;
  auto other = kMachine;
  for (int i = 0; i < kLinks; ++i) {
    const double k = 1 + i;
    const Mat3<double> turn = rotation_from_rpy(0.3 * k, -0.7 * k, 1.1 * k);  // new axes, in the old frame
    Link& l = other.links[static_cast<std::size_t>(i)];
    const Vec shift = (0.05 * k) * l.axis;
    const auto to_new = [&](const Vec& p) { return transpose_times(turn, p - shift); };
    l.position_m = l.position_m + l.rotation * shift;
    l.rotation = l.rotation * turn;
    l.axis = transpose_times(turn, l.axis);
    l.com_m = to_new(l.com_m);
    l.inertia_kgm2 = turned_back(turn, l.inertia_kgm2);
    for (int c = i + 1; c < kLinks; ++c) {
      Link& child = other.links[static_cast<std::size_t>(c)];
      if (child.parent != i) continue;
      child.position_m = to_new(child.position_m);
      child.rotation = transpose(turn) * child.rotation;
    }
  }
  return other;
}
constexpr auto kRelabelled = make_relabelled();

// All axes the other way round: q, dq, ddq and tau change sign.
constexpr auto make_flipped() {
  auto other = kMachine;
  for (Link& l : other.links) l.axis = -l.axis;
  return other;
}
constexpr auto kFlipped = make_flipped();

// Joint i of the machine is joint place[i] of the other, counted with this sign.
template <const auto& R, class S>
void check_same(const char* name, const int (&place)[4], S sign) {
  measure::Random random(51);
  checks::Sample<kMachine, S> s;
  Worst forward;
  Worst inverse;
  for (int n = 0; n < kStates; ++n) {
    checks::draw(random, {}, s);
    checks::Vel<kMachine, S> expected = checks::unset<kMachine, S>();
    checks::assert_ok((checks::forward<kMachine, S>(s.q, s.dq, s.tau, expected)));
    checks::Pos<R, S> q;
    checks::Vel<R, S> dq;
    checks::Vel<R, S> tau;
    checks::Vel<R, S> ddq = checks::unset<R, S>();
    for (int i = 0; i < 4; ++i)
      q[place[i]] = sign * s.q[i], dq[place[i]] = sign * s.dq[i], tau[place[i]] = sign * s.tau[i];
    checks::assert_ok((checks::forward<R, S>(q, dq, tau, ddq)));
    const double largest = measure::largest(expected, 4);
    for (int i = 0; i < 4; ++i)
      forward.see(static_cast<double>(expected[i]), static_cast<double>(sign * ddq[place[i]]), largest);
    checks::assert_ok((checks::inverse<kMachine, S>(s.q, s.dq, s.ddq, expected)));
    for (int i = 0; i < 4; ++i) ddq[place[i]] = sign * s.ddq[i];
    checks::assert_ok((checks::inverse<R, S>(q, dq, ddq, tau)));
    const double scale = measure::largest(expected, 4);
    for (int i = 0; i < 4; ++i)
      inverse.see(static_cast<double>(expected[i]), static_cast<double>(sign * tau[place[i]]), scale);
  }
  assert_below<S>(kRounding<S>, forward, name, "forward dynamics");
  assert_below<S>(kRounding<S>, inverse, name, "inverse dynamics");
}
constexpr int kSameOrder[] = {0, 1, 2, 3};

void test_base_frame() {
  check_same<kMoved, float>("base frame", kSameOrder, 1.0F);
  if constexpr (measure::kInDouble) check_same<kMoved, double>("base frame", kSameOrder, 1.0);
}
void test_link_order() {
  check_same<kReordered, float>("link order", kPlaceOf, 1.0F);
  if constexpr (measure::kInDouble) check_same<kReordered, double>("link order", kPlaceOf, 1.0);
}
void test_axis_relabelling() {
  check_same<kRelabelled, float>("axis re-labelling", kSameOrder, 1.0F);
  if constexpr (measure::kInDouble) check_same<kRelabelled, double>("axis re-labelling", kSameOrder, 1.0);
}
void test_axes_flipped() {
  check_same<kFlipped, float>("axes flipped", kSameOrder, -1.0F);
  if constexpr (measure::kInDouble) check_same<kFlipped, double>("axes flipped", kSameOrder, -1.0);
}

// A free robot does not know where it is, nor which way it looks: without gravity, turning state, velocity and wrench turns
// the answer.
constexpr auto make_floater() {
  using namespace kinecast;
  constexpr auto kBody = inertia(0.010, 0.011, 0.012, 0.001, 0.0002, 0.0003);
  return robot("floater", gravity(0, 0, 0), link("base", floating(), body(2.0, com(0.01, 0.02, 0.03), kBody)),
               link("arm", on("base"), revolute({0.6, 0, 0.8}), at(0.1, 0.2, 0.1), body(0.8, com(0, 0.1, 0.1), kBody)));
}
constexpr auto kFloater = make_floater();

template <class S>
void check_floater() {
  measure::Random random(52);
  checks::Sample<kFloater, S> s;
  Worst worst;
  for (int n = 0; n < kStates; ++n) {
    checks::draw(random, {}, s);
    checks::Vel<kFloater, S> ddq = checks::unset<kFloater, S>();
    checks::assert_ok((checks::forward<kFloater, S>(s.q, s.dq, s.tau, ddq)));
    S turn[4];
    checks::draw_quaternion(random, turn);
    const kinecast::Quaternion<S> about{turn[0], turn[1], turn[2], turn[3]};
    const Mat3<S> matrix = kinecast::to_matrix(about);
    const auto turned = [&](const checks::Vel<kFloater, S>& v) {
      checks::Vel<kFloater, S> out = v;
      for (int first = 0; first < 6; first += 3) {
        const kinecast::Vec3<S> x = matrix * kinecast::Vec3<S>{v[first], v[first + 1], v[first + 2]};
        out[first] = x.x, out[first + 1] = x.y, out[first + 2] = x.z;
      }
      return out;
    };
    checks::Pos<kFloater, S> q = s.q;
    const kinecast::Quaternion<S> now = kinecast::normalized(about * kinecast::Quaternion<S>{q[3], q[4], q[5], q[6]});
    q[0] += S(2), q[1] -= S(1), q[2] *= S(3);
    q[3] = now.w, q[4] = now.x, q[5] = now.y, q[6] = now.z;
    checks::Vel<kFloater, S> got = checks::unset<kFloater, S>();
    checks::assert_ok((checks::forward<kFloater, S>(q, turned(s.dq), turned(s.tau), got)));
    const checks::Vel<kFloater, S> expected = turned(ddq);
    const double scale = measure::largest(expected, 7);
    for (int i = 0; i < 7; ++i) worst.see(static_cast<double>(expected[i]), static_cast<double>(got[i]), scale);
    // q and -q are the same orientation.
    for (int i = 3; i < 7; ++i) q[i] = -q[i];
    checks::assert_ok((checks::forward<kFloater, S>(q, turned(s.dq), turned(s.tau), got)));
    for (int i = 0; i < 7; ++i) worst.see(static_cast<double>(expected[i]), static_cast<double>(got[i]), scale);
  }
  assert_below<S>(kRounding<S>, worst, "free robot");
}
void test_free_robot() {
  check_floater<float>();
  if constexpr (measure::kInDouble) check_floater<double>();
}

}  // namespace

KINECAST_SUITE(invariance, test_base_frame, test_link_order, test_axis_relabelling, test_axes_flipped, test_free_robot)

}  // namespace unit_invariance
