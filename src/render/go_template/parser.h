// src/render/go_template/parser.h: from the tokens of a Go template to its nodes.

#pragma once

#include <string_view>

#include "dra/base/result.h"
#include "src/render/go_template/nodes.h"

namespace dra::render::go_template {

Result<Templates> parse_templates(std::string_view text);

}  // namespace dra::render::go_template
