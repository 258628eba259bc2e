// src/json/yaml_style.h: what about a text decides its style in YAML.

#pragma once

#include <string_view>

#include "dra/base/function_ref.h"

namespace dra::json {

// The styles that are possible for a text (yaml_emitter_analyze_scalar), apart from what it would
// mean when plain.
struct YamlStyles {
  bool multiline = false;  // holds a line break
  bool plain = true;
  bool single_quoted = true;
  bool block = true;
};

// `special` says which characters can only be written as escapes.
YamlStyles possible_styles(std::string_view text,
                           base::FunctionRef<bool(std::string_view)> special);

}  // namespace dra::json
