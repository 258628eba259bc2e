// src/answers/explain/estimate.cpp: collects when pods end, and looks for the first of these times
// after which the subject fits.

#include "src/answers/explain/estimate.h"

#include <algorithm>
#include <limits>
#include <map>

#include "dra/api/workload.h"
#include "dra/engine/facts/full_name.h"
#include "dra/engine/running/eviction.h"
#include "dra/engine/scheduler/node_filters.h"

namespace dra::answers {
namespace {

constexpr std::string_view kNoExecute = "NoExecute";

// No value: beyond the calendar, or not known.
std::optional<base::Instant> after(const api::Time& start, std::optional<std::int64_t> seconds) {
  constexpr std::int64_t last = 253'402'300'799;  // 9999-12-31T23:59:59Z
  if (!start || !seconds || *seconds < 0 || *seconds > last - start->seconds) return std::nullopt;
  return base::Instant{start->seconds + *seconds, start->nanos};
}

// How long the pod tolerates what evicts it from the node; no value: for ever, or it is evicted at
// once. Of each taint the first toleration that matches counts. Upstream:
// k8s.io/kubernetes/pkg/controller/tainteviction, getMinTolerationTime.
std::optional<std::int64_t> tolerated_for(const api::Pod& pod, const api::Node& node,
                                          bool compares) {
  std::optional<std::int64_t> shortest;
  for (const api::NodeTaint& taint : node.spec.taints) {
    if (taint.effect != kNoExecute) continue;
    api::Node tainted;
    tainted.spec.taints = {taint};
    const auto matches = [&](const api::Toleration& toleration) {
      api::Pod probe;
      probe.spec.tolerations = {toleration};
      return engine::untolerated(tainted, probe, compares).empty();
    };
    const auto& all = pod.spec.tolerations;
    const auto first = std::ranges::find_if(all, matches);
    if (first == all.end()) return std::nullopt;
    if (first->seconds)
      shortest = std::min(shortest.value_or(std::numeric_limits<std::int64_t>::max()),
                          std::max<std::int64_t>(*first->seconds, 0));
  }
  return shortest;
}

class EndingsFinder {
 public:
  EndingsFinder(const Cluster& cluster, base::Instant now) : cluster_(cluster), now_(now) {}

  std::vector<Ending> find() {
    for (const api::Pod* pod : cluster_.loads.placed()) {
      add({pod, EndsBy::Deletion, {}}, pod->meta.deleted);
      add({pod, EndsBy::PodDeadline, {}}, after(pod->status.started, pod->spec.active_deadline));
      add_job(*pod);
      add_node_taints(*pod);
    }
    for (const engine::Holding& holding : cluster_.inventory.usage().all())
      add_device_taints(holding);
    std::vector<Ending> all;
    for (const auto& [pod, ending] : first_)
      all.push_back(ending);
    std::ranges::stable_sort(all, [](const Ending& a, const Ending& b) {
      if (a.at != b.at) return a.at < b.at;
      return engine::full_name(a.pod->meta) < engine::full_name(b.pod->meta);
    });
    return all;
  }

 private:
  void add(Ending ending, const std::optional<base::Instant>& at) {
    if (!at || *at <= now_) return;
    ending.at = *at;
    const auto [known, added] = first_.try_emplace(ending.pod, ending);
    if (!added && ending.at < known->second.at) known->second = ending;
  }

  // The Job deletes all its pods then.
  void add_job(const api::Pod& pod) {
    const api::OwnerReference* owner = api::controller_of(pod.meta);
    if (owner == nullptr || owner->kind != "Job") return;
    const auto* job =
        cluster_.snapshot.find_workload(owner->kind, pod.meta.namespace_, owner->name);
    if (job == nullptr || job->spec.suspend) return;
    add({&pod, EndsBy::JobDeadline, job->meta.name},
        after(job->status.started, job->spec.job.active_deadline));
  }

