// src/checks/convert/yaml_output.cpp: trusts edits only if the edited text reads as the changed
// documents do.

#include "src/checks/convert/yaml_output.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "dra/base/text.h"
#include "dra/checks/manifest/documents.h"
#include "dra/json/parse.h"
#include "dra/json/stream.h"
#include "dra/json/write.h"
#include "dra/json/yaml.h"

namespace dra::checks {
namespace {

using json::Value;

std::string as_text(std::vector<Value> documents) {
  std::string text;
  for (Value& document : documents) {
    json::sort_keys(document);
    text += json::write_json(document, json::Style::Compact) + "\n";
  }
  return text;
}

std::string printed(const std::vector<Value>& documents) {
  std::string text;
  for (const Value& document : documents) {
    if (!text.empty()) text += "---\n";
    text += json::write_yaml(document, {.keys = json::YamlKeys::AsTheyStand});
  }
  return text;
}

bool is_json(std::string_view text) {
  const auto parts = json::divide_stream(text);
  return !parts.empty() && std::ranges::all_of(parts, [](const json::StreamPart& part) {
    return part.looks_like_json &&
           std::ranges::all_of(json::split_documents(part.text), [](std::string_view document) {
             return json::parse_json(document).ok();
           });
  });
}

std::string printed_json(const std::vector<Value>& documents) {
  std::string text;
  for (const Value& document : documents)
    text += json::write_json(document, json::Style::Pretty) + "\n";
  return text;
}

}  // namespace

Result<std::vector<Value>> read_objects(std::string_view text) {
  std::vector<Value> objects;
  for (Document& document : read_documents(text)) {
    if (const auto* failure = std::get_if<ManifestFinding>(&document))
      return Error{ErrorKind::BadInput,
                   base::format("line {}, column {}: {}", failure->position.line,
                                failure->position.column, failure->message),
                   {}};
    objects.push_back(std::get<Value>(std::move(document)));
  }
  return objects;
}

YamlOutput yaml_output(std::string_view text, std::optional<std::vector<json::TextEdit>> edits,
                       const std::vector<Value>& documents) {
  const bool json = is_json(text);
  if (edits) {
    std::string edited = json::with_edits(json::without_byte_order_mark(text), *std::move(edits));
    auto read = json::parse_yaml(edited);
    if (read.ok() && as_text(std::move(read).take()) == as_text(documents) &&
        (!json || is_json(edited)))
      return {std::move(edited)};
  }
  // JSON has no comments to lose.
  return json ? YamlOutput{printed_json(documents)} : YamlOutput{printed(documents), true};
}

}  // namespace dra::checks
