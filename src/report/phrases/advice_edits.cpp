// src/report/phrases/advice_edits.cpp: changes of one object become one JSON patch; pods are ended
// by what created them, because it would create them again.

#include "dra/report/phrases/advice_edits.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/engine/facts/features.h"
#include "dra/json/value.h"
#include "dra/json/write.h"
#include "dra/report/phrases/advice_words.h"
#include "dra/report/phrases/subject_json.h"
#include "dra/snapshot/template_pods.h"
#include "src/report/phrases/json_patch.h"
#include "src/report/phrases/pod_endings.h"
#include "src/report/phrases/spec_patch.h"

namespace dra::report {
namespace {

using answers::ChangeFacts;
using answers::ReleasedPod;

constexpr std::string_view kJsonPatch = "json";
constexpr std::string_view kMergePatch = "merge";
constexpr std::string_view kDeletionCost = "controller.kubernetes.io/pod-deletion-cost";
constexpr int kOldestWithExactly = 33;  // releases before it write requests without "exactly"

std::string compact(const json::Value& patch) {
  return json::write_json(patch, json::Style::Compact);
}

json::Value within(std::string key, json::Value value) {
  json::Value out = json::Value::object();
  out.set(std::move(key), std::move(value));
  return out;
}

json::Value label_json(std::string_view key, std::string_view value) {
  return within(std::string(key), value);
}

// How a pod's selection of nodes changes.
struct SelectionPatch {
  json::Value patch = json::Value::array();
  FieldChange change = {};
};

class Edits {
 public:
  Edits(const engine::Advice& advice, std::span<const ChangeFacts> facts,
        const engine::Subject& subject, const snapshot::Server& server)
      : advice_(advice), facts_(facts), subject_(subject), server_(server) {}

  std::vector<AdviceEdit> run() {
    for (std::size_t i = 0; i < advice_.changes.size(); ++i) {
      if (!add(advice_.changes[i], facts_[i])) return {};
    }
    for (auto& [label, changes] : of_claims_) {
      if (!edit_claim(label, changes)) return {};
    }
    return std::move(edits_);
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
    const std::string name = made ? std::string(claim->template_name) : claim->name;
    json::Value operations = patch.take_patch();
    std::string command = diag::replace_command(made ? "resourceclaimtemplate" : "resourceclaim",
                                                name, ns, compact(operations));
    edits_.push_back({.action = EditAction::Replace,
                      .kind = made ? "ResourceClaimTemplate" : "ResourceClaim",
                      .namespace_ = ns,
                      .names = {name},
                      .patch_type = kJsonPatch,
                      .patch = std::move(operations),
                      .changes = patch.take_changes(),
                      .command = std::move(command)});
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
    AdviceEdit edit{.action = owned ? EditAction::Delete : EditAction::Recreate,
                    .kind = "Pod",
                    .namespace_ = std::string(meta.namespace_),
                    .names = {std::string(meta.name)},
                    .command = {}};
    if (owned) {
      std::ranges::copy(facts_.front().pods_alike, std::back_inserter(edit.names));
      diag::CommandLine command = diag::kubectl("delete pod");
      for (const std::string& name : edit.names)
        command.name(name);
      edit.command = command.in(meta.namespace_).text();
    } else {
      edit.command = diag::replace_command("pod", meta.name, meta.namespace_);
    }
    edits_.push_back(std::move(edit));
  }

  // --- the pod's tolerations, the only part of its spec that can grow

  bool tolerate_node(const engine::Tolerate& change) {
    if (subject_.pod == nullptr || snapshot::is_planned(*subject_.pod)) return false;
    const api::Pod& pod = *subject_.pod;
    const bool first = pod.spec.tolerations.empty();
    json::Value value = toleration_json(change);
    if (first) {
      json::Value all = json::Value::array();
      all.push(std::move(value));
      value = std::move(all);
    }
    json::Value shown = json::Value::object();
    shown.set("tolerations", first ? value : json::Value::array({value}));
    json::Value patch = json::Value::array();
    patch.push(
        operation("add", first ? "/spec/tolerations" : "/spec/tolerations/-", std::move(value)));
    AdviceEdit& edit =
        add_patch("Pod", pod.meta.name, pod.meta.namespace_, kJsonPatch, std::move(patch));
    edit.changes.push_back({"spec", std::nullopt, std::move(shown)});
    return true;
  }

  // --- the nodes that the pod selects, which only a new pod can have otherwise

