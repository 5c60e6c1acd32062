// SPDX-License-Identifier: MIT
#include "urdf_tree.hpp"

#include "../failure.hpp"
#include "../text/csv.hpp"
#include "../text/text.hpp"

#include <cstring>
#include <map>

namespace kinecast::host {
namespace {

using tinyxml2::XMLElement;

constexpr std::size_t kLongestName = 120;  // longer ones are a slip, and unreadable in a header

// How many bytes the character at `at` takes if it is well-formed UTF-8; 0 if not.
std::size_t utf8_length(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned lead = byte(at);
  const std::size_t length = lead < 0x80                   ? 1
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(at + i) & 0xC0U) != 0x80U) return 0;
  const unsigned second = byte(at + 1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool no_character = (lead == 0xED && second >= 0xA0) || (lead == 0xF4 && second >= 0x90);
  return overlong || no_character ? 0 : length;
}

void expect_utf8(const std::string& file, const std::string& text) {
  if (text.compare(0, 2, "\xFF\xFE") == 0 || text.compare(0, 2, "\xFE\xFF") == 0)
    throw Failure(ExitCode::bad_input, file + ": is UTF-16; save it as UTF-8");
  int line = 1;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\0') refuse_line(file, line, "holds a zero byte: a binary or UTF-16 file; a URDF is XML in UTF-8");
    const std::size_t length = utf8_length(text, at);
    if (length == 0) refuse_line(file, line, "a character is not UTF-8; save the file in UTF-8");
    if (text[at] == '\n') ++line;
    at += length;
  }
}

std::string name_of(const std::string& file, const XMLElement* element, const std::string& part) {
  const char* name = element->Attribute("name");
  if (name == nullptr) refuse_line(file, element->GetLineNum(), part + " has no name; write name=\"…\"");
  expect_good_name(file, element->GetLineNum(), part, name);
  return name;
}

void expect_no_xacro(const std::string& file, const XMLElement* element) {
  const std::string advice = "; this is a xacro file: run xacro on it first (xacro robot.urdf.xacro > robot.urdf)";
  if (std::strncmp(element->Name(), "xacro:", 6) == 0)
    refuse_line(file, element->GetLineNum(),
                "<" + printable(element->Name()) + ">" + advice + "; if it is what xacro left over, remove it");
  for (const auto* a = element->FirstAttribute(); a != nullptr; a = a->Next())
    if (std::strstr(a->Value(), "${") != nullptr || std::strstr(a->Value(), "$(") != nullptr)
      refuse_line(file, a->GetLineNum(), "\"" + printable(a->Value()) + "\" is to be computed" + advice);
}

void expect_no_xacro_below(const std::string& file, const XMLElement* top) {
  for (const XMLElement* element = top; element != nullptr; element = element->NextSiblingElement()) {
    if (std::strcmp(element->Name(), "gazebo") == 0) continue;
    expect_no_xacro(file, element);
    expect_no_xacro_below(file, element->FirstChildElement());  // as deep as the parser lets it be
  }
}

void parse(const std::string& file, const std::string& text, tinyxml2::XMLDocument& out) {
  expect_utf8(file, text);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    throw Failure(ExitCode::bad_input, file + ": is empty; a URDF begins with <robot name=\"…\">");
  const tinyxml2::XMLError error = out.Parse(text.data(), text.size());
  if (error == tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED)
    refuse_line(file, out.ErrorLineNum(),
                "elements are nested more than " + std::to_string(TINYXML2_MAX_ELEMENT_DEPTH) + " deep");
  if (error == tinyxml2::XML_ERROR_MISMATCHED_ELEMENT)
    refuse_line(file, out.ErrorLineNum(), "broken XML: an element that was opened here or above is closed as another");
  if (error == tinyxml2::XML_ERROR_PARSING_DECLARATION)
    refuse_line(file, out.ErrorLineNum(),
                "broken XML: a <?xml …?> that has no end or is not the first thing in the file, not even after a "
                "comment; move it to the top, or remove it");
  if (error != tinyxml2::XML_SUCCESS) {
    std::string why = out.ErrorName();
    if (why.compare(0, 4, "XML_") == 0) why.erase(0, 4);
    for (char& c : why) c = c == '_' ? ' ' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    refuse_line(file, out.ErrorLineNum(), "broken XML: " + why);
  }
}

