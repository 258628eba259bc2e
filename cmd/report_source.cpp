// cmd/report_source.cpp: names the source of the state, and loads the state for reports about
// problems.

#include "cmd/report_source.h"

#include <algorithm>
#include <set>

#include "cmd/find_device.h"
#include "cmd/help.h"
#include "cmd/needs.h"
#include "cmd/repeat_flags.h"
#include "dra/api/cluster_objects.h"
#include "dra/base/text.h"
#include "dra/snapshot/select.h"

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

template <class F>
bool any_namespace(const snapshot::Snapshot& state, F matches) {
  return std::ranges::any_of(api::all_kinds(), [&](const api::KindInfo& kind) {
    return std::ranges::any_of(
        snapshot::objects_of(state, kind.kind),
        [&](const snapshot::ObjectRef& object) { return matches(object.meta->namespace_); });
  });
}

// Namespaces that Kubernetes creates itself always exist.
bool is_in(const snapshot::Snapshot& state, std::string_view ns) {
  if (ns == "default" || ns.starts_with("kube-")) return true;
  return state.find<api::Namespace>(ns) != nullptr ||
         any_namespace(state, [ns](std::string_view one) { return one == ns; });
}

// "did you mean ml?"; empty: none is similar.
std::string similar_namespaces(const std::string& ns,
                               const std::vector<const snapshot::Snapshot*>& states) {
  std::set<std::string> names;
  for (const snapshot::Snapshot* state : states) {
    for (const api::Namespace& one : state->all<api::Namespace>())
      names.emplace(one.meta.name);
    any_namespace(*state, [&names](std::string_view one) {
      if (!one.empty()) names.emplace(one);
      return false;
    });
  }
  return did_you_mean(ns, {names.begin(), names.end()});
}

// True if the state has all Namespace objects, or the one that was asked for. A file without any
// namespaced object cannot tell.
bool would_know(const snapshot::Snapshot& state) {
  if (state.coverage().saw(api::Kind::Namespace))
    return !state.all<api::Namespace>().empty() ||
           any_namespace(state, [](std::string_view one) { return !one.empty(); });
  return std::ranges::any_of(state.refusals(), [](const snapshot::Refusal& refusal) {
    return refusal.kind == api::Kind::Namespace && refusal.error.kind == ErrorKind::NotFound;
  });
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

Flag report_output_flag(std::string& format) {
  return {"output", 'o',
          "FORMAT", "Write JSON, YAML or KYAML, a page (HTML), or text with nothing folded.",
          &format,  {"html", "json", "kyaml", "wide", "yaml"}};
}

std::string namespace_asked(const Context& context, bool all) {
  return all ? std::string() : context.globals().connection.namespace_;
}

Result<Done> check_namespace(std::string_view command, const std::string& ns,
                             const std::vector<const snapshot::Snapshot*>& states,
                             std::string_view instead) {
  const bool missing = !ns.empty() && std::ranges::all_of(states, [&ns](const auto* state) {
    return would_know(*state) && !is_in(*state, ns);
  });
  if (!missing) return Done{};
  const std::string near = similar_namespaces(ns, states);
  return Error{ErrorKind::NotFound,
               base::format("{}: namespace {} does not exist, and no object is in it", command,
                            base::shell_word(ns)),
               near.empty() ? std::string(instead) : base::format("{} {}", near, instead)};
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
