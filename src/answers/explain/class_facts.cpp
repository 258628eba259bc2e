// src/answers/explain/class_facts.cpp: looks up each class once, and for one that does not exist
// the class with the nearest name.

#include "src/answers/explain/class_facts.h"

#include <set>

#include "dra/api/device_class.h"
#include "dra/base/text.h"
#include "dra/engine/selectors/silent_drivers.h"

namespace dra::answers {
namespace {

std::set<std::string_view> named_classes(const engine::Subject& subject) {
  std::set<std::string_view> names;
  for (const engine::SubjectClaim& claim : subject.claims) {
    if (claim.spec == nullptr) continue;
    for (const api::DeviceRequest& request : claim.spec->devices.requests) {
      for (const api::NamedDemand& demand : api::demands_of(request))
        names.insert(demand.demand->device_class);
    }
  }
  return names;
}

std::string_view nearest_class(const snapshot::Snapshot& snapshot, std::string_view name) {
  std::vector<std::string_view> names;
  for (const api::DeviceClass& known : snapshot.all<api::DeviceClass>())
    names.push_back(known.meta.name);
  return base::nearest(name, names);
}

}  // namespace

ClassFacts class_facts(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
                       const engine::Subject& subject) {
  ClassFacts facts;
  for (const std::string_view name : named_classes(subject)) {
    if (const auto* known = snapshot.find<api::DeviceClass>(name)) {
      facts.named.push_back(known);
    } else {
      facts.missing.push_back(
          {name, nearest_class(snapshot, name), engine::relative_of(inventory, name)});
    }
  }
  return facts;
}

const api::DeviceClass* ClassFacts::find(std::string_view name) const {
  for (const api::DeviceClass* one : named) {
    if (one->meta.name == name) return one;
  }
  return nullptr;
}

const MissingClass* ClassFacts::find_missing(std::string_view name) const {
  for (const MissingClass& one : missing) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

}  // namespace dra::answers
