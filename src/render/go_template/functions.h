// src/render/go_template/functions.h: the functions of a Go template. `and` and `or` evaluate no
// more arguments than they need, so run.cpp evaluates them.

#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "dra/base/result.h"
#include "src/render/go_template/values.h"

namespace dra::render::go_template {

using Operands = std::vector<Operand>;

struct FunctionInfo {
  std::string_view name;
  std::size_t least = 0;                               // arguments
  bool more = false;                                   // and any number more
  bool text_first = false;                             // the first one must be text
  Result<Operand> (*call)(const Operands&) = nullptr;  // nullptr: and, or
};

const FunctionInfo* find_function(std::string_view name);

}  // namespace dra::render::go_template
