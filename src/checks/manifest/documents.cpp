// src/checks/manifest/documents.cpp: reads a file as a whole, which mostly works. If not, divides
// it at the lines `---`, as kubectl does, and reads each part below as many empty lines as it has
// lines above, so that positions stay right.

#include "dra/checks/manifest/documents.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "dra/base/text.h"
#include "dra/json/parse.h"
#include "dra/json/yaml.h"

namespace dra::checks {
namespace {

using json::Value;

struct Part {
  std::size_t line;  // of its first line, from 0
  std::string text;
};

std::vector<Part> parts_of(std::string_view text) {
  std::vector<Part> parts(1);
  std::size_t number = 0;
  for (const std::string_view line : base::split(text, '\n')) {
    const bool divides = line.starts_with("---") && base::trim(line.substr(3)).empty();
    if (divides) parts.push_back({number + 1, {}});
    if (!divides) parts.back().text += base::format("{}\n", line);
    ++number;
  }
  return parts;
}

void add_documents(std::vector<Value> values, std::vector<Document>& documents) {
  std::ranges::move(values, std::back_inserter(documents));
}

// JSON that is no YAML, such as JSON indented by tabs. It has no positions.
bool read_as_json(std::string_view text, std::vector<Document>& documents) {
  if (!base::trim(text).starts_with('{')) return false;
  std::vector<Value> values;
  for (const std::string_view part : json::split_documents(text)) {
    auto value = json::parse_json(part);
    if (!value.ok()) return false;
    values.push_back(std::move(value).take());
  }
  add_documents(std::move(values), documents);
  return true;
}

ManifestFinding decode_error(json::YamlError error) {
  return {.code = "Decode",
          .phase = Phase::Decode,
          .position = error.at,
          .message = std::move(error.message)};
}

}  // namespace

std::vector<Document> read_documents(std::string_view text) {
  std::vector<Document> documents;
  auto whole = json::read_yaml(text);
  if (auto* values = std::get_if<std::vector<Value>>(&whole)) {
    add_documents(std::move(*values), documents);
    return documents;
  }
  if (read_as_json(text, documents)) return documents;
  for (const Part& part : parts_of(text)) {
    auto read = json::read_yaml(std::string(part.line, '\n') + part.text);
    if (auto* values = std::get_if<std::vector<Value>>(&read)) {
      add_documents(std::move(*values), documents);
    } else {
      documents.emplace_back(decode_error(std::get<json::YamlError>(std::move(read))));
    }
  }
  return documents;
}

}  // namespace dra::checks
