// src/report/phrases/advice_commands.cpp: changes of one object become one JSON patch; pods are
// ended by what created them, because it would create them again.

#include "dra/report/phrases/advice_commands.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/engine/facts/features.h"
#include "dra/json/value.h"
#include "dra/json/write.h"
#include "dra/report/phrases/advice_words.h"
#include "dra/snapshot/template_pods.h"

namespace dra::report {
namespace {

using answers::ChangeFacts;
using answers::ReleasedPod;

constexpr int kOldestWithExactly = 33;  // releases before it write requests without "exactly"

json::Value operation(std::string_view op, std::string path) {
  json::Value out = json::Value::object();
  out.set("op", op);
  out.set("path", std::move(path));
  return out;
}

json::Value operation(std::string_view op, std::string path, json::Value value) {
  json::Value out = operation(op, std::move(path));
  out.set("value", std::move(value));
  return out;
}

// From one place of the patched object to another.
json::Value copy_of(std::string from, std::string path) {
  json::Value out = operation("copy", std::move(path));
  out.set("from", std::move(from));
  return out;
}

// A JSON pointer's "/" and "~" are not those of the key.
std::string pointer_to(std::string_view key) {
  std::string text;
  for (const char c : key) {
    if (c == '~') {
      text += "~0";
    } else if (c == '/') {
      text += "~1";
    } else {
      text += c;
    }
  }
  return text;
}

json::Value toleration_of(const engine::Tolerate& change) {
  json::Value out = json::Value::object();
  if (!change.key.empty()) out.set("key", change.key);
  out.set("operator", "Exists");
  if (!change.effect.empty()) out.set("effect", change.effect);
  return out;
}

// Where a demand stands in the spec of its claim: "/devices/requests/0/exactly".
struct DemandPlace {
  const api::DeviceDemand* demand;
  std::string path;
};

std::optional<DemandPlace> place_of(const api::ClaimSpec& spec, std::string_view name) {
  for (std::size_t i = 0; i < spec.devices.requests.size(); ++i) {
    const api::DeviceRequest& request = spec.devices.requests[i];
    const std::string path = base::format("/devices/requests/{}", i);
    const auto demands = api::demands_of(request);
    for (std::size_t j = 0; j < demands.size(); ++j) {
      if (demands[j].name != name) continue;
      const bool alternative = demands[j].name.find('/') != std::string::npos;
      return DemandPlace{demands[j].demand, alternative
                                                ? base::format("{}/firstAvailable/{}", path, j)
                                                : path + "/exactly"};
    }
  }
  return std::nullopt;
}

// Operations on the spec of one claim; removals come last, from the end, so that no place shifts.
class SpecPatch {
 public:
  SpecPatch(const api::ClaimSpec& spec, std::string prefix)
      : spec_(spec), prefix_(std::move(prefix)) {}

  bool add(const engine::SetCount& change) {
    const auto place = place_of(spec_, change.request);
    if (!place) return false;
    if (place->demand->all()) set(place->path + "/allocationMode", "ExactCount");
    set(place->path + "/count", change.count);
    return true;
  }
  bool add(const engine::DropSelector& change) {
    const auto place = place_of(spec_, change.place.request);
    if (!place) return false;
    const std::string path = base::format("{}/selectors/{}", place->path, change.place.selector);
    if (!change.span) {
      remove(path, change.place.selector);
    } else {
      set(path + "/cel/expression", change.left);
    }
    return true;
  }
  bool add(const engine::EditSelector& change) {
    const auto place = place_of(spec_, change.place.request);
    if (!place) return false;
    set(base::format("{}/selectors/{}/cel/expression", place->path, change.place.selector),
        change.expression);
    return true;
  }
  bool add(const engine::Tolerate& change) {
    bool any = false;
    for (const api::DeviceRequest& request : spec_.devices.requests) {
      for (const api::NamedDemand& demand : api::demands_of(request)) {
        if (!change.request.empty() && demand.name != change.request) continue;
        const auto place = place_of(spec_, demand.name);
        if (!place) return false;
        tolerate(*place, change);
        any = true;
      }
    }
    return any;
  }
  bool add(const engine::DropConstraint& change) {
    remove(base::format("/devices/constraints/{}", change.constraint), change.constraint);
    return true;
  }
  bool add(const engine::RelaxConstraint& change) {
    set(base::format("/devices/constraints/{}/matchAttribute", change.constraint), change.instead);
    return true;
  }
  bool add(const engine::SplitRequests& change) {
    json::Value first = json::Value::array();
    for (const std::string& name : change.requests) {
      const auto place = place_of(spec_, name);
      if (!place) return false;
      set(place->path + "/count", place->demand->wanted() / change.parts);
      first.push(name);
    }
    set(base::format("/devices/constraints/{}/requests", change.constraint), std::move(first));
    std::size_t requests = spec_.devices.requests.size();
    for (std::int64_t part = 2; part <= change.parts; ++part)
      add_part(change, part, requests);
    return true;
  }
  bool add(const engine::UseAlternative& change) {
    for (std::size_t i = 0; i < spec_.devices.requests.size(); ++i) {
      const auto demands = api::demands_of(spec_.devices.requests[i]);
      const bool here = std::ranges::any_of(
          demands, [&change](const auto& demand) { return demand.name == change.request; });
      if (!here) continue;
      for (std::size_t j = 0; j < demands.size(); ++j) {
        if (demands[j].name != change.request)
          remove(base::format("/devices/requests/{}/firstAvailable/{}", i, j), j);
      }
      return true;
    }
    return false;
  }
  template <class Other>
  bool add(const Other&) {
    return false;
  }

