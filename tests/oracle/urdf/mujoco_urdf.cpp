// SPDX-License-Identifier: MIT
#include "mujoco_urdf.hpp"

#include <tinyxml2.h>
#include <Eigen/Dense>

#include <set>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace oracle {
namespace {

using tinyxml2::XMLElement;

void drop(XMLElement& parent, const std::set<std::string>& kept) {
  for (XMLElement* child = parent.FirstChildElement(); child != nullptr;) {
    XMLElement* const next = child->NextSiblingElement();
    if (kept.count(child->Name()) == 0) parent.DeleteChild(child);
    child = next;
  }
}

std::string attribute(const XMLElement* element, const char* name, const std::string& otherwise) {
  const char* const text = element == nullptr ? nullptr : element->Attribute(name);
  return text == nullptr ? otherwise : text;
}

double number(const XMLElement* element, const char* name) {
  std::istringstream words(attribute(element, name, "0"));
  words.imbue(std::locale::classic());
  double value = 0;
  if (!(words >> value)) throw std::runtime_error(std::string(name) + " is no number");
  return value;
}

// Roll, pitch and yaw about the fixed axes x, y, z.
Eigen::Matrix3d rotation_of(const XMLElement* origin) {
  std::istringstream words(attribute(origin, "rpy", "0 0 0"));
  words.imbue(std::locale::classic());
  Eigen::Vector3d rpy;
  if (!(words >> rpy[0] >> rpy[1] >> rpy[2])) throw std::runtime_error("rpy is not three numbers");
  using Eigen::AngleAxisd;
  return (AngleAxisd(rpy[2], Eigen::Vector3d::UnitZ()) * AngleAxisd(rpy[1], Eigen::Vector3d::UnitY()) *
          AngleAxisd(rpy[0], Eigen::Vector3d::UnitX()))
      .toRotationMatrix();
}

Eigen::Matrix3d inertia_of(const XMLElement* inertial) {
  const XMLElement* const i = inertial->FirstChildElement("inertia");
  Eigen::Matrix3d m;
  m << number(i, "ixx"), number(i, "ixy"), number(i, "ixz"), number(i, "ixy"), number(i, "iyy"), number(i, "iyz"),
      number(i, "ixz"), number(i, "iyz"), number(i, "izz");
  const Eigen::Matrix3d turn = rotation_of(inertial->FirstChildElement("origin"));
  return turn * m * turn.transpose();
}

bool breaks_triangle(const Eigen::Matrix3d& inertia) {
  const Eigen::Vector3d w = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(inertia).eigenvalues();
  return w[0] + w[1] < w[2] * (1 - 1e-12);
}

std::string root_of(const XMLElement& robot) {
  std::set<std::string> children;
  for (const XMLElement* j = robot.FirstChildElement("joint"); j != nullptr; j = j->NextSiblingElement("joint"))
    children.insert(attribute(j->FirstChildElement("child"), "link", ""));
  for (const XMLElement* l = robot.FirstChildElement("link"); l != nullptr; l = l->NextSiblingElement("link"))
    if (children.count(attribute(l, "name", "")) == 0) return attribute(l, "name", "");
  throw std::runtime_error("no root");
}

// The root "world" goes, and what it carries by a fixed joint is the root, as `kinecast import --base floating` has it.
void remove_world(XMLElement& robot) {
  for (XMLElement* l = robot.FirstChildElement("link"); l != nullptr; l = l->NextSiblingElement("link"))
    if (attribute(l, "name", "") == "world") {
      robot.DeleteChild(l);
      break;
    }
  for (XMLElement* j = robot.FirstChildElement("joint"); j != nullptr; j = j->NextSiblingElement("joint"))
    if (attribute(j->FirstChildElement("parent"), "link", "") == "world") {
      robot.DeleteChild(j);
      break;
    }
}

// A free joint between MuJoCo's world and the root.
void let_float(XMLElement& robot, const std::string& root) {
  robot.InsertNewChildElement("link")->SetAttribute("name", "world");
  XMLElement* const joint = robot.InsertNewChildElement("joint");
  joint->SetAttribute("name", kFreeJoint);
  joint->SetAttribute("type", "floating");
  joint->InsertNewChildElement("parent")->SetAttribute("link", "world");
  joint->InsertNewChildElement("child")->SetAttribute("link", root.c_str());
}

bool moves(const XMLElement& robot, const std::string& link) {
  for (const XMLElement* j = robot.FirstChildElement("joint"); j != nullptr; j = j->NextSiblingElement("joint"))
    if (attribute(j->FirstChildElement("child"), "link", "") == link) return attribute(j, "type", "") != "fixed";
  return false;
}

void lend_mass(XMLElement& link) {
  drop(link, {});
  XMLElement* const inertial = link.InsertNewChildElement("inertial");
  inertial->InsertNewChildElement("mass")->SetAttribute("value", "1");
  XMLElement* const inertia = inertial->InsertNewChildElement("inertia");
  for (const char* entry : {"ixx", "iyy", "izz"}) inertia->SetAttribute(entry, "1");
  for (const char* entry : {"ixy", "ixz", "iyz"}) inertia->SetAttribute(entry, "0");
}

// Drops what has no mass, and reads what has.
void take_link(XMLElement& link, bool is_moving, MujocoUrdf& out) {
  drop(link, {"inertial"});
  const std::string name = attribute(&link, "name", "");
  const XMLElement* const inertial = link.FirstChildElement("inertial");
  if (inertial == nullptr || !(number(inertial->FirstChildElement("mass"), "value") > 0)) {
    if (is_moving) lend_mass(link), out.lent_mass.push_back(name);
    return;
  }
  const Eigen::Matrix3d inertia = inertia_of(inertial);
  out.breaks_triangle = out.breaks_triangle || breaks_triangle(inertia);
  out.inertias[name] = inertia;
}

}  // namespace

MujocoUrdf mujoco_urdf(const std::string& file, bool floats) {
  tinyxml2::XMLDocument document;
  if (document.LoadFile(file.c_str()) != tinyxml2::XML_SUCCESS)
    throw std::runtime_error(file + ": " + document.ErrorStr());
  XMLElement* const robot = document.FirstChildElement("robot");
  if (robot == nullptr) throw std::runtime_error(file + ": no robot");

  MujocoUrdf out;
  drop(*robot, {"link", "joint"});
  if (floats) {
    if (root_of(*robot) == "world") remove_world(*robot);
    let_float(*robot, root_of(*robot));
  }
  for (XMLElement* l = robot->FirstChildElement("link"); l != nullptr; l = l->NextSiblingElement("link"))
    take_link(*l, moves(*robot, attribute(l, "name", "")), out);
  XMLElement* const compiler = robot->InsertNewChildElement("mujoco")->InsertNewChildElement("compiler");
  for (const auto& [name, value] :
       std::vector<std::pair<const char*, const char*>>{{"balanceinertia", out.breaks_triangle ? "true" : "false"},
                                                        {"boundmass", "0"},
                                                        {"boundinertia", "0"},
                                                        {"fusestatic", "false"},
                                                        {"inertiafromgeom", "false"}})
    compiler->SetAttribute(name, value);
  tinyxml2::XMLPrinter printer;
  document.Print(&printer);
  out.text = printer.CStr();
  return out;
}

}  // namespace oracle