  // In a pod's spec, which stands at `spec`.
  SelectionPatch selection_patch(const engine::SelectNodes& change, std::string_view spec) const {
    const std::string affinity = base::format(
        "{}/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution", spec);
    SelectionPatch out;
    if (!change.expression) {
      const std::string place = base::format("{}/nodeSelector", spec);
      std::string path = base::format("{}/{}", place, pointer_to(change.key));
      const std::string_view* old = api::find(subject_.pod->spec.node_selector, change.key);
      out.change = {field_path(place), label_json(change.key, old == nullptr ? "" : *old), {}};
      if (change.value) out.change.after = label_json(change.key, *change.value);
      out.patch.push(change.value ? operation("replace", std::move(path), *change.value)
                                  : operation("remove", std::move(path)));
      return out;
    }
    const auto& term = subject_.pod->spec.affinity.to_nodes.required->terms.front();
    const std::string place = affinity + "/nodeSelectorTerms/0/matchExpressions";
    const std::string path = base::format("{}/{}", place, *change.expression);
    if (change.value) {
      out.change = {field_path(path + "/values"), {}, json::Value::array({*change.value})};
      out.patch.push(operation("add", path + "/values/-", *change.value));
    } else {
      const bool only = term.expressions.size() + term.fields.size() == 1;
      out.change = {field_path(place),
                    json::Value::array({requirement_json(term.expressions[*change.expression])}),
                    {},
                    only ? "and the affinity, which is then empty" : ""};
      out.patch.push(operation("remove", only ? affinity : path));
    }
    return out;
  }

  bool select_nodes(const engine::SelectNodes& change, const ChangeFacts& facts) {
    if (subject_.pod == nullptr || snapshot::is_planned(*subject_.pod)) return false;
    const api::ObjectMeta& pod = subject_.pod->meta;
    if (facts.owner_kind.empty()) {
      SelectionPatch selection = selection_patch(change, "/spec");
      std::string command =
          diag::replace_command("pod", pod.name, pod.namespace_, compact(selection.patch));
      edits_.push_back({.action = EditAction::Replace,
                        .kind = "Pod",
                        .namespace_ = std::string(pod.namespace_),
                        .names = {std::string(pod.name)},
                        .patch_type = kJsonPatch,
                        .patch = std::move(selection.patch),
                        .changes = {std::move(selection.change)},
                        .command = std::move(command)});
      return true;
    }
    if (!has_editable_template(facts.owner_kind)) return false;
    SelectionPatch selection = selection_patch(change, "/spec/template/spec");
    AdviceEdit& edit = add_patch(facts.owner_kind, facts.owner_name, pod.namespace_, kJsonPatch,
                                 std::move(selection.patch));
    edit.changes.push_back(std::move(selection.change));
    // A ReplicaSet does not replace pods. A StatefulSet waits for a pod to be ready first.
    if (facts.owner_kind != "Deployment") create_pod_again();
    return true;
  }

  // --- pods that hold devices

  bool end(const engine::Release& release, const ChangeFacts& facts) {
    const std::vector<EndedPods> endings = endings_of(release, facts);
    if (endings.empty() && !release.pods.empty()) return false;
    for (const EndedPods& ended : endings)
      end_pods(ended);
    for (const std::string& claim : facts.unreserved) {
      const std::size_t slash = claim.find('/');
      add_deletion("ResourceClaim", {claim.substr(slash + 1)}, claim.substr(0, slash));
    }
    return true;
  }

  void end_pods(const EndedPods& ended) {
    switch (ended.how) {
      case Ending::Delete:
        return delete_pods(ended.pods);
      case Ending::Scale:
        return scale(ended);
      case Ending::Suspend:
        return suspend(ended.first());
    }
  }

  void delete_pods(const std::vector<const ReleasedPod*>& pods) {
    std::vector<std::string> names;
    names.reserve(pods.size());
    for (const ReleasedPod* pod : pods)
      names.push_back(pod->name);
    add_deletion("Pod", std::move(names), pods.front()->namespace_);
    AdviceEdit& edit = edits_.back();
    edit.command = diag::save_and_delete_command(edit.names, edit.namespace_);
  }

  // A Deployment ends the pods with the lowest cost.
  void scale(const EndedPods& ended) {
    const ReleasedPod& first = ended.first();
    const std::int64_t left = ended.replicas_left();
    if (left > 0 && first.owner_kind != "StatefulSet") {
      for (const ReleasedPod* pod : ended.pods)
        end_first(*pod);
    }
    json::Value spec = json::Value::object();
    spec.set("replicas", left);
    AdviceEdit& edit = add_patch(first.owner_kind, first.owner_name, first.namespace_, kMergePatch,
                                 within("spec", spec));
    edit.changes.push_back({"spec", within("replicas", first.replicas), std::move(spec)});
    edit.command = diag::kubectl("scale")
                       .words(base::lower(first.owner_kind))
                       .name(first.owner_name)
                       .in(first.namespace_)
                       .words(base::format("--replicas={}", left))
                       .text();
  }

