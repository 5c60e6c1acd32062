// SPDX-License-Identifier: MIT
#include "scene_page.hpp"

#include "../text/html.hpp"
#include "../text/player.hpp"
#include "../text/text.hpp"
#include "carried_side_view.hpp"

#include <algorithm>
#include <cmath>

namespace kinecast::host {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kPlotSteps = 5;  // the plot shows the largest force of so many steps

Json json_of(const std::vector<PlanePoint>& points) {
  Json out = Json::array();
  for (const PlanePoint& p : points) out.push_back({short_form(p.right_m), short_form(p.up_m)});
  return out;
}

// [time, [right, up, turn of each link …], [right, up, normal, friction, slip, slides, the normal's right and up of each contact …],
//  [right, up, force to the right and up of each push …]]
Json json_of(const Frame& frame, double step_s) {
  Json links = Json::array();
  for (const LinkPlace& place : frame.links)
    for (const double value : {place.origin.right_m, place.origin.up_m, place.turn_rad})
      links.push_back(short_form(value));
  Json touches = Json::array();
  for (const Touch& touch : frame.touches) {
    for (const double value : {touch.place.right_m, touch.place.up_m}) touches.push_back(short_form(value));
    for (const double value : {touch.normal_N, touch.friction_N, touch.slip_mps}) touches.push_back(short_form(value));
    touches.push_back(touch.slides ? 1 : 0);
    for (const double value : {touch.normal.right_m, touch.normal.up_m}) touches.push_back(short_form(value));
  }
  Json pushes = Json::array();
  for (const Push& push : frame.pushes)
    for (const double value : {push.place.right_m, push.place.up_m, push.force_N.right_m, push.force_N.up_m})
      pushes.push_back(short_form(value));
  return {short_form(frame.step * step_s), links, touches, pushes};
}

struct Summary {
  double peak_N{0};
  double peak_at_s{0};
  double end_N{0};
  int end_contacts{0};
  int end_slides{0};
};

Summary summary_of(const Recording& recording) {
  Summary out;
  const auto peak = std::max_element(recording.normal_N.begin(), recording.normal_N.end());
  out.peak_N = *peak;
  out.peak_at_s = recording.step_s * static_cast<double>(peak - recording.normal_N.begin() + 1);
  out.end_N = recording.normal_N.back();
  const std::vector<Touch>& touches = recording.frames.back().touches;
  out.end_contacts = static_cast<int>(touches.size());
  out.end_slides = static_cast<int>(std::count_if(touches.begin(), touches.end(), [](auto& t) { return t.slides; }));
  return out;
}

Json json_of(const Recording& recording) {
  Json links = Json::array();
  for (const Figure& figure : recording.links)
    links.push_back(
        {{"outline", json_of(figure.outline)},
         {"disc", {short_form(figure.disc.right_m), short_form(figure.disc.up_m), short_form(figure.disc_radius_m)}}});
  Json frames = Json::array();
  for (const Frame& frame : recording.frames) frames.push_back(json_of(frame, recording.step_s));
  Json peaks = Json::array();
  for (auto from = recording.normal_N.begin(); from != recording.normal_N.end();) {
    const auto to = from + std::min<std::ptrdiff_t>(kPlotSteps, recording.normal_N.end() - from);
    peaks.push_back(short_form(*std::max_element(from, to)));
    from = to;
  }
  const Summary summary = summary_of(recording);
  return {{"name", recording.name},
          {"title", recording.title},
          {"step_s", short_form(recording.step_s)},
          {"duration_s", short_form(recording.duration_s())},
          {"links", links},
          {"mount", json_of(recording.mount)},
          {"impacts", recording.impacts},
          {"longest_arrow_N", recording.longest_arrow_N},
          {"figures",
           {{"deepest_m", recording.deepest_m},
            {"most_contacts", recording.most_contacts},
            {"most_iterations", recording.most_iterations},
            {"warnings", recording.warnings},
            {"weight_N", recording.weight_N},
            {"peak_N", summary.peak_N},
            {"peak_at_s", short_form(summary.peak_at_s)},
            {"end_N", summary.end_N},
            {"end_contacts", summary.end_contacts},
            {"end_slides", summary.end_slides},
            {"energy_start_J", recording.energy_J.front()},
            {"energy_end_J", recording.energy_J.back()}}},
          {"force", {{"bin_s", short_form(kPlotSteps * recording.step_s)}, {"peak_N", peaks}}},
          {"frames", frames}};
}

}  // namespace

std::vector<std::pair<std::string, std::string>> figures_of(const Recording& recording) {
  const Summary summary = summary_of(recording);
  std::vector<std::pair<std::string, std::string>> out{
      {"deepest penetration", rounded(1e3 * recording.deepest_m, 3) + " mm"},
      {"contacts at once", "at most " + std::to_string(recording.most_contacts)},
      {"peak normal force", rounded(summary.peak_N, 4) + " N, at " + rounded(summary.peak_at_s, 4) + " s"},
      {"weight of all that moves", rounded(recording.weight_N, 4) + " N"},
      {"at the end",
       std::to_string(summary.end_contacts) + (summary.end_contacts == 1 ? " contact carries " : " contacts carry ") +
           rounded(summary.end_N, 3) + " N; " + std::to_string(summary.end_contacts - summary.end_slides) + " rest, " +
           std::to_string(summary.end_slides) + " slide"},
      {"kinetic and potential energy", rounded(recording.energy_J.front(), 4) + " J at the start, " +
                                           rounded(recording.energy_J.back(), 4) + " J at the end"},
      {"solver", "at most " + std::to_string(recording.most_iterations) + " iterations in a step of " +
                     rounded(1e3 * recording.step_s, 3) + " ms"}};
  if (recording.warnings > 0) out.emplace_back("steps with a warning", std::to_string(recording.warnings));
  return out;
}

std::string scenes_html(const std::vector<Recording>& recordings) {
  std::string out =
      "<h2>Contact, seen from the side</h2>\n<p>Computed by the library itself, in float, with a step of 1 ms. "
      "Arrows: normal force and friction on what touches (the robot on the ground, the box in the grip), green "
      "where the contact rests and red where it slides; an impact lasts a step or two, and its arrow fades. Arrow "
      "lengths go with the root of the force.</p>\n";
  std::vector<Played> played;
  for (const Recording& recording : recordings) {
    const std::string above = "<h3>" + escaped(recording.title) + "</h3>\n<p>" + escaped(recording.story) + "</p>\n";
    std::string rows;
    for (const auto& [name, value] : figures_of(recording)) rows += row({name, value}, "td");
    std::string below = table(rows);
    if (!recording.plot.empty()) below += "<p>" + escaped(recording.plot_says) + "</p>\n" + recording.plot + "\n";
    played.push_back({recording.name, above, below, json_of(recording)});
  }
  return out + played_html({"side", kSideViewStyle, {kSideViewScript}}, played);
}

std::string scenes_page(const std::vector<Recording>& recordings, const std::string& command_line) {
  return document("kinecast: robots that touch the ground",
                  scenes_html(recordings) + "<h2>Made by</h2>\n<pre>" + escaped(command_line) + "</pre>\n");
}

}  // namespace kinecast::host
