// include/dra/json/yaml.h
//
// YAML as kubectl reads it: YAML 1.1 scalars (unquoted yes, on, 0o17 ...) resolved as the converter
// behind kubectl resolves them, several documents, anchors, merge keys (which replace what stands
// above them in their map), every value with its line and column. Budgets make a bomb an error:
// text size, nesting, nodes (aliases counted each time).

#pragma once

#include <string_view>
#include <vector>

#include "dra/base/result.h"
#include "dra/json/value.h"

namespace dra::json {

// The text behind the byte order mark that some editors put in front: what positions count in.
std::string_view without_byte_order_mark(std::string_view text);

// The documents of a stream, empty ones left out. Fails with "line L, column C: ..." in plain
// words.
Result<std::vector<Value>> parse_yaml(std::string_view text);

}  // namespace dra::json
