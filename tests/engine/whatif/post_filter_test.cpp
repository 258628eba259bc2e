// tests/engine/whatif/post_filter_test.cpp: claims that would have to be moved first.

#include "dra/engine/whatif/post_filter.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/builders.h"
#include "tests/support/node_result.h"

namespace dra::engine::post_filter_test {
namespace {

using support::allocated;
using support::exactly;
using support::on_node;
using support::Scene;
using support::scene;

// A pod whose claims are allocated for a node that is not there; one device is free on n1.
Scene elsewhere(std::string_view device, std::string_view pod_claims = "") {
  const std::string there = allocated("{device: x, pool: far}", on_node("n2"));
  return scene()
      .node("n1")
      .slice({.name = "s", .pool = "n1", .where = "nodeName: n1", .devices = std::string(device)})
      .claim("c", exactly("gpu", 1), there)
      .claim("d", exactly("gpu", 1), there)
      .pod("p", base::format("{{name: gpu, resourceClaimName: c}}{}", pod_claims));
}

// "n1:out CountShort DeviceTainted"
std::string after_taking_back(const Scene& scene) {
  const auto snapshot = scene.build();
  const Subject subject = subject_of_pod(snapshot, *snapshot.find<api::Pod>("default", "p"));
  std::vector<NodeResult> nodes = {support::evaluate(snapshot, subject)};
  apply_post_filter(snapshot, {.namespace_ = "default", .pod = "p", .claims = {}}, Depth::Reasons,
                    nodes);
  return support::to_line(nodes.front());
}

TEST_CASE("a node to which claims may be moved") {
  CHECK(after_taking_back(elsewhere("{name: a}")) == "open: ClaimElsewhere");
  CHECK(after_taking_back(elsewhere("{name: a, taints: [{key: k, effect: NoSchedule}]}")) ==
        "out: ClaimElsewhere DeviceTainted CountShort");
  CHECK(after_taking_back(elsewhere("{name: a}", ", {name: more, resourceClaimName: d}")) ==
        "out: ClaimElsewhere DeviceInUseHere");
}

}  // namespace
}  // namespace dra::engine::post_filter_test
