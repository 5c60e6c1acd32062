// SPDX-License-Identifier: MIT
#include "drive_parts.hpp"

#include <nlohmann/json.hpp>

namespace kinecast::host {
namespace {

// The words of a side of the gear: at the motor always a torque, at the joint of a slide a force.
struct SideKeys {
  std::string stiction, coulomb, viscous, stribeck, offset;
};
const SideKeys turning_keys{"stiction_Nm", "coulomb_Nm", "viscous_Nms_per_rad", "stribeck_s_per_rad", "offset_Nm"};
const SideKeys sliding_keys{"stiction_N", "coulomb_N", "viscous_Ns_per_m", "stribeck_s_per_m", "offset_N"};

Directions both_directions(const JsonTable& side, const std::string& key) {
  if (!side.has(key)) return {0, 0};
  if (!side.raw(key).is_object()) return {side.number(key), side.number(key)};
  const JsonTable two = side.table(key, {"forward", "backward"});
  return {two.number("forward"), two.number("backward")};
}

void read_side(const JsonTable& friction, const std::string& name, const SideKeys& keys, DriveSide& out) {
  if (!friction.has(name)) return;
  const JsonTable side = friction.table(name, {keys.stiction, keys.coulomb, keys.viscous, keys.stribeck, keys.offset});
  out.stiction_Nm = both_directions(side, keys.stiction);
  out.coulomb_Nm = both_directions(side, keys.coulomb);
  out.viscous_Nms_per_rad = both_directions(side, keys.viscous);
  out.stribeck_s_per_rad = side.number(keys.stribeck, 0);
  out.offset_Nm = side.number(keys.offset, 0);
  out.has_stiction = side.has(keys.stiction);
  out.has_stribeck = side.has(keys.stribeck);
}

void read_gear(const JsonTable& top, bool slides, Drive& out) {
  if (!top.has("gear")) return;
  const std::string ratio = slides ? "ratio_rad_per_m" : "ratio";
  const JsonTable gear = top.table("gear", {ratio, "efficiency", "load_loss"});
  out.has_gear = true;
  out.gear_ratio = gear.number(ratio);
  out.load_loss = gear.number("load_loss", 0);
  if (gear.one_of({"efficiency", "load_loss"}) != "efficiency") return;
  const double share = gear.number("efficiency");
  if (!(share > 0 && share <= 1)) gear.refuse("efficiency", "must be above 0 and at most 1");
  out.load_loss = efficiency(share).value;
}

void read_motor(const JsonTable& top, bool has_voltage, Drive& out) {
  if (!has_voltage) {
    // A torque at the joint is the command; of the motor only its inertia is left.
    if (top.has("motor"))
      out.at_motor.rotor_inertia_kgm2 = top.table("motor", {"rotor_inertia_kgm2"}).number("rotor_inertia_kgm2");
    return;
  }
  const JsonTable motor =
      top.table("motor", {"torque_constant_Nm_per_A", "resistance_ohm", "voltage_limit_V", "rotor_inertia_kgm2"});
  out.torque_constant_Nm_per_A = motor.number("torque_constant_Nm_per_A");
  out.resistance_ohm = motor.number("resistance_ohm");
  out.voltage_limit_V = motor.number("voltage_limit_V");
  out.at_motor.rotor_inertia_kgm2 = motor.number("rotor_inertia_kgm2", 0);
}

}  // namespace

void read_drive_parts(const JsonTable& table, bool slides, bool has_voltage, Drive& out) {
  if (table.has("friction")) {
    const JsonTable friction = table.table("friction", {"at_motor", "at_joint"});
    read_side(friction, "at_motor", turning_keys, out.at_motor);
    read_side(friction, "at_joint", slides ? sliding_keys : turning_keys, out.at_joint);
  }
  read_motor(table, has_voltage, out);
  read_gear(table, slides, out);
}

}  // namespace kinecast::host
