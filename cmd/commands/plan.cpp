// cmd/commands/plan.cpp: `kubectl dra plan`: what all waiting pods get, in the scheduler's order.

#include <algorithm>
#include <iterator>
#include <variant>

#include "cmd/commands.h"
#include "cmd/commands/explain/explain_answer.h"
#include "cmd/commands/explain/explain_planned.h"
#include "cmd/commands/explain/explain_subject.h"
#include "cmd/commands/explain/idle_changes.h"
#include "cmd/commands/explain/node_files.h"
#include "cmd/commands/explain/what_if.h"
#include "cmd/help.h"
#include "cmd/list_flags.h"
#include "cmd/name_hints.h"
#include "cmd/repeat_flags.h"
#include "cmd/report_source.h"
#include "dra/answers/explain/change_facts.h"
#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "dra/engine/whatif/hypothesis.h"
#include "dra/report/explain/pod_plan.h"

namespace dra::cmd {
namespace {

class PlanCommand final : public Command {
 public:
  Info info() const override {
    return {
        .name = "plan",
        .summary = "Show what each waiting pod gets, in the scheduler's order.",
        .description =
            "All pods that wait for a node, in the order of the scheduler's queue: by priority, "
            "then by the time since which they wait. Each is tried on every node with what those "
            "before it leave of devices, counters, capacity, cpu, memory and ports. Pods of all "
            "namespaces take part; those of one are shown, or with -A all.\n\nWhere several nodes "
            "fit, the scheduler scores them, which is not simulated: such a pod is on one of the "
            "nodes that are named. A pod behind it gets a node, or gets none, only if that holds "
            "whichever node is chosen; otherwise it says on which pods it depends. Devices are "
            "named where they are certain. The pods of a gang come together: if too few of them "
            "find room, "
            "none takes any.\n\nBelow, more nodes of each kind that is there are "
            "tried, and it is said how many of them give how many of the others a node. Nodes are "
            "of one kind if they are of one node pool.\n\nThe time of a pod's last attempt is "
            "not visible: "
            "the time of its creation is taken, or that of its first failed attempt. Pods that "
            "the scheduler would preempt are not foreseen; it preempts none to free devices. "
            "--without, --add-node-like, --add-nodes and --remove-node suppose changes of the "
            "cluster; --set, --tolerate and --without of a selector or a constraint those of one "
            "pod, which --pod names.\n\n--drain says what a drain of nodes comes to. They are "
            "cordoned, and their pods are tried elsewhere, behind the pods that wait with the same "
            "priority. As in `kubectl drain --ignore-daemonsets --force`, pods of DaemonSets and "
            "static pods stay, and a pod without a controller is deleted and does not come back. "
            "A Job is taken to re-create its pod. Of a PodDisruptionBudget that delays the drain "
            "it says whether the drain goes on later, or never, and what helps. All pods of the "
            "nodes are shown, of whichever namespace.",
        .examples = {{"plan -A", "of all namespaces"},
                     {"plan -n ml -o json", "for a script"},
                     {"plan --without pod/ml/train-0", "and if that pod went"},
                     {"plan --pod vllm-0 --set count=1", "and if that pod asked for one device"},
                     {"plan --drain node-1", "where the pods of a node would go"}},
        .exits = {{0, "Every pod gets a node, or none waits."},
                  {2, "Some pod gets none."},
                  {3, "Some pod may get none."}},
        .task = Task::Diagnose};
  }

  std::vector<Flag> flags() override {
    std::vector<Flag> flags = what_if_.flags();
    std::vector<Flag> own = {
        {"all-namespaces", 'A', "", "Show pods of all namespaces.", &all_namespaces_},
        {"drain", '\0', "NODE", "Suppose that the node were drained. Can be given several times.",
         &drain_},
        {"exit-zero", '\0', "", "Exit with 0 whatever comes of the pods.", &exit_zero_},
        {"filename", 'f', "FILE",
         "Add what is in the file as if it existed: pods, claims and templates. `-` is standard "
         "input. Can be given several times.",
         &files_},
        {"pod", '\0', "POD", "The pod that --set, --tolerate and --without change.", &pod_}};
    add_flags(flags, std::move(own));
    add_flags(flags, output_.flags());
    return flags;
  }

