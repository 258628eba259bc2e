// src/report/manifest_place.cpp: see manifest_place.h.

#include "src/report/manifest_place.h"

#include "dra/base/text.h"

namespace dra::report {

using checks::ManifestFinding;

Place Place::child(std::string_view name) const {
  return {value == nullptr ? nullptr : value->find(name),
          path.empty() ? std::string(name) : base::format("{}.{}", path, name)};
}

Place Place::item(std::size_t number) const {
  const bool there = value != nullptr && number < value->items().size();
  return {there ? &value->items()[number] : nullptr, base::format("{}[{}]", path, number)};
}

ManifestFinding found(const Place& place, checks::Severity severity, std::string_view code,
                      std::string message, std::string fix) {
  return {.severity = severity,
          .code = std::string(code),
          .phase = checks::Phase::Validate,
          .path = place.path,
          .position = place.value != nullptr ? place.value->position() : json::Position(),
          .message = std::move(message),
          .fix = std::move(fix)};
}

ManifestFinding warning(const Place& place, diag::Code code, std::string message, std::string fix) {
  return found(place, checks::Severity::Warning, diag::name_of(code), std::move(message),
               std::move(fix));
}

}  // namespace dra::report
