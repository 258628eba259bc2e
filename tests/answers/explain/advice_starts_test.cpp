// tests/answers/explain/advice_starts_test.cpp: generated clusters of TPU hosts, some broken. What
// an explanation advises or foresees is made so, and the subject must then fit and start.

#include <doctest/doctest.h>

#include <array>
#include <map>
#include <string>
#include <vector>

#include "dra/answers/explain/explanation.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/tpu_hosts.h"
#include "dra/engine/cluster/workload_pods.h"
#include "tests/support/builders.h"
#include "tests/support/changes.h"
#include "tests/support/seed.h"

namespace dra::answers::advice_starts_test {
namespace {

using engine::Verdict;
using support::pick;
using support::Scene;

struct Kind {
  const char* topology;
  int hosts;  // of one slice
  int chips;  // of one host
};
constexpr std::array kKinds = {Kind{"2x2", 1, 4}, Kind{"2x4", 1, 8}, Kind{"2x2x2", 2, 4},
                               Kind{"2x2x3", 3, 4}};

// A cluster with slices of TPU hosts, jobs that hold some, and the pod `p`, which waits.
class Cluster {
 public:
  explicit Cluster(std::mt19937_64& random) : random_(random) {
    scene_.device_class("tpu", "device.driver == 'tpu.google.com'");
    const std::uint64_t pools = 1 + pick(random_, 2);
    for (std::uint64_t i = 0; i < pools; ++i)
      add_node_pool(kKinds[pick(random_, kKinds.size())]);
    add_subject();
  }

  snapshot::Snapshot build() const { return scene_.build(); }

 private:
  bool one_in(std::uint64_t of) { return pick(random_, of) == 0; }

  void add_node_pool(const Kind& kind) {
    const std::string pool = base::format("pool-{}", pools_++);
    for (int i = 0; i < kind.hosts; ++i) {
      if (!one_in(8)) add_host(kind, pool);
    }
  }

  void add_host(const Kind& kind, const std::string& pool) {
    const std::string node = base::format("n{}", hosts_++);
    const std::string labels = base::format(
        "cloud.google.com/gke-nodepool: {}, cloud.google.com/gke-tpu-topology: {}, "
        "cloud.google.com/gke-accelerator-count: '{}'",
        pool, kind.topology, kind.chips);
    scene_.node(node, labels);
    const int published = one_in(6) ? static_cast<int>(pick(random_, 4)) : kind.chips;
    if (published == 0) return;
    std::vector<std::string> devices;
    for (int chip = 0; chip < published; ++chip)
      devices.push_back(base::format("{{name: '{}'}}", chip));
    scene_.slice({.name = node,
                  .driver = "tpu.google.com",
                  .pool = node,
                  .where = base::format("nodeName: {}", node),
                  .devices = base::join(devices, ", ")});
    if (!one_in(3)) hold(node, published);
  }

  // A pod of the subject's job, or of another, with all chips of the host, or with some.
  void hold(const std::string& node, int published) {
    const auto most = static_cast<std::uint64_t>(published);
    const auto taken = static_cast<int>(one_in(4) ? 1 + pick(random_, most) : most);
    std::vector<std::string> results;
    for (int chip = 0; chip < taken; ++chip)
      results.push_back(base::format(
          "{{request: tpu, driver: tpu.google.com, pool: {}, device: '{}'}}", node, chip));
    const std::string name = base::format("of-{}", node);
    scene_.claim(name, support::exactly("tpu", taken),
                 base::format("allocation: {{devices: {{results: [{}]}}, {}}}, reservedFor: "
                              "[{{resource: pods, name: {}, uid: {}}}]",
                              base::join(results, ", "), support::on_node(node), name, name));
    add_pod(name, name, one_in(2) ? "own" : "other", base::format("nodeName: {}, ", node));
  }

  void add_pod(const std::string& name, const std::string& claim, const char* job,
               const std::string& spec = "") {
    scene_.yaml(base::format(
        "{{apiVersion: v1, kind: Pod, metadata: {{name: {0}, namespace: default, uid: {0}, labels: "
        "{{job-name: {1}}}}}, spec: {{{2}resourceClaims: [{{name: tpu, resourceClaimName: "
        "{3}}}]}}, "
        "status: {{phase: {4}}}}}",
        name, job, spec, claim, spec.empty() ? "Pending" : "Running"));
  }

