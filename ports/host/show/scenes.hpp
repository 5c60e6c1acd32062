// SPDX-License-Identifier: MIT
// Robots that touch the ground, computed by the library itself in float and seen from the side: what `kinecast show`
// draws. right and up are the axes of the picture; forces are those of the step that ends at a frame.
#pragma once

#include <string>
#include <vector>

namespace kinecast::host {

struct PlanePoint {
  double right_m{0};
  double up_m{0};
};

// What is drawn of a body: a closed outline and a disc (none if its radius is 0), about the body's origin, as it is
// turned at joint position zero.
struct Figure {
  std::vector<PlanePoint> outline;
  PlanePoint disc;
  double disc_radius_m{0};
};

struct LinkPlace {
  PlanePoint origin;
  double turn_rad{0};  // counter-clockwise from joint position zero
};

// A contact that carries something.
struct Touch {
  PlanePoint place;
  PlanePoint normal{0, 1};  // its direction, where its force goes
  double normal_N{0};
  double friction_N{0};  // positive: to the normal's right, which is the picture's right on the ground
  double slip_mps{0};    // before the step
  bool slides{false};
};

// A force from outside.
struct Push {
  PlanePoint place;
  PlanePoint force_N;
};

struct Frame {
  int step{0};
  std::vector<LinkPlace> links;
  std::vector<Touch> touches;
  std::vector<Push> pushes;
};

struct Recording {
  std::string name;  // as on the command line
  std::string title;
  std::string story;  // what there is to see
  double step_s{0};
  std::vector<Figure> links;
  std::vector<PlanePoint> mount;  // what holds the robot
  double weight_N{0};
  std::vector<Frame> frames;     // in order of time; closer together where the contacts change
  std::vector<int> impacts;      // indices of frames: the peaks of the force that the weight does not explain
  std::vector<double> normal_N;  // of all contacts, each step
  std::vector<double> energy_J;  // kinetic and potential, before the first step and after each
  double deepest_m{0};
  int most_contacts{0};
  int most_iterations{0};     // of the contact solver, in one step
  int warnings{0};            // steps that the library made with a warning
  double longest_arrow_N{0};  // of what the picture draws; larger forces are cut to it. 0: the largest force there is
  std::string plot;           // SVG that goes with it, or empty
  std::string plot_says;      // what it shows

  [[nodiscard]] double duration_s() const noexcept { return step_s * static_cast<double>(normal_N.size()); }
};

[[nodiscard]] const std::vector<std::string>& scene_names();

// Throws std::runtime_error if a step fails, std::out_of_range if there is no such scene.
[[nodiscard]] std::vector<Recording> record_scenes(const std::vector<std::string>& names);

}  // namespace kinecast::host