  std::string text() {
    std::ranges::stable_sort(removed_, std::ranges::greater(),
                             [](const auto& one) { return one.first; });
    for (auto& [index, path] : removed_)
      patch_.push(operation("remove", std::move(path)));
    return json::write_json(patch_, json::Style::Compact);
  }

 private:
  // `requests` is how many there are so far.
  void add_part(const engine::SplitRequests& change, std::int64_t part, std::size_t& requests) {
    json::Value constraint = json::Value::object();
    json::Value own = json::Value::array();
    for (const std::string& name : change.requests) {
      const std::string new_name = engine::name_in_part(name, part);
      const auto from = std::ranges::find(spec_.devices.requests, name, &api::DeviceRequest::name);
      patch_.push(copy_of(
          base::format("{}/devices/requests/{}", prefix_, from - spec_.devices.requests.begin()),
          prefix_ + "/devices/requests/-"));
      set(base::format("/devices/requests/{}/name", requests++), new_name);
      own.push(new_name);
      name_in("constraints", spec_.devices.constraints, name, new_name, change.constraint);
      name_in("config", spec_.devices.config, name, new_name);
    }
    constraint.set("requests", std::move(own));
    constraint.set("matchAttribute", change.attribute);
    set("/devices/constraints/-", std::move(constraint));
  }
  // Of what names one request, it names the other one, too.
  template <class All>
  void name_in(std::string_view field, const All& all, std::string_view name,
               const std::string& new_name, std::optional<std::size_t> but = {}) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i != but && std::ranges::find(all[i].requests, name) != all[i].requests.end())
        set(base::format("/devices/{}/{}/requests/-", field, i), new_name);
    }
  }
  void set(std::string_view path, json::Value value) {
    patch_.push(operation("add", prefix_ + std::string(path), std::move(value)));
  }
  void remove(std::string_view path, std::size_t index) {
    removed_.push_back({index, prefix_ + std::string(path)});
  }
  void tolerate(const DemandPlace& place, const engine::Tolerate& change) {
    if (!place.demand->tolerations.empty())
      return set(place.path + "/tolerations/-", toleration_of(change));
    json::Value all = json::Value::array();
    all.push(toleration_of(change));
    set(place.path + "/tolerations", std::move(all));
  }

  const api::ClaimSpec& spec_;
  std::string prefix_;
  json::Value patch_ = json::Value::array();
  std::vector<std::pair<std::size_t, std::string>> removed_;
};

// The object is read, changed and put in the place of the old one.
std::string replace_command(std::string_view resource, std::string_view name, std::string_view ns,
                            const std::string& patch) {
  return base::format(
      "{} | kubectl patch --local -f - --type=json {} -o json | kubectl replace --force -f -",
      diag::kubectl("get").words(resource).name(name).in(ns).words("-o json").text(),
      diag::CommandLine("").option("-p", patch).text());
}

std::string patch_command(std::string_view resource, std::string_view name, std::string_view ns,
                          const std::string& type, const std::string& patch) {
  return diag::kubectl("patch")
      .words(resource)
      .name(name)
      .in(ns)
      .words("--type=" + type)
      .option("-p", patch)
      .text();
}

class Commands {
 public:
  Commands(const engine::Advice& advice, std::span<const ChangeFacts> facts,
           const engine::Subject& subject, const snapshot::Server& server)
      : advice_(advice), facts_(facts), subject_(subject), server_(server) {}

  std::vector<std::string> run() {
    for (std::size_t i = 0; i < advice_.changes.size(); ++i) {
      if (!add(advice_.changes[i], facts_[i])) return {};
    }
    for (auto& [label, changes] : of_claims_) {
      if (!edit_claim(label, changes)) return {};
    }
    return std::move(commands_);
  }