  void add_subject() {
    constexpr std::array counts = {1, 3, 4, 4, 4, 8, 8, 12};
    scene_.claim("c", one_in(6) ? support::all("tpu")
                                : support::exactly("tpu", counts[pick(random_, counts.size())]));
    add_pod("p", "c", "own");
  }

  std::mt19937_64& random_;
  Scene scene_;
  int pools_ = 0;
  int hosts_ = 0;
};

const engine::Wanted kWanted{.namespace_ = "default", .pod = "p", .claims = {}};

// Whether the pod fits and nothing keeps it from starting, with the changes.
std::string outcome_with(const snapshot::Snapshot& before,
                         std::span<const engine::Change> changes) {
  engine::Hypothesis hypothesis(before, kWanted);
  REQUIRE(hypothesis.apply(changes).ok());
  const snapshot::Snapshot after = hypothesis.snapshot();
  const Explanation then = explain_pod(after, *after.find<api::Pod>("default", "p"));
  return then.verdict == Verdict::Fits && then.after.empty() ? "starts" : then.headline.plain();
}

void check_release(const snapshot::Snapshot& snapshot, const engine::Release& release) {
  const auto& own = *snapshot.find<api::Pod>("default", "p");
  for (const std::string& name : release.pods) {
    const auto* pod = snapshot.find<api::Pod>("default", name.substr(name.find('/') + 1));
    REQUIRE(pod != nullptr);
    const engine::TpuLabels of_host =
        engine::tpu_labels_of(*snapshot.find<api::Node>(pod->spec.node_name));
    const bool alone = of_host.topology == "2x2" || of_host.topology == "2x4";
    CHECK_MESSAGE((alone || !engine::work_together(own, *pod)), name, " is of the same job");
  }
}

// Everybody else goes away.
std::vector<engine::Change> release_of_all(const snapshot::Snapshot& snapshot) {
  engine::Release all;
  for (const api::ResourceClaim& claim : snapshot.all<api::ResourceClaim>()) {
    if (!claim.allocated()) continue;
    all.claims.push_back(base::format("default/{}", claim.meta.name));
    all.pods.push_back(base::format("default/{}", claim.meta.name));
  }
  if (all.claims.empty()) return {};
  return {all};
}

TEST_CASE("what is advised or foreseen for TPU hosts lets the pod start") {
  std::mt19937_64 random = support::seeded();
  std::map<std::string_view, int> seen;
  const std::uint64_t count = support::cases(400);
  for (std::uint64_t i = 0; i < count; ++i) {
    CAPTURE(i);
    const snapshot::Snapshot snapshot = Cluster(random).build();
    const Explanation now = explain_pod(snapshot, *snapshot.find<api::Pod>("default", "p"));
    if (now.verdict != Verdict::DoesNotFit) continue;
    if (now.outlook && now.outlook->when == When::NotNow) {
      ++seen["outlook"];
      const std::string then = outcome_with(snapshot, release_of_all(snapshot));
      // On some of the nodes it would start.
      const bool starts = then == "starts" || then.find("may not start") != std::string::npos;
      CHECK_MESSAGE(starts, then);
    }
    for (const engine::Advice& advice :
         now.help ? now.help->advice.advice : std::vector<engine::Advice>()) {
      CAPTURE(support::words(advice));
      ++seen[engine::name_of(engine::means_of(advice.changes.back()))];
      CHECK(outcome_with(snapshot, advice.changes) == "starts");
      for (const engine::Change& change : advice.changes) {
        if (const auto* release = std::get_if<engine::Release>(&change))
          check_release(snapshot, *release);
      }
    }
  }
  for (const char* kind : {"outlook", "release", "setCount", "addNode"})
    CHECK_MESSAGE(seen[kind] > 3, kind, " was seen only ", seen[kind], " times");
}

}  // namespace
}  // namespace dra::answers::advice_starts_test
