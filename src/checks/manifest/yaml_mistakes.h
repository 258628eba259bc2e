// src/checks/manifest/yaml_mistakes.h
//
// The finding about a text that is not valid YAML: where its author went wrong, which is often not
// where the reader fails, and the line to write instead. A line is proposed only if the text can be
// read with it, has no unknown field on it, and has no expression that is not valid CEL.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "dra/checks/fields/manifest_finding.h"
#include "dra/json/yaml.h"

namespace dra::checks {

struct YamlMistake {
  ManifestFinding finding;
  std::string text = {};  // with the line; empty: none is known that is beyond doubt
};

// `above` is the number of lines above the text in its file, and part of the error's position.
YamlMistake yaml_mistake(std::string_view text, const json::YamlError& error, std::size_t above);

}  // namespace dra::checks
