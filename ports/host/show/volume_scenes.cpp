// SPDX-License-Identifier: MIT
#include "volume_scenes.hpp"

#include <kinecast/kinecast.hpp>

#include <kinecast/contact/volume/volume.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include "../text/plot.hpp"
#include "grip_story.hpp"
#include "pushed_cube.hpp"
#include "scene_recorder.hpp"

namespace kinecast::host {
namespace {

// ---- the gripper of lib/docs/examples -------------------------------------------------------------------------------

using example::grip_world;
using example::gripper;
using Grip = Contacts<grip_world, 3, Volume<>>;

// A pad, and the arm that hangs it from the lift, on the side away from the box.
std::vector<PlanePoint> finger(double away) {
  constexpr double kPad = example::kPadSize_m.x;
  constexpr double kLow = -0.5 * example::kPadSize_m.z;
  constexpr double kHanger = 0.08;
  return {{0, kLow},
          {0, -kLow},
          {away * kPad, -kLow},
          {away * kPad, kHanger},
          {away * 2 * kPad, kHanger},
          {away * 2 * kPad, kLow}};
}

// What the plot below the animation shows.
struct GripCurves {
  Curve::Piece lift, box, left, right, ground, used, limit, slip;

  void see(int step, const Predictor<gripper, float, Grip>& predictor) {
    constexpr double kShown_N = 12;
    constexpr double kGripped_N = 0.1;
    const double t = step * static_cast<double>(kStep_s);
    const auto add = [&](Curve::Piece& piece, double value) {
      piece.time_s.push_back(t), piece.value.push_back(value);
    };
    double normal_N[3] = {0, 0, 0};
    double friction_N = 0;
    const auto& contacts = predictor.contact_report();
    for (int i = 0; i < contacts.count; ++i) {
      normal_N[contacts[i].pair.surface] = static_cast<double>(contacts[i].normal_N);
      if (contacts[i].pair.surface == example::kLeftPad) friction_N = static_cast<double>(contacts[i].tangential_N);
    }
    const auto& q = predictor.state().q;
    const auto lift_m = static_cast<double>(q[example::kLift]);
    const double box_m = static_cast<double>(q[example::kBox + 2]) - example::kMiddle_m;
    add(lift, 1e3 * lift_m);
    add(box, 1e3 * box_m);
    add(left, std::min(normal_N[example::kLeftPad], kShown_N));
    add(right, std::min(normal_N[example::kRightPad], kShown_N));
    add(ground, std::min(normal_N[example::kGround], kShown_N));
    add(used, friction_N);
    add(limit, std::min(example::kPadFriction * normal_N[example::kLeftPad], 0.5 * kShown_N));
    if (normal_N[example::kLeftPad] > kGripped_N) add(slip, 1e6 * (lift_m - box_m));
  }

