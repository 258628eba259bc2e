// src/report/phrases/pod_endings.cpp: a pod is ended by its owner, which would create it again.

#include "src/report/phrases/pod_endings.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "dra/base/text.h"
#include "dra/diag/command_line.h"

namespace dra::report {
namespace {

using answers::ChangeFacts;
using answers::ReleasedPod;

constexpr std::size_t kMaxEndedNames = 3;

std::string ended_names(const std::vector<std::string>& all) {
  return base::format("{} {}", all.size() == 1 ? "pod" : "pods",
                      base::join_first(all, kMaxEndedNames));
}

std::string claim_names(const std::vector<std::string>& all) {
  return base::format("{} {}", all.size() == 1 ? "claim" : "claims",
                      base::join_first(all, kMaxEndedNames));
}

std::vector<std::string> full_names(const EndedPods& ended) {
  std::vector<std::string> names;
  for (const ReleasedPod* pod : ended.pods)
    names.push_back(base::format("{}/{}", pod->namespace_, pod->name));
  return names;
}

// A StatefulSet ends the pods with the highest numbers.
bool are_the_last(const EndedPods& ended) {
  return std::ranges::all_of(ended.pods, [left = ended.replicas_left()](const ReleasedPod* pod) {
    return pod->ordinal >= left;
  });
}

// A Deployment ends pods without a node first. No value: no command ends just these.
std::optional<Ending> ending_of(const EndedPods& ended) {
  const std::string& kind = ended.first().owner_kind;
  if (std::ranges::any_of(ended.pods, &ReleasedPod::deleted)) return std::nullopt;
  if (kind.empty()) return Ending::Delete;
  if (kind == "Job") return Ending::Suspend;
  const bool scales = kind == "Deployment" || kind == "ReplicaSet" ||
                      (kind == "StatefulSet" && are_the_last(ended));
  return scales && !ended.first().owner_waits ? std::optional(Ending::Scale) : std::nullopt;
}

std::string order_words(const EndedPods& ended) {
  const ReleasedPod& pod = ended.first();
  switch (ended.how) {
    case Ending::Delete:
      return base::format("delete {}", ended_names(full_names(ended)));
    case Ending::Scale:
      return base::format("scale {} {} from {} to {}", pod.owner_kind, pod.owner_name, pod.replicas,
                          base::plural(ended.replicas_left(), "replica"));
    case Ending::Suspend: {
      const SuspendedOwner owner = suspended_owner(pod);
      return base::format("suspend {} {}", owner.kind, owner.name);
    }
  }
  return "";
}

// "(Running 5d13h, of Deployment l4)"; without the owner where the order names it.
std::string facts_words(const ReleasedPod& pod, bool with_owner) {
  std::string text = pod.standing;
  if (with_owner)
    text += pod.owner_kind.empty()
                ? base::format("; no controller re-creates it: the command saves it in {}",
                               diag::saved_file({pod.name}))
                : base::format(", of {} {}", pod.owner_kind, pod.owner_name);
  if (pod.priority != 0) text += base::format(", priority {}", pod.priority);
  return base::format(" ({})", text);
}

// ": it is of the same Job, which re-creates it".
std::string own_words(const engine::Release& release, const ChangeFacts& facts) {
  const std::vector<std::string>& own = facts.own_pods;
  if (own.empty()) return {};
  const bool one = own.size() == 1;
  const bool all = own.size() == release.pods.size();
  return base::format(": {} {} of the same {}, which re-creates {}",
                      !all  ? base::join_first(own, kMaxEndedNames)
                      : one ? "it"
                            : "they",
                      one ? "is" : "are", facts.own_controller, one ? "it" : "them");
}

// ", which ends pod ml/train-0 (Running 5d) and 3 more of its pods". Deletions name their pods.
std::string which_end(const std::vector<EndedPods>& endings, bool one_pod) {
  std::vector<std::string> pods;
  std::int64_t more = 0;
  std::size_t owners = 0;
  for (const EndedPods& ended : endings) {
    if (ended.how == Ending::Delete) continue;
    ++owners;
    std::ranges::move(full_names(ended), std::back_inserter(pods));
    if (ended.how == Ending::Suspend) more += std::max<std::int64_t>(ended.replicas_left(), 0);
  }
  if (pods.empty()) return {};
  std::string text = base::format(", which ends {}", ended_names(pods));
  if (one_pod) text += facts_words(endings.front().first(), false);
  if (more > 0)
    text += base::format(" and {} more of {} pods", more, owners == 1 ? "its" : "their");
  return text;
}

}  // namespace

SuspendedOwner suspended_owner(const ReleasedPod& pod) {
  if (!pod.job_set.empty()) return {"JobSet", pod.job_set};
  return {"Job", pod.owner_name};
}

std::vector<EndedPods> endings_of(const engine::Release& release, const ChangeFacts& facts) {
  if (!facts.own_pods.empty() || facts.released.size() != release.pods.size()) return {};
  std::map<std::pair<std::string_view, std::string>, EndedPods> by_owner;
  for (const ReleasedPod& pod : facts.released) {
    std::string owner = base::format("{}/{}", pod.owner_kind, pod.owner_name);
    if (pod.owner_kind == "Job")
      owner = base::format("{}/{}", suspended_owner(pod).kind, suspended_owner(pod).name);
    by_owner[{pod.namespace_, std::move(owner)}].pods.push_back(&pod);
  }
  std::vector<EndedPods> endings;
  for (auto& [owner, ended] : by_owner) {
    const std::optional<Ending> how = ending_of(ended);
    if (!how) return {};
    ended.how = *how;
    endings.push_back(std::move(ended));
  }
  std::stable_partition(endings.begin(), endings.end(),
                        [](const EndedPods& ended) { return ended.how == Ending::Delete; });
  return endings;
}

std::string release_words(const engine::Release& release, const ChangeFacts& facts) {
  if (release.pods.empty())
    return base::format("delete {}, which no pod uses", claim_names(release.claims));
  const std::vector<EndedPods> endings = endings_of(release, facts);
  const bool one_pod = facts.released.size() == 1;
  if (endings.empty()) {
    std::string text = base::format("free the devices of {}", ended_names(release.pods));
    if (one_pod) text += facts_words(facts.released.front(), true);
    return text + own_words(release, facts);
  }
  std::vector<std::string> orders;
  orders.reserve(endings.size());
  for (const EndedPods& ended : endings)
    orders.push_back(order_words(ended));
  std::string text = base::join(orders, " and ") + which_end(endings, one_pod);
  if (one_pod && endings.front().how == Ending::Delete)
    text += facts_words(facts.released.front(), true);
  if (!facts.unreserved.empty())
    text += base::format(", and delete {}", claim_names(facts.unreserved));
  return text;
}

}  // namespace dra::report
