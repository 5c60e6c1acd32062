// SPDX-License-Identifier: MIT
#include "urdf_values.hpp"

#include "../failure.hpp"
#include "../text/text.hpp"

#include <kinecast/math/rotation.hpp>

#include <console_bridge/console.h>
#include <urdf_parser/urdf_parser.h>

#include <array>
#include <cmath>

namespace kinecast::host {
namespace {

using tinyxml2::XMLElement;

constexpr double kLargestValue = 1e6;  // as model/validate.hpp has it

// urdfdom's complaints, in a text of ours instead of on the terminal.
class Complaints : public console_bridge::OutputHandler {
 public:
  Complaints() { console_bridge::useOutputHandler(this); }
  ~Complaints() override { console_bridge::restorePreviousOutputHandler(); }
  Complaints(const Complaints&) = delete;
  Complaints& operator=(const Complaints&) = delete;
  void log(const std::string& text, console_bridge::LogLevel level, const char* /*file*/, int /*line*/) override {
    if (level >= console_bridge::CONSOLE_BRIDGE_LOG_WARN && said.size() < 2000)
      said += (said.empty() ? "" : "; ") + text;
  }
  std::string said;
};

// The words of an attribute, one space between them: urdfdom knows no tab and no line break.
std::vector<std::string> words_of(const char* text) {
  std::vector<std::string> words(1);
  for (; *text != '\0'; ++text) {
    const bool is_blank = *text == ' ' || *text == '\t' || *text == '\r' || *text == '\n';
    if (!is_blank)
      words.back() += *text;
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

// Copies one link or joint, attribute by attribute.
class Copier {
 public:
  Copier(const UrdfTree& tree, std::string part, XMLElement* to) : tree_(tree), part_(std::move(part)), to_(to) {}

  [[nodiscard]] const XMLElement* child(const XMLElement* of, const char* name) const {
    return only_child(tree_.file, part_, of, name);
  }
  [[noreturn]] void refuse(const XMLElement* at, const std::string& sentence) const {
    refuse_part(tree_.file, at->GetLineNum(), part_, sentence);
  }
  // A new element below, that further numbers go to.
  [[nodiscard]] Copier below(const char* name) const { return {tree_, part_, to_->InsertNewChildElement(name)}; }
  void set(const char* attribute, const std::string& value) const { to_->SetAttribute(attribute, value.c_str()); }

  // `count` numbers; refuses what is none, and what is larger than `largest`.
  std::vector<double> numbers(const XMLElement* from, const char* attribute, std::size_t count,
                              double largest = kLargestValue) const {
    const char* text = from->Attribute(attribute);
    const std::string tag = std::string("<") + from->Name() + " " + attribute + "=\"" +
                            (text == nullptr ? std::string("…") : printable(std::string_view(text).substr(0, 60))) +
                            "\">";
    if (text == nullptr) refuse(from, "<" + std::string(from->Name()) + "> lacks " + attribute + "; write " + tag);
    const std::vector<std::string> words = words_of(text);
    if (words.size() != count)
      refuse(from, tag + " must hold " + std::to_string(count) + (count == 1 ? " number" : " numbers") + ", not " +
                       std::to_string(words.size()));
    std::vector<double> values;
    std::string joined;
    for (const std::string& word : words) {
      const auto value = parse_number(word);
      if (!value)
        refuse(from,
               tag + ": \"" + printable(word.substr(0, 40)) + "\" is not a number (a decimal point, not a comma)");
      if (!std::isfinite(*value)) refuse(from, tag + ": must be finite");
      if (std::abs(*value) > largest) refuse(from, tag + ": is beyond a million; are the units m, kg, kg m², rad?");
      values.push_back(*value);
      joined += (joined.empty() ? "" : " ") + word;
    }
    set(attribute, joined);
    return values;
  }

  void origin(const XMLElement* of) const {
    const XMLElement* origin = child(of, "origin");
    if (origin == nullptr) return;
    const Copier to = below("origin");
    for (const char* attribute : {"xyz", "rpy"})
      if (origin->Attribute(attribute) != nullptr) (void)to.numbers(origin, attribute, 3);
    if (origin->Attribute("quat_xyzw") != nullptr)
      refuse(origin, "turns its origin by quat_xyzw; write rpy=\"roll pitch yaw\"");
  }

 private:
  const UrdfTree& tree_;
  std::string part_;
  XMLElement* to_;
};

void copy_inertial(const Copier& link, const XMLElement* inertial) {
  const Copier to = link.below("inertial");
  to.origin(inertial);
  const XMLElement* mass = link.child(inertial, "mass");
  if (mass == nullptr) link.refuse(inertial, "its <inertial> has no <mass value=\"…\"/>");
  const double kg = to.below("mass").numbers(mass, "value", 1)[0];
  const XMLElement* inertia = link.child(inertial, "inertia");
  const Copier moments = to.below("inertia");
  for (const char* name : {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}) {
    if (inertia != nullptr) {
      (void)moments.numbers(inertia, name, 1);
      continue;
    }
    if (std::abs(kg) > 0)
      link.refuse(inertial, "has a mass but no <inertia ixx=\"…\" …/>; write its moments about the centre of mass");
    moments.set(name, "0");
  }
}

// Copies what is one of the four shapes; false if it is none, or has no size.
bool copy_shape(const Copier& to, const XMLElement* geometry, UrdfGeometry& out) {
  using Form = ShapeDescription::Form;
  const XMLElement* shape = geometry == nullptr ? nullptr : geometry->FirstChildElement();
  if (shape == nullptr) return false;
  const std::string name = shape->Name();
  const Copier at = to.below("geometry").below(name.c_str());
  std::vector<double> sizes;
  if (name == "box") {
    out.shape.form = Form::box;
    sizes = at.numbers(shape, "size", 3);
  } else if (name == "sphere") {
    out.shape.form = Form::sphere;
    sizes = at.numbers(shape, "radius", 1);
  } else if (name == "cylinder") {
    out.shape.form = Form::cylinder;
    sizes = {at.numbers(shape, "radius", 1)[0], at.numbers(shape, "length", 1)[0]};
  } else if (name == "mesh") {
    out.shape.form = Form::mesh;
    if (shape->Attribute("filename") == nullptr) to.refuse(shape, "a <mesh> names no file; write filename=\"…\"");
    out.mesh = shape->Attribute("filename");
    at.set("filename", "mesh");
    if (shape->Attribute("scale") != nullptr) {
      const std::vector<double> scale = at.numbers(shape, "scale", 3);
      out.scale = {scale[0], scale[1], scale[2]};
    }
    return true;
  } else {
    return false;
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (!(sizes[i] > 0)) return false;
    out.shape.size_m[i] = sizes[i];
  }
  return true;
}

void copy_shapes(const Copier& link, const UrdfTree& tree, int index, const char* kind, XMLElement* to, UrdfValues& out,
                 Notes& notes) {
  const UrdfLink& from = tree.link(index);
  const bool is_collision = std::string(kind) == "collision";
  for (const XMLElement* e = from.element->FirstChildElement(kind); e != nullptr; e = e->NextSiblingElement(kind)) {
    XMLElement* made = to->InsertNewChildElement(kind);
    const Copier shape(tree, link_part(from.name), made);
    shape.origin(e);
    UrdfGeometry geometry;
    geometry.link = index;
    geometry.is_collision = is_collision;
    geometry.name = e->Attribute("name") == nullptr ? "" : e->Attribute("name");
    geometry.line = e->GetLineNum();
    if (is_collision && !geometry.name.empty())  // its contact points are called after it
      expect_good_name(tree.file, geometry.line, link_part(from.name) + ": a <collision>", geometry.name);
    const XMLElement* form = link.child(e, "geometry");
    if (copy_shape(shape, form, geometry)) {
      out.geometries.push_back(std::move(geometry));
      continue;
    }
    to->DeleteChild(made);
    const XMLElement* what = form == nullptr ? nullptr : form->FirstChildElement();
    if (is_collision)
      notes.add("link", from.name,
                what == nullptr ? "a <collision> without a shape is left out"
                                : "a <" + printable(what->Name()) +
                                      "> in <collision> is left out: only box, sphere, cylinder and mesh of positive "
                                      "size make contact points");
  }
}

void copy_link(const UrdfTree& tree, int index, XMLElement* to, UrdfValues& out, Notes& notes) {
  const UrdfLink& from = tree.link(index);
  const Copier link(tree, link_part(from.name), to);
  link.set("name", "l" + std::to_string(index));
  if (const XMLElement* inertial = link.child(from.element, "inertial"); inertial != nullptr)
    copy_inertial(link, inertial);
  copy_shapes(link, tree, index, "collision", to, out, notes);
  copy_shapes(link, tree, index, "visual", to, out, notes);
}

void copy_axis(const Copier& joint, const UrdfJoint& from) {
  const XMLElement* axis = joint.child(from.element, "axis");
  if (axis == nullptr)
    joint.refuse(from.element,
                 "has no axis; write <axis xyz=\"0 0 1\"/>, the direction that it turns about or slides along (left "
                 "out, it is 1 0 0 to "
                 "other programs)");
  const std::vector<double> xyz = joint.below("axis").numbers(axis, "xyz", 3);
  if (!(std::hypot(xyz[0], xyz[1], xyz[2]) > 1e-6))
    joint.refuse(axis, "its axis is zero; write a direction such as <axis xyz=\"0 0 1\"/>");
}

// Limits that are not given read as zero; whoever uses them asks has_attribute().
void copy_limits(const Copier& joint, const UrdfJoint& from) {
  constexpr double kAny = 1e300;
  const XMLElement* limit = joint.child(from.element, "limit");
  const Copier to = joint.below("limit");
  for (const char* name : {"lower", "upper", "effort", "velocity"}) {
    if (limit != nullptr && limit->Attribute(name) != nullptr)
      (void)to.numbers(limit, name, 1, kAny);
    else
      to.set(name, "0");
  }
  const XMLElement* dynamics = joint.child(from.element, "dynamics");
  const Copier losses = joint.below("dynamics");
  for (const char* name : {"damping", "friction"}) {
    if (dynamics != nullptr && dynamics->Attribute(name) != nullptr)
      (void)losses.numbers(dynamics, name, 1);
    else
      losses.set(name, "0");
  }
}

void copy_joint(const UrdfTree& tree, int index, XMLElement* to) {
  const UrdfJoint& from = tree.joint(index);
  const Copier joint(tree, joint_part(from.name), to);
  joint.set("name", "j" + std::to_string(index));
  joint.set("type", from.type);
  joint.below("parent").set("link", "l" + std::to_string(from.parent));
  joint.below("child").set("link", "l" + std::to_string(from.child));
  joint.origin(from.element);
  const bool has_axis = from.type == "revolute" || from.type == "continuous" || from.type == "prismatic";
  if (from.type == "planar")
    joint.refuse(
        from.element,
        "planar joints are not supported; write two prismatic joints and a revolute one with massless links between");
  if (!has_axis && from.type != "fixed" && from.type != "floating")
    joint.refuse(from.element,
                 "its type \"" + printable(from.type) +
                     "\" is not known; supported: revolute, continuous, prismatic, fixed, and floating on the root");
  if (!has_axis) return;
  copy_axis(joint, from);
  copy_limits(joint, from);
}

}  // namespace

Triple triple(const urdf::Vector3& v) { return {v.x, v.y, v.z}; }

Rows rows(const urdf::Rotation& rotation) {
  const Mat3<double> m = to_matrix(Quaternion<double>{rotation.w, rotation.x, rotation.y, rotation.z});
  return {{{m.row_x.x, m.row_x.y, m.row_x.z}, {m.row_y.x, m.row_y.y, m.row_y.z}, {m.row_z.x, m.row_z.y, m.row_z.z}}};
}

bool has_attribute(const XMLElement* element, const char* child, const char* attribute) {
  const XMLElement* found = element->FirstChildElement(child);
  return found != nullptr && found->Attribute(attribute) != nullptr;
}

urdf::LinkConstSharedPtr UrdfValues::link(int index) const { return model->getLink("l" + std::to_string(index)); }
urdf::JointConstSharedPtr UrdfValues::joint(int index) const { return model->getJoint("j" + std::to_string(index)); }

urdf::ModelInterfaceSharedPtr read_by_urdfdom(const std::string& file, const std::string& xml) {
  Complaints complaints;
  urdf::ModelInterfaceSharedPtr model;
  try {
    model = urdf::parseURDF(xml);
  } catch (const std::exception& error) {
    complaints.said += error.what();
  }
  if (!model) throw Failure(ExitCode::bad_input, file + ": urdfdom refuses it: " + printable(complaints.said));
  return model;
}

UrdfValues read_urdf_values(const UrdfTree& tree, Notes& notes) {
  UrdfValues out;
  tinyxml2::XMLDocument copy;
  XMLElement* robot = copy.NewElement("robot");
  copy.InsertEndChild(robot);
  robot->SetAttribute("name", "robot");
  for (std::size_t i = 0; i < tree.links.size(); ++i)
    copy_link(tree, static_cast<int>(i), robot->InsertNewChildElement("link"), out, notes);
  for (std::size_t i = 0; i < tree.joints.size(); ++i)
    copy_joint(tree, static_cast<int>(i), robot->InsertNewChildElement("joint"));
  tinyxml2::XMLPrinter printer;
  copy.Print(&printer);
  out.model = read_by_urdfdom(tree.file, printer.CStr());
  std::vector<std::size_t> seen(2 * tree.links.size(), 0);
  for (UrdfGeometry& g : out.geometries) {
    const urdf::LinkConstSharedPtr link = out.link(g.link);
    const std::size_t at = seen[2 * static_cast<std::size_t>(g.link) + (g.is_collision ? 1 : 0)]++;
    const urdf::Pose& pose = g.is_collision ? link->collision_array.at(at)->origin : link->visual_array.at(at)->origin;
    g.shape.rotation = rows(pose.rotation);
    g.shape.position_m = triple(pose.position);
  }
  return out;
}

}  // namespace kinecast::host
