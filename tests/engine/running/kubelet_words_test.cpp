// tests/engine/running/kubelet_words_test.cpp: what the kubelet's events say, as releases word
// them.

#include "dra/engine/running/kubelet_words.h"

#include <doctest/doctest.h>

namespace dra::engine::kubelet_words_test {
namespace {

struct Row {
  const char* name;
  const char* message;
  KubeletTrouble trouble;
  const char* claim;
  const char* driver;
  const char* text;
};

TEST_CASE("the kubelet's words are taken apart") {
  const Row rows[] = {
      {"a driver that is not registered",
       "Failed to prepare dynamic resources: prepare dynamic resources: DRA driver a.example.com "
       "is "
       "not registered",
       KubeletTrouble::NotRegistered, "", "a.example.com",
       "DRA driver a.example.com is not registered"},
      {"the same in 1.32",
       "Failed to prepare dynamic resources: prepare dynamic resources: plugin name a.example.com "
       "not found in the list of registered DRA plugins",
       KubeletTrouble::NotRegistered, "", "a.example.com",
       "plugin name a.example.com not found in the list of registered DRA plugins"},
      {"a pod that may not use the claim",
       "Failed to prepare dynamic resources: prepare dynamic resources: pod p (u1) is not allowed "
       "to use ResourceClaim c (u2)",
       KubeletTrouble::NotReserved, "c", "",
       "pod p (u1) is not allowed to use ResourceClaim c (u2)"},
      {"a driver that refuses",
       "Failed to prepare dynamic resources: prepare dynamic resources: NodePrepareResources "
       "failed "
       "for ResourceClaim c: too hot",
       KubeletTrouble::Refused, "c", "", "too hot"},
      {"the same with its namespace",
       "Failed to prepare dynamic resources: NodePrepareResources failed for claim ns/c: too hot",
       KubeletTrouble::Refused, "c", "", "too hot"},
      {"a driver that repeats itself",
       "Failed to prepare dynamic resources: prepare dynamic resources: NodePrepareResources "
       "failed "
       "for claim c: error preparing devices for claimID u, claimName c: prepare failed for claim "
       "u: invalid claim, too few",
       KubeletTrouble::Refused, "c", "", "invalid claim, too few"},
      {"a driver whose words hold the claim's short name",
       "Failed to prepare dynamic resources: prepare dynamic resources: NodePrepareResources "
       "failed "
       "for ResourceClaim c: config is odd: unknown field",
       KubeletTrouble::Refused, "c", "", "config is odd: unknown field"},
      {"a driver that does not answer",
       "Failed to prepare dynamic resources: prepare dynamic resources: NodePrepareResources: rpc "
       "error: code = Unavailable desc = no connection",
       KubeletTrouble::Unreachable, "", "", "rpc error: code = Unavailable desc = no connection"},
      {"a driver that answers with an error for the whole call",
       "Failed to prepare dynamic resources: prepare dynamic resources: NodePrepareResources: rpc "
       "error: code = Internal desc = open /dev/x: no such file",
       KubeletTrouble::Refused, "", "", "open /dev/x: no such file"},
      {"a driver that leaves a claim out",
       "Failed to prepare dynamic resources: prepare dynamic resources: NodePrepareResources "
       "skipped 1 ResourceClaims",
       KubeletTrouble::NoAnswer, "", "", "NodePrepareResources skipped 1 ResourceClaims"},
      {"a driver that answers for another claim",
       "Failed to prepare dynamic resources: prepare dynamic resources: NodePrepareResources "
       "returned result for unknown claim UID u2",
       KubeletTrouble::OtherAnswer, "", "",
       "NodePrepareResources returned result for unknown claim UID u2"},
      {"a claim of another pod",
       "Failed to prepare dynamic resources: prepare dynamic resources: ResourceClaim ns/c was not "
       "created for Pod ns/p (Pod is not owner)",
       KubeletTrouble::NotOwned, "c", "",
       "ResourceClaim ns/c was not created for Pod ns/p (Pod is not owner)"},
      {"a claim that is not created yet",
       "Failed to prepare dynamic resources: prepare dynamic resources: pod \"ns/p\": "
       "ResourceClaim "
       "not created yet",
       KubeletTrouble::NotCreated, "", "", "pod \"ns/p\": ResourceClaim not created yet"},
      {"a claim of before",
       "Failed to prepare dynamic resources: prepare dynamic resources: old ResourceClaim with "
       "same "
       "name c and different UID u still exists (previous pod force-deleted?!)",
       KubeletTrouble::OldClaim, "c", "",
       "old ResourceClaim with same name c and different UID u still exists (previous pod "
       "force-deleted?!)"},
      {"a claim that is taken back",
       "Failed to prepare dynamic resources: prepare dynamic resources: ResourceClaim c is being "
       "unprepared",
       KubeletTrouble::BeingReleased, "c", "", "ResourceClaim c is being unprepared"},
      {"a claim that is gone",
       "Failed to prepare dynamic resources: prepare dynamic resources: fetch ResourceClaim c: "
       "resourceclaims.resource.k8s.io \"c\" not found",
       KubeletTrouble::CannotFetch, "c", "",
       "fetch ResourceClaim c: resourceclaims.resource.k8s.io \"c\" not found"},
      {"a kubelet that cannot",
       "Failed to prepare dynamic resources: prepare dynamic resources: ResourceClaim c: "
       "DRAOptionalNodeOperations feature gate is disabled on kubelet",
       KubeletTrouble::FeatureOff, "c", "",
       "ResourceClaim c: DRAOptionalNodeOperations feature gate is disabled on kubelet"},
      {"a call, in words without its name",
       "Failed to prepare dynamic resources: dial unix /var/lib/kubelet/plugins/d/dra.sock: "
       "connect: connection refused",
       KubeletTrouble::Unreachable, "", "",
       "dial unix /var/lib/kubelet/plugins/d/dra.sock: connect: connection refused"},
      {"a driver's words, likewise",
       "Failed to prepare dynamic resources: rpc error: code = Internal desc = no card",
       KubeletTrouble::Refused, "", "", "no card"},
      {"an error of the kubelet",
       "Failed to prepare dynamic resources: prepare dynamic resources: internal error: unable to "
       "get claim info for ResourceClaim c in namespace ml",
       KubeletTrouble::Other, "c", "",
       "internal error: unable to get claim info for ResourceClaim c in namespace ml"},
      {"anything else", "it did not work", KubeletTrouble::Other, "", "", "it did not work"},
      {"nothing", "", KubeletTrouble::Other, "", "", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const KubeletWord word = kubelet_word(row.message);
    CHECK(word.trouble == row.trouble);
    CHECK(word.claim == row.claim);
    CHECK(word.driver == row.driver);
    CHECK(word.text == row.text);
  }
}

}  // namespace
}  // namespace dra::engine::kubelet_words_test