const XMLElement* robot_element(const std::string& file, const tinyxml2::XMLDocument& document) {
  const XMLElement* top = document.RootElement();
  if (top == nullptr)
    throw Failure(ExitCode::bad_input, file + ": holds no element; a URDF begins with <robot name=\"…\">");
  const std::string name = top->Name();
  const std::string is = name == "sdf"       ? "an SDF file; convert it to URDF first"
                         : name == "mujoco"  ? "an MJCF file of MuJoCo; convert it to URDF first"
                         : name == "COLLADA" ? "a mesh; the URDF is the file that names it"
                                             : "<" + printable(name) + ">, not <robot>: no URDF";
  if (name != "robot") refuse_line(file, top->GetLineNum(), "this is " + is);
  if (top->NextSiblingElement() != nullptr)
    refuse_line(file, top->NextSiblingElement()->GetLineNum(), "a second outermost element; a URDF is one <robot>");
  return top;
}

// The link that a joint's <parent> or <child> names.
int end_of(const UrdfTree& tree, const std::map<std::string, int>& links, const UrdfJoint& joint, const char* which) {
  const std::string part = joint_part(joint.name);
  const XMLElement* element = only_child(tree.file, part, joint.element, which);
  const std::string tag = std::string("<") + which + " link=\"…\">";
  if (element == nullptr) refuse_part(tree.file, joint.line, part, "has no " + tag);
  const char* name = element->Attribute("link");
  if (name == nullptr) refuse_part(tree.file, element->GetLineNum(), part, "names no link; write " + tag);
  const auto found = links.find(name);
  if (found != links.end()) return found->second;
  std::vector<std::string> known;
  for (const UrdfLink& link : tree.links) known.push_back(link.name);
  const std::string wanted = std::string(name).substr(0, kLongestName);
  const std::string guess = nearest(wanted, known);
  refuse_part(tree.file, element->GetLineNum(), part,
              std::string("its ") + which + ", link \"" + printable(wanted) + "\", is not in the file" +
                  (guess.empty() ? "; write the link, or name another one" : "; did you mean \"" + guess + "\"?"));
}

void read_links(UrdfTree& tree, const XMLElement* robot, std::map<std::string, int>& links) {
  for (const XMLElement* e = robot->FirstChildElement("link"); e != nullptr; e = e->NextSiblingElement("link")) {
    UrdfLink link{e, name_of(tree.file, e, "a link"), e->GetLineNum()};
    const auto [before, is_new] = links.insert({link.name, static_cast<int>(tree.links.size())});
    if (!is_new)
      refuse_part(tree.file, link.line, link_part(link.name),
                  "the name is taken by the link of line " + std::to_string(tree.link(before->second).line));
    tree.links.push_back(std::move(link));
  }
  if (tree.links.empty()) throw Failure(ExitCode::bad_input, tree.file + ": the robot has no <link>");
  if (tree.links.size() > kMostLinks)
    refuse_line(tree.file, tree.links[kMostLinks].line,
                "the robot has " + std::to_string(tree.links.size()) + " links, and at most " +
                    std::to_string(kMostLinks) + " are taken: merge what does not move, or take a part of the robot");
}

void read_joints(UrdfTree& tree, const XMLElement* robot, const std::map<std::string, int>& links) {
  std::map<std::string, int> names;
  for (const XMLElement* e = robot->FirstChildElement("joint"); e != nullptr; e = e->NextSiblingElement("joint")) {
    const int index = static_cast<int>(tree.joints.size());
    UrdfJoint joint{e, name_of(tree.file, e, "a joint"), "", e->GetLineNum()};
    const std::string part = joint_part(joint.name);
    if (const auto [before, is_new] = names.insert({joint.name, index}); !is_new)
      refuse_part(tree.file, joint.line, part,
                  "the name is taken by the joint of line " + std::to_string(tree.joint(before->second).line));
    if (e->Attribute("type") == nullptr)
      refuse_part(tree.file, joint.line, part, "has no type; write type=\"revolute\", \"continuous\", …");
    joint.type = e->Attribute("type");
    joint.parent = end_of(tree, links, joint, "parent");
    joint.child = end_of(tree, links, joint, "child");
    if (joint.parent == joint.child)
      refuse_part(tree.file, joint.line, part, "holds " + link_part(tree.link(joint.child).name) + " to itself");
    UrdfLink& child = tree.links[static_cast<std::size_t>(joint.child)];
    if (child.carried_by >= 0) {
      const UrdfJoint& other = tree.joint(child.carried_by);
      refuse_part(tree.file, joint.line, part,
                  "carries " + link_part(child.name) + ", which " + joint_part(other.name) + " of line " +
                      std::to_string(other.line) +
                      " carries already; a URDF is a tree: a link has one parent, a closed loop must be cut");
    }
    child.carried_by = index;
    tree.links[static_cast<std::size_t>(joint.parent)].carries.push_back(index);
    tree.joints.push_back(std::move(joint));
  }
}

