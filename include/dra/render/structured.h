// include/dra/render/structured.h
//
// Reports for programs. JSON and YAML are safe to print on a terminal as well: characters that act
// on it, or hide, are escapes, which mean the same to a parser.

#pragma once

#include <string>

#include "dra/json/value.h"

namespace dra::render {

// json::Style::Pretty, with a line break at the end.
std::string render_json(const json::Value& value);
std::string render_json_line(
    const json::Value& value);  // the same on one line, without a line break

// An API object as `kubectl get -o json` prints it, byte for byte. For a terminal, characters that
// act on it are escaped.
std::string render_api_json(const json::Value& object, bool for_terminal);

// The same on one line, without a line break, as in the JSON of an event.
std::string render_api_json_line(const json::Value& object, bool for_terminal);

// The same as YAML: a report in its own order, and an API object as `kubectl get -o yaml` prints
// it.
std::string render_yaml(const json::Value& value);
std::string render_api_yaml(const json::Value& object, bool for_terminal);

// The same as KYAML, `-o kyaml`: YAML with braces, quotes and commas behind everything.
std::string render_kyaml(const json::Value& value);
std::string render_api_kyaml(const json::Value& object, bool for_terminal);

}  // namespace dra::render
