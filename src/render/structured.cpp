// src/render/structured.cpp: see structured.h.

#include "dra/render/structured.h"

#include <utility>

#include "dra/json/write.h"
#include "src/render/visible_json.h"

namespace dra::render {

std::string render_json(const json::Value& value) {
  return visible_json(json::write_json(value, json::Style::Pretty)) + "\n";
}

std::string render_json_line(const json::Value& value) {
  return visible_json(json::write_json(value, json::Style::Compact));
}

std::string render_api_json(const json::Value& object, bool for_terminal) {
  std::string text = json::write_json(object, json::Style::Kubectl);
  return (for_terminal ? visible_json(text) : std::move(text)) + "\n";
}

std::string render_api_json_line(const json::Value& object, bool for_terminal) {
  std::string text = json::write_json(object, json::Style::KubectlLine);
  return for_terminal ? visible_json(text) : std::move(text);
}

std::string render_yaml(const json::Value& value) {
  return json::write_yaml(value, {json::YamlKeys::AsTheyStand, true});
}

std::string render_api_yaml(const json::Value& object, bool for_terminal) {
  return json::write_yaml(object, {json::YamlKeys::AsKubectl, for_terminal});
}

std::string render_kyaml(const json::Value& value) {
  return json::write_kyaml(value, {json::YamlKeys::AsTheyStand, true});
}

std::string render_api_kyaml(const json::Value& object, bool for_terminal) {
  return json::write_kyaml(object, {json::YamlKeys::AsKubectl, for_terminal});
}

}  // namespace dra::render
