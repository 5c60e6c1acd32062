// SPDX-License-Identifier: MIT
// The golden runs of fused contact keep no state and no tangential reference (method 4, FIX 25: "eps then only selects mu_S/mu_K if
// no state is kept"). Here the same law is asked of the library: before a step, what its contacts remember is replaced by
// what such a law would say of the present state.
#pragma once

#include <kinecast/kinecast.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace oracle {

// For a ground at z = 0. Points that touch it slide if they are faster than `slip`; their reference is where they are.
template <const auto& R, class S, class Predictor>
[[nodiscard]] kinecast::Status forget(Predictor& predictor, S slip) {
  kinecast::Kinematics<R, S> k;
  const auto& model = kinecast::model<R, S>;
  const auto& now = predictor.state();
  if (const kinecast::Status status = update_kinematics(model, now.q, now.dq, k); !ok(status)) return status;
  auto snapshot = predictor.snapshot();
  auto& memory = snapshot.contacts;
  memory.count = 0;
  for (std::size_t i = 0; i < model.points.size(); ++i) {
    const auto p = point_position(k, model.points[i]);
    const auto v = point_velocity(k, model.points[i]);
    if (p[2] > S(0) || static_cast<std::size_t>(memory.count) == memory.records.size()) continue;
    auto& record = memory.records[static_cast<std::size_t>(memory.count++)];
    record = {};
    record.pair = {static_cast<std::int16_t>(i), 0};
    record.is_sliding = std::hypot(v[0], v[1]) > slip;
    record.reference = {p[0], p[1], S(0)};
  }
  predictor.restore(snapshot);
  return kinecast::Status::ok;
}

}  // namespace oracle
