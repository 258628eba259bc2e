// tests/engine/scheduler/rules/evidence_test.cpp: the figures behind what rules reject.

#include "dra/diag/evidence.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "dra/base/text.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/scheduler/allocate.h"
#include "tests/support/builders.h"

namespace dra::engine::evidence_test {
namespace {

using support::exactly;
using support::request;
using support::Scene;
using support::scene;
using support::SliceWords;

// "SAME numa a:2 b:1 | 0: 1 1 | 1: 1 0".
std::string words(const diag::ConstraintEvidence& constraint) {
  std::string text = base::format("{} {}", constraint.matching ? "SAME" : "DISTINCT",
                                  constraint.attribute.substr(constraint.attribute.find('/') + 1));
  for (const auto& asked : constraint.requests) {
    text += base::format(" {}:{}", asked.request, asked.wanted);
    if (asked.without > 0) text += base::format("-{}", asked.without);
  }
  for (const auto& value : constraint.values) {
    text += base::format(" | {}:", value.value);
    for (const std::int64_t count : value.devices)
      text += base::format(" {}", count);
  }
  return text;
}

std::string words(const diag::LedgerEvidence& ledger) {
  std::string text = ledger.candidate.substr(ledger.candidate.rfind('/') + 1);
  for (const auto& counter : ledger.counters) {
    text += base::format(" | {}/{} takes {} of {}/{}{}", counter.set, counter.name, counter.takes,
                         counter.left, counter.total, counter.enough ? "" : " short");
    for (const auto& consumer : counter.consumers)
      text += base::format(" {}={}", consumer.claim, consumer.takes);
  }
  return text;
}

std::string words(const diag::CapacityEvidence& capacity) {
  return base::format("{} {} asked {} takes {} used {} left {} of {}",
                      capacity.device.substr(capacity.device.rfind('/') + 1), capacity.capacity,
                      capacity.asked.value_or("nothing"), capacity.takes, capacity.used,
                      capacity.left, capacity.total);
}

std::string words(const diag::Evidence& evidence) {
  std::vector<std::string> parts;
  for (const auto& constraint : evidence.constraints)
    parts.push_back(words(constraint));
  if (evidence.ledger) parts.push_back(words(*evidence.ledger));
  for (const auto& capacity : evidence.capacity)
    parts.push_back(words(capacity));
  return base::join(parts, "; ");
}

// Of what the allocator has against the claim `c` on the first node, a line for each reason.
std::string evidence_of(const Scene& scene, Depth depth = Depth::Evidence) {
  const auto snapshot = scene.build();
  const Subject subject = subject_of_claims(snapshot, "default", {"c"});
  const Inventory inventory(snapshot);
  const Demands demands(snapshot, inventory, subject);
  const Allocator allocator(snapshot, inventory, demands, subject, depth);
  const Nodes nodes = nodes_of(snapshot);
  SearchBudget budget;
  const auto pools = inventory.slices().seen_from(nodes.nodes.front());
  std::string text;
  for (const auto& reason : allocator.allocate(nodes.nodes.front(), pools.value(), budget).reasons)
    if (reason.evidence) text += words(*reason.evidence) + "\n";
  return text;
}

Scene devices(std::string list, std::string more = "") {
  return scene().node("n1").slice(
      SliceWords{.name = "s", .devices = std::move(list), .more = std::move(more)});
}

TEST_CASE("what devices have of what a constraint compares") {
  const Scene pairs =
      devices(
          "{name: a-0, attributes: {numa: {int: 2}}}, {name: a-1, attributes: {numa: {int: 10}}}, "
          "{name: a-2}")
          .constrained("c", request("a", "count: 2"), "{matchAttribute: gpu.example.com/numa}");
  CHECK(evidence_of(pairs) == "SAME numa a:2-1 | 2: 1 | 10: 1\nSAME numa a:2-1 | 2: 1 | 10: 1\n");
  CHECK(evidence_of(pairs, Depth::Reasons).empty());
  const Scene distinct =
      devices(
          "{name: a-0, attributes: {numa: {int: 2}}}, {name: a-1, attributes: {numa: {int: 2}}}")
          .constrained("c", request("a") + ", " + request("b"),
                       "{distinctAttribute: gpu.example.com/numa}");
  CHECK(evidence_of(distinct).starts_with("DISTINCT numa a:1 b:1 | 2: 2 2\n"));
}

TEST_CASE("what is left of counters, and who holds the rest") {
  const std::string sets =
      "sharedCounters: [{name: board, counters: {memory: {value: 40Gi}, slots: {value: '4'}}}]";
  const auto part = [](const char* name, const char* memory, const char* slots) {
    return base::format(
        "{{name: {}, consumesCounters: [{{counterSet: board, counters: "
        "{{memory: {{value: {}}}, slots: {{value: '{}'}}}}}}]}}",
        name, memory, slots);
  };
  Scene scene = support::scene().node("n1");
  scene.slice(SliceWords{.name = "sets", .count = 2, .more = sets});
  scene.slice(SliceWords{.name = "parts",
                         .count = 2,
                         .devices = part("whole", "40Gi", "4") + ", " + part("half", "20Gi", "2") +
                                    ", " + part("big", "30Gi", "2")});
  scene.claim("other", exactly("gpu", 1), support::allocated("{device: half, pool: pool}"));
  CHECK(evidence_of(scene.claim("c", exactly("gpu", 1))) ==
        "big | board/memory takes 30Gi of 20Gi/40Gi short default/other=20Gi"
        " | board/slots takes 2 of 2/4 default/other=2\n");
}

TEST_CASE("how an amount of capacity comes about") {
  const Scene scene =
      devices(
          "{name: gpu-0, allowMultipleAllocations: true, capacity: {memory: {value: 40Gi, "
          "requestPolicy: {default: 8Gi, validRange: {min: 8Gi, step: 8Gi}}}, cores: {value: "
          "'8'}}}")
          .claim("other", exactly("gpu", 1),
                 support::allocated("{device: gpu-0, pool: pool, shareID: "
                                    "11111111-1111-1111-1111-111111111111, "
                                    "consumedCapacity: {memory: 32Gi, cores: '2'}}"));
  CHECK(evidence_of(Scene(scene).claim(
            "c", request("r", "capacity: {requests: {memory: 9Gi, cores: '2'}}"))) ==
        "gpu-0 memory asked 9Gi takes 16Gi used 32Gi left 8Gi of 40Gi\n");
  CHECK(evidence_of(Scene(scene).claim("c", request("r", "capacity: {requests: {disk: 9Gi}}"))) ==
        "gpu-0 disk asked 9Gi takes  used  left  of \n");
}

}  // namespace
}  // namespace dra::engine::evidence_test
