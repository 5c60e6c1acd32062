// SPDX-License-Identifier: MIT
#include "search_space.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace kinecast::host {
namespace {
constexpr double kWidestFactor = 1e3;  // from the guess, unless the user's bounds are narrower
}

Coordinate::Coordinate(const std::string& file, const Unknown& unknown)
    : guess_(unknown.guess), is_logarithm_(unknown.path.find(".offset_") == std::string::npos) {
  const std::string place = file + ": " + unknown.path + ".guess: ";
  if (is_logarithm_) {
    if (!(guess_ > 0))
      throw Failure(ExitCode::bad_input, place + "must be positive, and of the right order of magnitude");
    low_ = of(std::max(unknown.min, guess_ / kWidestFactor));
    high_ = of(std::min(unknown.max, guess_ * kWidestFactor));
    return;
  }
  const bool is_bounded = std::isfinite(unknown.min) && std::isfinite(unknown.max);
  scale_ = is_bounded ? 0.1 * (unknown.max - unknown.min) : std::abs(guess_);
  if (!(scale_ > 0))
    throw Failure(ExitCode::bad_input, place + "0 says nothing about the offset's size; give min and max too");
  low_ = of(std::max(unknown.min, guess_ - kWidestFactor * scale_));
  high_ = of(std::min(unknown.max, guess_ + kWidestFactor * scale_));
}

double Coordinate::of(double value) const {
  return kCentre + (is_logarithm_ ? std::log(value / guess_) : (value - guess_) / scale_);
}

double Coordinate::value(double x) const {
  return is_logarithm_ ? guess_ * std::exp(x - kCentre) : guess_ + scale_ * (x - kCentre);
}

double Coordinate::slope(double x) const { return is_logarithm_ ? value(x) : scale_; }

namespace {

// The Coulomb friction on the same side and in the same direction as a static friction; the larger one of two.
std::optional<double> coulomb_beside(const Json& document, const Json::json_pointer& stiction) {
  std::string path = stiction.to_string();
  path.replace(path.find("stiction_"), 9, "coulomb_");
  Json::json_pointer where(path);
  if (!document.contains(where)) where.pop_back();  // one number for both directions
  if (!document.contains(where)) return std::nullopt;
  const Json& value = document[where];
  if (value.is_number()) return value.get<double>();
  if (!value.contains("forward") || !value.contains("backward")) return std::nullopt;
  return std::max(value["forward"].get<double>(), value["backward"].get<double>());
}

}  // namespace

void mirror_stiction(const DriveFile& drive, std::vector<double>& values) {
  const Json document = with_values(drive, values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Unknown& unknown = drive.unknowns[i];
    if (unknown.path.find("stiction_") == std::string::npos) continue;
    if (const auto coulomb = coulomb_beside(document, unknown.where))
      values[i] = *coulomb + std::abs(values[i] - *coulomb);
  }
}

Json with_values(const DriveFile& drive, const std::vector<double>& values) {
  Json document = drive.document;
  for (std::size_t i = 0; i < values.size(); ++i) document[drive.unknowns[i].where] = values[i];
  return document;
}

DriveUnit tentative_unit(const DriveFile& drive, std::vector<double> values) {
  mirror_stiction(drive, values);
  DriveUnit unit = read_drive_unit(drive.file, with_values(drive, values));
  for (DriveSide* side : {&unit.links[0].drive.at_motor, &unit.links[0].drive.at_joint}) {
    if (!side->has_stiction) continue;  // it is the Coulomb friction
    side->stiction_Nm.forward = std::max(side->stiction_Nm.forward, side->coulomb_Nm.forward);
    side->stiction_Nm.backward = std::max(side->stiction_Nm.backward, side->coulomb_Nm.backward);
  }
  return unit;
}

}  // namespace kinecast::host
