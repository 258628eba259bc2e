// src/checks/manifest/documents.cpp: reads a file as a whole, which mostly works. If not, reads
// each part of it alone.

#include "dra/checks/manifest/documents.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "dra/json/parse.h"
#include "dra/json/stream.h"
#include "dra/json/yaml.h"
#include "src/checks/manifest/yaml_mistakes.h"

namespace dra::checks {
namespace {

using json::Value;

// JSON that is no YAML, such as JSON indented by tabs, or documents without a line between. It has
// no positions. No value: it is no JSON either.
std::optional<std::vector<Value>> read_json(std::string_view text) {
  std::vector<Value> values;
  for (const std::string_view part : json::split_documents(text)) {
    auto value = json::parse_json(part);
    if (!value.ok()) return std::nullopt;
    values.push_back(std::move(value).take());
  }
  return values;
}

}  // namespace

std::vector<Document> read_documents(std::string_view text) {
  std::vector<Document> documents;
  const auto add = [&documents](std::vector<Value> values) {
    std::ranges::move(values, std::back_inserter(documents));
  };
  auto whole = json::read_yaml(text);
  if (auto* values = std::get_if<std::vector<Value>>(&whole)) {
    add(std::move(*values));
    return documents;
  }
  for (const json::StreamPart& part : json::divide_stream(text)) {
    auto read = json::read_yaml(part.text, part.line);
    if (auto* values = std::get_if<std::vector<Value>>(&read)) {
      add(std::move(*values));
      continue;
    }
    auto values = part.looks_like_json ? read_json(part.text) : std::nullopt;
    if (values) {
      add(*std::move(values));
    } else {
      documents.emplace_back(
          yaml_mistake(part.text, std::get<json::YamlError>(read), part.line).finding);
    }
  }
  return documents;
}

}  // namespace dra::checks
