// SPDX-License-Identifier: MIT
#include "drive_unit.hpp"

#include "../text/text.hpp"
#include "drive_parts.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <functional>

namespace kinecast::host {
namespace {

const std::vector<std::string> joint_kinds{"revolute", "prismatic"};

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
      return std::string(at_motor ? "friction.at_motor." : "friction.at_joint.") +
             (slides && !at_motor ? "stiction_N" : "stiction_Nm");
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
  read_drive_parts(top, slides, has_voltage, link.drive);
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
