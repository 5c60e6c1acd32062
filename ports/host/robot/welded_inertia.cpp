// SPDX-License-Identifier: MIT
#include "welded_inertia.hpp"

#include "placing.hpp"
#include "robot_rules.hpp"

#include <kinecast/model/validate.hpp>

#include <cmath>

namespace kinecast::host {
namespace {

using Joint = LinkDescription::Joint;

void make_frame(LinkDescription& link) {
  link.mass_kg = 0;
  link.com_m = {};
  link.inertia_kgm2 = {};
}

bool has_doubtful_inertia(const LinkDescription& link) {
  const Rule rule = broken_rule(library_link(link));
  return rule == Rule::inertia_positive_definite || rule == Rule::inertia_triangle;
}

// What is summed: mass, mass times place, inertia about the origin; all in the frame of the link that moves.
struct Sum {
  double mass_kg{0};
  Triple moment_kgm{};
  Rows about_origin_kgm2{};

  void add_point(double mass, const Triple& at, double sign) {
    const double square = at[0] * at[0] + at[1] * at[1] + at[2] * at[2];
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        about_origin_kgm2[i][j] += sign * mass * ((i == j ? square : 0) - at[i] * at[j]);
  }

  void add(const LinkDescription& link, const Placing& in_body) {
    const Triple com = in_body * link.com_m;
    mass_kg += link.mass_kg;
    for (std::size_t i = 0; i < 3; ++i) moment_kgm[i] += link.mass_kg * com[i];
    add_point(link.mass_kg, com, 1);
    const Rows own = turned(in_body.rotation, link.inertia_kgm2);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) about_origin_kgm2[i][j] += own[i][j];
  }

  void give_to(LinkDescription& link) {
    link.mass_kg = mass_kg;
    link.com_m = {};
    if (mass_kg > 0)
      for (std::size_t i = 0; i < 3; ++i) link.com_m[i] = moment_kgm[i] / mass_kg;
    add_point(mass_kg, link.com_m, -1);
    link.inertia_kgm2 = about_origin_kgm2;
  }
};

}  // namespace

void merge_doubtful_inertias(UrdfRobot& urdf, Notes& notes) {
  std::vector<LinkDescription>& links = urdf.robot.links;
  const std::vector<Weld> welds = welds_of(urdf.robot);
  const std::vector<bool> moves = moving_links(urdf.robot);
  for (std::size_t body = 0; body < links.size(); ++body) {
    if (moves[body] && welds[body].body != static_cast<int>(body)) continue;
    if (!moves[body]) {
      if (!has_doubtful_inertia(links[body])) continue;
      notes.add("link", links[body].name,
                "its inertia is no body's and is dropped: it stands on the world and has no effect");
      make_frame(links[body]);
      continue;
    }
    Sum sum;
    std::vector<std::string> doubtful;
    bool has_negative = false;  // a sum would hide it
    for (std::size_t i = body; i < links.size(); ++i) {
      if (welds[i].body != static_cast<int>(body)) continue;
      if (has_doubtful_inertia(links[i])) doubtful.push_back(links[i].name);
      has_negative = has_negative || links[i].mass_kg < 0;
      sum.add(links[i], welds[i].in_body);
    }
    if (doubtful.empty() || has_negative) continue;  // the rules name the link
    LinkDescription merged = links[body];
    sum.give_to(merged);
    if (has_doubtful_inertia(merged)) continue;  // the rules name the link
    for (std::size_t i = body; i < links.size(); ++i)
      if (welds[i].body == static_cast<int>(body)) make_frame(links[i]);
    links[body] = merged;
    for (const std::string& name : doubtful)
      notes.add("link", name,
                "its own inertia is no body's (zero, negative, or beyond the triangle inequality); with what is "
                "fixed to it it is one, and that sum is link \"" +
                    merged.name + "\"'s in the header");
  }
}

}  // namespace kinecast::host
