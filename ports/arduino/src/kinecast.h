// SPDX-License-Identifier: MIT
// kinecast for Arduino sketches: #include <kinecast.h>. Cores define everyday words as macros (abs, round, F, A0, B1, ...), which
// would tear the headers of Eigen and kinecast apart: they are put aside while these are read, and are there again afterwards.
#pragma once

#if __cplusplus < 201703L
#error "kinecast needs C++17: add -std=gnu++17 to compiler.cpp.extra_flags (the README of this library says how)"
#elif !__has_include(<array>)
#error "kinecast needs the C++ standard library, which this board's core does not have"
#endif

#pragma push_macro("abs")
#pragma push_macro("round")
#pragma push_macro("min")
#pragma push_macro("max")
#pragma push_macro("sq")
#pragma push_macro("bit")
#pragma push_macro("constrain")
#pragma push_macro("degrees")
#pragma push_macro("radians")
#pragma push_macro("word")
#pragma push_macro("F")
#pragma push_macro("A0")
#pragma push_macro("A1")
#pragma push_macro("A2")
#pragma push_macro("A3")
#pragma push_macro("A4")
#pragma push_macro("A5")
#pragma push_macro("B0")
#pragma push_macro("B1")
#pragma push_macro("PI")
#undef abs
#undef round
#undef min
#undef max
#undef sq
#undef bit
#undef constrain
#undef degrees
#undef radians
#undef word
#undef F
#undef A0
#undef A1
#undef A2
#undef A3
#undef A4
#undef A5
#undef B0
#undef B1
#undef PI

// Arduino's builder finds the library that holds Eigen by the name of this header; it includes <Eigen/Core>.
#ifdef ARDUINO
#include <eigen.h>
#endif
#include <kinecast/kinecast.hpp>
#include <kinecast/version.hpp>

#pragma pop_macro("abs")
#pragma pop_macro("round")
#pragma pop_macro("min")
#pragma pop_macro("max")
#pragma pop_macro("sq")
#pragma pop_macro("bit")
#pragma pop_macro("constrain")
#pragma pop_macro("degrees")
#pragma pop_macro("radians")
#pragma pop_macro("word")
#pragma pop_macro("F")
#pragma pop_macro("A0")
#pragma pop_macro("A1")
#pragma pop_macro("A2")
#pragma pop_macro("A3")
#pragma pop_macro("A4")
#pragma pop_macro("A5")
#pragma pop_macro("B0")
#pragma pop_macro("B1")
#pragma pop_macro("PI")
