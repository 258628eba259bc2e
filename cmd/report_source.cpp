// cmd/report_source.cpp: see report_source.h.

#include "cmd/report_source.h"

#include "cmd/help.h"
#include "cmd/repeat_flags.h"
#include "dra/base/text.h"

namespace dra::cmd {
namespace {

// The first thing that a newcomer without a cluster types is the name of the program.
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

std::vector<snapshot::Need> needs_of_problems() {
  return {
      {.kind = api::Kind::Slice},    {.kind = api::Kind::Claim},
      {.kind = api::Kind::Class},    {.kind = api::Kind::Node},
      {.kind = api::Kind::Pod},      {.kind = api::Kind::TaintRule},
      {.kind = api::Kind::Template}, {.kind = api::Kind::Event, .field_selector = "type=Warning"}};
}

}  // namespace dra::cmd
