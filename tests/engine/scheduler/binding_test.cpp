// tests/engine/scheduler/binding_test.cpp: a pod that every filter lets through may not be bound
// all the same; held against the scheduler by TestAllocationTimestamps and TestExtendedResources in
// tests/cluster/agree.

#include "dra/engine/scheduler/binding.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::binding_test {
namespace {

using support::exactly;
using support::scene;

struct Case {
  const char* name;
  const char* allocation;  // fields of status.allocation
  const char* status;      // further fields of the status
  const char* version;
  const char* gate;  // that is off
  const char* want;  // the code
};

std::string failure_of(const Case& row) {
  support::Scene built = scene();
  built.node("n1").slice("n1", {"gpu-0"}).server(row.version);
  if (*row.gate != '\0') built.gate(row.gate, false);
  const auto snapshot =
      built
          .claim("c", exactly("gpu", 1),
                 base::format("allocation: {{devices: {{results: [{{request: gpu, driver: "
                              "gpu.example.com, pool: n1, device: gpu-0}}]}}{}}}{}",
                              row.allocation, row.status))
          .pod("p", "{name: gpu, resourceClaimName: c}")
          .build();
  const Subject subject = subject_of_pod(snapshot, *snapshot.find<api::Pod>("default", "p"));
  const auto failure = binding_failure(subject, features_of(snapshot.server()));
  return failure ? std::string(diag::name_of(failure->code)) : "";
}

TEST_CASE("a claim that was allocated without a time") {
  constexpr const char* time = ", allocationTimestamp: \"2026-11-20T09:00:00Z\"";
  constexpr const char* reserved = ", reservedFor: [{resource: pods, name: p, uid: p}]";
  constexpr const char* other = ", reservedFor: [{resource: pods, name: q, uid: q}]";
  const Case rows[] = {
      {"it cannot be reserved", "", "", "v1.37.1", "", "BindingFailed"},
      {"nor by one pod more", "", other, "v1.37.1", "", "BindingFailed"},
      {"the pod has reserved it already", "", reserved, "v1.37.1", "", ""},
      {"it has its time", time, "", "v1.37.1", "", ""},
      {"the scheduler does not write times", "", "", "v1.37.1", "DRADeviceBindingConditions", ""},
      {"nor without the status of devices", "", "", "v1.36.0", "DRAResourceClaimDeviceStatus", ""},
      {"1.36 does by default", "", "", "v1.36.0", "", "BindingFailed"},
      {"1.35 does not", "", "", "v1.35.0", "", ""},
  };
  for (const Case& row : rows) {
    CAPTURE(row.name);
    CHECK(failure_of(row) == row.want);
  }
}

}  // namespace
}  // namespace dra::engine::binding_test
