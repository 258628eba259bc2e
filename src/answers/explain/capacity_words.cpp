// src/answers/explain/capacity_words.cpp: recognizes each component by the reporter of an event,
// keeps its newest event, and recognizes what that means.
//
// Upstream: k8s.io/autoscaler/cluster-autoscaler, processors/status
// (EventingScaleUpStatusProcessor) and core/scaleup/orchestrator (SkippedReasons), as of 1.19;
// sigs.k8s.io/karpenter, pkg/controllers/provisioning/scheduling (events.go, scheduler.go,
// nodeclaim.go), as of 0.33, about claims as of 1.7.

#include "dra/answers/explain/capacity_words.h"

#include <algorithm>
#include <array>
#include <span>

#include "dra/api/cluster_objects.h"
#include "dra/base/ages.h"
#include "dra/base/prose.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/engine/cluster/events.h"

namespace dra::answers {
namespace {

// Both give up on a node after that time: --max-node-provision-time of cluster-autoscaler, and the
// registration timeout of Karpenter.
constexpr base::Duration kMostWait = base::Duration::seconds(15L * 60);

// A part of a message, and what it means. A message can have several; each is reported.
struct Sign {
  std::string_view part;
  NewNode node;
  std::string_view text;
};

constexpr std::string_view kNotTriggered = "NotTriggerScaleUp";
constexpr std::string_view kBackoff = "in backoff after failed scale-up";
constexpr std::array kNotGrown = {
    Sign{"max node group size reached", NewNode::AtLimit,
         "A node group is at its maximum size: raise the maximum of the group that has such "
         "devices."},
    Sign{"max total nodes in cluster reached", NewNode::AtLimit,
         "The cluster has as many nodes as the autoscaler may make: raise --max-nodes-total."},
    Sign{"max cluster ", NewNode::AtLimit,
         "The cluster is at one of the autoscaler's limits: raise --cores-total, --memory-total or "
         "--gpu-total."},
    Sign{kBackoff, NewNode::Failed,
         "It waits after a scale-up that failed: fix the cause of the failure."},
    Sign{"not ready for scale-up", NewNode::Failed,
         "Too many nodes of a node group are not ready, so the group does not grow: look at these "
         "nodes."},
};
constexpr std::array kClaimsNotServed = {
    Sign{"cannot allocate all claims", NewNode::WouldNotFit,
         "It learns which devices a node group has from a node that is there, and knows of none "
         "that "
         "would serve the claims: keep one in the group."},
};

constexpr std::string_view kKarpenterFrame = "Failed to schedule pod, ";
constexpr std::array kKarpenterFailures = {
    Sign{"pod has Dynamic Resource Allocation requirements", NewNode::NotForClaims,
         "It adds no node for a pod with claims while its setting ignoreDRARequests is true, the "
         "default. Set it to false if the release supports claims, or add the node by other "
         "means."},
    Sign{"all available instance types exceed limits for nodepool", NewNode::AtLimit,
         "Raise spec.limits of that NodePool."},
    Sign{"node limits have been exhausted for nodepool", NewNode::AtLimit,
         "Raise spec.limits.nodes of that NodePool."},
    Sign{"no instance type can satisfy the allocation", NewNode::WouldNotFit,
         "By what it knows, no instance type of the NodePool has devices for the claims: allow "
         "other types, or ask for less."},
};
constexpr std::array kKarpenterMisfits = {
    Sign{"no instance type", NewNode::WouldNotFit, ""},
    Sign{"incompatible requirements", NewNode::WouldNotFit, ""},
    Sign{"did not tolerate", NewNode::WouldNotFit, ""},
    Sign{"filtered out all", NewNode::WouldNotFit, ""},
};

// Adds what the signs in the message mean.
void add_signs(std::span<const Sign> signs, CapacityWord& word) {
  for (const Sign& sign : signs) {
    if (word.message.find(sign.part) == std::string::npos) continue;
    if (word.node == NewNode::Unknown) word.node = sign.node;
    word.remedy.text += base::format("{}{}", word.remedy.text.empty() ? "" : " ", sign.text);
  }
}

// A node that was to come: what to do depends on how long ago that was.
void add_coming(const api::Event& event, base::Instant now, CapacityWord& word) {
  const api::Time seen = event.last_seen();
  const bool late = seen && now - *seen > kMostWait;
  word.node = late ? NewNode::DidNotHelp : NewNode::Coming;
  word.remedy.text =
      late ? base::format(
                 "A node was to be added {}, and the pod still waits: look whether it has "
                 "joined, and whether the driver publishes its devices.",
                 base::ago(seen, now))
           : base::format(
                 "A node is being added since {}: wait until it has joined and its driver "
                 "publishes devices.",
                 base::age_of(seen, now));
  word.remedy.command = diag::kubectl("get nodes --sort-by=.metadata.creationTimestamp").text();
}

// What cluster-autoscaler's event means. `earlier`: its newest event about a scale-up that failed.
void read_autoscaler(const api::Event& event, const api::Event* earlier, base::Instant now,
                     CapacityWord& word) {
  if (event.reason == "TriggeredScaleUp") return add_coming(event, now, word);
  if (event.reason != kNotTriggered) {  // a failure of the cloud
    word.node = NewNode::Failed;
    word.remedy.text =
        "The cloud has not provided the node: quota, stock and permissions are the usual causes.";
    return;
  }
  add_signs(kNotGrown, word);
  if (word.node == NewNode::Unknown) add_signs(kClaimsNotServed, word);
  if (word.message.find(kBackoff) != std::string::npos && earlier != nullptr)
    word.remedy.text += base::format(" It said {}: {}", base::ago(earlier->last_seen(), now),
                                     base::sentence(std::string(earlier->message)));
}

// The name in `(NodePool=NAME)` or `nodepool "NAME"`, whichever comes first after `from`.
std::string_view nodepool_in(std::string_view message, std::string_view from) {
  const std::size_t at = message.find(from);
  if (at == std::string_view::npos) return {};
  message.remove_prefix(at);
  for (const auto& [mark, end] : {std::pair(std::string_view("(NodePool="), ')'),
                                  std::pair(std::string_view("nodepool \""), '"')}) {
    const std::size_t begin = message.find(mark);
    if (begin == std::string_view::npos) continue;
    const std::string_view name = message.substr(begin + mark.size());
    return name.substr(0, name.find(end));
  }
  return {};
}

// What Karpenter's event means.
void read_karpenter(const api::Event& event, base::Instant now, CapacityWord& word) {
  if (event.reason == "Nominated") return add_coming(event, now, word);
  if (!word.message.starts_with(kKarpenterFrame)) return;
  add_signs(kKarpenterFailures, word);
  if (word.node == NewNode::AtLimit) {
    const std::string_view pool = nodepool_in(word.message, "nodepool");
    if (!pool.empty()) word.remedy.command = diag::kubectl("describe nodepool").name(pool).text();
  }
  if (word.node != NewNode::Unknown) return;
  add_signs(kKarpenterMisfits, word);
  if (word.node == NewNode::Unknown) return;
  word.remedy = {
      "No NodePool makes a node that serves the pod: compare their requirements, taints "
      "and instance types with what the pod asks for.",
      diag::kubectl("describe nodepools").text()};
}

struct Speaker {
  std::string_view who;                     // is a part of the reporter's name
  std::array<std::string_view, 4> reasons;  // reasons of events about more nodes; empty: all events
};
constexpr std::size_t kAutoscaler = 0;
constexpr std::size_t kKarpenter = 1;
constexpr std::array kSpeakers = {
    Speaker{"cluster-autoscaler",
            {"FailedScaleUp", "FailedToScaleUpGroup", kNotTriggered, "TriggeredScaleUp"}},
    Speaker{"karpenter", {}},
    Speaker{"kueue", {}},
};

bool speaks(const Speaker& speaker, const api::Event& event) {
  const bool is_it = event.source.component.find(speaker.who) != std::string_view::npos ||
                     event.reporter.find(speaker.who) != std::string_view::npos;
  const auto& reasons = speaker.reasons;
  return is_it &&
         (reasons.front().empty() || std::ranges::find(reasons, event.reason) != reasons.end());
}

bool is_newer(const api::Event& event, const api::Event* than) {
  return than == nullptr || event.last_seen() > than->last_seen();
}

}  // namespace

std::string_view name_of(NewNode node) {
  switch (node) {
    case NewNode::Unknown:
      return "unknown";
    case NewNode::Coming:
      return "coming";
    case NewNode::DidNotHelp:
      return "didNotHelp";
    case NewNode::AtLimit:
      return "atLimit";
    case NewNode::Failed:
      return "failed";
    case NewNode::WouldNotFit:
      return "wouldNotFit";
    case NewNode::NotForClaims:
      return "notForClaims";
  }
  return "";
}

std::vector<CapacityWord> capacity_words(const snapshot::Snapshot& snapshot, const api::Pod& pod) {
  std::array<const api::Event*, kSpeakers.size()> newest = {};
  const api::Event* failure = nullptr;  // of cluster-autoscaler
  for (const api::Event* event : engine::events_of(snapshot, "Pod", pod.meta)) {
    for (std::size_t i = 0; i < kSpeakers.size(); ++i) {
      if (speaks(kSpeakers[i], *event) && is_newer(*event, newest[i])) newest[i] = event;
    }
    if (speaks(kSpeakers[kAutoscaler], *event) && event->reason.starts_with("Failed") &&
        is_newer(*event, failure))
      failure = event;
  }
  std::vector<CapacityWord> words;
  const base::Instant now = snapshot.now().value_or(base::Instant());
  for (std::size_t i = 0; i < kSpeakers.size(); ++i) {
    if (newest[i] == nullptr) continue;
    CapacityWord& word = words.emplace_back(CapacityWord{.who = std::string(kSpeakers[i].who),
                                                         .message = std::string(newest[i]->message),
                                                         .at = newest[i]->last_seen()});
    if (i == kAutoscaler) read_autoscaler(*newest[i], failure, now, word);
    if (i == kKarpenter) read_karpenter(*newest[i], now, word);
  }
  return words;
}

bool is_about_capacity(const api::Event& event) {
  return std::ranges::any_of(kSpeakers,
                             [&event](const Speaker& speaker) { return speaks(speaker, event); });
}

}  // namespace dra::answers
