// SPDX-License-Identifier: MIT
#include "drive_unit.hpp"

#include "text.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <functional>

namespace kinecast::host {
namespace {

// The words of a side of the gear: at the motor always a torque, at the joint of a slide a force.
struct SideKeys {
  std::string stiction, coulomb, viscous, stribeck, offset;
};
const std::vector<std::string> joint_kinds{"revolute", "prismatic"};
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

void read_load(const JsonTable& top, bool slides, Link& link) {
  link.mass_kg = 1;  // of a balanced load: its weight turns nothing
  link.com_m = {};
  double own = 0;
  if (slides) {
    link.mass_kg = top.number("mass_kg");
    own = std::abs(link.mass_kg);  // a slide never turns
  } else {
    own = top.number("inertia_kgm2");
  }
  if (top.has("pendulum")) {
    const JsonTable pendulum = top.table("pendulum", {"mass_kg", "length_m", "hangs_at_rad"});
    link.mass_kg = pendulum.number("mass_kg");
    const double length = pendulum.number("length_m");
    const double hangs_at = pendulum.number("hangs_at_rad", 0);
    link.com_m = {length * std::sin(hangs_at), 0, -length * std::cos(hangs_at)};
    // The library wants a body; a point mass without one of its own gets too little to be seen.
    if (!(std::abs(own) > 0)) own = 1e-9 * link.mass_kg * length * length;
  }
  link.inertia_kgm2 = {own, 0, 0, own, 0, own};
  const bool rotor_is_all = !slides && !top.has("pendulum") && !(std::abs(own) > 0);
  if (rotor_is_all) link.mass_kg = 0, link.is_massless = true;
}

// Calls visit(path, number) for every number below a value.
void for_each_number(const Json& value, const std::string& path,
                     const std::function<void(const std::string&, double)>& visit) {
  if (value.is_number()) visit(path, value.get<double>());
  if (!value.is_object()) return;
  for (const auto& [key, below] : value.items()) for_each_number(below, path.empty() ? key : path + "." + key, visit);
}

std::string first_number(const Json& document, const std::function<bool(const std::string&, double)>& is_it) {
  std::string found;
  for_each_number(document, "", [&](const std::string& path, double number) {
    if (found.empty() && path.compare(0, 4, "log.") != 0 && is_it(path, number)) found = path;
  });
  return found;
}

// Where in the file a rule of the library was broken.
std::string place_of(Rule rule, const Json& document, const DriveUnit& unit) {
  const bool slides = unit.links[0].joint == JointKind::prismatic;
  const Drive& drive = unit.links[0].drive;
  switch (rule) {
    case Rule::values_sane:
      return first_number(document, [](const std::string&, double x) { return !(std::abs(x) <= 1e6); });
    case Rule::mass_positive:
      return document.contains("pendulum") ? "pendulum.mass_kg" : "mass_kg";
    case Rule::inertia_positive_definite:
      return slides ? "mass_kg" : "inertia_kgm2";
    case Rule::rotor_not_negative:
      return "motor.rotor_inertia_kgm2";
    case Rule::motor_constant_positive:
      return "motor.torque_constant_Nm_per_A";
    case Rule::motor_resistance_positive:
      return "motor.resistance_ohm";
    case Rule::motor_voltage_limit_positive:
      return "motor.voltage_limit_V";
    case Rule::torque_limit_not_negative:
      return slides ? "force_limit_N" : "torque_limit_Nm";
    case Rule::gear_ratio_not_zero:
      return slides ? "gear.ratio_rad_per_m" : "gear.ratio";
    case Rule::motor_side_needs_motor:
      return "friction.at_motor";
    case Rule::friction_not_negative:
      return first_number(document, [](const std::string& path, double x) {
        return x < 0 && (path.compare(0, 9, "friction.") == 0 || path == "gear.load_loss") &&
               path.find(".offset_") == std::string::npos;
      });
    case Rule::stiction_not_below_coulomb: {
      const DriveSide& motor = drive.at_motor;
      const bool at_motor = motor.has_stiction && (motor.stiction_Nm.forward < motor.coulomb_Nm.forward ||
                                                   motor.stiction_Nm.backward < motor.coulomb_Nm.backward);
      return at_motor ? "friction.at_motor." + turning_keys.stiction
                      : "friction.at_joint." + (slides ? sliding_keys.stiction : turning_keys.stiction);
    }
    case Rule::stribeck_on_one_side:
      return "friction";
    default:
      return "the unit";
  }
}

}  // namespace

JsonTable top_table(const std::string& file, const Json& document) {
  // The joint's kind decides which keys there are, so it is read before the others are checked.
  bool slides = false;
  if (document.is_object() && document.contains("joint")) {
    std::vector<std::string> any;
    for (const auto& [key, ignored] : document.items()) any.push_back(key);
    slides = JsonTable(file, "", document, any).choice("joint", joint_kinds) == "prismatic";
  }
  std::vector<std::string> keys{"name", "joint", "drive", "motor", "gear", "friction", "log", "windows_s", "fit"};
  if (slides)
    keys.insert(keys.end(), {"mass_kg", "force_limit_N"});
  else
    keys.insert(keys.end(), {"inertia_kgm2", "pendulum", "torque_limit_Nm"});
  return {file, "", document, keys};
}

DriveUnit read_drive_unit(const std::string& file, const Json& document) {
  const JsonTable top = top_table(file, document);
  const bool slides = top.choice("joint", joint_kinds) == "prismatic";
  const bool has_voltage = top.choice("drive", {"voltage", "torque"}) == "voltage";
  DriveUnit unit = slides ? (has_voltage ? sliding_by_voltage : sliding_by_torque)
                          : (has_voltage ? turning_by_voltage : turning_by_torque);
  Link& link = unit.links[0];
  const Actuator actuator = link.drive.actuator;
  link.drive = {};
  link.drive.actuator = actuator;
  read_load(top, slides, link);
  const std::string limit = slides ? "force_limit_N" : "torque_limit_Nm";
  if (has_voltage && top.has(limit)) top.refuse(limit, "is for \"drive\": \"torque\"; a motor has voltage_limit_V");
  link.drive.torque_limit_Nm = top.number(limit, 0);
  if (top.has("friction")) {
    const JsonTable friction = top.table("friction", {"at_motor", "at_joint"});
    read_side(friction, "at_motor", turning_keys, link.drive.at_motor);
    read_side(friction, "at_joint", slides ? sliding_keys : turning_keys, link.drive.at_joint);
  }
  read_motor(top, has_voltage, link.drive);
  read_gear(top, slides, link.drive);
  return unit;
}

void expect_rules_kept(const std::string& file, const Json& document, const DriveUnit& unit) {
  const Verdict verdict = validate(unit);
  if (verdict.ok()) return;
  throw Failure(ExitCode::bad_input,
                file + ": " + place_of(verdict.rule, document, unit) + ": " + sentence(verdict.rule));
}

DriveUnit without_dry_friction(DriveUnit unit) {
  for (DriveSide* side : {&unit.links[0].drive.at_motor, &unit.links[0].drive.at_joint}) {
    side->stiction_Nm = {};
    side->coulomb_Nm = {};
  }
  return unit;
}

}  // namespace kinecast::host
