// src/json/path_parser.h: from the text of a JSONPath template to its nodes.

#pragma once

#include <string_view>

#include "dra/base/result.h"
#include "src/json/path_nodes.h"

namespace dra::json::path {

// Texts and actions in turn. Fails as Path::parse does.
Result<List> parse_template(std::string_view text);

}  // namespace dra::json::path