 private:
  bool add(const engine::Change& change, const ChangeFacts& facts) {
    const std::string label = edited_claim(change);
    if (!label.empty()) {
      of_claims_[label].push_back(&change);
      return true;
    }
    if (const auto* release = std::get_if<engine::Release>(&change)) return end(*release, facts);
    if (const auto* tolerate = std::get_if<engine::Tolerate>(&change))
      return tolerate_node(*tolerate);
    if (const auto* select = std::get_if<engine::SelectNodes>(&change))
      return select_nodes(*select, facts);
    return false;
  }

  // --- claims and their templates

  bool edit_claim(const std::string& label, const std::vector<const engine::Change*>& changes) {
    const engine::SubjectClaim* claim = claim_labelled(subject_, label);
    const bool is_object = claim != nullptr && claim->spec != nullptr &&
                           claim->extended == nullptr && claim->pod_group.empty() &&
                           engine::minor_release(server_) >= kOldestWithExactly;
    if (!is_object || is_in_file(*claim)) return false;
    const bool made = !claim->template_name.empty();
    SpecPatch patch(*claim->spec, made ? "/spec/spec" : "/spec");
    for (const engine::Change* change : changes) {
      const bool added = std::visit([&patch](const auto& one) { return patch.add(one); }, *change);
      if (!added) return false;
    }
    const std::string ns = claim->namespace_.empty() && subject_.pod != nullptr
                               ? std::string(subject_.pod->meta.namespace_)
                               : claim->namespace_;
    commands_.push_back(replace_command(made ? "resourceclaimtemplate" : "resourceclaim",
                                        made ? claim->template_name : claim->name, ns,
                                        patch.text()));
    if (made) create_pod_again();
    return true;
  }

  bool is_in_file(const engine::SubjectClaim& claim) const {
    if (subject_.pod != nullptr && snapshot::is_planned(*subject_.pod)) return true;
    return claim.claim != nullptr && snapshot::is_planned(*claim.claim);
  }

  // The pod keeps the claim that was made from the old template.
  void create_pod_again() {
    if (subject_.pod == nullptr) return;
    const api::ObjectMeta& meta = subject_.pod->meta;
    const bool owned = api::controller_of(meta) != nullptr;
    commands_.push_back(
        owned ? diag::kubectl("delete pod").name(meta.name).in(meta.namespace_).text()
              : base::format("{} | kubectl replace --force -f -", diag::kubectl("get pod")
                                                                      .name(meta.name)
                                                                      .in(meta.namespace_)
                                                                      .words("-o json")
                                                                      .text()));
  }

  // --- the pod's tolerations, the only part of its spec that can grow

  bool tolerate_node(const engine::Tolerate& change) {
    if (subject_.pod == nullptr || snapshot::is_planned(*subject_.pod)) return false;
    const api::Pod& pod = *subject_.pod;
    const bool first = pod.spec.tolerations.empty();
    json::Value value = toleration_of(change);
    if (first) {
      json::Value all = json::Value::array();
      all.push(std::move(value));
      value = std::move(all);
    }
    json::Value patch = json::Value::array();
    patch.push(
        operation("add", first ? "/spec/tolerations" : "/spec/tolerations/-", std::move(value)));
    commands_.push_back(patch_command("pod", pod.meta.name, pod.meta.namespace_, "json",
                                      json::write_json(patch, json::Style::Compact)));
    return true;
  }

  // --- the nodes that the pod selects, which only a new pod can have otherwise

  // In a pod's spec, which stands at `spec`.
  json::Value selection_patch(const engine::SelectNodes& change, std::string_view spec) const {
    const std::string affinity = base::format(
        "{}/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution", spec);
    json::Value patch = json::Value::array();
    if (!change.expression) {
      std::string path = base::format("{}/nodeSelector/{}", spec, pointer_to(change.key));
      patch.push(change.value ? operation("replace", std::move(path), *change.value)
                              : operation("remove", std::move(path)));
      return patch;
    }
    const auto& term = subject_.pod->spec.affinity.to_nodes.required->terms.front();
    const std::string path =
        base::format("{}/nodeSelectorTerms/0/matchExpressions/{}", affinity, *change.expression);
    if (change.value) {
      patch.push(operation("add", path + "/values/-", *change.value));
    } else {
      const bool only = term.expressions.size() + term.fields.size() == 1;
      patch.push(operation("remove", only ? affinity : path));
    }
    return patch;
  }

