// SPDX-License-Identifier: MIT
// The impact rule against the golden cases, and over random impacts: 3 x 20 000 single ones (a free body, two bodies, points of
// robots) and 22 000 simultaneous ones of up to six points and two stops on robots. None may gain energy, leave the friction cone,
// miss its restitution or go on approaching. Energy is evaluated apart from the library: in long double from K and u as they were
// given, or as the kinetic energy of all bodies. Beside them the rule as it was printed before method 1.4, FIX 20, which must gain.
#include <kinecast/contact/impact/robot_impact.hpp>
#include <kinecast/dynamics/energy.hpp>
#include <kinecast/dynamics/forward_dynamics.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "golden_table.hpp"
#include "robots/arm6.hpp"
#include "robots/boxes.hpp"
#include "robots/chain.hpp"
#include "robots/zoo.hpp"
#include "states.hpp"
#include "support/errors.hpp"
#include "support/program.hpp"

namespace {

using kinecast::Impact;
using kinecast::ImpactBranch;
using kinecast::Status;
using kinecast::Sym3;
using kinecast::Vec3;
using support::Maximum;
using support::Random;

struct Case {
  Sym3<double> K;
  Vec3<double> u;
  double e;
  double mu;
};

Eigen::Matrix3d dense(const Sym3<double>& k) {
  Eigen::Matrix3d m;
  m << k.xx, k.xy, k.xz, k.xy, k.yy, k.yz, k.xz, k.yz, k.zz;
  return m;
}
Eigen::Vector3d dense(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
Sym3<double> symmetric(const Eigen::Matrix3d& m) { return {m(0, 0), m(0, 1), m(0, 2), m(1, 1), m(1, 2), m(2, 2)}; }

double uniform(Random& random, double from, double to) { return 0.5 * (from + to) + random.within(0.5 * (to - from)); }
template <std::size_t Size>
double any_of(Random& random, const double (&values)[Size]) {
  const double place = uniform(random, 0, static_cast<double>(Size));
  return values[std::min(static_cast<std::size_t>(place), Size - 1)];
}

// The energy that an impulse brings, W = pᵀu + ½ pᵀK p.
double energy(const Case& c, const Vec3<double>& p) {
  using Matrix = Eigen::Matrix<long double, 3, 3>;
  using Vector = Eigen::Matrix<long double, 3, 1>;
  const Matrix K = dense(c.K).cast<long double>();
  const Vector x = dense(p).cast<long double>();
  return static_cast<double>(x.dot(dense(c.u).cast<long double>()) + x.dot(K * x) / 2);
}
// What is there to lose, ½ uᵀK⁻¹u.
double available(const Case& c) { return 0.5 * dense(c.u).dot(dense(c.K).ldlt().solve(dense(c.u))); }

// The rule as printed before: sticks if inside the cone, else slides; without friction if the denominator is too small.
Vec3<double> printed_rule(const Case& c) {
  const Eigen::Matrix3d K = dense(c.K);
  const Eigen::Vector3d u = dense(c.u);
  const Eigen::Vector3d p = K.ldlt().solve(Eigen::Vector3d(-c.e * c.u.x, 0, 0) - u);
  if (std::hypot(p.y(), p.z()) <= c.mu * p.x()) return {p.x(), p.y(), p.z()};
  const double speed = std::hypot(c.u.y, c.u.z);
  Eigen::Vector3d s(0, -p.y(), -p.z());
  if (speed > 1e-12) s = {0, c.u.y, c.u.z};
  s.normalize();
  double mu = c.mu;
  if (c.K.xx - mu * K.row(0).dot(s) <= 0.05 * c.K.xx) mu = 0;
  const double n = -(1 + c.e) * c.u.x / (c.K.xx - mu * K.row(0).dot(s));
  return {n, -mu * n * s.y(), -mu * n * s.z()};
}

// ---- golden -------------------------------------------------------------------------------------------------------------

#if defined(KINECAST_GOLDEN_DIR)
void compare_golden(support::Report& report) {
  const oracle::GoldenTable table = oracle::read_table(KINECAST_GOLDEN_DIR "/c_impact_cases_first30.csv");
  const std::size_t K = table.block("K00", "K22", 9);
  const std::size_t u = table.block("un", "ut2", 3);
  const std::size_t law = table.block("e", "mu", 2);
  const std::size_t printed = table.block("ps_n", "ps_t2", 3);
  const std::size_t fixed = table.block("pf_n", "pf_t2", 3);
  const std::size_t change = table.block("dE_fix", "dE_fix", 1);
  const std::size_t branch = table.block("branch", "branch", 1);
  Maximum impulse;
  Maximum lost;
  Maximum null;
  Maximum branches;
  Maximum old_rule;
  for (const std::vector<double>& row : table.rows) {
    const Case c{{row[K], row[K + 1], row[K + 2], row[K + 4], row[K + 5], row[K + 8]},
                 {row[u], row[u + 1], row[u + 2]},
                 row[law],
                 row[law + 1]};
    Impact<double> out{};
    if (resolve_impact(c.K, c.u, c.e, c.mu, out) != Status::ok) report.fail("a golden impact is refused");
    const Eigen::Vector3d truth(row[fixed], row[fixed + 1], row[fixed + 2]);
    impulse.see(support::relative_error(dense(out.impulse), truth));
    lost.see(std::abs(out.energy - row[change]) / available(c));
    // Golden: 0 stick, 1 slide, 2 and 3 the bilinear law inside and on the cone.
    const int kind = static_cast<int>(out.branch) - static_cast<int>(ImpactBranch::stick);
    branches.see(std::abs(kind - row[branch]));
    const Vec3<double> p = printed_rule(c);
    null.see(support::relative_error(dense(p), truth));
    old_rule.see(support::relative_error(dense(p), Eigen::Vector3d(row[printed], row[printed + 1], row[printed + 2])));
  }
  const std::string cases = std::to_string(table.rows.size()) + " cases";
  report.add({"golden", "impulse", cases, "double", impulse.value(), 1e-9, "relative", support::kNone, null.value()});
  report.add({"golden", "energy change", cases, "double", lost.value(), 1e-9});
  report.add({"golden", "another branch", cases, "double", branches.value(), 0, "count"});
  report.add({"golden", "the printed rule (null)", cases, "double", old_rule.value(), 1e-9});
}
#endif

// ---- one impact ---------------------------------------------------------------------------------------------------------

Eigen::Matrix3d random_rotation(Random& random) {
  double q[4];
  oracle::random_quaternion(random, q);
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
}

// A point of a free body, 0.1 to 10 kg with principal inertias of a solid of some 0.1 m, up to 0.3 m off its centre of mass.
Eigen::Matrix3d free_body(Random& random) {
  const double mass = uniform(random, 0.1, 10);
  Eigen::Vector3d size(uniform(random, 0.02, 0.3), uniform(random, 0.02, 0.3), uniform(random, 0.02, 0.3));
  size = size.cwiseProduct(size);
  const Eigen::Vector3d inverse = (mass / 12 * (size.sum() - size.array())).inverse();
  const Eigen::Matrix3d turn = random_rotation(random);
  const Eigen::Vector3d r(random.within(0.3), random.within(0.3), random.within(0.3));
  Eigen::Matrix3d arm;
  arm << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
  return Eigen::Matrix3d::Identity() / mass -
         Eigen::Matrix3d(arm * turn * inverse.asDiagonal() * turn.transpose() * arm);
}

// A point of a robot in a random state: rows of the factor along random directions.
template <const auto& R>
Eigen::Matrix3d point_of(Random& random) {
  using Shape = kinecast::Shape<R>;
  const auto& model = kinecast::model<R, double>;
  static kinecast::Workspace<R, double> work;
  const auto s = oracle::random_sample<R>(random, {});
  kinecast::Velocity<R, double> ddq;
  if (forward_dynamics(model, s.q, s.dq, s.tau, work, ddq) != Status::ok) return Eigen::Matrix3d::Identity();
  const int body = std::min(static_cast<int>(uniform(random, 0, Shape::kBodies)), Shape::kBodies - 1);
  const Eigen::Matrix3d axes = random_rotation(random);
  const Vec3<double> place{random.within(0.2), random.within(0.2), random.within(0.2)};
  Eigen::Matrix<double, 3, Shape::kDofs> Y;
  for (int i = 0; i < 3; ++i) {
    kinecast::FactorRow<R, double> row{};
    const Vec3<double> f{axes(i, 0), axes(i, 1), axes(i, 2)};
    kinecast::Factor{model, work}.rows(body, kinecast::Force<double>{cross(place, f), f}, row);
    for (int j = 0; j < Shape::kDofs; ++j) Y(i, j) = row[j];
  }
  return Y * Y.transpose();
}

enum class Kind { free, two, articulated };

Eigen::Matrix3d random_mobility(Random& random, Kind kind) {
  if (kind == Kind::free) return free_body(random);
  if (kind == Kind::two) return free_body(random) + free_body(random);
  const double which = uniform(random, 0, 4);
  if (which < 1) return point_of<robots::arm6>(random);
  if (which < 2) return point_of<robots::zoo>(random);
  return which < 3 ? point_of<robots::chain<4>>(random) : point_of<robots::chain<8>>(random);
}

template <class S>
Case rounded(const Case& c) {
  return {c.K.cast<S>().template cast<double>(), c.u.cast<S>().template cast<double>(),
          static_cast<double>(static_cast<S>(c.e)), static_cast<double>(static_cast<S>(c.mu))};
}

template <class S>
void try_single(Kind kind, const char* name, support::Report& report) {
  constexpr int kCases = 20000;
  constexpr double kRestitutions[] = {0, 0.3, 0.5, 0.8, 1};
  constexpr double kFrictions[] = {0, 0.1, 0.3, 0.5, 1, 2};
  constexpr double eps = static_cast<double>(kinecast::Tolerance<S>::kEpsilon);
  Random random(2026 + static_cast<unsigned>(kind));
  int branches[6] = {};
  int gains = 0;
  int null_gains = 0;
  int outside = 0;
  int regular = 0;
  Maximum gain;
  Maximum null_gain;
  Maximum restitution;
  Maximum stuck;
  for (int n = 0; n < kCases; ++n) {
    const Eigen::Matrix3d K = random_mobility(random, kind);
    Case c{symmetric(K), {uniform(random, -2, 0), random.within(2), random.within(2)}, 0, 0};
    c.u.x = std::min(c.u.x, -1e-3);
    c.e = any_of(random, kRestitutions);
    c.mu = any_of(random, kFrictions);
    const Eigen::Vector3d values = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(K).eigenvalues();
    const bool is_singular = values(0) < 1e-6 * values(2);
    if (is_singular)
      c.u = {c.u.x, c.u.x * c.K.xy / c.K.xx, c.u.x * c.K.xz / c.K.xx};  // as a normal blow would have left it
    c = rounded<S>(c);
    Impact<S> out{};
    const Status status = resolve_impact(c.K.cast<S>(), c.u.cast<S>(), static_cast<S>(c.e), static_cast<S>(c.mu), out);
    if (status != Status::ok) {
      report.fail(std::string("a random impact ended with: ") + sentence(status));
      continue;
    }
    ++branches[static_cast<int>(out.branch)];
    const Vec3<double> p = out.impulse.template cast<double>();
    if (out.branch == ImpactBranch::immobile) continue;
    const double normal = -c.u.x;
    const double there = is_singular ? 0.5 * normal * normal / c.K.xx : available(c);
    const double W = energy(c, p);
    gains += W > 0 ? 1 : 0;
    gain.see(std::max(W, 0.0) / there);
    const Eigen::Vector3d after = dense(c.u) + dense(c.K) * dense(p);
    // Rounding of K p: relative to its terms.
    const double terms = normal + dense(c.K).row(0).cwiseAbs().dot(dense(p).cwiseAbs());
    restitution.see(std::abs(after.x() - c.e * normal) / terms);
    // p_n is what friction leaves of the impulse without it, and has the rounding of that.
    const double cone = c.mu * (p.x + 8 * eps * (1 + c.e) * normal / c.K.xx) * (1 + 8 * eps);
    outside += std::hypot(p.y, p.z) > cone || p.x < 0 ? 1 : 0;
    if (is_singular) continue;
    ++regular;
    if (out.branch == ImpactBranch::stick)
      stuck.see(std::hypot(after.y(), after.z()) / dense(c.u).norm() * values(0) / values(2));
    const double null = energy(c, printed_rule(c)) / there;
    null_gains += null > 1e-12 ? 1 : 0;
    null_gain.see(std::max(null, 0.0));
  }
  const char* scalar = support::scalar_name<S>();
  char note[160];
  std::snprintf(note, sizeof note, "worst gain %.3g of what there is; null: %.2f %%, worst %.3g", gain.value(),
                100.0 * null_gains / kCases, null_gain.value());
  report.add({"impact", "gain energy", name, scalar, static_cast<double>(gains), 0, "count", support::kNone,
              static_cast<double>(null_gains)},
             note);
  report.add({"impact", "outside the cone", name, scalar, static_cast<double>(outside), 0, "count"});
  // p_n comes from two products and a sum; 16 eps of e are taken on purpose.
  report.add({"impact", "restitution", name, scalar, restitution.value(), 16 * eps});
  // What sticks stands, but in a direction that moves by less than kImmobile of the others: nothing brakes that.
  const double unbraked = 2 * static_cast<double>(kinecast::Tolerance<S>::kImmobile);
  report.add({"impact", "slip of what sticks", name, scalar, stuck.value(), unbraked, "relative/cond"});
  std::snprintf(note, sizeof note,
                "stick %.1f %%, slide %.1f %%, bilinear %.1f + %.1f %%, immobile %.1f %%, %d regular",
                100.0 * branches[2] / kCases, 100.0 * branches[3] / kCases, 100.0 * branches[4] / kCases,
                100.0 * branches[5] / kCases, 100.0 * branches[1] / kCases, regular);
  report.add({"impact", "step 3", name, scalar, 100.0 * (branches[4] + branches[5]) / kCases, support::kNone, "%"},
             note);
}

// ---- many at once -------------------------------------------------------------------------------------------------------

// The root of a row's mobility, and its velocity.
struct NormalRow {
  double size;
  double before;
  double after;
};

template <std::size_t Size>
double length_of(const double (&row)[Size]) {
  return Eigen::Map<const Eigen::Matrix<double, static_cast<int>(Size), 1>>(row).norm();
}

template <const auto& R, class S>
void try_simultaneous(const char* name, int cases, support::Report& report) {
  using Shape = kinecast::Shape<R>;
  using kinecast::kWorld;
  constexpr double kRestitutions[] = {0, 0, 0.3, 0.5, 0.8, 1};
  constexpr double kFrictions[] = {0, 0.1, 0.3, 0.5, 1, 2};
  const auto& model = kinecast::model<R, S>;
  const auto& exact = kinecast::model<R, double>;
  static kinecast::Workspace<R, S> work;
  static kinecast::Workspace<R, double> work64;
  static kinecast::Kinematics<R, S> k;
  static kinecast::Kinematics<R, double> before;
  static kinecast::Kinematics<R, double> after;
  constexpr double eps = static_cast<double>(kinecast::Tolerance<S>::kEpsilon);
  Random random(77);
  Maximum gain;
  Maximum approach;
  int gains = 0;
  int left = 0;
  int hit = 0;
  int closed = 0;
  int outside = 0;
  int exhausted = 0;
  long long rounds = 0;
  long long sweeps = 0;
  int most_rounds = 0;
  for (int n = 0; n < cases; ++n) {
    const auto s = oracle::random_sample<R>(random, {});
    kinecast::RobotImpacts<S, 6, 2> impacts{};
    impacts.points = 2 + std::min(static_cast<int>(uniform(random, 0, 5)), 4);
    const bool flat = uniform(random, 0, 1) < 0.3;  // points of one body on one plane: hyperstatic
    const auto body = [&] {
      return std::min(static_cast<int>(uniform(random, 0, Shape::kBodies)), Shape::kBodies - 1);
    };
    const int one = body();
    const double e = any_of(random, kRestitutions);
    const bool same = uniform(random, 0, 1) < 0.5;
    const kinecast::Position<R, S> q = s.q.template cast<S>();
    kinecast::Velocity<R, S> dq = s.dq.template cast<S>();
    const kinecast::Velocity<R, S> tau = kinecast::Velocity<R, S>::Zero();
    kinecast::Velocity<R, S> ddq;
    if (!ok(forward_dynamics(model, q, dq, tau, work, ddq)) || !ok(update_kinematics(model, q, dq, k))) continue;
    const Eigen::Matrix3d turn = random_rotation(random);
    Eigen::Vector3d upright = turn.row(0);
    for (int c = 0; c < impacts.points; ++c) {
      auto& at = impacts.point[static_cast<std::size_t>(c)];
      Eigen::Vector3d normal = upright;
      Eigen::Vector3d place(random.within(0.2), random.within(0.2), random.within(0.2));
      if (flat) {
        place.z() = -0.1;
        at.a.body = one;
        const auto& r = k.poses[static_cast<std::size_t>(one)].rotation;
        normal = {static_cast<double>(r.row_x.z), static_cast<double>(r.row_y.z), static_cast<double>(r.row_z.z)};
        normal.normalize();
      } else {
        at.a.body = body();
        if (uniform(random, 0, 1) < 0.5) normal = random_rotation(random).row(0);
        if (Shape::kBodies > 1 && uniform(random, 0, 1) < 0.3) do
            at.b.body = body();
          while (at.b.body == at.a.body);
      }
      at.a.position = {static_cast<S>(place.x()), static_cast<S>(place.y()), static_cast<S>(place.z())};
      if (at.b.body != kWorld) {  // the same place on the other body
        const auto world = point_position(k, at.a);
        const auto& pose = k.poses[static_cast<std::size_t>(at.b.body)];
        at.b.position = transpose_times(pose.rotation, kinecast::to_vec3(world) - pose.position);
      }
      at.normal = {static_cast<S>(normal.x()), static_cast<S>(normal.y()), static_cast<S>(normal.z())};
      at.restitution = static_cast<S>(same ? e : any_of(random, kRestitutions));
      at.friction = static_cast<S>(any_of(random, kFrictions));
    }
    if constexpr (Shape::kBodies > 1) {
      impacts.stops = std::min(static_cast<int>(uniform(random, 0, 3)), 2);
      for (int j = 0; j < impacts.stops; ++j) {
        int b = body();
        for (int tries = 0; tries < 100 && !Shape::is_revolute(b) && !Shape::is_prismatic(b); ++tries) b = body();
        impacts.stop[static_cast<std::size_t>(j)] = {b, S(random.within(1) > 0 ? 1 : -1),
                                                     static_cast<S>(any_of(random, kRestitutions))};
      }
    }
    kinecast::RobotImpactReport<S, 6, 2> got{};
    const kinecast::Velocity<R, S> dq_before = dq;
    const Status status = resolve_impacts(model, k, impacts, work, dq, got);
    if (!ok(status)) {
      report.fail(std::string("simultaneous impacts ended with: ") + sentence(status));
      continue;
    }
    exhausted += status == Status::iterations_exhausted ? 1 : 0;
    hit += got.rounds > 0 ? 1 : 0;
    closed += got.is_closed ? 1 : 0;
    rounds += got.rounds;
    sweeps += got.sweeps;
    most_rounds = std::max(most_rounds, got.rounds);

    // In double, by the kinematics of all bodies. A float orientation is not unit enough for that.
    kinecast::Position<R, double> q64 = q.template cast<double>();
    oracle::normalize<R>(q64);
    const kinecast::Velocity<R, double> dq64 = dq_before.template cast<double>();
    const kinecast::Velocity<R, double> end64 = dq.template cast<double>();
    if (!ok(update_kinematics(exact, q64, dq64, before)) || !ok(update_kinematics(exact, q64, end64, after))) continue;
    const double E = kinetic_energy(exact, before, dq64);
    const double change = kinetic_energy(exact, after, end64) - E;
    // dq is rounded joint by joint, and the energy is a sum of squares of it: a few roundings of the whole.
    gains += change > 8 * eps * E ? 1 : 0;
    gain.see(std::max(change, 0.0) / E);
    // Normal velocities over the root of their mobility, so that points and joints compare.
    kinecast::Velocity<R, double> unused;
    const kinecast::Velocity<R, double> nothing = kinecast::Velocity<R, double>::Zero();
    if (!ok(forward_dynamics(exact, q64, dq64, nothing, work64, unused))) continue;
    std::vector<NormalRow> rows;
    double most_mobile = 0;
    double largest = 0;
    for (const Vec3<S>& p : got.impulse_Ns) largest = std::max(largest, dense(p.template cast<double>()).norm());
    for (int c = 0; c < impacts.points; ++c) {
      const auto& at = impacts.point[static_cast<std::size_t>(c)];
      const kinecast::PointOnBody<double> a{at.a.body, at.a.position.template cast<double>()};
      const kinecast::PointOnBody<double> b{at.b.body, at.b.position.template cast<double>()};
      const auto size_along = [&](const Vec3<double>& axis) {
        kinecast::FactorRow<R, double> row{};
        kinecast::detail::add_point_row(exact, work64, before, a, axis, row);
        kinecast::detail::add_point_row(exact, work64, before, b, -axis, row);
        return length_of(row);
      };
      for (const Vec3<double>& axis : {Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}, Vec3<double>{0, 0, 1}})
        most_mobile = std::max(most_mobile, size_along(axis));
      const Vec3<double> n3 = at.normal.template cast<double>();
      rows.push_back({size_along(n3), dense(n3).dot(point_velocity(before, a) - point_velocity(before, b)),
                      dense(n3).dot(point_velocity(after, a) - point_velocity(after, b))});
      const Eigen::Vector3d p = dense(got.impulse_Ns[static_cast<std::size_t>(c)].template cast<double>());
      const double along = p.dot(dense(n3));
      const double across = (p - along * dense(n3)).norm();
      // Sums of several rounds: rounding over the largest impulse of all.
      outside += across > static_cast<double>(at.friction) * along + 64 * eps * largest ? 1 : 0;
    }
    for (int j = 0; j < impacts.stops; ++j) {
      const auto& at = impacts.stop[static_cast<std::size_t>(j)];
      kinecast::FactorRow<R, double> row{};
      kinecast::Factor{exact, work64}.joint_row(at.body, 1.0, row);
      const double direction = static_cast<double>(at.direction);
      rows.push_back({length_of(row), direction * dq64[Shape::v_of(at.body)], direction * end64[Shape::v_of(at.body)]});
      most_mobile = std::max(most_mobile, rows.back().size);
    }
    double fastest = 0;
    const auto is_mobile = [&](const NormalRow& row) {
      // Not a point on the axis: all that moves it is rounding, and the library says that it leaves it alone.
      return row.size > 4 * static_cast<double>(kinecast::Tolerance<S>::kImmobile) * most_mobile;
    };
    for (const NormalRow& row : rows)
      if (is_mobile(row)) fastest = std::max(fastest, -row.before / row.size);
    bool approaches = false;
    for (const NormalRow& row : rows) {
      if (!is_mobile(row)) continue;
      // Twice what the library promises, and rounding: of velocities, whose size the energy gives, and of the row, which is no better
      // than the largest that it is a difference of.
      constexpr double kClosed = static_cast<double>(kinecast::Tolerance<S>::kClosedApproach);
      const double rounding = 32 * eps * std::sqrt(2 * E) * (1 + most_mobile / row.size);
      const double beyond = -row.after / row.size - rounding;
      approaches = approaches || beyond > 2 * kClosed * fastest;
      approach.see(std::max(beyond, 0.0) / std::max(fastest, rounding));
    }
    left += approaches ? 1 : 0;
  }
  const char* scalar = support::scalar_name<S>();
  char note[160];
  std::snprintf(note, sizeof note, "worst gain %.3g of the kinetic energy; %d of %d hit", gain.value(), hit, cases);
  report.add({"impacts", "gain energy", name, scalar, static_cast<double>(gains), 0, "count"}, note);
  std::snprintf(note, sizeof note, "worst approach %.3g of the fastest before, beyond rounding", approach.value());
  report.add({"impacts", "left approaching", name, scalar, static_cast<double>(left), 0, "count"}, note);
  report.add({"impacts", "outside the cone", name, scalar, static_cast<double>(outside), 0, "count"});
  std::snprintf(note, sizeof note, "most %d; closed without restitution in %d, not closed %d, sweeps %.1f", most_rounds,
                closed, exhausted, static_cast<double>(sweeps) / cases);
  report.add({"impacts", "rounds mean", name, scalar, static_cast<double>(rounds) / cases, support::kNone, "count"},
             note);
}

template <class S>
void try_all(support::Report& report) {
  try_single<S>(Kind::free, "free body", report);
  try_single<S>(Kind::two, "two bodies", report);
  try_single<S>(Kind::articulated, "articulated", report);
  try_simultaneous<robots::zoo, S>("zoo", 7000, report);
  try_simultaneous<robots::arm6, S>("arm6", 7000, report);
  try_simultaneous<robots::chain<8>, S>("chain8", 5000, report);
  try_simultaneous<robots::cube, S>("cube", 3000, report);
}

void measure(support::Report& report) {
#if defined(KINECAST_GOLDEN_DIR)
  compare_golden(report);
#else
  support::Report::remark("impacts: without the golden cases (no KINECAST_DATA_DIR)");
#endif
  try_all<double>(report);
  try_all<float>(report);
}

}  // namespace

const support::Program support::program{"oracle.impacts", measure};
