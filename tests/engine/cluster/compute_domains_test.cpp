// tests/engine/cluster/compute_domains_test.cpp

#include "dra/engine/cluster/compute_domains.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::compute_domains_test {
namespace {

using support::Scene;

struct Case {
  const char* name;
  int nodes;                              // spec.numNodes
  const char* status;                     // of nodes, in the flow style
  std::vector<const char*> pods;          // the node of each; "": none yet
  const char* want;                       // "": it is whole
  const char* template_name = "channel";  // that is asked for
};

std::string said(const Case& row) {
  Scene scene;
  scene.yaml(base::format(R"(apiVersion: resource.nvidia.com/v1beta1
kind: ComputeDomain
metadata: {{name: d, namespace: default}}
spec: {{numNodes: {}, channel: {{resourceClaimTemplate: {{name: channel}}}}}}
status: {{nodes: [{}]}}
)",
                          row.nodes, row.status));
  int number = 0;
  for (const std::string node : row.pods)
    scene.yaml(base::format(R"(apiVersion: v1
kind: Pod
metadata: {{name: p{}, namespace: default}}
spec: {{containers: [], resourceClaims: [{{name: c, resourceClaimTemplateName: channel}}]{}}}
)",
                            number++, node.empty() ? "" : ", nodeName: " + node));
  const snapshot::Snapshot snapshot = scene.build();
  const auto found = incomplete_domain(snapshot, "default", row.template_name);
  return found ? words_of(*found) : std::string();
}

const Case kCases[] = {
    {"as many as it is for",
     2,
     "{name: a, status: Ready}, {name: b, status: Ready}",
     {"a", "b"},
     ""},
    {"one is not ready",
     2,
     "{name: a, status: Ready}, {name: b, status: NotReady}",
     {"a", "b"},
     "ComputeDomain default/d has 1 of 2 nodes ready: node b is not ready"},
    {"one has not joined",
     3,
     "{name: a, status: Ready}, {name: b, status: Ready}",
     {"a", "b", "c"},
     "ComputeDomain default/d has 2 of 3 nodes ready: node c has not joined"},
    {"pods have no node",
     3,
     "{name: a, status: Ready}",
     {"a", "", ""},
     "ComputeDomain default/d has 1 of 3 nodes ready: pods default/p1, default/p2 have no node "
     "yet"},
    {"no pod would bring them",
     3,
     "{name: a, status: Ready}",
     {"a"},
     "ComputeDomain default/d has 1 of 3 nodes ready: no pod is there that would bring the "
     "others"},
    {"a release that has no status of nodes", 1, "{name: a}", {"a"}, ""},
    {"each waits for its own node",
     0,
     "{name: a, status: Ready}, {name: b, status: NotReady}",
     {"a", "b"},
     "ComputeDomain default/d has 1 node ready: node b is not ready"},
    {"and all are ready", 0, "{name: a, status: Ready}", {"a", ""}, ""},
    {"another template", 2, "", {}, "", "other"},
};

TEST_CASE("nodes that a ComputeDomain waits for") {
  for (const Case& row : kCases) {
    CAPTURE(std::string(row.name));
    CHECK(said(row) == row.want);
  }
}

}  // namespace
}  // namespace dra::engine::compute_domains_test
