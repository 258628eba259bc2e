// cmd/commands/explain/explain_planned.cpp: see explain_planned.h.

#include "cmd/commands/explain/explain_planned.h"

#include <algorithm>
#include <map>

#include "cmd/list_flags.h"
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

// How many more fit, for each template. A DaemonSet has one pod on each node, however many fit.
std::vector<RoleFit> room_for(Snapshot& snapshot, const api::Workload& workload) {
  std::vector<RoleFit> fits;
  if (workload.origin.kind == api::info_of(api::Kind::DaemonSet).name) return fits;
  for (const api::PodRole& role : api::roles_of(workload)) {
    fits.push_back({std::string(role.name), role.pods, role.together,
                    engine::pod_capacity(snapshot, workload, role)});
  }
  return fits;
}

// One pod of each template, where there is none at all.
void make_missing(Snapshot& snapshot, const api::Workload& workload) {
  const engine::WorkloadPods pods = engine::pods_of(snapshot, workload);
  if (!pods.running.empty() || !pods.waiting.empty()) return;
  for (const api::PodRole& role : api::roles_of(workload))
    snapshot::make_template_pods(snapshot, workload, role, 1);
}

// Everything that changes the snapshot comes before anything that points into it.
std::vector<SubjectAnswer> answers_of(const Context& context, Snapshot& snapshot,
                                      const std::vector<const api::Workload*>& workloads,
                                      const AnswerFlags& flags) {
  std::vector<std::vector<RoleFit>> fits;
  fits.reserve(workloads.size());
  for (const api::Workload* workload : workloads)
    fits.push_back(room_for(snapshot, *workload));
  for (const api::Workload* workload : workloads)
    make_missing(snapshot, *workload);
  std::vector<SubjectAnswer> answers;
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    const auto explanation = report::explain_workload(snapshot, *workloads[i], std::move(fits[i]));
    answers.push_back(
        {exit_code_of(explanation.verdict), report::to_json(explanation, snapshot),
         report::to_view(explanation, snapshot, {context.now(snapshot), flags.wide()})});
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

}  // namespace

Result<Done> lay_over(Context& context, const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    std::string text = file == "-" ? DRA_TRY(context.console().streams.read_input())
                                   : DRA_TRY(base::read_file(file));
    context.lay_over({file == "-" ? "standard input" : file, std::move(text)});
  }
  return Done{};
}

void create_planned(Snapshot& snapshot) {
  for (const auto& [ns, names] : planned_names(snapshot, api::Kind::Pod))
    snapshot::create_claims(snapshot, ns, names);
  for (const auto& [ns, names] : planned_names(snapshot, api::Kind::Claim))
    snapshot::mark_planned(snapshot, ns, names);
}

Result<ExitCode> explain_workload(Context& context, const ExplainedWords& words,
                                  const std::string& ns, const AnswerFlags& flags) {
  auto snapshot = DRA_TRY(context.load(needs_of(words, ns)));
  create_planned(snapshot);
  const api::KindInfo& kind = api::info_of(*words.workload);
  const std::string& name = words.names.front();
  const api::Workload* workload = snapshot.find_workload(kind.name, ns, name);
  if (workload == nullptr) {
    const auto& refusals = snapshot.refusals();
    const auto refusal = std::ranges::find(refusals, kind.kind, &snapshot::Refusal::kind);
    Error error = refusal != refusals.end() ? refusal->error : not_found(context, kind.kind, name);
    if (error.hint.empty())
      error.hint = base::format("looked in namespace {}; -n names another", ns);
    return error;
  }
  if (api::roles_of(*workload).empty()) {
    return Error{
        ErrorKind::BadInput, base::format("{} {}/{} has no pod template", kind.name, ns, name), {}};
  }
  return print_answers(context, answers_of(context, snapshot, {workload}, flags), flags,
                       context.now(snapshot));
}

Result<Snapshot> load_planned(Context& context, const std::string& ns) {
  auto needs = needs_of_pods(ns);
  needs.push_back({.kind = api::Kind::Template});
  auto snapshot = DRA_TRY(context.load(needs));
  create_planned(snapshot);
  return snapshot;
}

std::vector<SubjectAnswer> answers_of_planned_workloads(const Context& context, Snapshot& snapshot,
                                                        const AnswerFlags& flags) {
  return answers_of(context, snapshot, planned_workloads(snapshot), flags);
}

std::vector<engine::Wanted> planned_subjects(Snapshot& snapshot) {
  std::vector<engine::Wanted> subjects;
  for (const auto& [ns, names] : planned_names(snapshot, api::Kind::Pod)) {
    for (const std::string& name : names)
      subjects.push_back({.namespace_ = ns, .pod = name, .claims = {}});
  }
  if (!subjects.empty() || !planned_workloads(snapshot).empty()) return subjects;
  auto claims = planned_names(snapshot, api::Kind::Claim);
  if (claims.empty()) {
    claims = planned_names(snapshot, api::Kind::Template);
    for (const auto& [ns, names] : claims) {
      for (const std::string& name : names)
        snapshot::make_template_claim(snapshot, ns, name, name);
    }
  }
  for (const auto& [ns, names] : claims)
    subjects.push_back({.namespace_ = ns, .pod = {}, .claims = names});
  return subjects;
}

}  // namespace dra::cmd
