// SPDX-License-Identifier: MIT
// The four-bar of linkages.hpp as textbooks have it: one degree of freedom, the crank's angle a. With the angles b, c of coupler
// and rocker against the vertical, their rates by a (primes) from the closed loop, and every bar's centre r(a),
//
//   (Sum m r'.r' + I b'²) a.. + (Sum m r'.r'' + I b' b'') a.² + g Sum m z' = 0
//
// integrated by classical Runge-Kutta. It knows nothing of the library but the masses and lengths.
#pragma once

#include <cmath>

#include "../robots/linkages.hpp"

namespace robots {

class FourBarTruth {
 public:
  struct Plane {
    double x, z;
  };
  double angle{0};  // of the crank
  double rate{0};
  double coupler{0};  // absolute
  double rocker{0};

  // Angles of coupler and rocker for the crank's angle: Newton from those before, so that the branch stays.
  void close() {
    for (int i = 0; i < 4; ++i) {
      const Plane k = turned(coupler, {s_.coupler_x_m, s_.coupler_z_m});
      const Plane r = turned(rocker, {0, s_.rocker_m});
      const Plane c = turned(angle, {0, s_.crank_m});
      double db = 0;
      double dc = 0;
      solve(k, r, {s_.ground_m + r.x - c.x - k.x, r.z - c.z - k.z}, db, dc);
      coupler += db;
      rocker += dc;
    }
  }

  void step(double dt) {
    const double a0 = angle;
    const double v0 = rate;
    double dv[4];
    double da[4];
    for (int k = 0; k < 4; ++k) {
      const double h = k == 0 ? 0 : k == 3 ? dt : 0.5 * dt;
      angle = k == 0 ? a0 : a0 + h * da[k - 1];
      rate = k == 0 ? v0 : v0 + h * dv[k - 1];
      da[k] = rate;
      dv[k] = acceleration();
    }
    angle = a0 + dt / 6 * (da[0] + 2 * da[1] + 2 * da[2] + da[3]);
    rate = v0 + dt / 6 * (dv[0] + 2 * dv[1] + 2 * dv[2] + dv[3]);
    close();
  }

  [[nodiscard]] double acceleration() {
    const Sums s = sums();
    return -(s.convective * rate * rate + kGravity * s.lift) / s.inertia;
  }
  // What gravity asks of the crank to be held, N.m.
  [[nodiscard]] double load() { return kGravity * sums().lift; }
  [[nodiscard]] double kinetic() { return 0.5 * sums().inertia * rate * rate; }
  [[nodiscard]] double potential() {
    close();
    double sum = 0;
    for (const Bar& b : bars()) sum += b.mass * kGravity * (b.foot.z + b.arm.z);
    return sum;
  }
  // Rates of the coupler and the rocker, absolute, per rate of the crank.
  struct Rates {
    double coupler, rocker;
  };
  [[nodiscard]] Rates rates() {
    const Sums s = sums();
    return {s.coupler, s.rocker};
  }

 private:
  static constexpr double kGravity = 9.80665;
  struct Sums {
    double inertia, convective, lift, coupler, rocker;
  };
  struct Bar {
    double mass, moment;
    Plane foot, arm;
  };
  // About y: z turns to x.
  [[nodiscard]] static Plane turned(double angle, Plane p) {
    const double s = std::sin(angle);
    const double c = std::cos(angle);
    return {p.x * c + p.z * s, p.z * c - p.x * s};
  }
  [[nodiscard]] static Plane across(Plane p) { return {p.z, -p.x}; }  // dr/dangle
  // db across(k) - dc across(r) = wanted
  static void solve(Plane k, Plane r, Plane wanted, double& db, double& dc) {
    const Plane a = across(k);
    const Plane b = across(r);
    const double determinant = a.z * b.x - a.x * b.z;
    db = (wanted.z * b.x - wanted.x * b.z) / determinant;
    dc = (a.x * wanted.z - a.z * wanted.x) / determinant;
  }
  struct Bars {
    Bar bar[3];
    [[nodiscard]] const Bar* begin() const { return bar; }
    [[nodiscard]] const Bar* end() const { return bar + 3; }
  };
  [[nodiscard]] Bars bars() const {
    const auto moment = [](double mass, double length) { return mass * length * length / 12 + 1e-5; };
    return {
        {{s_.crank_kg, moment(s_.crank_kg, s_.crank_m), {0, 0}, turned(angle, {0, 0.5 * s_.crank_m})},
         {s_.coupler_kg, s_.coupler_kgm2, turned(angle, {0, s_.crank_m}),
          turned(coupler, {0.5 * s_.coupler_x_m, 0.5 * s_.coupler_z_m})},
         {s_.rocker_kg, moment(s_.rocker_kg, s_.rocker_m), {s_.ground_m, 0}, turned(rocker, {0, 0.5 * s_.rocker_m})}}};
  }
  [[nodiscard]] Sums sums() {
    close();
    const Plane c = turned(angle, {0, s_.crank_m});
    const Plane k = turned(coupler, {s_.coupler_x_m, s_.coupler_z_m});
    const Plane r = turned(rocker, {0, s_.rocker_m});
    double first[3] = {1, 0, 0};
    double second[3] = {0, 0, 0};
    solve(k, r, {-across(c).x, -across(c).z}, first[1], first[2]);
    const double b2 = first[1] * first[1];
    const double c2 = first[2] * first[2];
    solve(k, r, {c.x + b2 * k.x - c2 * r.x, c.z + b2 * k.z - c2 * r.z}, second[1], second[2]);
    Sums out{0, 0, 0, first[1], first[2]};
    const Bars all = bars();
    for (int i = 0; i < 3; ++i) {
      const Bar& b = all.bar[i];
      // The coupler's foot is the crank's end.
      const Plane foot1 = i == 1 ? across(c) : Plane{0, 0};
      const Plane foot2 = i == 1 ? Plane{-c.x, -c.z} : Plane{0, 0};
      const Plane arm1 = across(b.arm);
      const double rate2 = first[i] * first[i];
      const Plane r1{foot1.x + first[i] * arm1.x, foot1.z + first[i] * arm1.z};
      const Plane r2{foot2.x + second[i] * arm1.x - rate2 * b.arm.x, foot2.z + second[i] * arm1.z - rate2 * b.arm.z};
      out.inertia += b.mass * (r1.x * r1.x + r1.z * r1.z) + b.moment * first[i] * first[i];
      out.convective += b.mass * (r1.x * r2.x + r1.z * r2.z) + b.moment * first[i] * second[i];
      out.lift += b.mass * r1.z;
    }
    return out;
  }

  FourBarSizes s_{};
};

}  // namespace robots