void find_root(UrdfTree& tree) {
  std::vector<std::string> roots;
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    if (tree.links[i].carried_by >= 0) continue;
    if (roots.empty()) tree.root = static_cast<int>(i);
    roots.push_back(tree.links[i].name);
  }
  if (roots.size() > 1) {
    const std::size_t count = roots.size();
    if (count > 5) roots.resize(5);
    throw Failure(ExitCode::bad_input, tree.file + ": " + std::to_string(count) +
                                           " links hang on no joint: " + listed(roots) + (count > 5 ? ", …" : "") +
                                           "; a robot has one root: join the others to it, or remove them");
  }
  std::vector<bool> reached(tree.links.size(), false);
  std::vector<int> next;
  if (tree.root >= 0) next.push_back(tree.root);
  while (!next.empty()) {
    const int at = next.back();
    next.pop_back();
    reached[static_cast<std::size_t>(at)] = true;
    for (const int joint : tree.link(at).carries) next.push_back(tree.joint(joint).child);
  }
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    if (reached[i]) continue;
    const UrdfJoint& joint = tree.joint(tree.links[i].carried_by);
    refuse_part(tree.file, joint.line, joint_part(joint.name),
                "is part of a loop, or hangs on one: from " + link_part(tree.links[i].name) +
                    " no way leads to a root; a URDF is a tree");
  }
}

}  // namespace

void expect_good_name(const std::string& file, int line, const std::string& part, const std::string& name) {
  if (trimmed(name).empty()) refuse_line(file, line, part + " has an empty name");
  if (name.size() > kLongestName)
    refuse_line(file, line,
                part + " has a name of " + std::to_string(name.size()) + " bytes; at most " +
                    std::to_string(kLongestName) + " are taken");
  if (printable(name) != name) refuse_line(file, line, part + ": the name holds a control character");
  for (const char* turn : {"\u200E", "\u200F", "\u202A", "\u202B", "\u202C", "\u202D", "\u202E", "\u2066", "\u2067",
                           "\u2068", "\u2069", "\u0085", "\u2028", "\u2029", "\u061C"})
    if (name.find(turn) != std::string::npos)
      refuse_line(file, line, part + ": the name holds a character that turns the writing or ends the line");
}

void refuse_part(const std::string& file, int line, const std::string& part, const std::string& sentence) {
  refuse_line(file, line, part + ": " + sentence);
}
std::string link_part(const std::string& name) { return "link \"" + printable(name) + "\""; }
std::string joint_part(const std::string& name) { return "joint \"" + printable(name) + "\""; }

const XMLElement* only_child(const std::string& file, const std::string& part, const XMLElement* of, const char* name) {
  const XMLElement* found = of->FirstChildElement(name);
  const XMLElement* second = found == nullptr ? nullptr : found->NextSiblingElement(name);
  if (second != nullptr)
    refuse_part(file, second->GetLineNum(), part, std::string("has a second <") + name + ">; remove one");
  return found;
}

UrdfTree read_urdf_tree(const std::string& file, const std::string& text) {
  UrdfTree tree;
  tree.file = file;
  tree.document = std::make_unique<tinyxml2::XMLDocument>();
  parse(file, text, *tree.document);
  const XMLElement* robot = robot_element(file, *tree.document);
  expect_no_xacro(file, robot);
  expect_no_xacro_below(file, robot->FirstChildElement());
  tree.name = name_of(file, robot, "the robot");
  std::map<std::string, int> links;
  read_links(tree, robot, links);
  read_joints(tree, robot, links);
  find_root(tree);
  return tree;
}

}  // namespace kinecast::host
