// src/checks/convert/yaml_output.cpp: trusts edits only if the edited text reads as the changed
// documents do.

#include "src/checks/convert/yaml_output.h"

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

}  // namespace

YamlOutput yaml_output(std::string_view text, std::optional<std::vector<json::TextEdit>> edits,
                       const std::vector<Value>& documents) {
  if (edits) {
    std::string edited = json::with_edits(json::without_byte_order_mark(text), *std::move(edits));
    auto read = json::parse_yaml(edited);
    if (read.ok() && as_text(std::move(read).take()) == as_text(documents))
      return {std::move(edited)};
  }
  return {printed(documents), true};
}

}  // namespace dra::checks
