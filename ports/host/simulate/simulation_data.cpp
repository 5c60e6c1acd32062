// SPDX-License-Identifier: MIT
#include "simulation_data.hpp"

#include "../text/player.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kinecast::host {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kFrame_s = 1.0 / 60;
constexpr int kMostFrames = 4000;

template <typename Numbers>
Json json_of(const Numbers& values) {
  Json out = Json::array();
  for (const double value : values) out.push_back(short_form(value));
  return out;
}

Eigen::Matrix3d matrix_of(const Rows& rows) {
  Eigen::Matrix3d out;
  for (Eigen::Index i = 0; i < 3; ++i)
    for (Eigen::Index j = 0; j < 3; ++j) out(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return out;
}

Json json_of(const Eigen::Matrix3d& rotation) {
  const Eigen::Quaterniond turn(rotation);
  return json_of(std::array<double, 4>{turn.w(), turn.x(), turn.y(), turn.z()});
}

const char* name_of(ShapeDescription::Form form) {
  switch (form) {
    case ShapeDescription::Form::sphere:
      return "sphere";
    case ShapeDescription::Form::cylinder:
      return "cylinder";
    case ShapeDescription::Form::mesh:
      return "mesh";
    case ShapeDescription::Form::box:
      break;
  }
  return "box";
}

Json json_of(const ShapeDescription& shape) {
  Json out{{"form", name_of(shape.form)},
           {"link", shape.link},
           {"at", json_of(shape.position_m)},
           {"turn", json_of(matrix_of(shape.rotation))},
           {"size", json_of(shape.size_m)}};
  if (shape.form != ShapeDescription::Form::mesh) return out;
  out["corners"] = Json::array();
  for (const Triple& corner : shape.corners) out["corners"].push_back(json_of(corner));
  out["triangles"] = shape.triangles;
  return out;
}

// For a link that nobody gave a shape: a box about its joints, centre of mass and contact points, the thicker the more mass.
// (The box of its inertia would be truer, but many URDFs carry inertias that no body of that size has.)
Json box_about(const Description& robot, std::size_t index) {
  const LinkDescription& link = robot.links[index];
  std::vector<Triple> inside_m{{0, 0, 0}, link.com_m};
  const int own = static_cast<int>(index);
  for (const LinkDescription& child : robot.links)
    if (child.parent == own) inside_m.push_back(child.position_m);
  for (const PointDescription& point : robot.points)
    if (point.link == own) inside_m.push_back(point.position_m);
  constexpr double kWater_kgpm3 = 1000;
  const double margin_m = std::cbrt(link.mass_kg / kWater_kgpm3) / 4;
  Triple middle_m{};
  Triple edges_m{};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto [low, high] = std::minmax_element(inside_m.begin(), inside_m.end(),
                                                 [i](const Triple& a, const Triple& b) { return a[i] < b[i]; });
    middle_m[i] = ((*low)[i] + (*high)[i]) / 2;
    edges_m[i] = (*high)[i] - (*low)[i] + 2 * margin_m;
  }
  Json out = json_of(ShapeDescription{ShapeDescription::Form::box, own, kIdentityRows, middle_m, edges_m});
  out["stand_in"] = true;
  return out;
}

Json shapes_of(const Description& robot) {
  Json out = Json::array();
  std::vector<bool> has_shape(robot.links.size(), false);
  for (const ShapeDescription& shape : robot.shapes) {
    out.push_back(json_of(shape));
    if (shape.link >= 0) has_shape[static_cast<std::size_t>(shape.link)] = true;
  }
  for (std::size_t i = 0; i < robot.links.size(); ++i)
    if (!has_shape[i] && robot.links[i].mass_kg > 0) out.push_back(box_about(robot, i));
  return out;
}

Json links_of(const Description& robot) {
  Json out = Json::array();
  for (const LinkDescription& link : robot.links)
    out.push_back({{"name", link.name},
                   {"parent", link.parent},
                   {"floats", link.joint == LinkDescription::Joint::floating},
                   {"moves", link.joint != LinkDescription::Joint::fixed},
                   {"com", json_of(link.com_m)}});
  return out;
}

Json points_of(const Description& robot) {
  Json out = Json::array();
  for (const PointDescription& point : robot.points)
    out.push_back({{"link", point.link}, {"at", json_of(point.position_m)}, {"radius", short_form(point.radius_m)}});
  return out;
}

