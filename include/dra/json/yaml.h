// include/dra/json/yaml.h
//
// YAML as kubectl reads it: YAML 1.1 scalars (unquoted yes, on, 0o17 ...) resolved as the converter
// behind kubectl resolves them, several documents, anchors, merge keys (which replace what stands
// above them in their map), every value with its line and column. Budgets make a bomb an error:
// text size, nesting, nodes (aliases counted each time).

#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "dra/base/result.h"
#include "dra/json/value.h"

namespace dra::json {

// The text behind the byte order mark that some editors put in front: what positions count in.
std::string_view without_byte_order_mark(std::string_view text);

// What is wrong with a text that is no YAML.
struct YamlError {
  Position at;
  std::string message;  // in plain words, without the position
};

// The documents of a stream, without empty ones.
std::variant<std::vector<Value>, YamlError> read_yaml(std::string_view text);

// The same for callers that pass errors on. Fails with "line L, column C: ...".
Result<std::vector<Value>> parse_yaml(std::string_view text);

}  // namespace dra::json
