// include/dra/checks/fields/pod_templates.h
//
// Where templates for pods stand in objects that make pods: of kinds in the schema, and of add-ons
// whose other fields nothing is known of.

#pragma once

#include <span>
#include <string_view>

namespace dra::checks {

struct TemplatePlace {
  std::string_view kind;
  std::string_view group;
  std::string_view path;       // [] for the items of a list, {} for the entries of a map
  std::string_view role = {};  // of its pods among those of the object, where nothing else says it
};

std::span<const TemplatePlace> pod_template_places();

std::string_view group_of(std::string_view api_version);

}  // namespace dra::checks