Json surfaces_of(const std::vector<SurfaceDescription>& surfaces) {
  Json out = Json::array();
  for (const SurfaceDescription& surface : surfaces)
    out.push_back({{"form", surface.form == SurfaceDescription::Form::box ? "box" : "half_space"},
                   {"name", surface.name},
                   {"at", json_of(surface.position_m)},
                   {"turn", json_of(matrix_of(surface.rotation))},
                   {"size", json_of(surface.size_m)}});
  return out;
}

double total_N(const Sample& sample) {
  return std::accumulate(sample.contacts.begin(), sample.contacts.end(), 0.0,
                         [](double sum, const ContactSample& contact) { return sum + total_N(contact); });
}

class Frames {
 public:
  explicit Frames(const Record& record) {
    const std::vector<Sample>& samples = record.samples;
    const std::vector<std::size_t> chosen = chosen_of(samples);
    for (std::size_t i = 0; i < chosen.size(); ++i)
      add(samples, chosen[i], i + 1 < chosen.size() ? chosen[i + 1] : samples.size());
  }

  Json frames = Json::array();
  std::vector<std::string> contact_names;

 private:
  static std::vector<std::size_t> chosen_of(const std::vector<Sample>& samples) {
    if (samples.empty()) return {};
    const double apart_s = std::max(kFrame_s, samples.back().time_s / (kMostFrames - 2)) * (1 - 1e-6);
    std::vector<std::size_t> out{0};
    for (std::size_t i = 1; i < samples.size(); ++i)
      if (i + 1 == samples.size() || samples[i].time_s - samples[out.back()].time_s >= apart_s) out.push_back(i);
    return out;
  }

  // An impact lasts a step or two: a frame shows the largest forces until the next one.
  void add(const std::vector<Sample>& samples, std::size_t from, std::size_t to) {
    const auto at = [&](std::size_t i) { return samples.begin() + static_cast<std::ptrdiff_t>(i); };
    const Sample& sample = samples[from];
    const Sample& hardest =
        *std::max_element(at(from), at(to), [](const Sample& a, const Sample& b) { return total_N(a) < total_N(b); });
    Json links = Json::array();
    for (const LinkPose& pose : sample.links) {
      for (const double value : pose.position_m) links.push_back(short_form(value));
      for (const double value : pose.quaternion) links.push_back(short_form(value));
    }
    Json contacts = Json::array();
    for (const ContactSample& contact : hardest.contacts) {
      for (const double value : contact.position_m) contacts.push_back(short_form(value));
      for (const double value : contact.force_N) contacts.push_back(short_form(value));
      contacts.push_back(contact.slides ? 1 : 0);
      contacts.push_back(index_of(contact.point));
    }
    frames.push_back({short_form(sample.time_s), links, contacts});
  }

  std::size_t index_of(const std::string& name) {
    const auto found = std::find(contact_names.begin(), contact_names.end(), name);
    const auto index = static_cast<std::size_t>(found - contact_names.begin());
    if (found == contact_names.end()) contact_names.push_back(name);
    return index;
  }
};

// What one weight of an arrow is; without gravity the largest force of the simulation.
double arrow_N(const Record& record) {
  const Description& robot = record.robot;
  double mass_kg = 0;
  for (const LinkDescription& link : robot.links) mass_kg += link.mass_kg;
  const double weight_N = mass_kg * std::hypot(robot.gravity_mps2[0], robot.gravity_mps2[1], robot.gravity_mps2[2]);
  if (weight_N > 0) return weight_N;
  double largest_N = 0;
  for (const Sample& sample : record.samples) largest_N = std::max(largest_N, total_N(sample));
  return largest_N > 0 ? largest_N : 1;
}

int floating_base(const Description& robot) {
  for (std::size_t i = 0; i < robot.links.size(); ++i)
    if (robot.links[i].joint == LinkDescription::Joint::floating) return static_cast<int>(i);
  return -1;
}

}  // namespace

nlohmann::ordered_json simulation_data(const Record& record) {
  const Frames frames(record);
  return {{"robot", record.robot.name},
          {"duration_s", record.samples.empty() ? 0.0 : short_form(record.samples.back().time_s)},
          {"weight_N", arrow_N(record)},
          {"base", floating_base(record.robot)},
          {"links", links_of(record.robot)},
          {"points", points_of(record.robot)},
          {"shapes", shapes_of(record.robot)},
          {"surfaces", surfaces_of(record.surfaces)},
          {"contact_names", frames.contact_names},
          {"frames", frames.frames}};
}

}  // namespace kinecast::host
