// tests/report/lists/list_pods_test.cpp

#include "dra/report/lists/list_pods.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/api/pod.h"
#include "tests/support/builders.h"
#include "tests/support/document_text.h"

namespace dra::report::list_pods_test {
namespace {

using support::allocated;
using support::exactly;
using support::Scene;
using support::scene;

struct Case {
  const char* name;
  Scene scene;       // with the pod p
  const char* want;  // NAME | STATUS | CLAIMS | DEVICES | NODE | AGE
};

TEST_CASE("rows") {
  const char* two = "{name: a1, resourceClaimName: a1}, {name: b1, resourceClaimName: b1}";
  const Scene claims = scene()
                           .claim("a1", exactly("gpu", 1), allocated("{device: gpu-0, pool: p}"))
                           .claim("b1", exactly("gpu", 1));
  const Case rows[] = {
      {"one of two claims has its device",
       Scene(claims).pod("p", two, "nodeName: n1", "phase: Pending"),
       "p | Pending | 1/2 | gpu-0 | n1 | <unknown>\n"},
      {"a claim that does not exist counts", scene().pod("p", two, "", "phase: Pending"),
       "p | Pending | 0/2 | <none> | <none> | <unknown>\n"},
      {"a template's claim that is not needed does not",
       scene().pod("p", "{name: a1, resourceClaimTemplateName: t}", "",
                   "phase: Running, resourceClaimStatuses: [{name: a1}]"),
       "p | Running | 0/0 | <none> | <none> | <unknown>\n"},
      {"how many have devices is not known without claims",
       Scene(claims).pod("p", two, "", "phase: Running").cannot_read(api::Kind::Claim),
       "p | Running | <unknown> | <unknown> | <none> | <unknown>\n"},
      {"the reason comes before the phase",
       scene().pod("p", "", "", "phase: Failed, reason: Evicted"),
       "p | Evicted | 0/0 | <none> | <none> | <unknown>\n"},
      {"gates are told",
       scene().pod("p", "", "",
                   "phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: "
                   "SchedulingGated}]"),
       "p | SchedulingGated | 0/0 | <none> | <none> | <unknown>\n"},
      {"a pod that is going away",
       scene().yaml("{apiVersion: v1, kind: Pod, metadata: {name: p, deletionTimestamp: "
                    "'2026-11-20T08:00:00Z'}, status: {phase: Running}}"),
       "p | Terminating | 0/0 | <none> | <none> | <unknown>\n"},
      {"a pod that nothing is known of", scene().pod("p", ""),
       "p | <unknown> | 0/0 | <none> | <none> | <unknown>\n"},
  };
  for (const Case& row : rows) {
    CAPTURE(row.name);
    const auto snapshot = row.scene.build();
    const PodRow pod = pod_row(snapshot, snapshot.all<api::Pod>().front());
    CHECK(support::rows_of(pods_view({pod}, {})) == row.want);
  }
}

}  // namespace
}  // namespace dra::report::list_pods_test
