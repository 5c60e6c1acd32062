// SPDX-License-Identifier: MIT
// A drive unit under control: 1000 times a second an interrupt reads the encoder, sets the voltage and forecasts the next
// 20 ms. main sends the log over the serial port, in the CSV that `kinecast compare` reads. In the emulator the run ends with
// what it cost. Float only, no heap.
#include <array>
#include <atomic>

#include "controller.hpp"
#include "kinecast_port/example.hpp"
#include "kinecast_port/interrupts.hpp"
#include "kinecast_port/stm32f405/control_timer.hpp"
#include "kinecast_port/stm32f405/serial.hpp"
#include "log_rows.hpp"
#include "plant.hpp"

namespace {

using namespace kinecast;
using namespace example;
namespace chip = port::stm32f405;

constexpr std::uint32_t kRate_Hz = 1000;
constexpr std::uint32_t kBaud = 921'600;  // a row of 45 characters takes 0.5 ms
constexpr std::uint32_t kTicks = 8 * kRate_Hz;

// Reversals, stops, and at 5 s a step so small that the joint sticks until the integral has grown.
struct Target {
  std::uint32_t from_tick;
  float angle_rad;
};
constexpr std::array<Target, 6> kTargets{
    {{0, 0.0F}, {200, 1.2F}, {1700, -0.8F}, {3500, 0.3F}, {5000, 0.15F}, {6500, 1.0F}}};

float target_at(std::uint32_t tick) noexcept {
  float angle = 0;
  for (const Target& target : kTargets)
    if (tick >= target.from_tick) angle = target.angle_rad;
  return angle;
}

struct Range {
  std::uint32_t least = UINT32_MAX;
  std::uint32_t most = 0;
  void note(std::uint32_t value) noexcept {
    if (value < least) least = value;
    if (value > most) most = value;
  }
};

// Written by the interrupt alone; main reads them when it is over.
struct Budget {
  std::uint32_t reading = 0;  // instructions of one reading of the counter
  Range tick;
  Range forecast;
  std::uint32_t overruns = 0;
};

Controller controller;
LogRows rows;
Budget budget;
std::array<float, kHorizon> forecasts{};  // for the next 20 ticks, by tick modulo 20
std::uint32_t tick = 0;
std::atomic<bool> over{false};

void on_tick() {
  chip::acknowledge();
  if (over) {
    plant::write_volts(0);
    return;
  }
  const float measured = plant::read_angle_rad();

  const std::uint32_t begin = port::counter_now();
  const float volts = controller.control(measured, target_at(tick));
  plant::write_volts(volts);
  const std::uint32_t before_forecast = port::counter_now();
  const float forecast = controller.forecast();
  const std::uint32_t after_forecast = port::counter_now();
  if (controller.is_running()) {
    float& due = forecasts[tick % kHorizon];
    rows.push({tick, volts, measured, controller.speed_rad_s(), due});
    due = forecast;
  } else {
    plant::write_volts(0);  // it may have been the forecast that failed
  }
  const std::uint32_t end = port::counter_now();

  budget.tick.note(port::instructions(begin, end) - 3U * budget.reading);
  budget.forecast.note(port::instructions(before_forecast, after_forecast) - budget.reading);
  if (chip::beat_is_waiting()) ++budget.overruns;
  ++tick;
  if (!controller.is_running() || tick == kTicks) over = true;
}

void send(const port::Field& field, const char* end) {
  chip::send(field.c_str());
  chip::send(end);
}

void send(const LogRow& row) {
  send(port::fixed(static_cast<float>(row.tick) / static_cast<float>(kRate_Hz), 3), ",");
  send(port::fixed(row.volts, 4), ",");
  send(port::fixed(row.angle_rad, 6), ",");
  send(port::fixed(row.speed_rad_s, 4), ",");
  send(port::fixed(row.forecast_rad, 6), "\n");
}

void print_budget() {
  using port::print_bytes;
  using port::print_cost;
  port::put("\nWhat it cost:\n");
  print_cost("instructions per control period, at least", budget.tick.least);
  print_cost("instructions per control period, at most", budget.tick.most);
  print_cost("instructions per step of the forecast, at least", budget.forecast.least / kHorizon);
  print_cost("instructions per step of the forecast, at most", budget.forecast.most / kHorizon);
  print_bytes("RAM of the controller (predictor, PID, forecast)", sizeof controller);
  print_bytes("RAM of the firmware without stack, simulated motor included", port::ram_static_bytes());
  print_bytes("stack, main and interrupt, simulated motor included", port::stack_used_bytes());
  print_bytes("flash of the firmware, simulated motor included", port::flash_used_bytes());
}

int finish() {
  if (!controller.is_running()) {
    port::print("stopped after ", port::integer(tick), " ms, motor at 0 V: ");
    port::put(controller.reason());
    port::put("\n");
    return port::kStopped;
  }
  port::print("", port::integer(tick), " control periods of 1 ms, each with a forecast of 20 ms; ");
  port::print("rows lost ", port::integer(rows.lost()), ", ");
  port::print("periods overrun ", port::integer(budget.overruns), "\n");
  print_budget();
  return rows.lost() + budget.overruns == 0 ? port::kSuccess : 1;
}

}  // namespace

constexpr port::VectorTable kinecast_vectors = port::vectors({{chip::kTim2Line, on_tick}});

int main() {
  const chip::Clocks clocks = plant::start();
  chip::start_serial(clocks, kBaud);
  chip::send("time_s,volts_V,angle_rad,speed_rad_s,forecast_20ms_rad\n");

  if (plant::has_console() && !port::counter_start()) port::put("This machine does not count instructions.\n");
  const std::uint32_t begin = port::counter_now();
  budget.reading = port::instructions(begin, port::counter_now());

  chip::start_control_timer(clocks, kRate_Hz);
  LogRow row{};
  for (bool last = false; !last;) {
    last = over;  // before the rows, or the last ones would stay
    while (rows.pop(row)) send(row);
    if (!last) port::wait_for_interrupt();
  }
  chip::finish_sending();

  if (plant::has_console()) port::exit(finish());
  if (!controller.is_running()) {
    chip::send("stopped, motor at 0 V: ");
    chip::send(controller.reason());
    chip::send("\n");
  }
  for (;;) port::wait_for_interrupt();
}
