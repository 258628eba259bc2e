// src/answers/explain/device_noun.cpp: asks the drivers that the classes name.

#include "src/answers/explain/device_noun.h"

#include "dra/api/device_class.h"
#include "dra/engine/facts/driver_knowledge.h"
#include "dra/engine/selectors/driver_summary.h"

namespace dra::answers {
namespace {

constexpr std::string_view kDevice = "device";

std::string_view driver_noun(std::string_view driver) {
  const engine::DriverKnowledge* known = engine::knowledge_of(driver);
  return known == nullptr || known->noun.empty() ? kDevice : known->noun;
}

// The common one of two; an empty one is any.
std::string_view common(std::string_view a, std::string_view b) {
  if (a.empty() || a == b) return b;
  return kDevice;
}

}  // namespace

std::string_view device_noun(const snapshot::Snapshot& snapshot, std::string_view device_class) {
  const auto* found = snapshot.find<api::DeviceClass>(device_class);
  if (found == nullptr) return kDevice;
  std::string_view noun;
  for (const std::string_view driver : engine::drivers_named_by(*found))
    noun = common(noun, driver_noun(driver));
  return noun.empty() ? kDevice : noun;
}

std::string_view device_noun(const snapshot::Snapshot& snapshot, const engine::Subject& subject) {
  std::string_view noun;
  engine::for_each_unmet(
      subject, [&](const engine::SubjectClaim&, const api::DeviceRequest& request) {
        for (const api::NamedDemand& demand : api::demands_of(request))
          noun = common(noun, device_noun(snapshot, demand.demand->device_class));
      });
  return noun.empty() ? kDevice : noun;
}

}  // namespace dra::answers
