// cmd/commands/explain/explain_rescheduling.cpp: reads the cluster as it is, and with the release
// and the gates that flags assume.

#include "cmd/commands/explain/explain_rescheduling.h"

#include <vector>

#include "cmd/commands/explain/explain_planned.h"
#include "cmd/commands/explain/explain_subject.h"
#include "cmd/commands/explain/idle_changes.h"
#include "cmd/commands/explain/node_files.h"
#include "cmd/help.h"
#include "cmd/name_hints.h"
#include "cmd/needs.h"
#include "cmd/repeat_flags.h"
#include "cmd/server_flags.h"
#include "dra/base/text.h"
#include "dra/engine/whatif/hypothesis.h"
#include "dra/report/explain/rescheduling.h"

namespace dra::cmd {
namespace {

using answers::NextNode;

Result<Done> check_changes(const WhatIfFlags& what_if) {
  bool of_one_pod = !what_if.set.empty() || !what_if.tolerate.empty();
  for (const std::string& without : what_if.without)
    of_one_pod |= !without.starts_with("pod/") && !without.starts_with("claim/");
  if (!of_one_pod) return Done{};
  return Error{ErrorKind::BadInput,
               "--set, --tolerate and --without of a selector or a constraint change one pod",
               "name it: kubectl dra explain pod NAME --as-if-pending"};
}

// The cluster with its own release and gates, whatever is assumed.
Result<snapshot::Snapshot> load_as_it_is(Context& context, const std::string& ns) {
  DRA_TRY(assumed_server(context.globals(), {}));
  auto needs = with_volumes(needs_of_pods(ns));
  if (!ns.empty()) needs.push_back({.kind = api::Kind::Namespace, .names = {ns}, .aside = true});
  snapshot::Source source = context.source();
  source.feature_gates = true;
  return with_planned(DRA_TRY(snapshot::load(source, needs)));
}

std::string flags_of(const WhatIfFlags& what_if) {
  const auto all = {std::pair("--without", &what_if.without),
                    std::pair("--add-node-like", &what_if.add_node_like),
                    std::pair("--add-nodes", &what_if.add_nodes),
                    std::pair("--remove-node", &what_if.remove_node)};
  std::string flags;
  for (const auto& [name, values] : all) {
    for (const std::string& value : *values)
      flags += base::format(" {}={}", name, base::shell_word(value));
  }
  return flags;
}

ExitCode exit_of(const answers::Rescheduling& all) {
  if (all.count(NextNode::None) > 0) return ExitCode::Found;
  const bool open = all.count(NextNode::Open) > 0 || !all.not_looked_at.empty();
  return open || !all.unknown().empty() ? ExitCode::Undetermined : ExitCode::Done;
}

}  // namespace

Result<ExitCode> explain_rescheduling(Context& context, const std::string& ns,
                                      const WhatIfFlags& what_if, const AnswerFlags& flags) {
  DRA_TRY(check_changes(what_if));
  const auto joined = DRA_TRY(read_node_files(context, what_if.add_nodes));
  const snapshot::Snapshot snapshot = DRA_TRY(load_as_it_is(context, ns));
  const snapshot::Snapshot assumed = DRA_TRY(context.adopt(snapshot));
  DRA_TRY(check_namespace("explain", ns, {&snapshot}, "-A is about all namespaces"));
  const engine::Hypothesis cluster(assumed, {});
  const auto changes = DRA_TRY(read_what_if(what_if, cluster, joined));
  for (const std::string& words : idle_changes(cluster, changes))
    context.warn(words);
  const answers::Rescheduling all =
      DRA_TRY(answers::rescheduling(snapshot, ns, changes, assumed.server()));
  const ExitCode exit = flags.exit_zero ? ExitCode::Done : exit_of(all);
  const report::ReschedulingViewOptions options{
      .wide = flags.wide(),
      .program = program_name(context.console().program),
      .flags = flags_of(what_if) + repeat_flags(context.globals())};
  const SubjectAnswer answer = make_answer(
      exit, flags, [&] { return report::to_json(all); },
      [&] { return report::to_view(all, options); });
  return print_report(context, answer, flags, context.now(snapshot));
}

}  // namespace dra::cmd
