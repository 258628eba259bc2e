// src/checks/convert/yaml_output.h
//
// Writes a manifest after a change: edits the text in place if possible, else prints the documents.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/result.h"
#include "dra/json/value.h"
#include "dra/json/yaml_edit.h"

namespace dra::checks {

// The documents of a text: YAML, JSON, or both. Fails with BadInput and the place of the first that
// cannot be read.
Result<std::vector<json::Value>> read_objects(std::string_view text);

struct YamlOutput {
  std::string text;
  bool comments_lost = false;  // the documents were printed, not edited
};

// Applies the edits to the text without byte order mark. If the result does not read as the
// documents, or without edits, prints the documents. JSON stays JSON.
YamlOutput yaml_output(std::string_view text, std::optional<std::vector<json::TextEdit>> edits,
                       const std::vector<json::Value>& documents);

}  // namespace dra::checks
