// SPDX-License-Identifier: MIT
// Stands in for an Arduino core: the few calls of the example, and the macros that cores of different makers define, all at
// once. It is here to be as unfriendly to C++ headers as the worst of them.
#pragma once

#include <stdint.h>
#include <stdlib.h>

#define ARDUINO 10819
#define abs(x) ((x) > 0 ? (x) : -(x))
#define round(x) ((x) >= 0 ? (long)((x) + 0.5) : (long)((x)-0.5))
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define sq(x) ((x) * (x))
#define bit(b) (1UL << (b))
#define constrain(x, low, high) ((x) < (low) ? (low) : ((x) > (high) ? (high) : (x)))
#define radians(deg) ((deg)*0.017453292519943295)
#define degrees(rad) ((rad)*57.29577951308232)
#define word(...) makeWord(__VA_ARGS__)
#define F(text) (reinterpret_cast<const __FlashStringHelper*>(text))
#define PI 3.1415926535897932384626433832795
#define HALF_PI 1.5707963267948966192313216916398
#define TWO_PI 6.283185307179586476925286766559
#define DEG_TO_RAD 0.017453292519943295769236907684886
#define EULER 2.718281828459045235360287471352
#define HIGH 0x1
#define LOW 0x0
#define INPUT 0x0
#define OUTPUT 0x1
#define CHANGE 1
#define DEFAULT 1
#define EXTERNAL 0
#define A0 (14u)
#define A1 (15u)
#define A2 (16u)
#define A3 (17u)
#define A4 (18u)
#define A5 (19u)
#define B0 0
#define B1 1
#define interrupts() (void)0
#define noInterrupts() (void)0

class __FlashStringHelper;

struct SerialPort {
  void begin(unsigned long baud);
  void print(const __FlashStringHelper* text);
  void print(const char* text);
  void print(double value, int digits);
  void print(unsigned long value);
  void print(unsigned int value);
  void println(const __FlashStringHelper* text);
  void println(const char* text);
};
extern SerialPort Serial;

unsigned long micros();
void delay(unsigned long ms);
void setup();
void loop();
