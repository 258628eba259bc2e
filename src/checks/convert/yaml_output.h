// src/checks/convert/yaml_output.h
//
// A manifest after its objects were changed: with edits where that is possible, else written anew.

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

// The text without byte order mark, with the edits, if that reads as the documents do: only then it
// is what was meant. Otherwise, and without edits, the documents.
YamlOutput yaml_output(std::string_view text, std::optional<std::vector<json::TextEdit>> edits,
                       const std::vector<json::Value>& documents);

}  // namespace dra::checks
