// src/render/go_template/printf.h: fmt.Sprintf for values of a Go template.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "dra/base/result.h"
#include "src/render/go_template/values.h"

namespace dra::render::go_template {

// A verb that does not go with its value is part of the text, as in Go: %!d(string=x). Fails for
// what is not supported (template.h), and names it.
Result<std::string> sprintf_go(std::string_view format, std::span<const Operand> values);

}  // namespace dra::render::go_template
