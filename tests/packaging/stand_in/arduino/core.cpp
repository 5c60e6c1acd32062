// SPDX-License-Identifier: MIT
// The stand-in of an Arduino core, on the host: a serial port that is the terminal, and one round of the sketch.
#include <Arduino.h>

#include <cstdio>

SerialPort Serial;

void SerialPort::begin(unsigned long) {}
void SerialPort::print(const __FlashStringHelper* text) { std::printf("%s", reinterpret_cast<const char*>(text)); }
void SerialPort::print(const char* text) { std::printf("%s", text); }
void SerialPort::print(double value, int digits) { std::printf("%.*f", digits, value); }
void SerialPort::print(unsigned long value) { std::printf("%lu", value); }
void SerialPort::print(unsigned int value) { std::printf("%u", value); }
void SerialPort::println(const __FlashStringHelper* text) { std::printf("%s\n", reinterpret_cast<const char*>(text)); }
void SerialPort::println(const char* text) { std::printf("%s\n", text); }

unsigned long micros() { return 0; }
void delay(unsigned long) {}

int main() {
  setup();
  loop();
}
