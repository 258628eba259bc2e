// include/dra/json/write.h
//
// The writers of JSON and YAML: for reports, API objects and snapshots. JSON keeps the value's own
// order of members.

#pragma once

#include <string>

#include "dra/json/value.h"

namespace dra::json {

enum class Style {
  Compact,  // one line, no spaces
  Pretty,   // four spaces, as kubectl prints; empty objects and lists stay on one line
  Kubectl,  // Pretty, with <, >, & and U+2028/9 escaped and numbers written as Go's encoder does
  KubectlLine,  // the same on one line
};

// No line break at the end.
std::string write_json(const Value& value, Style style);

// What kubectl sends or prints of an object that it has decoded: encoding/json of a map, sorted by
// keys, with the last of several members with one name. Style::Kubectl for several lines,
// Style::KubectlLine for one.
std::string go_json(const Value& value, Style style);

enum class YamlKeys {
  AsKubectl,    // sorted as kubectl sorts them in YAML: gpu-2 before gpu-10
  AsTheyStand,  // the value's own order
};

struct YamlStyle {
  YamlKeys keys = YamlKeys::AsKubectl;
  // Writes characters that act on a terminal, or hide, as escapes. Read back, the text is the same.
  bool for_terminal = false;
};

// One document, byte for byte as `kubectl get -o yaml` prints that JSON: cli-runtime's YAMLPrinter,
// that is sigs.k8s.io/yaml over go.yaml.in/yaml/v2. Ends with a line break. Numbers are printed as
// Go holds them: 1.0 as 1, 1234567.5 as 1.2345675e+06. The last of several members with one name
// counts. One thing differs: kubectl fails on DEL, C1 controls, U+FFFE and U+FFFF and makes a line
// break of U+0085, while here these are escapes.
std::string write_yaml(const Value& value, const YamlStyle& style = {});

// One document, byte for byte as `kubectl get -o kyaml` prints that JSON: a subset of YAML with
// braces, quotes and commas behind everything (sigs.k8s.io/yaml/kyaml). AsKubectl are here the keys
// sorted by their bytes. What kubectl fails on in YAML is an escape here, too.
std::string write_kyaml(const Value& value, const YamlStyle& style = {});

}  // namespace dra::json
