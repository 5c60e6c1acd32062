// SPDX-License-Identifier: MIT
// A hash of results' bits (FNV-1a, 32 bit), and the line `BITS <run> <hash>` that the tests compare.
#pragma once

#include <kinecast/math/placement.hpp>
#include <kinecast/math/spatial.hpp>

#include <cstdint>
#include <cstring>

#include "kinecast_port/text.hpp"

namespace bits {

class Bits {
 public:
  template <class... Values>
  void add(const Values&... values) noexcept {
    (add_one(values), ...);
  }

  // The state that a predictor reached and what it reports of its joints.
  template <class Predictor>
  void add_predictor(const Predictor& predictor) noexcept {
    const auto& report = predictor.report();
    add(predictor.state().q, predictor.state().dq, report.friction_Nm, report.transmitted_Nm);
    for (const bool is_held : report.is_held) add(is_held);
  }

  // What a step reports of its contacts.
  template <class Report>
  void add_contacts(const Report& report) noexcept {
    add(report.count, report.iterations, report.passes);
    for (int i = 0; i < report.count; ++i)
      add(report[i].point_m, report[i].normal, report[i].force_N, report[i].depth_m, report[i].slip_mps,
          report[i].is_sliding);
  }

  void print(const char* run) const noexcept {
    namespace port = kinecast::port;
    port::put("BITS ");
    port::put(run);
    port::put(" ");
    port::put(port::hexadecimal(hash_));
    port::put("\n");
  }

 private:
  template <class T>
  void add_bytes(const T& value) noexcept {
    unsigned char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof bytes);
    for (const unsigned char byte : bytes) hash_ = (hash_ ^ byte) * 16777619U;
  }
  void add_one(float x) noexcept { add_bytes(x); }
  void add_one(double x) noexcept { add_bytes(x); }
  void add_one(bool x) noexcept { add_bytes(static_cast<unsigned char>(x)); }
  void add_one(int x) noexcept { add_bytes(static_cast<std::int32_t>(x)); }
  template <class S>
  void add_one(const kinecast::Vec3<S>& v) noexcept {
    add(v.x, v.y, v.z);
  }
  template <class S>
  void add_one(const kinecast::Mat3<S>& m) noexcept {
    add(m.row_x, m.row_y, m.row_z);
  }
  template <class S>
  void add_one(const kinecast::Sym3<S>& m) noexcept {
    add(m.xx, m.xy, m.xz, m.yy, m.yz, m.zz);
  }
  template <class S>
  void add_one(const kinecast::Motion<S>& m) noexcept {
    add(m.angular, m.linear);
  }
  template <class S>
  void add_one(const kinecast::Placement<S>& p) noexcept {
    add(p.rotation, p.position);
  }
  template <class Derived>
  void add_one(const Eigen::MatrixBase<Derived>& m) noexcept {
    for (int j = 0; j < static_cast<int>(m.cols()); ++j)
      for (int i = 0; i < static_cast<int>(m.rows()); ++i) add_bytes(m(i, j));
  }

  std::uint32_t hash_{2166136261U};
};

}  // namespace bits
