// tests/engine/scheduler/verdict_test.cpp: what the scheduler decides over all nodes.

#include "dra/engine/scheduler/verdict.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::verdict_test {
namespace {

NodeOutcome outcome_of(char letter) {
  switch (letter) {
    case 'f':
    case 'r':
      return NodeOutcome::Fits;
    case 'd':
      return NodeOutcome::NeedsDeallocation;
    case 'e':
      return NodeOutcome::AllocatedElsewhere;
    case 'n':
      return NodeOutcome::DoesNotFit;
    case 'a':
      return NodeOutcome::Aborts;
    default:
      return NodeOutcome::Unknown;
  }
}

// A node for each letter: "f" it fits, "r" another filter rejects it though it fits, "d" it needs a
// deallocation, "e" a claim stays elsewhere, "n" it does not fit, "a" the scheduler gives up there,
// "?" that is not known.
std::vector<NodeResult> nodes_of(const std::string& letters) {
  std::vector<NodeResult> nodes;
  for (const char letter : letters) {
    NodeResult& node = nodes.emplace_back();
    node.outcome = outcome_of(letter);
    if (letter == 'r') node.other_reasons.push_back({.code = diag::Code::NodeTainted});
  }
  return nodes;
}

struct Case {
  const char* name;
  std::string nodes;
  Verdict want;
  bool all_simulated = true;
};

TEST_CASE("over the nodes") {
  const Case rows[] = {
      {"there is no node", "", Verdict::Undetermined},
      {"one fits", "nfn", Verdict::Fits},
      {"one fits, and a filter is not simulated", "nf", Verdict::Undetermined, false},
      {"none fits", "nn", Verdict::DoesNotFit},
      {"none fits, whatever else rejects them", "nn", Verdict::DoesNotFit, false},
      {"the one that fits is rejected", "nr", Verdict::DoesNotFit},
      {"of one it is not known", "n?", Verdict::Undetermined},
      {"one may fit after a deallocation", "nd", Verdict::Undetermined},
      {"a claim stays elsewhere", "ne", Verdict::DoesNotFit},
      {"the scheduler gives up before it has all", "fa", Verdict::DoesNotFit},
      {"it may not come to that", "fa", Verdict::Undetermined, false},
      {"enough of many fit before it comes to that", std::string(150, 'f') + "a",
       Verdict::Undetermined},
      {"not enough of many fit", std::string(30, 'f') + std::string(100, 'n') + "a",
       Verdict::DoesNotFit},
  };
  for (const Case& row : rows) {
    CAPTURE(row.name);
    CHECK(name_of(judge_nodes(nodes_of(row.nodes), row.all_simulated)) == name_of(row.want));
  }
}

TEST_CASE("so many that fit are enough") {
  CHECK(nodes_to_find(3) == 4);
  CHECK(nodes_to_find(99) == 100);
  CHECK(nodes_to_find(100) == 100);
  CHECK(nodes_to_find(1000) == 420);
  CHECK(nodes_to_find(6000) == 300);
}

std::string line_of(const Decision& decision) {
  std::string line(name_of(decision.verdict));
  for (const diag::Reason& reason : decision.blockers)
    line += " " + std::string(diag::name_of(reason.code));
  return line;
}

Decision judge_pod(const snapshot::Snapshot& snapshot) {
  const Subject subject = subject_of_pod(snapshot, *snapshot.find<api::Pod>("default", "p"));
  const auto nodes = nodes_of("f");
  return judge(snapshot.coverage(), subject, nodes, true);
}

TEST_CASE("before the nodes") {
  const std::string claim = "{name: gpu, resourceClaimName: c}";
  const auto with_claim = [&] {
    return support::scene().node("n1").slice("n1", {"a"}).claim("c", support::exactly("gpu", 1));
  };
  CHECK(line_of(judge_pod(with_claim().pod("p", claim).build())) == "Fits");
  CHECK(line_of(judge_pod(support::scene().node("n1").pod("p", claim).build())) ==
        "Blocked ClaimMissing");
  CHECK(
      line_of(judge_pod(with_claim().pod("p", claim).cannot_read(api::Kind::TaintRule).build())) ==
      "Fits NotVisible");
  CHECK(line_of(judge_pod(with_claim().pod("p", claim).cannot_read(api::Kind::Node).build())) ==
        "Undetermined NotVisible");
}

TEST_CASE("what would block a start is no matter once the pod has a node") {
  const auto snapshot =
      support::scene()
          .yaml(
              "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: default}, spec: "
              "{nodeName: n1, containers: [{name: c}], resourceClaims: [{name: gpu, "
              "resourceClaimName: gone}]}}")
          .build();
  CHECK(line_of(judge_pod(snapshot)) == "Scheduled");
}

std::string of_scheduler_other(std::string_view claims) {
  const auto snapshot =
      support::scene()
          .yaml(base::format(
              "{{apiVersion: v1, kind: Pod, metadata: {{name: p, namespace: default}}, spec: "
              "{{schedulerName: other, containers: [{{name: c}}], resourceClaims: [{}]}}}}",
              claims))
          .build();
  return line_of(judge_pod(snapshot));
}

TEST_CASE("another scheduler decides as it likes, but not without the claim") {
  CHECK(of_scheduler_other("") == "Undetermined OtherScheduler");
  CHECK(of_scheduler_other("{name: gpu, resourceClaimName: gone}") == "Blocked ClaimMissing");
}

}  // namespace
}  // namespace dra::engine::verdict_test
