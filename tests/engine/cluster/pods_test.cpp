// tests/engine/cluster/pods_test.cpp

#include "dra/engine/cluster/pods.h"

#include <doctest/doctest.h>

#include <string_view>

#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::pods_test {
namespace {

using support::scene;

struct UseCase {
  const char* name;
  const char* claims;
  const char* status;
  bool want;
};

const UseCase kUses[] = {
    {"by name", "{name: a1, resourceClaimName: x}", "", true},
    {"by template, even before it is made", "{name: a1, resourceClaimTemplateName: x}", "", true},
    {"for its extended resources", "", "extendedResourceClaimStatus: {resourceClaimName: x}", true},
    {"not at all", "", "phase: Running", false},
};

TEST_CASE("which pods use claims") {
  for (const UseCase& row : kUses) {
    CAPTURE(row.name);
    const auto snapshot = scene().pod("p", row.claims, "", row.status).build();
    CHECK(uses_claims(snapshot.all<api::Pod>().front()) == row.want);
  }
}

TEST_CASE("pods wait for devices by their extended resources, too") {
  const auto waiting = [](std::string_view resource) {
    const auto snapshot =
        scene()
            .pod("p", "",
                 base::format("containers: [{{name: c, resources: {{limits: {{{}: 1}}}}}}]",
                              resource))
            .build();
    return waiting_pods(snapshot).size();
  };
  CHECK(waiting("deviceclass.resource.kubernetes.io/gpu") == 1);
  CHECK(waiting("example.com/of-no-class") == 0);
}

}  // namespace
}  // namespace dra::engine::pods_test
