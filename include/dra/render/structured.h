// include/dra/render/structured.h
//
// Reports for programs. JSON is printed so that it is also safe to look at: characters that would
// act on a terminal, or hide, stand as \u escapes, which mean the same to whoever reads the JSON.

#pragma once

#include <string>

#include "dra/json/value.h"

namespace dra::render {

// json::Style::Pretty, with a line break at the end.
std::string render_json(const json::Value& value);

// An API object as `kubectl get -o json` prints it, byte for byte, unless a terminal has to be kept
// safe from what is in it.
std::string render_api_json(const json::Value& object, bool for_terminal);

}  // namespace dra::render
