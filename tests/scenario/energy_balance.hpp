// SPDX-License-Identifier: MIT
// The energy balance of a step with contact. It compares the velocity with contact and the velocity of the same step
// of a robot without contact, stops and dry friction, both at the configuration before the step:
//
//   E(v+) - E(v_free) <= sum x_n v* - x . drift + sum x_stop v*_stop + 1e-4 E,     E(v) = v . (M + dt D) v / 2
//
// x: impulses of the report; v*: the speed at which a depth is worked off, k depth, at most 1/dt of it and push_out;
// drift: the velocity dt J' dq that a contact's points have by the turn of their bodies alone, which no impulse
// explains; D: the joints' viscous friction and back-EMF, which a step takes implicitly.
#pragma once

#include <kinecast/kinecast.hpp>

#include <algorithm>
#include <cmath>

#include "support/require.hpp"

namespace scenario {

using namespace kinecast;
using support::require;

inline constexpr double kDeep_m = 5e-3;  // between links

// The same robot without what the contact solver decides: stops and dry friction.
template <class Robot>
constexpr Robot freed(Robot robot) {
  for (Link& l : robot.links) {
    l.limits = {};
    for (DriveSide* side : {&l.drive.at_motor, &l.drive.at_joint}) {
      side->coulomb_Nm = side->stiction_Nm = {};
      side->stribeck_s_per_rad = 0;
      side->has_stiction = side->has_stribeck = false;
    }
  }
  return robot;
}
struct Balance {
  double gain_J{0};     // beyond what the depths and the drift explain
  double kinetic_J{0};  // of the free step, or before it, if that is more
  bool touches{false};
  bool is_lost{false};  // an edge has cut into a box, and a corner is found deep inside
};

// A robot whose steps are watched; Free: the same robot, freed().
template <const auto& R, const auto& Free, const auto& World, class S, class Contacts>
class Watched {
 public:
  using Shape = kinecast::Shape<R>;
  static constexpr int kDofs = Shape::kDofs;

  void start(const State<R, S>& state, const Material& material) {
    auto values = R;
    for (Link& l : values.links)
      if (l.limits.has_stops) l.limits.rebound = material.restitution;
    require(build_model<R, S>(values, model_), "build_model");
    auto world = World;
    for_each_surface(world.surfaces, [&](auto& surface, int /*index*/) { surface.materials.fill(material); });
    require(build_scene<R, World, S>(values, world, scene_), "build_scene");
    rate_per_s_ = material.compensation_per_s;
    predictor_.set_scene(scene_);
    require(predictor_.reset(state), "reset");
  }

  // Starts with the robot and the world as they are written.
  void start(const State<R, S>& state) {
    for_each_surface(World.surfaces,
                     [&](const auto& s, int /*index*/) { rate_per_s_ = s.materials.front().compensation_per_s; });
    require(predictor_.reset(state), "reset");
  }

  [[nodiscard]] const State<R, S>& state() const { return predictor_.state(); }
  [[nodiscard]] const Predictor<R, S, Contacts>& predictor() const { return predictor_; }

  [[nodiscard, gnu::noinline]] Balance step(const Command<R, S>& command, const Velocity<R, S>& external, double dt) {
    const State<R, S> before = predictor_.state();
    State<Free, S> same;
    same.q = before.q, same.dq = before.dq;
    require(free_.reset(same), "reset of the free robot");
    require(free_.step(command, external, static_cast<S>(dt)), "free step");
    const Status status = predictor_.step(command, external, static_cast<S>(dt));
    require(status, "step");
    last_ = status;
    if (status == Status::iterations_exhausted) ++exhausted_;
    if (status == Status::contacts_dropped) ++dropped_;
    ++steps_;

    Position<R, double> q = before.q.template cast<double>();
    const Velocity<R, double> dq = before.dq.template cast<double>();
    advance<R, double>(dq, 0.0, q);  // quaternions become unit in double
    const double free_J = energy(q, free_.state().dq.template cast<double>(), dt);
    Balance out;
    out.kinetic_J = std::max(free_J, energy(q, dq, dt));
    out.gain_J = energy(q, predictor_.state().dq.template cast<double>(), dt) - free_J - stops_J(before.q, dt);
    out.gain_J -= contacts_J(q, dq, dt);
    out.touches = touches();
    out.is_lost = is_lost();
    return out;
  }

  [[nodiscard]] Status last() const { return last_; }  // of the last step: ok or a warning
  [[nodiscard]] int exhausted() const { return exhausted_; }
  [[nodiscard]] int dropped() const { return dropped_; }
  [[nodiscard]] int steps() const { return steps_; }

 private:
  [[nodiscard]] bool touches() const {
    if (predictor_.contact_report().touching()) return true;
    for (const S torque : predictor_.report().limit_Nm)
      if (std::abs(torque) > S(0)) return true;
    return false;
  }

