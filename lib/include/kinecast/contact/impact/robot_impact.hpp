// SPDX-License-Identifier: MIT
// Impacts on a robot: points on bodies that strike another body or the world, and joints that strike a limit
// (method 1.6, s dq+ = -e s dq-), all at once. Rows of the innovations factor (dynamics/factor.hpp) couple them;
// what comes out is the velocity of the whole robot after the impact. Cost: four inward passes per point and body, one
// outward sweep, and the solver.
#pragma once

#include <kinecast/contact/impact/simultaneous_impact.hpp>
#include <kinecast/dynamics/factor.hpp>
#include <kinecast/kinematics/kinematics.hpp>
#include <kinecast/model/environment/solid.hpp>

#include <array>
#include <cmath>
#include <cstddef>

namespace kinecast {

// Two points at one place, a on a body and b on another one or on the world.
template <class S>
struct PointImpact {
  PointOnBody<S> a{};
  PointOnBody<S> b{};
  Vec3<S> normal{};   // unit, world axes: the direction in which a leaves b
  Vec3<S> surface{};  // velocity of the surface relative to b, of a conveyor or a moving surface; world axes
  S restitution{};
  S friction{};
};

// A joint with one axis at its limit.
template <class S>
struct StopImpact {
  int body{};
  S direction{};  // +1 at the lower limit, -1 at the upper
  S restitution{};
};

template <class S, int MaxPoints, int MaxStops = 0>
struct RobotImpacts {
  int points{0};
  int stops{0};
  std::array<PointImpact<S>, static_cast<std::size_t>(MaxPoints)> point{};
  std::array<StopImpact<S>, static_cast<std::size_t>(MaxStops)> stop{};
};

template <class S, int MaxPoints, int MaxStops = 0>
struct RobotImpactReport {
  std::array<Vec3<S>, static_cast<std::size_t>(MaxPoints)> impulse_Ns{};  // on a, world axes; b feels the opposite
  std::array<S, static_cast<std::size_t>(MaxStops)> stop_impulse{};       // along the direction, N m s or N s
  S approach{};                                                           // see ImpactSolution
  int rounds{0};
  int sweeps{0};
  bool is_closed{false};
};

namespace detail {

template <const auto& R, class S, std::size_t MaxPoints, std::size_t MaxStops>
[[nodiscard]] inline Status check_sites(const std::array<PointImpact<S>, MaxPoints>& point, int points,
                                        const std::array<StopImpact<S>, MaxStops>& stop, int stops) noexcept {
  using Shape = kinecast::Shape<R>;
  if (points < 0 || points > static_cast<int>(MaxPoints) || stops < 0 || stops > static_cast<int>(MaxStops))
    return Status::index_out_of_range;
  const auto exists = [](int body) { return body >= kWorld && body < Shape::kBodies; };
  const auto sum = [](const Vec3<S>& v) { return std::abs(v.x) + std::abs(v.y) + std::abs(v.z); };
  for (int c = 0; c < points; ++c) {
    const PointImpact<S>& at = point[static_cast<std::size_t>(c)];
    if (!exists(at.a.body) || !exists(at.b.body)) return Status::index_out_of_range;
    const S place = sum(at.a.position) + sum(at.b.position);
    if (!is_finite(place + sum(at.normal) + sum(at.surface))) return Status::non_finite_input;
    // The normal must be a unit vector, to the tolerance of a unit quaternion.
    if (!(place <= Tolerance<S>::kLargestPosition) || !(sum(at.surface) <= Tolerance<S>::kLargestInput) ||
        !(std::abs(dot(at.normal, at.normal) - S(1)) <= Tolerance<S>::kUnitQuaternion))
      return Status::input_out_of_range;
  }
  for (int j = 0; j < stops; ++j) {
    const StopImpact<S>& at = stop[static_cast<std::size_t>(j)];
    if (at.body < 0 || at.body >= Shape::kBodies) return Status::index_out_of_range;
    if (!Shape::is_revolute(at.body) && !Shape::is_prismatic(at.body)) return Status::index_out_of_range;
    if (!is_finite(at.direction)) return Status::non_finite_input;
    if (!(std::abs(std::abs(at.direction) - S(1)) <= S(0))) return Status::input_out_of_range;
  }
  return Status::ok;
}

// Adds the row of a point's motion along a world direction.
template <const auto& R, class S>
inline void add_point_row(const Model<R, S>& model, const Workspace<R, S>& work, const Kinematics<R, S>& k,
                          const PointOnBody<S>& point, const Vec3<S>& along, FactorRow<R, S>& row) noexcept {
  if (point.body == kWorld) return;
  const Vec3<S> f = transpose_times(k.poses[static_cast<std::size_t>(point.body)].rotation, along);
  Factor{model, work}.rows(point.body, Force<S>{cross(point.position, f), f}, row);
}

// Finds the row of the relative motion of two points. If they move alike only rounding is left, and the row is zero.
template <const auto& R, class S>
inline void find_relative_row(const Model<R, S>& model, const Workspace<R, S>& work, const Kinematics<R, S>& k,
                              const PointImpact<S>& at, const Vec3<S>& along, FactorRow<R, S>& row) noexcept {
  const auto square = [&row] {
    S sum{};
    for (const S entry : row) sum += entry * entry;
    return sum;
  };
  for (S& entry : row) entry = S(0);
  if (at.a.body == at.b.body) return;
  add_point_row(model, work, k, at.a, along, row);
  const S before = square();
  add_point_row(model, work, k, at.b, -along, row);
  if (square() > Tolerance<S>::kImmobileSquared * before) return;
  for (S& entry : row) entry = S(0);
}

}  // namespace detail

// Resolves all impacts. `work`: that of a forward_dynamics() that succeeded at this q; `k`: the kinematics of this q
// and dq. `dq` is the velocity before the impact and becomes that after it. A warning of the solver is returned.
template <const auto& R, class S, int MaxPoints, int MaxStops>
[[nodiscard]] inline Status resolve_impacts(const Model<R, S>& model, const Kinematics<R, S>& k,
                                            const RobotImpacts<S, MaxPoints, MaxStops>& impacts, Workspace<R, S>& work,
                                            Velocity<R, S>& dq,
                                            RobotImpactReport<S, MaxPoints, MaxStops>& report) noexcept {
  using Shape = kinecast::Shape<R>;
  if (!work.swept) return Status::not_ready;
  if (const Status status = check_input(dq); !ok(status)) return status;
  if (const Status status = detail::check_sites<R>(impacts.point, impacts.points, impacts.stop, impacts.stops);
      !ok(status))
    return status;

  ImpactProblem<S, Shape::kDofs, MaxPoints, MaxStops> problem;
  ImpactSolution<S, Shape::kDofs, MaxPoints, MaxStops> solution;
  problem.rank = Shape::kDofs;
  problem.points = impacts.points;
  problem.stops = impacts.stops;
  // A row's velocity is y . g where g exists: then the solver's energy is that of the robot, whatever the rounding of y
  // and g. (The velocity of the point itself has a rounding of its own, which a small y would magnify.)
  FactorRow<R, S> g;
  const Factor factor{model, work};
  const bool has_factor = factor.coordinates(k.twists, dq, g);
  const auto along_row = [&](const FactorRow<R, S>& row, S direct) {
    if (!has_factor) return direct;
    S sum{};
    for (int i = 0; i < Shape::kDofs; ++i) sum += row[i] * g[i];
    return sum;
  };
  const auto axes_of = [](const Vec3<S>& n) {
    const Tangents<S> t = tangents_of(n);
    return Mat3<S>{n, t.t2, t.t3};
  };
  const auto velocity_of = [&](const PointOnBody<S>& p) {
    const Motion<S> twist = k.twist(p.body);
    return k.pose(p.body).rotation * (twist.linear + cross(twist.angular, p.position));
  };
  for (int c = 0; c < impacts.points; ++c) {
    const PointImpact<S>& at = impacts.point[static_cast<std::size_t>(c)];
    const Mat3<S> axes = axes_of(at.normal);
    const Vec3<S> u = has_factor ? Vec3<S>{} : axes * (velocity_of(at.a) - velocity_of(at.b));
    const Vec3<S> surface = axes * at.surface;
    const S along[3] = {u.x, u.y, u.z};
    const S moving[3] = {surface.x, surface.y, surface.z};
    const Vec3<S>* const axis[3] = {&axes.row_x, &axes.row_y, &axes.row_z};
    for (int i = 0; i < 3; ++i) {
      detail::find_relative_row(model, work, k, at, *axis[i], problem.row[3 * c + i]);
      problem.velocity[3 * c + i] = along_row(problem.row[3 * c + i], along[i]) - moving[i];
    }
    problem.restitution[c] = at.restitution;
    problem.friction[c] = at.friction;
  }
  for (int j = 0; j < impacts.stops; ++j) {
    const StopImpact<S>& at = impacts.stop[static_cast<std::size_t>(j)];
    const int c = impacts.points + j;
    auto& row = problem.row[problem.first_row(c)];
    for (S& entry : row) entry = S(0);
    factor.joint_row(at.body, at.direction, row);
    problem.velocity[problem.first_row(c)] = along_row(row, at.direction * dq[Shape::v_of(at.body)]);
    problem.restitution[c] = at.restitution;
  }

  const Status status = resolve_impacts(problem, solution);
  if (!ok(status)) return status;
  Velocity<R, S> change = Velocity<R, S>::Zero();
  factor.velocity(solution.change, change);
  for (int i = 0; i < Shape::kDofs; ++i) change[i] += dq[i];
  if (!all_finite(change)) return Status::non_finite_result;
  dq = change;
  for (int c = 0; c < impacts.points; ++c) {
    const Mat3<S> axes = axes_of(impacts.point[static_cast<std::size_t>(c)].normal);
    const S* const p = &solution.impulse[3 * c];
    report.impulse_Ns[static_cast<std::size_t>(c)] = transpose_times(axes, Vec3<S>{p[0], p[1], p[2]});
  }
  for (int j = 0; j < impacts.stops; ++j)
    report.stop_impulse[static_cast<std::size_t>(j)] = solution.impulse[problem.first_row(impacts.points + j)];
  report.approach = solution.approach;
  report.rounds = solution.rounds;
  report.sweeps = solution.sweeps;
  report.is_closed = solution.is_closed;
  return status;
}

}  // namespace kinecast
