// SPDX-License-Identifier: MIT
// What a program on the host does with a Status that is no warning and not ok: it ends with the call and the sentence.
#pragma once

#include <kinecast/core/status.hpp>

#include <stdexcept>
#include <string>

namespace support {

inline void require(kinecast::Status status, const std::string& call) {
  if (!kinecast::ok(status)) throw std::runtime_error(call + ": " + kinecast::sentence(status));
}

}  // namespace support
