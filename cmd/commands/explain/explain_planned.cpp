// cmd/commands/explain/explain_planned.cpp: creates the pods and claims of templates in the
// snapshot, and explains one pod of each template.

#include "cmd/commands/explain/explain_planned.h"

#include <algorithm>
#include <map>

#include "cmd/list_flags.h"
#include "cmd/name_hints.h"
#include "cmd/needs.h"
#include "dra/base/files.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/workload_pods.h"
#include "dra/engine/whatif/pod_capacity.h"
#include "dra/report/explain/workload_explanation.h"
#include "dra/snapshot/template_pods.h"

namespace dra::cmd {
namespace {

using report::RoleFit;
using snapshot::Planned;
using snapshot::Snapshot;

// The number of further pods that fit, for each template; none for a DaemonSet, which has one pod
// on each node.
std::vector<RoleFit> room_for(const Snapshot& snapshot, const api::Workload& workload) {
  std::vector<RoleFit> fits;
  if (workload.origin.kind == api::info_of(api::Kind::DaemonSet).name) return fits;
  for (const api::PodRole& role : api::roles_of(workload)) {
    fits.push_back({std::string(role.name), role.pods, role.together,
                    engine::pod_capacity(snapshot, workload, role)});
  }
  return fits;
}

// Adds one pod of each template, if the workload has no pod.
Snapshot with_missing_pods(const Snapshot& snapshot,
                           const std::vector<const api::Workload*>& workloads) {
  snapshot::Draft draft(snapshot);
  for (const api::Workload* workload : workloads) {
    const engine::WorkloadPods pods = engine::pods_of(draft.now(), *workload);
    if (!pods.running.empty() || !pods.waiting.empty()) continue;
    for (const api::PodRole& role : api::roles_of(*workload))
      snapshot::make_template_pods(draft, *workload, role, 1);
  }
  return std::move(draft).finish();
}

std::vector<SubjectAnswer> answers_of(const Context& context, const Snapshot& snapshot,
                                      const std::vector<const api::Workload*>& workloads,
                                      const AnswerFlags& flags) {
  const Snapshot state = with_missing_pods(snapshot, workloads);
  std::vector<SubjectAnswer> answers;
  for (const api::Workload* workload : workloads) {
    const auto explanation =
        answers::explain_workload(state, *workload, room_for(snapshot, *workload));
    const ExitCode exit = explanation.missing || explanation.not_running() > 0
                              ? ExitCode::Found
                              : exit_code_of(explanation.verdict);
    answers.push_back(make_answer(
        exit, flags, [&] { return report::to_json(explanation); },
        [&] { return report::to_view(explanation, view_options(context, state, flags)); }));
  }
  return answers;
}

bool is_kind(const Planned& planned, api::Kind kind) {
  return planned.kind == api::info_of(kind).name;
}

// Names of planned objects of a kind, by namespace.
std::map<std::string, std::vector<std::string>> planned_names(const Snapshot& snapshot,
                                                              api::Kind kind) {
  std::map<std::string, std::vector<std::string>> names;
  for (const Planned& planned : snapshot.planned()) {
    if (is_kind(planned, kind)) names[std::string(planned.namespace_)].emplace_back(planned.name);
  }
  return names;
}

std::vector<const api::Workload*> planned_workloads(const Snapshot& snapshot) {
  std::vector<const api::Workload*> workloads;
  for (const Planned& planned : snapshot.planned()) {
    const auto* workload = snapshot.find_workload(planned.kind, planned.namespace_, planned.name);
    if (workload != nullptr) workloads.push_back(workload);
  }
  return workloads;
}

// True if the files have neither pods, workloads nor claims.
bool has_templates_only(const Snapshot& snapshot) {
  return planned_names(snapshot, api::Kind::Pod).empty() && planned_workloads(snapshot).empty() &&
         planned_names(snapshot, api::Kind::Claim).empty();
}

}  // namespace

Result<Done> overlay_files(Context& context, const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    std::string text = file == "-" ? DRA_TRY(context.console().streams.read_input())
                                   : DRA_TRY(base::read_input(file));
    context.overlay_manifest({file == "-" ? "standard input" : file, std::move(text)});
  }
  return Done{};
}

Snapshot with_planned(Snapshot snapshot) {
  snapshot::Draft draft(std::move(snapshot));
  for (const auto& [ns, names] : planned_names(draft.now(), api::Kind::Pod))
    snapshot::create_claims(draft, ns, names);
  for (const auto& [ns, names] : planned_names(draft.now(), api::Kind::Claim))
    snapshot::mark_planned(draft, ns, names);
  return std::move(draft).finish();
}

Result<ExitCode> explain_workload(Context& context, const ExplainedWords& words,
                                  const std::string& ns, const AnswerFlags& flags) {
  const auto snapshot = with_planned(DRA_TRY(context.load(needs_of(words, ns))));
  const api::KindInfo& kind = api::info_of(*words.workload);
  const std::string& name = words.names.front();
  const api::Workload* workload = snapshot.find_workload(kind.name, ns, name);
  if (workload == nullptr) {
    const auto& refusals = snapshot.refusals();
    const auto refusal = std::ranges::find(refusals, kind.kind, &snapshot::Refusal::kind);
    Error error = refusal != refusals.end() ? refusal->error : not_found(context, kind.kind, name);
    if (error.hint.empty()) error.hint = hint_about(snapshot, kind.kind, ns, name);
    return error;
  }
  if (api::roles_of(*workload).empty()) {
    return Error{
        ErrorKind::BadInput, base::format("{} {}/{} has no pod template", kind.name, ns, name), {}};
  }
  return print_answers(context, answers_of(context, snapshot, {workload}, flags), flags,
                       context.now(snapshot));
}

Result<Snapshot> load_planned(Context& context, const std::string& ns, bool verbatim_objects) {
  auto needs = needs_of_pods(ns);
  needs.push_back({.kind = api::Kind::Template});
  if (verbatim_objects) needs = verbatim(std::move(needs));
  auto snapshot = with_planned(DRA_TRY(context.load(needs)));
  if (!has_templates_only(snapshot)) return snapshot;
  snapshot::Draft draft(std::move(snapshot));
  for (const auto& [claim_ns, names] : planned_names(draft.now(), api::Kind::Template)) {
    for (const std::string& name : names)
      snapshot::make_template_claim(draft, claim_ns, name, name);
  }
  return std::move(draft).finish();
}

std::vector<SubjectAnswer> answers_of_planned_workloads(const Context& context,
                                                        const Snapshot& snapshot,
                                                        const AnswerFlags& flags) {
  return answers_of(context, snapshot, planned_workloads(snapshot), flags);
}

std::vector<engine::Wanted> planned_subjects(const Snapshot& snapshot) {
  std::vector<engine::Wanted> subjects;
  for (const auto& [ns, names] : planned_names(snapshot, api::Kind::Pod)) {
    for (const std::string& name : names)
      subjects.push_back({.namespace_ = ns, .pod = name, .claims = {}});
  }
  if (!subjects.empty() || !planned_workloads(snapshot).empty()) return subjects;
  // A claim has the name of the template that it is made from.
  const api::Kind kind = has_templates_only(snapshot) ? api::Kind::Template : api::Kind::Claim;
  for (const auto& [ns, names] : planned_names(snapshot, kind))
    subjects.push_back({.namespace_ = ns, .pod = {}, .claims = names});
  return subjects;
}

}  // namespace dra::cmd
