// cmd/report_source.cpp: names the source of the state, and loads the state for reports about
// problems.

#include "cmd/report_source.h"

#include <algorithm>
#include <set>

#include "cmd/find_device.h"
#include "cmd/help.h"
#include "cmd/name_hints.h"
#include "cmd/needs.h"
#include "cmd/repeat_flags.h"
#include "dra/base/text.h"

namespace dra::cmd {
namespace {

// Newcomers without a cluster start the program without arguments: the hint shows the demo.
Error with_hint(Error error, const std::string& program) {
  if (error.kind == ErrorKind::NotConfigured) {
    error.hint = base::format(
        "set KUBECONFIG or name a file with --kubeconfig; `{} --demo` shows a built-in cluster, "
        "`{} --help` the commands",
        program, program);
  }
  return error;
}

}  // namespace

Result<report::OverviewSource> report_source(const Context& context) {
  const GlobalFlags& globals = context.globals();
  report::OverviewSource source{.kind = {},
                                .name = {},
                                .program = program_name(context.console().program),
                                .flags = repeat_flags(globals)};
  if (globals.demo) {
    source.kind = "demo";
    source.name = context.source().demo;
  } else if (!globals.snapshot.empty()) {
    source.kind = "snapshot";
    source.name = base::join(globals.snapshot, ", ");
  } else {
    auto connection = context.source().connection();
    if (!connection.ok()) return with_hint(std::move(connection).take_error(), source.program);
    const bool by_context = !connection.value().context.empty();
    source.kind = by_context ? "context" : "server";
    source.name =
        by_context ? connection.value().context : connection.value().server.host_and_port();
  }
  return source;
}

Flag all_namespaces_flag(bool& all) {
  return {"all-namespaces", 'A', "", "Look into all namespaces, which is what happens without -n.",
          &all};
}

std::string namespace_asked(const Context& context, bool all) {
  return all ? std::string() : context.globals().connection.namespace_;
}

Result<std::vector<snapshot::Need>> needs_for_problems(Context& context, bool all) {
  context.use_server_gates();
  std::vector<snapshot::Need> needs = {
      {.kind = api::Kind::Slice},    {.kind = api::Kind::Claim},
      {.kind = api::Kind::Class},    {.kind = api::Kind::Node},
      {.kind = api::Kind::Pod},      {.kind = api::Kind::TaintRule},
      {.kind = api::Kind::Template}, {.kind = api::Kind::Event, .field_selector = "type=Warning"}};
  std::ranges::move(surroundings(), std::back_inserter(needs));
  // Their pods may be missing, also because of webhooks.
  for (const api::Kind kind :
       {api::Kind::Deployment, api::Kind::Job, api::Kind::MutatingWebhooks, api::Kind::StatefulSet})
    needs.push_back({.kind = kind, .aside = true});
  const std::string ns = namespace_asked(context, all);
  if (!ns.empty()) needs.push_back({.kind = api::Kind::Namespace, .names = {ns}});
  if (all) return needs;
  const std::string own = DRA_TRY(snapshot::default_namespace(context.source()));
  return also_within(std::move(needs), own);
}

Result<std::string> namespace_of_problems(const Context& context, std::string_view command,
                                          bool all, const snapshot::Snapshot& state) {
  std::string ns = namespace_asked(context, all);
  DRA_TRY(check_namespace(command, ns, {&state}));
  const snapshot::Missing* claims = state.coverage().find(api::Kind::Claim);
  if (ns.empty() && !all && claims != nullptr) ns = claims->but_in;
  return ns;
}

Result<ProblemsState> load_for_problems(Context& context, std::string_view command, bool all,
                                        std::vector<snapshot::Need> further) {
  std::vector<snapshot::Need> needs = DRA_TRY(needs_for_problems(context, all));
  std::ranges::move(further, std::back_inserter(needs));
  auto snapshot = DRA_TRY(context.load(needs));
  std::string ns = DRA_TRY(namespace_of_problems(context, command, all, snapshot));
  return ProblemsState{std::move(snapshot), std::move(ns)};
}

}  // namespace dra::cmd
