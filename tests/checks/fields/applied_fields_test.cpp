// tests/checks/fields/applied_fields_test.cpp

#include "dra/checks/fields/applied_fields.h"

#include <doctest/doctest.h>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::checks::applied_fields_test {
namespace {

using support::Scene;
using support::scene;

// "spec.devices.requests[].exactly.capacity" of a claim that has `has` and was applied with `said`.
std::string lost(std::string_view said, std::string_view has, bool gate = false,
                 std::string_view version = "v1") {
  const snapshot::Snapshot snapshot =
      scene()
          .gate("DRAConsumableCapacity", gate)
          .yaml(base::format(
              "{{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {{name: c, "
              "namespace: default, annotations: {{kubectl.kubernetes.io/"
              "last-applied-configuration: '{{\"apiVersion\":\"resource.k8s.io/{}\",\"kind\":"
              "\"ResourceClaim\",\"spec\":{{\"devices\":{{\"requests\":[{{\"name\":\"gpu\",{}}}]}}"
              "}}}}'}}}}, spec: {{devices: {{requests: [{{name: gpu, exactly: {{deviceClassName: "
              "gpu{}}}}}]}}}}}}",
              version, said, has))
          .build();
  const auto fields = lost_fields(*snapshot.find<api::ResourceClaim>("default", "c"),
                                  engine::features_of(snapshot.server()));
  return fields.empty() ? std::string() : fields.front().field;
}

constexpr const char* kShare =
    R"("exactly":{"deviceClassName":"gpu","capacity":{"requests":{"memory":"1Gi"}}})";
constexpr const char* kCapacity = "spec.devices.requests[].exactly.capacity";

TEST_CASE("fields that were applied and are not there") {
  CHECK(lost(kShare, "") == kCapacity);
  CHECK(lost(R"("deviceClassName":"gpu","capacity":{"requests":{"memory":"1Gi"}})", "", false,
             "v1beta1") == kCapacity);
}

TEST_CASE("fields that are there, or that no gate has dropped") {
  CHECK(lost(kShare, ", capacity: {requests: {memory: 1Gi}}").empty());
  CHECK(lost(kShare, "", true).empty());
  CHECK(lost(R"("exactly":{"deviceClassName":"gpu"})", "").empty());
  CHECK(lost(R"("exactly":{"deviceClassName":"gpu","shape":"round"})", "").empty());
  CHECK(lost(R"("exactly":)", "").empty());
}

}  // namespace
}  // namespace dra::checks::applied_fields_test
