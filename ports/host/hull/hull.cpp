// SPDX-License-Identifier: MIT
// kinecast hull: the convex hull of a shape's points, as a header that a firmware's environment includes.
#include "../failure.hpp"
#include "../subcommands.hpp"
#include "../text/input_file.hpp"
#include "../text/output_file.hpp"
#include "../text/text.hpp"
#include "convex_hull.hpp"
#include "points_file.hpp"

#include <kinecast/model/environment/convex_rules.hpp>

#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>

namespace kinecast::host {
namespace {

struct HullArguments {
  std::string points;
  std::string header;
  std::string name;
  double scale{1};
  std::size_t most_vertices{0};  // 0: all
};

constexpr const char* kHullExample = R"(Example: kinecast hull points.csv -o nut.hpp --scale 0.001 --max-vertices 24
points.csv: rows x,y,z, or a header with columns x, y and z among others; commas, semicolons, tabs or spaces; lines with #
are comments. Also the vertices of an OBJ file (.obj) or of an ASCII STL file (.stl).
Then, in an environment on the robot:
  #include "nut.hpp"
  environment(half_space("table"), convex("nut", shapes::nut_solid, on("gripper"), at(0, 0, 0.1)))
A polyhedron takes at most 254 corners of faces in all: with triangles only, 44 vertices always fit. A simplified hull lies
inside of the full one; the output says how much volume it gave up.)";

constexpr std::size_t kMostCorners = kNoVertex - 1;  // as model/environment/convex_rules.hpp has it
constexpr std::size_t kAlwaysFits = 44;              // triangles only: 6 (vertices - 2) corners

// Letters, digits and underscores that begin with a letter; with the suffix it is no keyword.
bool is_name(const std::string& name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  for (const char c : name)
    if (!is_letter(c) && !(c >= '0' && c <= '9') && c != '_') return false;
  return !name.empty() && is_letter(name[0]) && name.find("__") == std::string::npos && name.back() != '_';
}

std::string number(double value) { return std::abs(value) > 0 ? rounded(value, kPointDigits) : "0"; }

// The library's own rules on the result; slivers that rounding leaves are taken away, a vertex at a time.
Hull checked(const std::string& file, Hull hull) {
  for (;;) {
    if (hull.vertices.size() > static_cast<std::size_t>(kNoVertex) || hull.corners() > kMostCorners)
      throw Failure(ExitCode::bad_input, file + ": the hull has " + std::to_string(hull.vertices.size()) +
                                             " vertices and " + std::to_string(hull.corners()) +
                                             " corners of faces, and a polyhedron takes at most " +
                                             std::to_string(kMostCorners) + " corners; simplify it: --max-vertices " +
                                             std::to_string(kAlwaysFits) + " always fits");
    const HullTables tables = tables_of(hull);
    const EnvironmentVerdict verdict = validate(Polyhedron{
        hull.vertices.data(), tables.loops.data(), tables.starts.data(), static_cast<int>(hull.vertices.size()),
        static_cast<int>(hull.faces.size()), static_cast<int>(tables.loops.size())});
    if (verdict.ok()) return hull;
    const bool is_sliver =
        verdict.rule == EnvironmentRule::faces_flat || verdict.rule == EnvironmentRule::polyhedron_convex;
    const std::optional<Hull> rest =
        is_sliver ? without_cheapest_vertex(hull, static_cast<std::size_t>(verdict.face)) : std::nullopt;
    const std::string why = verdict.rule == EnvironmentRule::polyhedron_not_thin
                                ? ": the points lie in or near a plane: "
                                : ": the hull is refused, face " + std::to_string(verdict.face) + ": ";
    if (!rest) throw Failure(ExitCode::bad_input, file + why + sentence(verdict.rule));
    hull = *rest;
  }
}

std::string header_of(const HullArguments& options, const std::string& name, const PointsFile& from, const Hull& hull,
                      const std::string& figures, const std::string& command_line) {
  std::string out = "// Made by `" + printable(command_line) + "`; do not edit.\n";
  out += "// " + printable(options.points) + ": " + std::to_string(from.points.size()) + " points, FNV-1a " +
         hex(from.hash) + ". " + figures + ".\n";
  out += "// In an environment: convex(\"" + name + "\", shapes::" + name + "_solid, on(\"…\"), at(x, y, z), …)\n";
  out += "#pragma once\n\n#include <kinecast/model/environment/convex.hpp>\n\nnamespace shapes {\n\n";
  out += "constexpr auto make_" + name + "_solid() {\n  using namespace kinecast;\n";
  out += "  return convex_solid(\n      vertices(  // m\n";
  for (std::size_t i = 0; i < hull.vertices.size(); ++i) {
    const Vec3<double>& v = hull.vertices[i];
    out += "          vertex(" + number(v.x) + ", " + number(v.y) + ", " + number(v.z) + ")" +
           (i + 1 < hull.vertices.size() ? ",  // " : "),  // ") + std::to_string(i) + "\n";
  }
  out += "      loops(\n";
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    out += "          loop(";
    for (std::size_t c = 0; c < hull.faces[f].size(); ++c)
      out += (c > 0 ? ", " : "") + std::to_string(hull.faces[f][c]);
    out += f + 1 < hull.faces.size() ? "),\n" : ")));\n";
  }
  out += "}\ninline constexpr auto " + name + "_solid = make_" + name + "_solid();\n\n}  // namespace shapes\n";
  return out;
}