  bool select_nodes(const engine::SelectNodes& change, const ChangeFacts& facts) {
    if (subject_.pod == nullptr || snapshot::is_planned(*subject_.pod)) return false;
    const api::ObjectMeta& pod = subject_.pod->meta;
    const auto text = [&](std::string_view spec) {
      return json::write_json(selection_patch(change, spec), json::Style::Compact);
    };
    if (facts.owner_kind.empty()) {
      commands_.push_back(replace_command("pod", pod.name, pod.namespace_, text("/spec")));
      return true;
    }
    if (facts.owner_kind != "Deployment") return false;
    commands_.push_back(patch_command("deployment", facts.owner_name, pod.namespace_, "json",
                                      text("/spec/template/spec")));
    return true;
  }

  // --- pods that hold devices

  bool end(const engine::Release& release, const ChangeFacts& facts) {
    if (!facts.own_pods.empty() || facts.released.size() != release.pods.size()) return false;
    std::map<std::pair<std::string, std::string>, std::vector<const ReleasedPod*>> by_owner;
    for (const ReleasedPod& pod : facts.released)
      by_owner[{pod.namespace_, base::format("{}/{}", pod.owner_kind, pod.owner_name)}].push_back(
          &pod);
    for (const auto& [owner, pods] : by_owner) {
      const bool deleted = std::ranges::any_of(pods, &ReleasedPod::deleted);
      if (deleted || !end_pods(pods)) return false;
    }
    for (const std::string& claim : facts.unreserved) {
      const std::size_t slash = claim.find('/');
      commands_.push_back(diag::kubectl("delete resourceclaim")
                              .name(std::string_view(claim).substr(slash + 1))
                              .in(std::string_view(claim).substr(0, slash))
                              .text());
    }
    return true;
  }

  // Pods with one owner.
  bool end_pods(const std::vector<const ReleasedPod*>& pods) {
    const ReleasedPod& first = *pods.front();
    if (first.owner_kind.empty()) return delete_pods(pods);
    if (first.owner_kind == "Deployment" || first.owner_kind == "ReplicaSet") return scale(pods);
    if (first.owner_kind == "StatefulSet") return is_at_the_end(pods) && scale(pods);
    if (first.owner_kind == "Job") return suspend(first);
    return false;
  }

  bool delete_pods(const std::vector<const ReleasedPod*>& pods) {
    diag::CommandLine command = diag::kubectl("delete pod");
    for (const ReleasedPod* pod : pods)
      command.name(pod->name);
    commands_.push_back(command.in(pods.front()->namespace_).text());
    return true;
  }

  // A StatefulSet ends the pods with the highest numbers.
  static bool is_at_the_end(const std::vector<const ReleasedPod*>& pods) {
    const auto wanted = static_cast<std::int64_t>(pods.size());
    return std::ranges::all_of(
        pods, [wanted](const ReleasedPod* pod) { return pod->ordinal >= pod->replicas - wanted; });
  }

  // A Deployment ends pods without a node first, and else those with the lowest cost.
  bool scale(const std::vector<const ReleasedPod*>& pods) {
    const ReleasedPod& first = *pods.front();
    if (first.owner_waits) return false;
    const auto left = first.replicas - static_cast<std::int64_t>(pods.size());
    if (left > 0 && first.owner_kind != "StatefulSet") {
      for (const ReleasedPod* pod : pods)
        commands_.push_back(
            diag::kubectl("annotate pod")
                .name(pod->name)
                .in(pod->namespace_)
                .words("controller.kubernetes.io/pod-deletion-cost=-1000 --overwrite")
                .text());
    }
    commands_.push_back(diag::kubectl("scale")
                            .words(base::lower(first.owner_kind))
                            .name(first.owner_name)
                            .in(first.namespace_)
                            .words(base::format("--replicas={}", left))
                            .text());
    return true;
  }

  // Suspended, a Job ends its pods and can go on later.
  bool suspend(const ReleasedPod& pod) {
    const bool set = !pod.job_set.empty();
    commands_.push_back(patch_command(set ? "jobset" : "job", set ? pod.job_set : pod.owner_name,
                                      pod.namespace_, "merge", R"({"spec":{"suspend":true}})"));
    return true;
  }

  const engine::Advice& advice_;
  std::span<const ChangeFacts> facts_;
  const engine::Subject& subject_;
  const snapshot::Server& server_;
  std::map<std::string, std::vector<const engine::Change*>> of_claims_;
  std::vector<std::string> commands_;
};

}  // namespace

std::vector<std::string> commands_for(const engine::Advice& advice,
                                      std::span<const ChangeFacts> facts,
                                      const engine::Subject& subject,
                                      const snapshot::Server& server) {
  return Commands(advice, facts, subject, server).run();
}

}  // namespace dra::report