  // Corners do not see an edge that cuts into the box of a link. What then happens is geometry, not the balance of a
  // solver.
  [[nodiscard]] bool is_lost() const {
    const auto& report = predictor_.contact_report();
    for (int i = 0; i < report.count; ++i)
      if (owner(report[i].pair.surface) != kWorld && report[i].depth_m > static_cast<S>(kDeep_m)) return true;
    return false;
  }

  [[nodiscard]] static double energy(const Position<R, double>& q, const Velocity<R, double>& v, double dt) {
    static Kinematics<R, double> k;
    require(update_kinematics(model<R, double>, q, v, k), "kinematics");
    double sum = kinetic_energy(model<R, double>, k, v);
    for (int l = 0; l < R.kLinks; ++l) {
      if (!has_single_axis(R.link(l).joint)) continue;
      const int b = Shape::body_of_link(l);
      const double rate = v[Shape::v_of(b)];
      double damping = kinecast::detail::seen_at_joint(R.link(l).drive).viscous_Nms_per_rad.forward;
      if constexpr (Shape::kHas.drives > 0) damping += model<R, double>.drive(b).back_emf;
      sum += 0.5 * dt * damping * rate * rate;
    }
    return sum;
  }

  // What bringing joints back from beyond their stops asks for.
  [[nodiscard]] double stops_J(const Position<R, S>& q, double dt) const {
    double sum = 0;
    for (int l = 0; l < R.kLinks; ++l) {
      const Link& link = R.link(l);
      if (!link.limits.has_stops) continue;
      const int b = Shape::body_of_link(l);
      const double at = static_cast<double>(q[Shape::q_of(b)]);
      const double beyond = std::max({0.0, link.limits.lower - at, at - link.limits.upper});
      const auto torque =
          std::abs(static_cast<double>(predictor_.report().limit_Nm[static_cast<std::size_t>(Shape::v_of(b))]));
      sum += dt * torque * std::min({rows_.compensation_per_s * beyond, beyond / dt, rows_.push_out});
    }
    return sum;
  }

  // What working the depths off asks for, and what the drift explains.
  [[nodiscard, gnu::noinline]] double contacts_J(const Position<R, double>& q, const Velocity<R, double>& dq,
                                                 double dt) const {
    constexpr double kShort_s = 1e-6;
    static Kinematics<R, double> now;
    static Kinematics<R, double> later;
    Position<R, double> q_later = q;
    advance<R, double>(dq, kShort_s, q_later);
    require(update_kinematics(model<R, double>, q, dq, now), "kinematics");
    require(update_kinematics(model<R, double>, q_later, dq, later), "kinematics");
    double sum = 0;
    const auto& report = predictor_.contact_report();
    for (int i = 0; i < report.count; ++i) {
      const auto& c = report[i];
      const double depth = std::max(0.0, static_cast<double>(c.depth_m));
      const double target = std::min({rate_per_s_ * depth, depth / dt, parameters_.push_out_mps});
      sum += dt * static_cast<double>(c.normal_N) * target;
      const Vec3<double> place = c.point_m.template cast<double>();
      const auto drift_of = [&](int body) -> Vector<double, 3> {
        if (body == kWorld) return Vector<double, 3>::Zero();
        const Placement<double> pose = now.pose(body);
        const PointOnBody<double> point{body, transpose_times(pose.rotation, place - pose.position)};
        return dt / kShort_s * (point_velocity<R, double>(later, point) - point_velocity<R, double>(now, point)).eval();
      };
      const Vector<double, 3> force = to_vector(c.force_N.template cast<double>());
      sum -= dt * force.dot(drift_of(body_of(c.pair)) - drift_of(owner(c.pair.surface)));
    }
    return sum;
  }

  // The body that is touched with: a point's, or the first one of two solids.
  [[nodiscard]] static int body_of(const ContactPair& pair) {
    if constexpr (R.kPoints > 0) return model<R, double>.points[static_cast<std::size_t>(pair.point)].body;
    return owner(pair.point);
  }

  // The body that carries a surface.
  [[nodiscard]] static int owner(int surface) {
    int body = kWorld;
    for_each_surface(World.surfaces, [&](const auto& s, int index) {
      if (index == surface && s.link_name != "world") body = Shape::body_of_link(find_link(R, s.link_name));
    });
    return body;
  }

  static constexpr ContactParameters<double> parameters_{};
  static constexpr RowParameters<double> rows_{};
  double rate_per_s_{0};
  Model<R, S> model_ = model<R, S>;
  Scene<R, World, S> scene_{};
  Predictor<R, S, Contacts> predictor_{model_};
  Predictor<Free, S> free_;
  Status last_{Status::ok};
  int steps_{0};
  int exhausted_{0};
  int dropped_{0};
};

}  // namespace scenario
