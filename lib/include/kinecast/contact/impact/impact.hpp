// SPDX-License-Identifier: MIT
// One impact with restitution and friction (method 1.4, FIX 20). In the contact's frame (n, t1, t2), with the collision
// matrix K of the two points (1/kg), their relative velocity u before the impact and Coulomb friction mu, the rule
// finds the impulse p that gives u_n+ = -e u_n:
//
//   1. the contact sticks, if p is then inside the cone |p_t| <= mu p_n;
//   2. else it slides along u_t, if that does not reverse the slip;
//   3. else, and where 1 or 2 would create energy, W(p) = pᵀu + ½ pᵀK p > 0:
//      p = (1+e) p_I + kappa (p_II - p_I), Chatterjee-Ruina.
//
// The rule is evaluated as a problem of p_t alone. With c = K_tn / K_nn, the mobility S = K_tt - c K_nt that friction
// has while the normal velocity is held, and the slip u' = u_t - c u_n that a plastic impact without friction leaves,
//
//   p_n = -(1+e) u_n / K_nn - c . p_t,   W = -(1-e²)/2 u_n² / K_nn + p_t . (u' + ½ S p_t)
//
// so K need not be regular: a direction that S does not move (a point of a planar chain) takes no sticking impulse.
#pragma once

#include <kinecast/core/scalar.hpp>
#include <kinecast/core/status.hpp>
#include <kinecast/math/vec3.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace kinecast {

// Which of the rule's steps gave the impulse.
enum class ImpactBranch : std::uint8_t {
  none,            // nothing to do: the points separate, or rest
  immobile,        // an impulse along the normal could move nothing: there is none
  stick,           // step 1
  slide,           // step 2
  bilinear_stick,  // step 3, inside the cone
  bilinear_slide,  // step 3, on the cone
};

// The result of an impact: x along the normal, y and z along the tangents.
template <class S>
struct Impact {
  Vec3<S> impulse{};   // on the point that has the velocity u, N s
  Vec3<S> velocity{};  // relative velocity after the impact
  S energy{};          // change of kinetic energy, never positive
  ImpactBranch branch{ImpactBranch::none};
};

