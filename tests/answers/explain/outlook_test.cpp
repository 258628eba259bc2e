// tests/answers/explain/outlook_test.cpp: whether a subject that does not fit ever
// could.

#include <doctest/doctest.h>

#include <string>

#include "dra/answers/explain/explanation.h"
#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::answers::outlook_test {
namespace {

using support::exactly;
using support::Scene;
using support::scene;

std::string outlook_of(const Explanation& explanation) {
  if (!explanation.outlook) return "-";
  return base::format("{} {}", name_of(explanation.outlook->when), explanation.outlook->nodes);
}

struct Case {
  const char* name;
  Scene scene;  // with a pod `p`, or else a claim `c`
  const char* want;
};

Scene two_nodes() {
  return scene().node("n1").node("n2").slice("n1", {"gpu-0"}).slice("n2", {"gpu-0", "gpu-1"});
}

TEST_CASE("never, not now, or not here") {
  const std::string tainted = "spec: {taints: [{key: keep, value: out, effect: NoSchedule}]}";
  const Scene behind_a_taint =
      scene()
          .yaml("apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n" + tainted + "\n")
          .node("n2")
          .slice("n1", {"gpu-0"});
  const Case rows[] = {
      {"it fits", two_nodes().claim("c", exactly("gpu", 1)), "-"},
      {"somebody has the device", two_nodes().held("n2", "gpu-1").claim("c", exactly("gpu", 2)),
       "notNow 1"},
      {"somebody has every device",
       two_nodes()
           .held("n1", "gpu-0")
           .held("n2", "gpu-0")
           .held("n2", "gpu-1")
           .claim("c", exactly("gpu", 1)),
       "notNow 2"},
      {"no node has as many", two_nodes().held("n2", "gpu-1").claim("c", exactly("gpu", 3)),
       "never 0"},
      {"nobody has any, and there are too few", two_nodes().claim("c", exactly("gpu", 3)),
       "never 0"},
      {"a taint stays, whoever has the device",
       two_nodes()
           .taint_rule("broken",
                       "deviceSelector: {driver: gpu.example.com, pool: n2, device: gpu-0}",
                       "key: broken, effect: NoSchedule")
           .held("n2", "gpu-1")
           .claim("c", exactly("gpu", 2)),
       "never 0"},
      {"a node that the pod may not go to",
       Scene(behind_a_taint)
           .claim("c", exactly("gpu", 1))
           .pod("p", "{name: one, resourceClaimName: c}"),
       "notHere 1"},
      {"the same, and somebody has the device",
       Scene(behind_a_taint)
           .held("n1", "gpu-0")
           .claim("c", exactly("gpu", 1))
           .pod("p", "{name: one, resourceClaimName: c}"),
       "notHere 1"},
      {"the holders of devices cannot be read",
       two_nodes()
           .held("n2", "gpu-1")
           .claim("c", exactly("gpu", 3))
           .cannot_read(api::Kind::TaintRule),
       "never 0"},
  };
  for (const Case& row : rows) {
    CAPTURE(row.name);
    const auto snapshot = row.scene.build();
    const api::Pod* pod = snapshot.find<api::Pod>("default", "p");
    const Explanation explanation =
        pod != nullptr ? explain_pod(snapshot, *pod) : explain_claims(snapshot, "default", {"c"});
    CHECK(outlook_of(explanation) == row.want);
  }
}

TEST_CASE("the subject's own allocation counts in an empty cluster, too") {
  const auto snapshot =
      two_nodes()
          .claim("mine", exactly("gpu", 1),
                 support::allocated("{device: gpu-0, pool: n2}", support::on_node("n2")))
          .held("n2", "gpu-1")
          .claim("c", exactly("gpu", 2))
          .pod("p", "{name: one, resourceClaimName: mine}, {name: two, resourceClaimName: c}")
          .build();
  const auto explanation = explain_pod(snapshot, *snapshot.find<api::Pod>("default", "p"));
  CHECK(outlook_of(explanation) == "never 0");
}

TEST_CASE("only where everything is asked for") {
  const auto snapshot = two_nodes()
                            .held("n2", "gpu-1")
                            .claim("c", exactly("gpu", 2))
                            .pod("p", "{name: one, resourceClaimName: c}")
                            .build();
  const engine::Inventory inventory(snapshot);
  const engine::NodeLoads loads(snapshot);
  CHECK_FALSE(
      explain_pod(snapshot, inventory, loads, *snapshot.find<api::Pod>("default", "p")).outlook);
}

}  // namespace
}  // namespace dra::answers::outlook_test
