// src/checks/manifest/typed_lists.cpp: see typed_lists.h.

#include "dra/checks/manifest/typed_lists.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace dra::checks {
namespace {

constexpr std::string_view kSuffix = "List";

bool has_text(const json::Value& object, std::string_view field) {
  const json::Value* value = object.find(field);
  return value != nullptr && !value->text().empty();
}

}  // namespace

std::string kind_of_items(const json::Value& document) {
  const json::Value* kind = document.find("kind");
  const json::Value* items = document.find("items");
  if (kind == nullptr || items == nullptr || !items->is(json::Kind::Array) ||
      !kind->text().ends_with(kSuffix) || !has_text(document, "apiVersion"))
    return {};
  return std::string(kind->text().substr(0, kind->text().size() - kSuffix.size()));
}

bool takes_kind_of_list(const json::Value& item) {
  return item.is(json::Kind::Object) && !has_text(item, "apiVersion") && !has_text(item, "kind");
}

std::optional<json::Value> with_kinds_of_list(const json::Value& document) {
  const std::string kind = kind_of_items(document);
  if (kind.empty() || std::ranges::none_of(document.find("items")->items(), takes_kind_of_list))
    return std::nullopt;
  json::Value whole = document;
  const auto copy = [&document](std::string_view field, std::string text) {
    json::Value value(std::move(text));
    value.set_position(document.find(field)->position());
    return value;
  };
  for (json::Value& item : whole.find("items")->items()) {
    if (!takes_kind_of_list(item)) continue;
    item.set("apiVersion", copy("apiVersion", std::string(document.find("apiVersion")->text())));
    item.set("kind", copy("kind", kind));
  }
  return whole;
}

}  // namespace dra::checks