namespace detail {

// The components of a vector along the two tangents.
template <class S>
struct TangentPair {
  S y;
  S z;
};
template <class S>
[[nodiscard, gnu::always_inline]] constexpr TangentPair<S> operator+(const TangentPair<S>& a,
                                                                     const TangentPair<S>& b) noexcept {
  return {a.y + b.y, a.z + b.z};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr TangentPair<S> operator-(const TangentPair<S>& a,
                                                                     const TangentPair<S>& b) noexcept {
  return {a.y - b.y, a.z - b.z};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr TangentPair<S> operator*(S k, const TangentPair<S>& a) noexcept {
  return {k * a.y, k * a.z};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr S dot(const TangentPair<S>& a, const TangentPair<S>& b) noexcept {
  return a.y * b.y + a.z * b.z;
}
template <class S>
[[nodiscard, gnu::always_inline]] inline S length(const TangentPair<S>& a) noexcept {
  return std::sqrt(dot(a, a));
}

// The largest s in [0, 1] with s linear + s² square <= reserve (>= 0): the part of an impulse that the energy at hand
// allows.
template <class S>
[[nodiscard]] inline S passive_fraction(S linear, S square, S reserve) noexcept {
  if (linear + square <= reserve) return S(1);
  const S root = std::sqrt(linear * linear + S(4) * square * reserve);
  const S s = linear > S(0) ? S(2) * reserve / (linear + root) : (root - linear) / (S(2) * square);
  return std::min(std::max(s, S(0)), S(1));
}

// S = K_tt - c K_nt along its principal axes.
template <class S>
struct TangentialMobility {
  S yy;
  S yz;
  S zz;
  TangentPair<S> axis;  // the more mobile direction; the other one is at right angles to it
  S inverse_most;       // 0: the direction is immobile
  S inverse_least;
  S least;

  void find(S first, S mixed, S second, S immobile) noexcept {
    yy = first, yz = mixed, zz = second;
    const S mean = S(0.5) * (yy + zz);
    const S half = S(0.5) * (yy - zz);
    const S radius = std::sqrt(half * half + yz * yz);
    axis = {S(1), S(0)};
    if (radius > S(0)) {
      const TangentPair<S> along = half >= S(0) ? TangentPair<S>{half + radius, yz} : TangentPair<S>{yz, radius - half};
      axis = (S(1) / length(along)) * along;
    }
    const S most = mean + radius;
    least = mean - radius;
    inverse_most = most > immobile ? S(1) / most : S(0);
    inverse_least = least > immobile ? S(1) / least : S(0);
  }
  [[nodiscard]] TangentPair<S> operator*(const TangentPair<S>& p) const noexcept {
    return {yy * p.y + yz * p.z, yz * p.y + zz * p.z};
  }
  // S⁺ v
  [[nodiscard]] TangentPair<S> inverse_times(const TangentPair<S>& v) const noexcept {
    const TangentPair<S> across{-axis.z, axis.y};
    return (inverse_most * dot(axis, v)) * axis + (inverse_least * dot(across, v)) * across;
  }
};

template <class S>
class ImpactRule {
 public:
  // Takes the numbers of an impact. `K` must be semidefinite to rounding with K_nn > 0, all numbers finite, u_n < 0.
  void prepare(const Sym3<S>& K, const Vec3<S>& u, S restitution, S friction) noexcept {
    tangential_trace_ = K.yy + K.zz;
    const S immobile = Tolerance<S>::kImmobile * tangential_trace_;
    inverse_ = S(1) / K.xx;
    coupling_ = {K.xy * inverse_, K.xz * inverse_};
    mobility_.find(K.yy - K.xy * coupling_.y, K.yz - K.xy * coupling_.z, K.zz - K.xz * coupling_.z, immobile);
    normal_ = u.x;
    slip_ = {u.y, u.z};
    e_ = restitution - Tolerance<S>::kImpactPassive * restitution;
    mu_ = friction;
    bare_ = -(S(1) + e_) * normal_ * inverse_;
    plastic_slip_ = slip_ - normal_ * coupling_;
    reserve_ = S(0.5) * (S(1) - e_ * e_) * normal_ * normal_ * inverse_;
  }
  // Whether K was semidefinite, by the smallest eigenvalue of S over the trace of K_tt.
  [[nodiscard]] bool is_semidefinite() const noexcept {
    return !(mobility_.least < -Tolerance<S>::kIndefinite * tangential_trace_);
  }

  [[nodiscard]] Impact<S> resolve() const noexcept {
    const TangentPair<S> full = S(-1) * mobility_.inverse_times(plastic_slip_);  // D_t
    const S available = S(0.5) * (normal_ * normal_ * inverse_ - dot(full, plastic_slip_));
    const S gain = Tolerance<S>::kImpactGain * available;

    const TangentPair<S> sticking = S(-1) * mobility_.inverse_times(frictionless_slip());  // step 1
    const S size = length(sticking);
    if (size <= mu_ * normal_impulse(sticking)) {
      if (energy(sticking) <= gain) return finish(sticking, ImpactBranch::stick);
    } else {
      const S speed = length(slip_);  // step 2
      const bool slips = speed > Tolerance<S>::kImpactNoSlip * -normal_;
      const TangentPair<S> along = slips ? (S(1) / speed) * slip_ : (S(-1) / size) * sticking;
      const S share = S(1) - mu_ * dot(coupling_, along);
      if (share > Tolerance<S>::kLeastSlidingMobility) {
        const TangentPair<S> sliding = (-mu_ * bare_ / share) * along;
        if (energy(sliding) <= gain && (!slips || dot(slip_, slip_after(sliding)) >= S(0)))
          return finish(sliding, ImpactBranch::slide);
      }
    }
    const S reach = length(full);  // step 3
    if (reach <= mu_ * normal_impulse(full)) return finish(full, ImpactBranch::bilinear_stick);
    const S whole = reach + mu_ * dot(coupling_, full);  // above mu (1+e) p_I,n
    const S kappa = whole > S(0) ? std::min(mu_ * bare_ / whole, S(1)) : S(0);
    return finish(kappa * full, ImpactBranch::bilinear_slide);
  }

 private:
  [[nodiscard]] S normal_impulse(const TangentPair<S>& p) const noexcept { return bare_ - dot(coupling_, p); }
  [[nodiscard]] TangentPair<S> frictionless_slip() const noexcept {
    return slip_ - ((S(1) + e_) * normal_) * coupling_;
  }
  [[nodiscard]] TangentPair<S> slip_after(const TangentPair<S>& p) const noexcept {
    return frictionless_slip() + mobility_ * p;
  }
  [[nodiscard]] S energy(const TangentPair<S>& p) const noexcept {
    return dot(p, plastic_slip_ + S(0.5) * (mobility_ * p)) - reserve_;
  }

  // Weakens friction if, with the rounding of the sums counted against it, it would bring more energy than the normal
  // impulse takes. A shorter p_t is inside the cone if p_t is, and u_n+ does not change.
  [[nodiscard]] Impact<S> finish(TangentPair<S> p, ImpactBranch branch) const noexcept {
    const S size = length(p);
    const S sizes = length(slip_) - length(coupling_) * normal_;  // u_n < 0
    const S linear = dot(p, plastic_slip_) + Tolerance<S>::kImpactRounding * size * sizes;
    const S square = S(0.5) * dot(p, mobility_ * p) + Tolerance<S>::kImpactRounding * size * size * tangential_trace_;
    // Half of the energy that kImpactPassive keeps back is for the rounding of p_n.
    const S kept = S(0.5) * Tolerance<S>::kImpactPassive * normal_ * normal_ * inverse_;
    p = passive_fraction(linear, square, std::max(reserve_ - kept, S(0))) * p;
    const TangentPair<S> slip = slip_after(p);
    return {{normal_impulse(p), p.y, p.z}, {-e_ * normal_, slip.y, slip.z}, std::min(energy(p), S(0)), branch};
  }

  S inverse_;  // 1 / K_nn
  TangentPair<S> coupling_;
  TangentialMobility<S> mobility_;
  S tangential_trace_;
  S normal_;
  TangentPair<S> slip_;
  TangentPair<S> plastic_slip_;
  S e_;
  S mu_;
  S bare_;     // normal impulse without friction
  S reserve_;  // energy that the normal impulse takes away
};

// Whether restitution is within [0, 1] and friction is not negative, and neither is beyond any robot.
template <class S>
[[nodiscard]] inline Status check_impact_law(S e, S mu) noexcept {
  if (!is_finite(e) || !is_finite(mu)) return Status::non_finite_input;
  const bool good = e >= S(0) && e <= S(1) && mu >= S(0) && mu <= Tolerance<S>::kLargestInput;
  return good ? Status::ok : Status::input_out_of_range;
}

template <class S>
[[nodiscard]] inline bool has_finite_entries(const Vec3<S>& v) noexcept {
  return is_finite(v.x) && is_finite(v.y) && is_finite(v.z);
}

}  // namespace detail

// Resolves one impact. K: Sym3 with x = n, y = t1, z = t2, positive semidefinite; u: velocity of the point that the
// impulse acts on, relative to the other point.
template <class S>
[[nodiscard]] inline Status resolve_impact(const Sym3<S>& K, const Vec3<S>& u, S e, S mu, Impact<S>& out) noexcept {
  if (const Status status = detail::check_impact_law(e, mu); !ok(status)) return status;
  const Vec3<S> diagonal{K.xx, K.yy, K.zz};
  const Vec3<S> others{K.xy, K.xz, K.yz};
  if (!detail::has_finite_entries(u) || !detail::has_finite_entries(diagonal) || !detail::has_finite_entries(others))
    return Status::non_finite_input;
  const S trace = K.xx + K.yy + K.zz;
  const S least = std::min(std::min(K.xx, K.yy), K.zz);
  constexpr S kLargest = Tolerance<S>::kLargestInput;
  if (!(dot(u, u) <= kLargest * kLargest) || !(trace <= kLargest) ||
      least < -Tolerance<S>::kIndefinite * std::abs(trace))
    return Status::input_out_of_range;
  if (!(u.x < S(0))) {
    out = {{}, u, S(0), ImpactBranch::none};
    return Status::ok;
  }
  if (!(K.xx > Tolerance<S>::kImmobile * trace)) {
    out = {{}, u, S(0), ImpactBranch::immobile};
    return Status::ok;
  }
  detail::ImpactRule<S> rule;
  rule.prepare(K, u, e, mu);
  if (!rule.is_semidefinite()) return Status::input_out_of_range;
  const Impact<S> found = rule.resolve();
  if (!detail::has_finite_entries(found.impulse) || !detail::has_finite_entries(found.velocity))
    return Status::non_finite_result;
  out = found;
  return Status::ok;
}

}  // namespace kinecast