void find(const HullArguments& options, const std::string& command_line) {
  const std::filesystem::path path(options.points);
  const std::string header = options.header.empty() ? path.stem().string() + ".hpp" : options.header;
  const std::string name = options.name.empty() ? std::filesystem::path(header).stem().string() : options.name;
  if (!is_name(name))
    throw Failure(ExitCode::usage, "\"" + printable(name) +
                                       "\" cannot be part of a C++ name: letters, digits and single " +
                                       "underscores, a letter first; give another one with --name");
  expect_other_file(header, {options.points});
  const PointsFile from = read_points(options.points, options.scale);
  if (from.points.size() < 4)
    throw Failure(ExitCode::bad_input, options.points + ": has only " + std::to_string(from.points.size()) +
                                           " point(s); a solid needs at least four");
  const std::optional<Hull> full = find_hull(from.points);
  if (!full)
    throw Failure(ExitCode::bad_input,
                  options.points + ": the points lie in a plane, on a line or at one place: they have no volume");
  Hull hull = *full;
  if (options.most_vertices > 0) {
    Progress progress("simplifying");
    hull = simplified(hull, options.most_vertices, progress);
  }
  hull = checked(options.points, hull);
  const double lost = hull.vertices.size() < full->vertices.size() ? 100 * (1 - hull.volume / full->volume) : 0;
  std::string figures = "Hull: " + std::to_string(hull.vertices.size()) + " vertices, " +
                        std::to_string(hull.faces.size()) + " faces, volume " + rounded(hull.volume, 6) + " m³";
  if (lost > 0)
    figures += ", " + rounded(lost, 3) + " % less than with all " + std::to_string(full->vertices.size()) + " vertices";
  write_file(header, header_of(options, name, from, hull, figures, command_line));
  std::printf("%s: %zu points. %s\nheader: %s\n", options.points.c_str(), from.points.size(), figures.c_str(),
              header.c_str());
}

}  // namespace

void add_hull(CLI::App& app, const std::string& command_line) {
  CLI::App* command = app.add_subcommand("hull", "Turn a shape's points into a convex polyhedron for an environment");
  const auto options = std::make_shared<HullArguments>();
  command->add_option("points", options->points, "CSV, OBJ or ASCII STL: the shape's points")->required();
  command->add_option("-o,--output", options->header, "C++ header to write; default: the points' name with .hpp, here");
  command->add_option("--name", options->name,
                      "the polyhedron is called shapes::NAME_solid; default: the header's name");
  command->add_option("--scale", options->scale, "metres per unit of the file, e.g. 0.001 for mm")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      ->add_option("--max-vertices", options->most_vertices,
                   "drop the vertices that cost the least volume until this many are left")
      ->check(CLI::Range(4, kNoVertex));
  command->footer(kHullExample);
  command->callback([options, command_line] { find(*options, command_line); });
}

}  // namespace kinecast::host
