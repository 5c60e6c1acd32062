// SPDX-License-Identifier: MIT
// What must be true of a recording before a prediction of it can mean anything. Each check throws Failure with the line.
#pragma once

#include "log_file.hpp"

namespace kinecast::host {

// Strictly increasing, no holes, sample intervals that a drive unit's log can have.
void check_time(const Log& log, const Column& time);
// A duty within its full scale, a voltage near the motor's limit: otherwise the unit is wrong.
void check_duty(const Log& log, const Column& duty);
void check_voltage(const Log& log, const Column& voltage, double limit_V);
// Speeds that exist, no jumps of an encoder that wraps, and a velocity that is the position's slope.
void check_motion(const Log& log, const LogDescription& description);

}  // namespace kinecast::host
