// include/dra/json/yaml.h
//
// YAML as kubectl reads it: YAML 1.1 scalars (unquoted yes, on, 0o17 ...) resolved as the converter
// behind kubectl resolves them, several documents, anchors, merge keys (which replace the members
// above them in their map). Every value has its line and column. Limits of
// nesting, of values for the length of the text, and of what anchors and aliases copy turn a bomb
// into an error.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "dra/base/result.h"
#include "dra/json/value.h"

namespace dra::json {

// The text without the byte order mark that some editors put in front. Positions count from there.
std::string_view without_byte_order_mark(std::string_view text);

// A key that was read, and the path to its value: "spec.devices.requests[0].name".
struct YamlKey {
  Position at;
  std::string path;
};

// What is wrong with a text that is no YAML.
struct YamlError {
  Position at;
  std::string message;             // in plain words, without the position
  std::vector<YamlKey> keys = {};  // of the maps that were not closed yet
};

// The documents of a stream, without empty ones. Positions count from the line `above`, which is
// the number of lines above the text in its file.
std::variant<std::vector<Value>, YamlError> read_yaml(std::string_view text, std::size_t above = 0);

// The same for callers that pass errors on. Fails with "line L, column C: ...".
Result<std::vector<Value>> parse_yaml(std::string_view text, std::size_t above = 0);

}  // namespace dra::json
