// include/dra/checks/fields/pod_templates.h
//
// Where objects that make pods have their pod templates: kinds in the schema, and kinds of add-ons
// whose other fields are not checked.

#pragma once

#include <span>
#include <string_view>

namespace dra::checks {

struct TemplatePlace {
  std::string_view kind;
  std::string_view group;
  std::string_view path;       // [] for the items of a list, {} for the entries of a map
  std::string_view role = {};  // of these pods in the object, if no field names it
};

std::span<const TemplatePlace> pod_template_places();

std::string_view group_of(std::string_view api_version);

}  // namespace dra::checks
