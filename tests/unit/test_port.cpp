// SPDX-License-Identifier: MIT
// The port's text and exit codes; the same on the host and on the boards.
#include <cstdint>
#include <limits>

#include "kinecast_port/text.hpp"
#include "unity_main.hpp"

namespace unit_port {
namespace {

using kinecast::port::fixed;
using kinecast::port::hexadecimal;
using kinecast::port::integer;

static_assert(kinecast::port::failure_code(0) == 0, "success is 0");
static_assert(kinecast::port::failure_code(7) == 7, "a number of failures is its own code");
static_assert(kinecast::port::failure_code(256) == 99, "a failure never becomes 0");
static_assert(kinecast::port::failure_code(-1) == 99, "nor does a negative result");
static_assert(kinecast::port::exit_byte(256) == 255, "nor any other code");

void test_integer() {
  TEST_ASSERT_EQUAL_STRING("0", integer(0).c_str());
  TEST_ASSERT_EQUAL_STRING("-42", integer(-42).c_str());
  TEST_ASSERT_EQUAL_STRING("4294967295", integer(std::numeric_limits<std::uint32_t>::max()).c_str());
  TEST_ASSERT_EQUAL_STRING("-9223372036854775808", integer(std::numeric_limits<std::int64_t>::min()).c_str());
  TEST_ASSERT_EQUAL_INT(3, integer(-42).size());
}

void test_hexadecimal() { TEST_ASSERT_EQUAL_STRING("0x00c0ffee", hexadecimal(0xC0FFEE).c_str()); }

// The expected texts are printf's.
void test_fixed_rounds_as_printf() {
  TEST_ASSERT_EQUAL_STRING("3.142", fixed(3.14159265F, 3).c_str());
  TEST_ASSERT_EQUAL_STRING("-0.050", fixed(-0.05F, 3).c_str());
  TEST_ASSERT_EQUAL_STRING("0.100000", fixed(0.1F, 6).c_str());
  TEST_ASSERT_EQUAL_STRING("1.00", fixed(0.999F, 2).c_str());
  TEST_ASSERT_EQUAL_STRING("16777216.0", fixed(16777216.0F, 1).c_str());
  TEST_ASSERT_EQUAL_STRING("999999995904.000000", fixed(1.0e12F, 6).c_str());
}

void test_fixed_ties_go_to_even() {
  TEST_ASSERT_EQUAL_STRING("0", fixed(0.5F, 0).c_str());
  TEST_ASSERT_EQUAL_STRING("2", fixed(1.5F, 0).c_str());
  TEST_ASSERT_EQUAL_STRING("2", fixed(2.5F, 0).c_str());
  TEST_ASSERT_EQUAL_STRING("0.12", fixed(0.125F, 2).c_str());
  TEST_ASSERT_EQUAL_STRING("0.38", fixed(0.375F, 2).c_str());
}

void test_fixed_small_values() {
  TEST_ASSERT_EQUAL_STRING("0.00", fixed(0.0F, 2).c_str());
  TEST_ASSERT_EQUAL_STRING("-0.00", fixed(-0.0F, 2).c_str());
  TEST_ASSERT_EQUAL_STRING("0.000000", fixed(1.0e-30F, 6).c_str());
  TEST_ASSERT_EQUAL_STRING("0.000000", fixed(std::numeric_limits<float>::denorm_min(), 6).c_str());
  TEST_ASSERT_EQUAL_STRING("0.000001", fixed(6.0e-7F, 6).c_str());
  TEST_ASSERT_EQUAL_STRING("0.000000", fixed(4.0e-7F, 6).c_str());
}

void test_fixed_without_a_number() {
  TEST_ASSERT_EQUAL_STRING("nan", fixed(std::numeric_limits<float>::quiet_NaN(), 2).c_str());
  TEST_ASSERT_EQUAL_STRING("inf", fixed(std::numeric_limits<float>::infinity(), 2).c_str());
  TEST_ASSERT_EQUAL_STRING("-inf", fixed(-std::numeric_limits<float>::infinity(), 2).c_str());
  TEST_ASSERT_EQUAL_STRING("ovf", fixed(1.1e12F, 2).c_str());
  TEST_ASSERT_EQUAL_STRING("-ovf", fixed(-3.0e38F, 2).c_str());
}

void test_decimals_are_clamped() {
  TEST_ASSERT_EQUAL_STRING("1.500000", fixed(1.5F, 9).c_str());
  TEST_ASSERT_EQUAL_STRING("3", fixed(3.25F, -1).c_str());
}

}  // namespace

KINECAST_SUITE(port, test_integer, test_hexadecimal, test_fixed_rounds_as_printf, test_fixed_ties_go_to_even,
               test_fixed_small_values, test_fixed_without_a_number, test_decimals_are_clamped)

}  // namespace unit_port