  void end_first(const ReleasedPod& pod) {
    json::Value cost = within(std::string(kDeletionCost), "-1000");
    AdviceEdit& edit = add_patch("Pod", pod.name, pod.namespace_, kMergePatch,
                                 within("metadata", within("annotations", std::move(cost))));
    edit.command = diag::kubectl("annotate pod")
                       .name(pod.name)
                       .in(pod.namespace_)
                       .words(base::format("{}=-1000 --overwrite", kDeletionCost))
                       .text();
  }

  // Suspended, a Job ends its pods and can go on later.
  void suspend(const ReleasedPod& pod) {
    const SuspendedOwner owner = suspended_owner(pod);
    add_patch(owner.kind, owner.name, pod.namespace_, kMergePatch,
              within("spec", within("suspend", true)));
  }

  // --- edits

  AdviceEdit& add_patch(std::string_view kind, std::string_view name, std::string_view ns,
                        std::string_view type, json::Value patch) {
    std::string command = diag::kubectl("patch")
                              .words(base::lower(kind))
                              .name(name)
                              .in(ns)
                              .words(base::format("--type={}", type))
                              .option("-p", compact(patch))
                              .text();
    return edits_.emplace_back(AdviceEdit{.kind = std::string(kind),
                                          .namespace_ = std::string(ns),
                                          .names = {std::string(name)},
                                          .patch_type = type,
                                          .patch = std::move(patch),
                                          .command = std::move(command)});
  }

  void add_deletion(std::string_view kind, std::vector<std::string> names, const std::string& ns) {
    diag::CommandLine command = diag::kubectl("delete");
    command.words(base::lower(kind));
    for (const std::string& name : names)
      command.name(name);
    edits_.push_back({.action = EditAction::Delete,
                      .kind = std::string(kind),
                      .namespace_ = ns,
                      .names = std::move(names),
                      .command = command.in(ns).text()});
  }

  const engine::Advice& advice_;
  std::span<const ChangeFacts> facts_;
  const engine::Subject& subject_;
  const snapshot::Server& server_;
  std::map<std::string, std::vector<const engine::Change*>> of_claims_;
  std::vector<AdviceEdit> edits_;
};

// The lines of YAML, each behind the sign.
void add_signed(std::vector<std::vector<view::Span>>& lines, std::string_view sign, view::Tone tone,
                const json::Value& value, const std::string& note) {
  const std::string yaml = json::write_yaml(value, {.keys = json::YamlKeys::AsTheyStand});
  const std::string_view text = std::string_view(yaml).substr(0, yaml.size() - 1);
  for (const std::string_view line : base::split(text, '\n')) {
    auto& spans = lines.emplace_back();
    spans.push_back({base::format("{}   {}", sign, line), tone});
    const bool first = line.data() == text.data();
    if (first && !note.empty()) spans.push_back({"  # " + note, view::Tone::Dim});
  }
}

}  // namespace

std::string_view name_of(EditAction action) {
  switch (action) {
    case EditAction::Patch:
      return "patch";
    case EditAction::Replace:
      return "replace";
    case EditAction::Recreate:
      return "recreate";
    case EditAction::Delete:
      return "delete";
  }
  return "";
}

std::vector<AdviceEdit> edits_for(const engine::Advice& advice, std::span<const ChangeFacts> facts,
                                  const engine::Subject& subject, const snapshot::Server& server) {
  return Edits(advice, facts, subject, server).run();
}

json::Value edit_json(const AdviceEdit& edit) {
  json::Value out = json::Value::object();
  out.set("action", name_of(edit.action));
  out.set("kind", edit.kind);
  if (!edit.namespace_.empty()) out.set("namespace", edit.namespace_);
  json::Value names = json::Value::array();
  for (const std::string& name : edit.names)
    names.push(name);
  out.set("names", std::move(names));
  if (edit.patch) {
    out.set("patchType", edit.patch_type);
    out.set("patch", *edit.patch);
  }
  json::Value changes = json::Value::array();
  for (const FieldChange& change : edit.changes) {
    json::Value one = json::Value::object();
    one.set("path", change.path);
    if (change.before) one.set("before", *change.before);
    if (change.after) one.set("after", *change.after);
    if (!change.note.empty()) one.set("note", change.note);
    changes.push(std::move(one));
  }
  if (!edit.changes.empty()) out.set("changes", std::move(changes));
  out.set("command", edit.command);
  return out;
}

std::vector<std::vector<view::Span>> diff_lines(const AdviceEdit& edit) {
  std::vector<std::vector<view::Span>> lines;
  std::string_view path;
  for (const FieldChange& change : edit.changes) {
    if (change.path != path) lines.push_back({{"  " + change.path + ":", view::Tone::Dim}});
    path = change.path;
    const std::string& note = change.note;
    if (change.before)
      add_signed(lines, "-", view::Tone::Bad, *change.before, change.after ? "" : note);
    if (change.after) add_signed(lines, "+", view::Tone::Good, *change.after, note);
  }
  return lines;
}

}  // namespace dra::report
