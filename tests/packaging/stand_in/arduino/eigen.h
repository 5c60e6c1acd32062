// SPDX-License-Identifier: MIT
// Stands in for the header of "Bolder Flight Systems Eigen", which includes the core of Eigen and switches its assertions off.
#pragma once

#define EIGEN_MPL2_ONLY
#define EIGEN_NO_DEBUG 1
#include <Eigen/Core>
