// SPDX-License-Identifier: MIT
// Mutations that keep a URDF well-formed: bytes alone nearly always break the XML, and nothing behind the parser would be reached.
#include <tinyxml2.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using tinyxml2::XMLElement;
using Random = std::minstd_rand;

const char* const kValues[] = {"0",         "1",     "-1",    "1e-9",     "1e6",    "1e300",   "nan",
                               "inf",       "1,5",   "0 0 0", "0 0 1",    "1 1 1",  "1e-320",  "",
                               " ",         "world", "class", "revolute", "fixed",  "planar",  "floating",
                               "prismatic", "base",  "a",     "x\u00FCx", "\u202E", "1e-7 0 0"};

void collect(XMLElement* element, std::vector<XMLElement*>& out) {
  out.push_back(element);
  for (XMLElement* child = element->FirstChildElement(); child != nullptr; child = child->NextSiblingElement())
    collect(child, out);
}

template <class List>
auto& one_of(List& list, Random& random) {
  return *(std::begin(list) + static_cast<std::ptrdiff_t>(random() % std::size(list)));
}

// Another value for an attribute: a strange one, or one that stands elsewhere in the file.
void change_attribute(XMLElement* element, const std::vector<XMLElement*>& all, Random& random) {
  std::vector<const tinyxml2::XMLAttribute*> own;
  std::vector<const tinyxml2::XMLAttribute*> others;
  for (const auto* a = element->FirstAttribute(); a != nullptr; a = a->Next()) own.push_back(a);
  for (const XMLElement* other : all)
    for (const auto* a = other->FirstAttribute(); a != nullptr; a = a->Next()) others.push_back(a);
  if (own.empty()) return;
  const std::string name = one_of(own, random)->Name();
  if (random() % 8 == 0)
    element->DeleteAttribute(name.c_str());
  else
    element->SetAttribute(
        name.c_str(),
        std::string(random() % 2 == 0 ? one_of(kValues, random) : one_of(others, random)->Value()).c_str());
}

bool mutate(tinyxml2::XMLDocument& document, Random& random) {
  if (document.RootElement() == nullptr) return false;
  std::vector<XMLElement*> all;
  collect(document.RootElement(), all);
  XMLElement* element = one_of(all, random);
  switch (random() % 6) {
    case 0:
      if (element == document.RootElement()) return false;
      element->Parent()->DeleteChild(element);
      return true;
    case 1:
    case 2: {
      XMLElement* place = one_of(all, random);
      place->InsertEndChild(element->DeepClone(&document));
      return true;
    }
    default:
      change_attribute(element, all, random);
      return true;
  }
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  Random random(seed);
  tinyxml2::XMLDocument document;
  const bool is_xml = document.Parse(reinterpret_cast<const char*>(data), size) == tinyxml2::XML_SUCCESS;
  if (!is_xml || random() % 4 == 0) return LLVMFuzzerMutate(data, size, max_size);
  for (unsigned i = 0; i < 1 + random() % 3; ++i)
    if (!mutate(document, random)) return LLVMFuzzerMutate(data, size, max_size);
  tinyxml2::XMLPrinter printer;
  document.Print(&printer);
  const std::size_t length = static_cast<std::size_t>(printer.CStrSize()) - 1;
  if (length > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::memcpy(data, printer.CStr(), length);
  return length;
}
