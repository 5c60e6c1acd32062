// SPDX-License-Identifier: MIT
// The factor C of Q = C Cᵀ of a volume contact (method 6.2), for the paper's functional. In the contact's
// own axes Q has two blocks, of (v_n, w_1, w_2) and of (v_1, v_2, w_n). C has their lower Cholesky factors,
// with zero columns where Q is flat.
#pragma once

#include <kinecast/core/scalar.hpp>

#include <cmath>

namespace kinecast {

template <class S>
struct Cover {
  S block[2][6];  // each l00, l10, l20, l11, l21, l22
};

namespace detail {

// Factors a block whose rank may be less than three. It stays apart from math/cholesky.hpp, which refuses such a block,
// and whose products with the inverted diagonal round differently from the quotient here.
template <class S>
inline void factor_block(S a00, S a10, S a20, S a11, S a21, S a22, S (&l)[6]) noexcept {
  const auto root = [](S x, S of) { return x > Tolerance<S>::kImmobile * of ? std::sqrt(x) : S(0); };
  l[0] = root(a00, a00);
  const S inverse0 = l[0] > S(0) ? S(1) / l[0] : S(0);
  l[1] = a10 * inverse0;
  l[2] = a20 * inverse0;
  l[3] = root(a11 - l[1] * l[1], a11);
  l[4] = l[3] > S(0) ? (a21 - l[2] * l[1]) / l[3] : S(0);
  l[5] = root(a22 - l[2] * l[2] - l[4] * l[4], a22);
}

}  // namespace detail

// Finds C from `m`, the area, x, y, xx, xy, yy of the patch. Of a contact that slides only the normal motion is asked
// for.
template <class S>
[[nodiscard]] inline Cover<S> find_cover(const S (&m)[6], bool slides) noexcept {
  Cover<S> c{};
  detail::factor_block(m[0], m[2], -m[1], m[5], -m[4], m[3], c.block[0]);
  if (!slides) detail::factor_block(m[0], S(0), -m[2], m[0], m[1], m[3] + m[5], c.block[1]);
  return c;
}

// out = Cᵀ v, six numbers.
template <class S>
inline void multiply_cover(const Cover<S>& c, const S* v, S* out) noexcept {
  for (int block = 0; block < 2; ++block) {
    const S(&l)[6] = c.block[block];
    const S* from = v + 3 * block;
    S* to = out + 3 * block;
    to[0] = l[0] * from[0] + l[1] * from[1] + l[2] * from[2];
    to[1] = l[3] * from[1] + l[4] * from[2];
    to[2] = l[5] * from[2];
  }
}

}  // namespace kinecast
