// cmd/commands/explain/explain_many.cpp: loads what decides about pending pods, and prints the
// groups or who could use a target.

#include "cmd/commands/explain/explain_many.h"

#include <algorithm>

#include "cmd/commands/explain/explain_planned.h"
#include "cmd/commands/explain/large_report.h"
#include "cmd/find_device.h"
#include "cmd/help.h"
#include "cmd/list_flags.h"
#include "cmd/name_hints.h"
#include "cmd/repeat_flags.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/report/explain/pending.h"
#include "dra/report/explain/supply.h"

namespace dra::cmd {
namespace {

using answers::SupplyTarget;

Result<SupplyTarget> node_target(const Context& context, const snapshot::Snapshot& snapshot,
                                 const std::string& name) {
  const engine::Nodes known = engine::nodes_of(snapshot);
  const bool found = std::ranges::any_of(
      known.nodes, [&name](const api::Node& node) { return node.meta.name == name; });
  if (!found) return not_found_in(context, snapshot, api::Kind::Node, {}, name);
  return SupplyTarget{{"Node", {}, name}, {.nodes = {name}}};
}

Result<SupplyTarget> device_target(const engine::Inventory& inventory, const std::string& name) {
  const auto devices = DRA_TRY(find_devices(inventory, {name}));
  const engine::DeviceId id = devices.front()->published.id();
  return SupplyTarget{{"Device", {}, engine::to_string(id)}, {.devices = {id}}};
}

Result<SupplyTarget> slice_target(const Context& context, const snapshot::Snapshot& snapshot,
                                  const std::string& name) {
  const auto* slice = snapshot.find<api::ResourceSlice>(name);
  if (slice == nullptr) return not_found_in(context, snapshot, api::Kind::Slice, {}, name);
  SupplyTarget target{{std::string(api::info_of(api::Kind::Slice).name), {}, name}, {}};
  for (const api::Device& device : slice->spec.devices)
    target.focus.devices.push_back({slice->spec.driver, slice->spec.pool.name, device.name});
  return target;
}

// That of the pod with the worst news, as if each were explained.
ExitCode exit_of(const answers::PendingPods& pending) {
  const bool open = !pending.unknown().empty() || !pending.by_cause.not_looked_at.empty();
  ExitCode exit = open ? ExitCode::Undetermined : ExitCode::Done;
  for (const answers::PodsOfCause& pods : pending.by_cause.causes) {
    const auto refusal = pods.is_refusal() ? std::optional(pods.cause.code) : std::nullopt;
    exit = worse_of(exit, exit_code_of(pods.explanation, refusal));
  }
  return exit;
}

}  // namespace

Result<ExitCode> explain_pending(Context& context, const std::string& ns,
                                 const AnswerFlags& flags) {
  auto needs = needs_of_pods(ns);
  needs.push_back({.kind = api::Kind::Event,
                   .namespace_ = ns,
                   .field_selector = "involvedObject.kind=Pod,type=Warning"});
  if (!ns.empty()) needs.push_back({.kind = api::Kind::Namespace, .names = {ns}, .aside = true});
  const auto snapshot = with_planned(DRA_TRY(context.load(needs)));
  DRA_TRY(check_namespace("explain", ns, {&snapshot}, "-A is about all namespaces"));
  const answers::PendingPods pending = answers::pending_pods(snapshot, ns, answers::OfNodes::Drop);
  const ExitCode exit = flags.exit_zero ? ExitCode::Done : exit_of(pending);
  if (flags.structured()) {
    const answers::ExplainedAgain again(snapshot);
    const auto& causes = pending.by_cause.causes;
    const auto item = [&](std::size_t i) {
      return report::pending_item(causes[i], again.of(causes[i]));
    };
    DRA_TRY(print_large_report(context, {report::pending_frame(pending), causes.size(), item},
                               flags.output.output()));
    return exit;
  }
  const report::PendingViewOptions options{.wide = flags.wide(),
                                           .program = program_name(context.console().program),
                                           .flags = repeat_flags(context.globals())};
  const SubjectAnswer answer{.exit = exit, .text = report::to_view(pending, options)};
  return print_report(context, answer, flags, context.now(snapshot));
}

// The exit code is 0: that only some pods can use a device is no problem.
Result<ExitCode> explain_supply(Context& context, const ExplainedWords& words,
                                const std::string& ns, const AnswerFlags& flags) {
  auto needs = needs_of(words, {});
  needs.push_back({.kind = api::Kind::Template, .namespace_ = ns});
  const auto snapshot = with_planned(DRA_TRY(context.load(needs)));
  const engine::Inventory inventory(snapshot);
  const std::string& name = words.names.front();
  const auto target_of = [&]() -> Result<SupplyTarget> {
    if (words.kind == ExplainedKind::Node) return node_target(context, snapshot, name);
    if (words.kind == ExplainedKind::Slice) return slice_target(context, snapshot, name);
    return device_target(inventory, name);
  };
  const SupplyTarget target = DRA_TRY(target_of());
  const auto explanation = answers::explain_supply(snapshot, target);
  const SubjectAnswer answer = make_answer(
      ExitCode::Done, flags, [&] { return report::to_json(explanation); },
      [&] { return report::to_view(explanation, flags.wide()); });
  return print_report(context, answer, flags, context.now(snapshot));
}

}  // namespace dra::cmd
