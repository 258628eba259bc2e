// src/engine/selectors/known_names.cpp: collects the names of attributes and capacities of a fleet.

#include <algorithm>
#include <string_view>

#include "dra/engine/facts/device_value.h"
#include "dra/engine/selectors/shape_changes.h"

namespace dra::engine {
namespace {

using Section = std::set<cel::KnownName>;

// Most devices have the same names as the one before, which then are not looked up again.
template <class T>
void add_names(std::string_view section, const api::Map<T>& map, const api::Map<T>* before,
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
  Candidate before = {};
  for (const FleetPart& part : fleet.parts()) {
    if (before.driver != part.driver) before.device = nullptr;
    if (before.device == nullptr) out.drivers.insert(std::string(part.driver));
    for (std::size_t i = 0; i < part.devices.size(); ++i) {
      const Candidate one = part[i];
      const api::Device* last = before.device;
      add_names("attributes", one.device->attributes, last == nullptr ? nullptr : &last->attributes,
                one.driver, names);
      add_names("capacity", one.device->capacity, last == nullptr ? nullptr : &last->capacity,
                one.driver, names);
      before = one;
    }
  }
  out.names.assign(names.begin(), names.end());
  return out;
}

}  // namespace dra::engine