  [[nodiscard]] std::string drawn() const {
    const double end_s = lift.time_s.back();
    return plot_svg({{"height, mm", {{"gripper", "#2060c0", {lift}}, {"box", "#d05020", {box}}}, {}},
                     {"normal force, N",
                      {{"left pad", "#2060c0", {left}},
                       {"right pad", "#d05020", {right}},
                       {"ground (impacts cut off)", "#202020", {ground}}},
                      {}},
                     {"friction of a pad, N", {{"used", "#2060c0", {used}}, {"static limit", "#d05020", {limit}}}, {}},
                     {"slip, um", {{"box down, between the pads", "#2060c0", {slip}}}, {}}},
                    Axis{"time, s", end_s, 190, "grip"});
  }
};

// ---- the pushed cube --------------------------------------------------------------------------------------------------

using Cube = Contacts<cube_ground, 1, Volume<>>;

template <int Sides>
Curve limit_curve(const std::string& colour) {
  constexpr int kParts = 100;
  Curve::Piece piece;
  for (int i = 0; i < kParts; ++i) {
    const double force_N = kCubeLimit_N * i / kParts;
    piece.time_s.push_back(force_N), piece.value.push_back(limit_in_test<Sides, float>(force_N));
  }
  piece.time_s.push_back(kCubeLimit_N), piece.value.push_back(0);
  return {"P = " + std::to_string(Sides), colour, {piece}, Stroke::line};
}

std::string draw_region() {
  Curve theory{"theory: the cone", "#000000", {{}}, Stroke::line};
  for (int i = 0; i <= 200; ++i) {
    const double force_N = kCubeLimit_N * i / 200;
    theory.pieces[0].time_s.push_back(force_N), theory.pieces[0].value.push_back(limit_in_theory(0, force_N));
  }
  Curve held{"pushed in the Predictor: held", "#d55e00", {{}}, Stroke::full_marks};
  Curve slipped{"slipped", "#d55e00", {{}}, Stroke::empty_marks};
  for (const Load& limit : limit_on_rays(0, 11)) {
    for (const double side : {0.98, 1.02}) {
      const Load load{side * limit.force_N, side * limit.torque_Nm};
      Curve::Piece& marks = (push_cube<Volume<>, float>(load).held() ? held : slipped).pieces[0];
      marks.time_s.push_back(load.force_N), marks.value.push_back(load.torque_Nm);
    }
  }
  return plot_svg({{"torque about the vertical, Nm",
                    {limit_curve<4>("#0072b2"), limit_curve<8>("#d55e00"), limit_curve<16>("#009e73"),
                     limit_curve<32>("#cc79a7"), theory, held, slipped},
                    {}}},
                  Axis{"force along x, N", 1.03 * kCubeLimit_N, 520, "cube"});
}

}  // namespace

Recording record_grip() {
  constexpr int kSteps = 3000;
  constexpr double kLow = 0.075;  // of the lift's beam, above the pads' middle
  Recording scene;
  scene.name = "grip";
  scene.title = "A gripper lifts a box and lets go";
  scene.story =
      "Two fingers with geared motors close on a box of 0.3 kg, squeeze it with 6.7 N each, lift it by 10 cm, hold "
      "it for a second and let go. Their pads touch the box with whole faces (volume contact); friction 0.6 at "
      "rest, 0.5 sliding. Gripper, drives and box are one prediction.";
  scene.links = {{{{-0.1, kLow}, {0.13, kLow}, {0.13, kLow + 0.02}, {-0.1, kLow + 0.02}}, {0, 0}, 0},
                 {finger(-1), {0, 0}, 0},
                 {finger(1), {0, 0}, 0},
                 {rectangle(-0.5 * example::kBoxSize_m.x, 0.5 * example::kBoxSize_m.x, -0.5 * example::kBoxSize_m.z,
                            0.5 * example::kBoxSize_m.z),
                  {0, 0},
                  0}};
  scene.mount = rectangle(0.13, 0.145, 0, 0.26);
  scene.longest_arrow_N = 60;  // the impacts are not what there is to see
  const GripStory story;
  GripCurves curves;
  scene = record<gripper, Grip>(
      std::move(scene), Camera<gripper>({1, 0, 0}), example::standing_box<float>(), kSteps,
      [&](int step, const State<gripper, float>& state) -> Input<gripper> {
        return {example::volts_for(state, grip_targets<float>(story, step * static_cast<double>(kStep_s)))};
      },
      [&](int step, const Predictor<gripper, float, Grip>& predictor) { curves.see(step, predictor); });
  scene.plot = curves.drawn();
  scene.plot_says =
      "While it is lifted, a pad uses more friction (half the box's weight and inertia) than at rest, and less than "
      "the static limit mu N: the box does not slip, it moves by fractions of a micrometre as the contacts take up "
      "the load.";
  return scene;
}

Recording record_cube() {
  constexpr int kSteps = 5000;
  constexpr int kFrom = 500;
  constexpr float kEnough_m = 0.03F;
  Recording scene;
  scene.name = "cube";
  scene.title = "A cube is pushed until it slips";
  scene.story =
      "A cube of 10 cm and 0.5 kg stands on the ground; friction 0.5 at rest, 0.3 sliding. From 0.5 s on, a push at "
      "its base grows by 1 N per second: friction holds it up to 0.5 m g = 2.45 N. When the cube has slid by 3 cm "
      "the push ends, and the cube stops.";
  scene.links = {{rectangle(-0.5 * kCubeSide_m, 0.5 * kCubeSide_m, -0.5 * kCubeSide_m, 0.5 * kCubeSide_m), {0, 0}, 0}};
  State<pushed_cube, float> start = zero_state<pushed_cube, float>();
  start.q[2] = static_cast<float>(0.5 * kCubeSide_m - 2e-7);  // as deep as it rests
  bool is_over = false;
  scene = record<pushed_cube, Cube>(std::move(scene), Camera<pushed_cube>({1, 0, 0}), start, kSteps,
                                    [&](int step, const State<pushed_cube, float>& state) {
                                      Input<pushed_cube> input;
                                      is_over = is_over || state.q[0] > kEnough_m;
                                      if (is_over || step < kFrom) return input;
                                      const float force_N = static_cast<float>(step - kFrom) * kStep_s;
                                      input.external[0] = force_N;
                                      input.external[4] = -static_cast<float>(0.5 * kCubeSide_m) * force_N;
                                      const double back = static_cast<double>(state.q[0]) - 0.5 * kCubeSide_m;
                                      input.pushes.push_back({{back, 0}, {static_cast<double>(force_N), 0}});
                                      return input;
                                    });
  scene.plot = draw_region();
  scene.plot_says =
      "How much of a force and of a torque about the vertical, both at the middle of the base, static friction "
      "holds at once: the friction test of the library with pyramids of P sides beside theory, and settled cubes "
      "that were pushed 2 % below and 2 % above the limit of P = 8.";
  return scene;
}

}  // namespace kinecast::host
