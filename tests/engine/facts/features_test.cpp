// tests/engine/facts/features_test.cpp

#include "dra/engine/facts/features.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "dra/base/text.h"

namespace dra::engine::features_test {
namespace {

constexpr const char* k33 = "DRAResourceClaimDeviceStatus";
constexpr const char* k34 =
    "DRAAdminAccess DRAPrioritizedList DRAResourceClaimDeviceStatus DRASchedulerFilterTimeout "
    "DynamicResourceAllocation";
constexpr const char* k36 =
    "DRAAdminAccess DRAConsumableCapacity DRADeviceBindingConditions DRADeviceTaints "
    "DRAExtendedResource DRAPartitionableDevices DRAPrioritizedList DRAResourceClaimDeviceStatus "
    "DRASchedulerFilterTimeout DynamicResourceAllocation";
constexpr const char* k37 =
    "DRAAdminAccess DRAConsumableCapacity DRADeviceBindingConditions DRADeviceTaintRules "
    "DRADeviceTaints DRAExtendedResource DRAPartitionableDevices DRAPrioritizedList "
    "DRAResourceClaimDeviceStatus DRASchedulerFilterTimeout DynamicResourceAllocation";

struct Case {
  const char* name;
  const char* version;
  const char* want;  // the gates that are on
};

const Case kCases[] = {
    {"1.32 has nothing on", "v1.32.9", ""},
    {"1.33 has the status of devices", "v1.33.0", k33},
    {"1.34 has DRA itself", "v1.34.2", k34},
    {"1.35 adds nothing", "v1.35.1", k34},
    {"1.36 turns the beta features on", "v1.36.0", k36},
    {"1.37 has taint rules", "v1.37.1", k37},
    {"a vendor's suffix says nothing", "v1.36.2-gke.1000000", k36},
    {"a minor release may have a plus", "v1.36+", k36},
    {"the v may be missing", "1.34.0", k34},
    {"an older server is taken for the oldest known", "v1.20.1", ""},
    {"a newer server is taken for the newest known", "v1.99.0", k37},
    {"another major release is taken for the newest known", "v2.1.0", k37},
    {"what is no version is taken for the newest known", "devel", k37},
    {"nothing is taken for the newest known", "", k37},
};

TEST_CASE("the gates of a release") {
  for (const Case& row : kCases) {
    CAPTURE(row.name);
    std::vector<std::string> names;
    for (const std::string_view gate : features_of({row.version, false}).names())
      names.emplace_back(gate);
    CHECK(base::join(names, " ") == row.want);
  }
}

TEST_CASE("gates can be turned") {
  Features features = features_of({"v1.36.0", false});
  CHECK_FALSE(features.on(Gate::DRADeviceTaintRules));
  features.set(Gate::DRADeviceTaintRules, true);
  CHECK(features.on(Gate::DRADeviceTaintRules));
  CHECK(std::ranges::is_sorted(features.names()));
}

}  // namespace
}  // namespace dra::engine::features_test
