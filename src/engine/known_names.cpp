// src/engine/known_names.cpp: known_names() of shape_changes.h.

#include <algorithm>
#include <string_view>

#include "dra/engine/device_value.h"
#include "src/engine/shape_changes.h"

namespace dra::engine {
namespace {

using Section = std::set<cel::KnownName>;

// Most devices have the names of the one before: those are not looked up again.
template <class T>
void add(std::string_view section, const api::Map<T>& map, const api::Map<T>* before,
         std::string_view driver, Section& out) {
  const bool same = before != nullptr &&
                    std::ranges::equal(map, *before, [](const auto& left, const auto& right) {
                      return left.key == right.key;
                    });
  if (same) return;
  for (const auto& [name, value] : map) {
    const QualifiedName qualified = split_name(name, driver);
    out.insert({std::string(section), std::string(qualified.domain), std::string(qualified.id)});
  }
}

}  // namespace

KnownNames known_names(const Fleet& fleet) {
  KnownNames out;
  Section names;
  const Candidate* before = nullptr;
  for (std::size_t i = 0; i < fleet.size(); ++i) {
    const Candidate& one = fleet[i];
    if (before != nullptr && before->driver != one.driver) before = nullptr;
    if (before == nullptr) out.drivers.insert(std::string(one.driver));
    add("attributes", one.device->attributes,
        before == nullptr ? nullptr : &before->device->attributes, one.driver, names);
    add("capacity", one.device->capacity, before == nullptr ? nullptr : &before->device->capacity,
        one.driver, names);
    before = &one;
  }
  out.names.assign(names.begin(), names.end());
  return out;
}

}  // namespace dra::engine
