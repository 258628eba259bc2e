// src/checks/convert/yaml_output.h
//
// Writes a manifest after a change: edits the text in place if possible, else prints the documents.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/json/value.h"
#include "dra/json/yaml_edit.h"

namespace dra::checks {

struct YamlOutput {
  std::string text;
  bool comments_lost = false;  // the documents were printed, not edited
};

// Applies the edits to the text without byte order mark. If the result does not read as the
// documents, or without edits, prints the documents.
YamlOutput yaml_output(std::string_view text, std::optional<std::vector<json::TextEdit>> edits,
                       const std::vector<json::Value>& documents);

}  // namespace dra::checks