  void add_node_taints(const api::Pod& pod) {
    const auto* node = cluster_.snapshot.find<api::Node>(pod.spec.node_name);
    if (node == nullptr) return;
    api::Time last;
    for (const api::NodeTaint& taint : node->spec.taints) {
      if (taint.effect != kNoExecute) continue;
      if (!taint.added) return;
      last = last ? std::max(*last, *taint.added) : taint.added;
    }
    if (!last) return;
    const bool compares = engine::tolerations_compare(cluster_.snapshot.server());
    add({&pod, EndsBy::NodeTaint, node->meta.name},
        after(last, tolerated_for(pod, *node, compares)));
  }

  void add_device_taints(const engine::Holding& holding) {
    const engine::PoolDevice* device = cluster_.inventory.find(holding.id);
    if (device == nullptr) return;
    const auto eviction =
        engine::eviction_for(*holding.result, cluster_.inventory.facts(*device).taints);
    if (!eviction) return;
    for (const api::Consumer& consumer : holding.claim->status.reserved_for) {
      const auto* pod =
          cluster_.snapshot.find<api::Pod>(holding.claim->meta.namespace_, consumer.name);
      if (pod != nullptr && engine::is_evictable(*pod, *holding.claim))
        add({pod, EndsBy::DeviceTaint, eviction->cause.taint->key}, eviction->at);
    }
  }

  const Cluster& cluster_;
  base::Instant now_;
  std::map<const api::Pod*, Ending> first_;
};

// Where the subject fits once the first pods of the list have ended.
engine::Simulation simulate_without(const Cluster& cluster, const engine::Simulator& simulator,
                                    const engine::Wanted& wanted, std::span<const Ending> ended) {
  engine::Hypothesis hypothesis(cluster.snapshot, wanted);
  engine::Release release;
  for (const Ending& ending : ended)
    release.pods.push_back(engine::full_name(ending.pod->meta));
  const engine::Change change = std::move(release);
  return hypothesis.apply(change).ok() ? simulator.run(hypothesis) : engine::Simulation();
}

}  // namespace

std::string_view name_of(EndsBy by) {
  switch (by) {
    case EndsBy::Deletion:
      return "deletion";
    case EndsBy::PodDeadline:
      return "podDeadline";
    case EndsBy::JobDeadline:
      return "jobDeadline";
    case EndsBy::NodeTaint:
      return "nodeTaint";
    case EndsBy::DeviceTaint:
      return "deviceTaint";
  }
  return "";
}

std::string_view name_of(WhyNoEstimate why) {
  switch (why) {
    case WhyNoEstimate::NothingEnds:
      return "nothingEnds";
    case WhyNoEstimate::TooLittleEnds:
      return "tooLittleEnds";
  }
  return "";
}

std::vector<Ending> endings_after(const Cluster& cluster, base::Instant now) {
  return EndingsFinder(cluster, now).find();
}

Estimate estimate_of(const Cluster& cluster, const engine::Wanted& wanted, base::Instant now) {
  std::vector<Ending> endings = endings_after(cluster, now);
  std::erase_if(endings, [&wanted](const Ending& ending) {
    return ending.pod->meta.namespace_ == wanted.namespace_ && ending.pod->meta.name == wanted.pod;
  });
  if (endings.empty()) return {.why_none = WhyNoEstimate::NothingEnds};
  const engine::Simulator simulator(cluster.snapshot, cluster.inventory, cluster.loads);
  const auto starts = [&](std::size_t count) {
    return simulate_without(cluster, simulator, wanted, std::span(endings).first(count)).starts();
  };
  if (!starts(endings.size())) return {.why_none = WhyNoEstimate::TooLittleEnds};
  // The fewest that are enough, as every further end only frees more.
  std::size_t few = 0;
  std::size_t enough = endings.size();
  while (enough - few > 1) {
    const std::size_t half = few + (enough - few) / 2;
    (starts(half) ? enough : few) = half;
  }
  const auto then = simulate_without(cluster, simulator, wanted, std::span(endings).first(enough));
  Estimate estimate{.last = endings[enough - 1]};
  estimate.ended = static_cast<std::int64_t>(enough);
  estimate.nodes.assign(then.nodes.begin(), then.nodes.end());
  return estimate;
}

}  // namespace dra::answers
