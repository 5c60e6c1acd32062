// SPDX-License-Identifier: MIT
// Once a second: where will the arm be in 100 ms, and how long did it take to know? Open the serial monitor at 115200 baud.
#include <kinecast.h>

#include "forecast.hpp"

void setup() {
  Serial.begin(115200);
}

void loop() {
  example::ArmState measured = kinecast::zero_state<example::arm, float>();  // here your encoders speak
  measured.q << 0.3F, 0.6F;

  example::ArmState in_100ms = measured;
  const unsigned long before_us = micros();
  const kinecast::Status status = example::forecast_100ms(measured, 12.0F, 0.2F, in_100ms);
  const unsigned long took_us = micros() - before_us;

  if (!kinecast::ok(status)) {
    Serial.println(kinecast::sentence(status));
  } else {
    Serial.print(F("in 100 ms: "));
    Serial.print(in_100ms.q[0], 4);
    Serial.print(F(" rad and "));
    Serial.print(in_100ms.q[1], 4);
    Serial.print(F(" rad; took "));
    Serial.print(took_us);
    Serial.print(F(" us and "));
    Serial.print(sizeof example::predictor);
    Serial.println(F(" B of RAM"));
  }
  delay(1000);
}
