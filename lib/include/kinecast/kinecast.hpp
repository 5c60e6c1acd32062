// SPDX-License-Identifier: MIT
// kinecast: forecasts what a robot's body will do next, in fixed memory. The whole library, in flow order.
#pragma once

#include <kinecast/core/constexpr_math.hpp>
#include <kinecast/core/elementary.hpp>
#include <kinecast/core/scalar.hpp>
#include <kinecast/core/status.hpp>
#include <kinecast/dynamics/bias.hpp>
#include <kinecast/dynamics/contact_map.hpp>
#include <kinecast/dynamics/energy.hpp>
#include <kinecast/dynamics/forward_dynamics.hpp>
#include <kinecast/dynamics/inverse_dynamics.hpp>
#include <kinecast/dynamics/mass_matrix.hpp>
#include <kinecast/dynamics/workspace.hpp>
#include <kinecast/kinematics/inward.hpp>
#include <kinecast/kinematics/kinematics.hpp>
#include <kinecast/kinematics/screws.hpp>
#include <kinecast/kinematics/transfer.hpp>
#include <kinecast/math/cholesky.hpp>
#include <kinecast/math/placement.hpp>
#include <kinecast/math/rotation.hpp>
#include <kinecast/math/spatial.hpp>
#include <kinecast/math/types.hpp>
#include <kinecast/math/vec3.hpp>
#include <kinecast/model/frames.hpp>
#include <kinecast/model/model.hpp>
#include <kinecast/model/robot.hpp>
#include <kinecast/model/shape.hpp>
#include <kinecast/model/tree.hpp>
#include <kinecast/model/validate.hpp>
#include <kinecast/predict/integrate.hpp>
