// include/dra/render/structured.h
//
// Reports for programs. JSON and YAML are printed so that they are also safe to look at: characters
// that would act on a terminal, or hide, stand as escapes, which mean the same to whoever reads
// them.

#pragma once

#include <string>

#include "dra/json/value.h"

namespace dra::render {

// json::Style::Pretty, with a line break at the end.
std::string render_json(const json::Value& value);

// An API object as `kubectl get -o json` prints it, byte for byte, unless a terminal has to be kept
// safe from what is in it.
std::string render_api_json(const json::Value& object, bool for_terminal);

// The same as YAML: of a report, in the report's own order, and of an API object, as
// `kubectl get -o yaml` prints it.
std::string render_yaml(const json::Value& value);
std::string render_api_yaml(const json::Value& object, bool for_terminal);

}  // namespace dra::render