  Result<ExitCode> run(Context& context) override {
    if (pod_.empty() && !(what_if_.set.empty() && what_if_.tolerate.empty()))
      return Error{ErrorKind::BadInput, "--set and --tolerate change one pod",
                   "name it: kubectl dra plan --pod NAME"};
    DRA_TRY(output_.read());
    const AnswerFlags flags{.output = output_, .exit_zero = exit_zero_, .command = "plan"};
    const std::string ns = DRA_TRY(snapshot::default_namespace(context.source()));
    context.use_server_gates();
    DRA_TRY(overlay_files(context, files_));
    const auto joined = DRA_TRY(read_node_files(context, what_if_.add_nodes));
    const std::string read = all_namespaces_ ? std::string() : ns;
    auto needs = needs_of_pods(read);
    // Claims of pods elsewhere are made from templates there.
    if (!read.empty()) needs.push_back({.kind = api::Kind::Template});
    if (!read.empty())
      needs.push_back({.kind = api::Kind::Namespace, .names = {read}, .aside = true});
    const auto snapshot = with_planned(DRA_TRY(context.load(needs)));
    DRA_TRY(check_namespace("plan", read, {&snapshot}, "-A is about all namespaces"));
    const engine::Wanted wanted{.namespace_ = ns, .pod = pod_, .claims = {}};
    if (!pod_.empty() && snapshot.find<api::Pod>(ns, pod_) == nullptr)
      return not_found_in(context, snapshot, api::Kind::Pod, ns, pod_);
    engine::Hypothesis hypothesis(snapshot, wanted);
    auto changes = DRA_TRY(read_what_if(what_if_, hypothesis, joined));
    const auto idle = idle_changes(hypothesis, without_waiting(snapshot, changes));
    DRA_TRY(hypothesis.apply(changes));
    for (const std::string& words : idle)
      context.warn(words);
    answers::DrainFacts drain = DRA_TRY(drained(hypothesis, changes));
    const snapshot::Snapshot state = hypothesis.snapshot();
    answers::PodPlan plan = answers::pod_plan(state, read, std::move(drain));
    plan.what_if = changes;
    plan.what_if_facts = answers::facts_of(changes, engine::resolve(state, wanted), state);
    const report::PlanViewOptions options{.wide = flags.wide(),
                                          .program = program_name(context.console().program),
                                          .flags = repeat_flags(context.globals())};
    const SubjectAnswer answer = make_answer(
        exit_of(plan), flags, [&] { return report::to_json(plan); },
        [&] { return report::to_view(plan, options); });
    return print_report(context, answer, flags, context.now(state));
  }

 private:
  // Drains last, so that what else is supposed is there before.
  Result<answers::DrainFacts> drained(engine::Hypothesis& hypothesis,
                                      std::vector<engine::Change>& changes) const {
    if (drain_.empty()) return answers::DrainFacts();
    std::vector<std::string> nodes;
    for (const std::string& node : drain_) {
      if (std::ranges::find(nodes, node) == nodes.end()) nodes.push_back(node);
    }
    const snapshot::Snapshot before = hypothesis.snapshot();
    answers::DrainFacts facts = answers::drain_facts(before, nodes);
    changes.emplace_back(engine::Drain{std::move(nodes)});
    DRA_TRY(hypothesis.apply(changes.back()));
    return facts;
  }

  // A pod that waits holds nothing, and yet others come behind it.
  static std::vector<engine::Change> without_waiting(const snapshot::Snapshot& snapshot,
                                                     std::vector<engine::Change> changes) {
    const auto waits = [&snapshot](const std::string& pod) {
      return std::ranges::any_of(engine::queue_of(snapshot), [&pod](const api::Pod* one) {
        return pod == base::format("{}/{}", one->meta.namespace_, one->meta.name);
      });
    };
    std::erase_if(changes, [&waits](const engine::Change& change) {
      const auto* release = std::get_if<engine::Release>(&change);
      return release != nullptr && release->claims.empty() &&
             std::ranges::all_of(release->pods, waits);
    });
    return changes;
  }

  static ExitCode exit_of(const answers::PodPlan& plan) {
    using engine::PlanVerdict;
    if (plan.count(PlanVerdict::DoesNotFit) + plan.count(PlanVerdict::Blocked) > 0)
      return ExitCode::Found;
    const bool open =
        plan.count(PlanVerdict::Depends) + plan.count(PlanVerdict::Undetermined) > 0 ||
        !plan.unknown().empty();
    return open ? exit_code_of(report::Verdict::Undetermined) : ExitCode::Done;
  }

  bool all_namespaces_ = false;
  std::vector<std::string> drain_;
  bool exit_zero_ = false;
  std::vector<std::string> files_;
  ReportOutput output_;
  std::string pod_;
  WhatIfFlags what_if_;
};

}  // namespace

std::unique_ptr<Command> make_plan() { return std::make_unique<PlanCommand>(); }

}  // namespace dra::cmd
