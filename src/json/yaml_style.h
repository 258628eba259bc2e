// src/json/yaml_style.h: the YAML styles that a text can have.

#pragma once

#include <string_view>

#include "dra/base/function_ref.h"

namespace dra::json {

// The styles that are possible for a text (yaml_emitter_analyze_scalar). `plain` says nothing about
// its meaning without quotes.
struct YamlStyles {
  bool multiline = false;  // holds a line break
  bool plain = true;
  bool single_quoted = true;
  bool block = true;
};

// `special` characters can only be written as escapes.
YamlStyles possible_styles(std::string_view text,
                           base::FunctionRef<bool(std::string_view)> special);

}  // namespace dra::json
