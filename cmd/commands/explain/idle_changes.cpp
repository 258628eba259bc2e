// cmd/commands/explain/idle_changes.cpp: one function for each kind of change that a flag makes.

#include "cmd/commands/explain/idle_changes.h"

#include <algorithm>
#include <string_view>
#include <variant>

#include "dra/api/cluster_objects.h"
#include "dra/api/pod.h"
#include "dra/api/taint_rule.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/taints.h"

namespace dra::cmd {
namespace {

std::string idle(std::string_view flag, std::string_view why) {
  return base::format("{} changes nothing: {}", flag, why);
}

// Says why a change is idle; empty if it is not.
class IdleWords {
 public:
  explicit IdleWords(const engine::Hypothesis& hypothesis)
      : snapshot_(hypothesis.base()), subject_(hypothesis.subject()) {}

  std::string operator()(const engine::SetCount& change) const {
    bool same = false;
    engine::for_each_unmet(
        subject_, [&](const engine::SubjectClaim& claim, const api::DeviceRequest& request) {
          for (const api::NamedDemand& demand : api::demands_of(request)) {
            same = same || (claim.label() == change.claim && demand.name == change.request &&
                            !demand.demand->all() && demand.demand->wanted() == change.count);
          }
        });
    return same ? idle(base::format("--set {}.count={}", change.request, change.count),
                       "the request asks for that many")
                : "";
  }

  // Of a pod and its claims, who tolerates does not matter if nothing has the taint.
  std::string operator()(const engine::Tolerate& change) const {
    const api::Toleration toleration{
        .key = change.key, .op = "Exists", .value = {}, .effect = change.effect, .seconds = {}};
    const auto meant = [&toleration](const api::DeviceTaint& taint) {
      return engine::tolerates(toleration, taint);
    };
    for (const api::Node& node : snapshot_.all<api::Node>()) {
      for (const auto& taint : node.spec.taints)
        if (meant({.key = taint.key, .value = taint.value, .effect = taint.effect})) return {};
    }
    for (const api::DeviceTaintRule& rule : snapshot_.all<api::DeviceTaintRule>())
      if (meant(rule.spec.taint)) return {};
    for (const api::ResourceSlice& slice : snapshot_.all<api::ResourceSlice>()) {
      for (const api::Device& device : slice.spec.devices)
        if (std::ranges::any_of(device.taints, meant)) return {};
    }
    const std::string taint =
        change.effect.empty() ? change.key : base::format("{}:{}", change.key, change.effect);
    return idle("--tolerate " + taint, "no node, no device and no taint rule has such a taint");
  }

  std::string operator()(const engine::Release& change) const {
    for (const std::string& name : change.claims) {
      const auto* claim = find<api::ResourceClaim>(name);
      if (claim != nullptr && !claim->allocated())
        return idle("--without claim/" + name, "it holds no device");
    }
    for (const std::string& name : change.pods) {
      const auto* pod = find<api::Pod>(name);
      if (pod != nullptr && pod->spec.node_name.empty() && !reserves(*pod))
        return idle("--without pod/" + name, "it is on no node, and holds no device");
    }
    return {};
  }

  template <class Other>
  std::string operator()(const Other&) const {
    return {};
  }

 private:
  template <class T>
  const T* find(std::string_view name) const {
    const std::size_t slash = name.find('/');
    return snapshot_.find<T>(name.substr(0, slash), name.substr(slash + 1));
  }

  bool reserves(const api::Pod& pod) const {
    return std::ranges::any_of(
        snapshot_.all<api::ResourceClaim>(), [&pod](const api::ResourceClaim& claim) {
          return std::ranges::any_of(
              claim.status.reserved_for,
              [&pod](const api::Consumer& consumer) { return consumer.uid == pod.meta.uid; });
        });
  }

  const snapshot::Snapshot& snapshot_;
  const engine::Subject& subject_;
};

}  // namespace

std::vector<std::string> idle_changes(const engine::Hypothesis& hypothesis,
                                      std::span<const engine::Change> changes) {
  std::vector<std::string> found;
  for (const engine::Change& change : changes) {
    std::string words = std::visit(IdleWords(hypothesis), change);
    if (!words.empty() && std::ranges::find(found, words) == found.end())
      found.push_back(std::move(words));
  }
  return found;
}

}  // namespace dra::cmd
