// tests/api/field_names_test.cpp: the lists of fields are consistent in themselves.

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "dra/api/decode.h"
#include "dra/api/kinds.h"

namespace dra::api::field_names_test {
namespace {

TEST_CASE("every field is there once, with a number, and below a known kind") {
  std::set<std::string> paths;
  std::set<std::string> roots;
  for (const FieldName& field : all_fields()) {
    CAPTURE(field.path);
    CHECK(paths.insert(field.path).second);
    CHECK(field.number > 0);
    roots.insert(field.path.substr(0, field.path.find('.')));
  }
  std::set<std::string> kinds;
  for (const KindInfo& kind : all_kinds()) {
    // One type for all of them; and add-ons have no upstream to compare with.
    if (!kind.is_workload() && !kind.is_custom()) kinds.emplace(kind.name);
  }
  CHECK(roots == kinds);
}

const char* const kSome[] = {
    "ResourceClaim.metadata.name",
    "ResourceClaim.spec.devices.requests.exactly.selectors.cel.expression",
    "ResourceClaim.spec.devices.config.opaque.parameters",
    "ResourceClaim.status.allocation.devices.results.consumedCapacity",
    "ResourceClaimTemplate.spec.spec.devices.requests.firstAvailable.count",
    "ResourceSlice.spec.devices.attributes.version",
    "ResourceSlice.spec.devices.consumesCounters.counters.value",
    "ResourceSlice.spec.sharedCounters.name",
    "DeviceTaintRule.spec.deviceSelector.pool",
    "Pod.status.resourceClaimStatuses.resourceClaimName",
    "Node.spec.taints.effect",
    "ConfigMap.data",
};

TEST_CASE("fields are told by their whole path") {
  std::set<std::string> paths;
  for (const FieldName& field : all_fields())
    paths.insert(field.path);
  for (const char* path : kSome) {
    CAPTURE(std::string(path));
    CHECK(paths.contains(path));
  }
}

}  // namespace
}  // namespace dra::api::field_names_test
