// include/dra/json/stream.h
//
// Divides a text into parts at the lines `---`, as kubectl does (k8s.io/apimachinery
// pkg/util/yaml, YAMLReader.Read). A part is a YAML document, or JSON documents one after another.

#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace dra::json {

struct StreamPart {
  std::size_t line;  // of its first character, from 0
  std::string_view text;
  bool looks_like_json;  // YAML may begin with a brace, too
};

// The parts in their order; parts without any text are left out.
std::vector<StreamPart> divide_stream(std::string_view text);

// Parts of YAML that follow each other are one part, because a stream of YAML is read at once.
std::vector<StreamPart> unite_yaml(const std::vector<StreamPart>& parts);

}  // namespace dra::json
