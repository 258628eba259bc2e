// src/checks/fields/manifest_place.cpp: steps through a tree by paths as the API server writes
// them.

#include "dra/checks/fields/manifest_place.h"

#include <algorithm>
#include <charconv>

#include "dra/base/text.h"

namespace dra::checks {

ManifestPlace ManifestPlace::child(std::string_view name) const {
  return {value == nullptr ? nullptr : value->find(name),
          path.empty() ? std::string(name) : base::format("{}.{}", path, name)};
}

ManifestPlace ManifestPlace::item(std::size_t number) const {
  const bool there = value != nullptr && number < value->items().size();
  return {there ? &value->items()[number] : nullptr, base::format("{}[{}]", path, number)};
}

namespace {

// Removes the first step from the path: a name, an index or a key.
std::string_view take_step(std::string_view& path) {
  const bool in_brackets = path.starts_with('[');
  if (in_brackets || path.starts_with('.')) path.remove_prefix(1);
  const std::size_t end = std::min(path.find_first_of(in_brackets ? "]" : ".["), path.size());
  const std::string_view step = path.substr(0, end);
  path.remove_prefix(in_brackets ? std::min(end + 1, path.size()) : end);
  return step;
}

const json::Value* step_into(const json::Value& value, std::string_view step) {
  if (!value.is(json::Kind::Array)) return value.find(step);
  std::size_t number = 0;
  const auto read = std::from_chars(step.data(), step.data() + step.size(), number);
  const bool there = read.ec == std::errc() && number < value.items().size();
  return there ? &value.items()[number] : nullptr;
}

}  // namespace

ManifestPlace place_at(const json::Value& root, std::string_view path) {
  ManifestPlace place{&root, std::string(path)};
  while (!path.empty()) {
    const json::Value* next = step_into(*place.value, take_step(path));
    if (next == nullptr) break;
    place.value = next;
  }
  return place;
}

ManifestFinding finding_at(const ManifestPlace& place, Severity severity, std::string_view code,
                           std::string message, std::string fix) {
  return {.severity = severity,
          .code = std::string(code),
          .phase = Phase::Validate,
          .path = place.path,
          .position = place.value != nullptr ? place.value->position() : json::Position(),
          .message = std::move(message),
          .fix = std::move(fix)};
}

ManifestFinding warning_at(const ManifestPlace& place, diag::Code code, std::string message,
                           std::string fix) {
  return finding_at(place, Severity::Warning, diag::name_of(code), std::move(message),
                    std::move(fix));
}

}  // namespace dra::checks
