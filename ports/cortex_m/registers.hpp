// SPDX-License-Identifier: MIT
// The few system registers that the port uses, by their architectural names. Their addresses are
// the same on every Cortex-M (Armv6-M, Armv7-M, Armv8-M manuals, "System Control Space").
#pragma once

#include "kinecast_port/register.hpp"

namespace kinecast::port::reg {

inline constexpr Register kSysTickControl{0xE000E010};
inline constexpr Register kSysTickReload{0xE000E014};
inline constexpr Register kSysTickValue{0xE000E018};

inline constexpr Register kMpuControl{0xE000ED94};
inline constexpr Register kMpuRegionBase{0xE000ED9C};
inline constexpr Register kMpuRegionAttributes{0xE000EDA0};

// Fault status; Armv6-M has none of these.
inline constexpr Register kConfigurableFaultStatus{0xE000ED28};
inline constexpr Register kHardFaultStatus{0xE000ED2C};
inline constexpr Register kMemManageAddress{0xE000ED34};
inline constexpr Register kBusFaultAddress{0xE000ED38};

}  // namespace kinecast::port::reg
