// src/json/yaml_complaint.h
//
// What is wrong with a text that libyaml cannot read, at the place and in the words that help the
// person who wrote it. yaml-cpp reads such a text once more: its marks are nearer to the mistake
// than libyaml's, and what it takes and kubectl's reader does not is looked for here.

#pragma once

#include <optional>
#include <string_view>

#include "dra/json/yaml.h"

namespace dra::json {

// Nothing if yaml-cpp takes the text.
std::optional<YamlError> complaint_about(std::string_view text);

}  // namespace dra::json
