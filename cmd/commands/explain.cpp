// cmd/commands/explain.cpp: `kubectl dra explain`: chooses, by arguments and flags, which of the
// explanations in explain/ to print.

#include <algorithm>
#include <set>

#include "cmd/commands.h"
#include "cmd/commands/explain/explain_answer.h"
#include "cmd/commands/explain/explain_code.h"
#include "cmd/commands/explain/explain_compare.h"
#include "cmd/commands/explain/explain_many.h"
#include "cmd/commands/explain/explain_planned.h"
#include "cmd/commands/explain/explain_rescheduling.h"
#include "cmd/commands/explain/explain_subject.h"
#include "cmd/commands/explain/explain_watch.h"
#include "cmd/commands/explain/idle_changes.h"
#include "cmd/commands/explain/node_files.h"
#include "cmd/commands/explain/what_if.h"
#include "cmd/find_device.h"
#include "cmd/list_flags.h"
#include "cmd/name_hints.h"
#include "cmd/needs.h"
#include "cmd/report_source.h"
#include "dra/api/slice.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/whatif/hypothesis.h"
#include "dra/report/explain/explanation.h"

namespace dra::cmd {
namespace {

constexpr const char* kDescription =
    "A pod that waits is explained in this order: what stops it before any node is "
    "considered; what its selectors match in the cluster, and mistakes in them; and for "
    "each node what the scheduler's allocator would do there: the devices it would pick, "
    "or what is against each device (a selector, the holder, a taint, capacity, "
    "counters, a constraint). The scheduler's own message is shown alongside. A verdict "
    "is given only where it is proven: what a pod uses that is not simulated is named, "
    "and the verdict is then \"undetermined\".\n\nIf no node fits, it says whether one "
    "would if no other claim held a device, which requirements exclude each other, and "
    "what would make the pod fit: fewer devices, other values in selectors, tolerations, "
    "a constraint less, pods that would have to go, one more node. Each change is "
    "simulated before it is proposed. Where devices enough are free, but not on one node, "
    "it says which few pods could move to other nodes to make room. Simulate your own with "
    "--set, --without, --tolerate, --add-node-like, --add-nodes and --remove-node, alone "
    "or together. --emit-patch prints nothing but the commands or patches that carry the "
    "advice out; they are never run by this program.\n\nA pod that has a node or "
    "devices and does not run is explained, too, from its events and conditions, the "
    "status of its devices, and the driver's pods and slices: the driver is not "
    "registered on the node or could not prepare the devices, a device is unhealthy, tainted or "
    "gone, the claim is not reserved for the pod.\n\nSeveral claims are explained "
    "together, as one pod would use them. A workload's waiting pods are grouped by "
    "cause, with how many more would fit, and where; without pods, the one that its "
    "template would create is explained. --device asks about one device: everything that "
    "is against it, for each request and alternative. For a node, a device or a slice it "
    "lists who of those that wait could use it. --compare names the change since an "
    "earlier state, saved with `kubectl dra snapshot`, that made the difference. "
    "--as-if-pending --all asks of each pod that has devices where it could go if it had "
    "to start again: before an upgrade, with --assume-server; before nodes go, with "
    "--remove-node. It says what is due to that.";

class Explain final : public Command {
 public:
  Info info() const override {
    return {.name = "explain",
            .usage = "[[KIND] NAME ... | --pending | -f FILE | --code CODE]",
            .summary = "Explain why a pod, claim or workload is not running.",
            .description = kDescription,
            .examples = {{"explain pod vllm-0 -n ml", "why the pod waits"},
                         {"explain vllm-0 -n ml", "the same"},
                         {"explain claim train-gpus -o json", "a claim, for a script"},
                         {"explain pod vllm-0 --device gpu.nvidia.com/node-1/gpu-0",
                          "why it does not get this device"},
                         {"explain pod vllm-0 --set count=1 --tolerate maintenance",
                          "what if it asked for one device, and tolerated that taint"},
                         {"explain pod vllm-0 --emit-patch",
                          "commands that make it fit, to review and then to pipe into sh"},
                         {"explain pod vllm-0 --as-if-pending",
                          "where a pod that runs could go, if it had to start again"},
                         {"explain --as-if-pending --all --assume-server=v1.37",
                          "the same for every pod, after an upgrade"},
                         {"explain pod vllm-0 --compare yesterday.json",
                          "which change made the difference"},
                         {"explain pod vllm-0 --watch", "each change of the answer, as it happens"},
                         {"explain pod vllm-0 --wait-for=scheduled --timeout=10m",
                          "for a script: exit when it has a node"},
                         {"explain deployment vllm", "its pods that wait, and how many more fit"},
                         {"explain -f pod.yaml", "what would happen to it"},
                         {"explain --pending -A", "every pod that waits, by cause"},
                         {"explain node node-1", "who of those that wait could use it"},
                         {"explain --code NodeTainted", "what a reason code means, with its fix"}},
            .exits = {{0, "It fits, runs or is allocated."},
                      {2, "It is blocked, does not fit, or fails after scheduling."},
                      {3, "What could be read does not decide it."}},
            .task = Task::Diagnose,
            .max_args = kAnyArgs,
            .arguments = ArgumentKind::Explained,
            .contexts = Combination::Reports};
  }

  std::vector<Flag> flags() override {
    std::vector<Flag> flags = what_if_.flags();
    add_flags(flags, own_flags());
    add_flags(flags, output_.flags());
    add_flags(flags, watch_.flags());
    return flags;
  }
  std::vector<Flag> own_flags() {
    return {
        {"all", '\0', "", "With --as-if-pending: every pod that has devices.", &all_},
        {"all-namespaces", 'A', "", "With --pending or --all: of all namespaces.",
         &all_namespaces_},
        {"as-if-pending", '\0', "",
         "Explain what has its devices as if it still waited for them, and others kept theirs.",
         &as_if_pending_},
        {"code", '\0', "CODE",
         "Say what a reason code means and what to do, and of a mistake in a manifest how it looks "
         "before and after; needs no cluster. Without CODE, list the codes.",
         &code_, code_names(), true, kAllCodes},
        {"compare", '\0', "SNAPSHOT",
         "Say which change since that state of the cluster made the difference.", &compare_},
        {"device", '\0', "DEVICE",
         "Say what is against this device: its name, or driver/pool/device. Can be given "
         "several times.",
         &devices_},
        {"emit-patch", '\0', "",
         "Print the patches of the advice alone, as commands for a shell: those of the first "
         "advice that has any run, the others are comments. With -o json or yaml: as patches of "
         "objects.",
         &emit_patch_},
        {"exit-zero", '\0', "", "Exit with 0 whatever the verdict.", &exit_zero_},
        {"filename", 'f', "FILE",
         "Look at what is in the file as if it existed: pods, claims, templates and workloads. "
         "The runtime of a TrainJob may be in a file, too, or in the cluster. `-` is standard "
         "input. Can be given several times.",
         &files_},
        {"node", '\0', "NODE", "Look at this node only. Can be given several times.", &nodes_},
        {"pending", '\0', "", "Explain every pod that waits, by cause, as without arguments.",
         &pending_}};
  }

  // A pod that exists is in one cluster.
  Result<Combination> combination(const std::vector<std::string>& args) const override {
    const bool planned = args.empty() && !files_.empty() && !pending_;
    const bool pending = pending_ || (args.empty() && files_.empty());
    if (!code_.empty() || watch_.any() || emit_patch_ || !compare_.empty() ||
        (!planned && !pending))
      return Error{ErrorKind::BadInput,
                   "--contexts and --all-contexts of explain are for what waits, or for what is in "
                   "files, as it is",
                   "use --pending or -f FILE alone, or --context NAME for one cluster"};
    return planned ? Combination::Verdicts : Combination::Reports;
  }

  Result<ExitCode> run(Context& context) override {
    DRA_TRY(output_.read());
    const AnswerFlags flags{output_, exit_zero_, emit_patch_};
    if (!code_.empty()) return explain_code(context, code_, output_);
    if (all_) return explain_all(context, flags);
    const bool all_of_files = context.args().empty() && !files_.empty();
    const bool pending = pending_ || (context.args().empty() && files_.empty());
    ExplainedWords words;
    if (!pending && !all_of_files) words = DRA_TRY(read_explained(context.args()));
    const bool one = words.kind == ExplainedKind::Pod || words.kind == ExplainedKind::Claim;
    DRA_TRY(check_supposing(one && !pending && !all_of_files, all_of_files));
    DRA_TRY(check_emit_patch(one && !pending, all_of_files));
    if (pending) DRA_TRY(check_pending());
    const std::string ns = DRA_TRY(snapshot::default_namespace(context.source()));
    context.use_server_gates();
    DRA_TRY(overlay_files(context, files_));
    if (watch_.any()) return watch(context, one && !pending && !all_of_files, words, ns, flags);
    if (pending) return explain_pending(context, all_namespaces_ ? std::string() : ns, flags);
    if (all_of_files) return explain_files(context, ns, flags);
    if (words.kind == ExplainedKind::Workload) return explain_workload(context, words, ns, flags);
    if (words.kind != ExplainedKind::Pod && words.kind != ExplainedKind::Claim)
      return explain_supply(context, words, ns, flags);
    auto needs = needs_of(words, ns);
    if (!compare_.empty()) needs = verbatim(std::move(needs));
    if (as_if_pending_) needs = with_volumes(std::move(needs));
    const auto snapshot = with_planned(DRA_TRY(context.load(needs)));
    return explain_one(context, snapshot, wanted_of(words, ns), flags);
  }

 private:
  Result<ExitCode> watch(Context& context, bool one, const ExplainedWords& words,
                         const std::string& ns, const AnswerFlags& flags) const {
    if (!one || what_if_.any() || as_if_pending_ || !compare_.empty())
      return Error{ErrorKind::BadInput,
                   "--watch, --wait-for and --timeout are for a pod or claims as they are",
                   "name one pod, or claims: kubectl dra explain pod NAME --watch"};
    DRA_TRY(check_explain_watch(context, watch_, flags, words.kind == ExplainedKind::Pod));
    const engine::Wanted wanted = wanted_of(words, ns);
    return watch_explained(context, watch_, flags, needs_of(words, ns),
                           [&](const snapshot::Snapshot& state) -> Result<report::Explanation> {
                             DRA_TRY(check_subject(context, state, wanted));
                             return explain(state, wanted);
                           });
  }

  static engine::Wanted wanted_of(const ExplainedWords& words, const std::string& ns) {
    if (words.kind == ExplainedKind::Claim)
      return {.namespace_ = ns, .pod = {}, .claims = words.names};
    return {.namespace_ = ns, .pod = words.names.front(), .claims = {}};
  }

  // What-if flags and --compare need one pod, or claims together. Objects of files have no older
  // state to compare with.
  Result<Done> check_supposing(bool one, bool in_files) const {
    if (one || (!what_if_.any() && compare_.empty())) return Done{};
    if (in_files && compare_.empty()) return Done{};
    return Error{ErrorKind::BadInput,
                 base::format("--compare, {} are for a pod, or for claims", WhatIfFlags::names()),
                 "name one pod, or claims: kubectl dra explain pod NAME"};
  }

  // Each of these looks at one subject in another way.
  Result<Done> check_pending() const {
    if (!as_if_pending_ && nodes_.empty() && devices_.empty()) return Done{};
    return Error{
        ErrorKind::BadInput, "--as-if-pending, --node and --device are for one subject",
        "name it: kubectl dra explain pod NAME; or --as-if-pending --all for every pod that "
        "has devices"};
  }

  // The patches are for the objects as they are, and one piece of advice is to be carried out.
  Result<Done> check_emit_patch(bool one, bool in_files) const {
    if (!emit_patch_) return Done{};
    if (!one && !in_files) {
      return Error{ErrorKind::BadInput, "--emit-patch is for a pod, or for claims",
                   "name one pod, or claims: kubectl dra explain pod NAME --emit-patch"};
    }
    if (what_if_.any() || as_if_pending_ || !compare_.empty() || !devices_.empty()) {
      return Error{ErrorKind::BadInput,
                   base::format("--emit-patch cannot be used with --as-if-pending, --compare, "
                                "--device, {}",
                                WhatIfFlags::names()),
                   "it patches the objects as they are"};
    }
    if (!output_.page()) return Done{};
    return Error{ErrorKind::BadInput,
                 base::format("--emit-patch cannot be used with --output={}", output_.name()),
                 "it prints commands, or with -o json or yaml patches"};
  }

  Result<ExitCode> explain_files(Context& context, const std::string& ns,
                                 const AnswerFlags& flags) const {
    const auto snapshot = DRA_TRY(load_planned(context, ns, !compare_.empty()));
    auto answers = answers_of_planned_workloads(context, snapshot, flags);
    const std::vector<engine::Wanted> subjects = planned_subjects(snapshot);
    if (what_if_.any()) {
      if (answers.empty() && subjects.size() == 1)
        return explain_one(context, snapshot, subjects.front(), flags);
      return Error{
          ErrorKind::BadInput,
          base::format("with -f, {} are for a file of one pod, or of claims", WhatIfFlags::names()),
          "name the pod: kubectl dra explain pod NAME -f FILE"};
    }
    if (emit_patch_ && (!answers.empty() || subjects.size() != 1)) {
      return Error{ErrorKind::BadInput,
                   "with -f, --emit-patch is for a file of one pod, or of claims",
                   "name the pod: kubectl dra explain pod NAME -f FILE --emit-patch"};
    }
    for (const engine::Wanted& wanted : subjects) {
      const report::Explanation explanation = DRA_TRY(explain(snapshot, wanted));
      answers.push_back(answer_of(context, snapshot, explanation, flags));
    }
    if (answers.empty())
      return Error{ErrorKind::BadInput, "there is nothing to explain in the files",
                   "explain -f accepts pods, claims, claim templates and workloads"};
    return print_answers(context, std::move(answers), flags, context.now(snapshot));
  }

  Result<ExitCode> explain_one(Context& context, const snapshot::Snapshot& snapshot,
                               const engine::Wanted& wanted, const AnswerFlags& flags) const {
    engine::Hypothesis hypothesis(snapshot, wanted);
    if (as_if_pending_) hypothesis.make_pending();
    if (!compare_.empty())
      return explain_compared(context, hypothesis.snapshot(), wanted, compare_, flags);
    DRA_TRY(check_subject(context, snapshot, wanted));
    const auto joined = DRA_TRY(read_node_files(context, what_if_.add_nodes));
    const auto changes = DRA_TRY(read_what_if(what_if_, hypothesis, joined));
    const auto idle = idle_changes(hypothesis, changes);
    DRA_TRY(hypothesis.apply(changes));
    for (const std::string& words : idle)
      context.warn(words);
    const snapshot::Snapshot state = hypothesis.snapshot();
    DRA_TRY(check_not_removed(state, wanted));
    DRA_TRY(check_subject(context, state, wanted));
    report::Explanation explanation = DRA_TRY(explain(state, wanted, drivers_of(snapshot)));
    explanation.what_if = changes;
    explanation.what_if_facts = answers::facts_of(changes, explanation.subject, state);
    return print_answers(context, {answer_of(context, state, explanation, flags)}, flags,
                         context.now(state));
  }

  Result<Done> check_not_removed(const snapshot::Snapshot& state,
                                 const engine::Wanted& wanted) const {
    if (what_if_.remove_node.empty() || wanted.pod.empty() ||
        state.find<api::Pod>(wanted.namespace_, wanted.pod) != nullptr)
      return Done{};
    return Error{ErrorKind::BadInput,
                 base::format("pod {} would be gone with its node", wanted.pod),
                 "add --as-if-pending: where could it go?"};
  }

  // Every pod that has devices, each as if it waited.
  Result<ExitCode> explain_all(Context& context, const AnswerFlags& flags) const {
    if (!as_if_pending_ || !context.args().empty())
      return Error{ErrorKind::BadInput,
                   as_if_pending_
                       ? "--all is about every pod that has devices, and a name about one"
                       : "--all is for --as-if-pending",
                   "what waits is explained by kubectl dra explain --pending; what has devices by "
                   "kubectl dra explain --as-if-pending --all"};
    if (pending_ || emit_patch_ || watch_.any() || !compare_.empty() || !nodes_.empty() ||
        !devices_.empty())
      return Error{ErrorKind::BadInput,
                   "--all cannot be used with --pending, --emit-patch, --watch, --wait-for, "
                   "--compare, --node and --device",
                   "name one pod: kubectl dra explain pod NAME --as-if-pending"};
    const std::string ns = DRA_TRY(snapshot::default_namespace(context.source()));
    DRA_TRY(overlay_files(context, files_));
    return explain_rescheduling(context, all_namespaces_ ? std::string() : ns, what_if_, flags);
  }

  Result<Done> check_nodes(const snapshot::Snapshot& snapshot) const {
    if (nodes_.empty()) return Done{};
    const engine::Nodes known = engine::nodes_of(snapshot);
    for (const std::string& name : nodes_) {
      const bool found = std::ranges::any_of(
          known.nodes, [&name](const api::Node& node) { return node.meta.name == name; });
      if (!found) {
        const std::string near = hint_about(snapshot, api::Kind::Node, {}, name);
        return Error{.kind = ErrorKind::NotFound,
                     .message = base::format("nodes \"{}\" not found", name),
                     .hint = near.empty() ? "see `kubectl dra nodes`" : near};
      }
    }
    return Done{};
  }

  // The nodes and devices that flags name must exist.
  Result<answers::Focus> focus(const snapshot::Snapshot& snapshot) const {
    DRA_TRY(check_nodes(snapshot));
    answers::Focus focus{.is_hypothesis = as_if_pending_ || what_if_.any(), .nodes = nodes_};
    if (devices_.empty()) return focus;
    const engine::Inventory inventory(snapshot);
    const auto devices = DRA_TRY(find_devices(inventory, devices_));
    for (const engine::InventoryDevice* device : devices)
      focus.devices.push_back(device->published.id());
    return focus;
  }

  static Result<Done> check_subject(const Context& context, const snapshot::Snapshot& snapshot,
                                    const engine::Wanted& wanted) {
    const std::string& ns = wanted.namespace_;
    if (!wanted.pod.empty() && snapshot.find<api::Pod>(ns, wanted.pod) == nullptr)
      return no_such(context, snapshot, api::Kind::Pod, {ns, wanted.pod});
    for (const std::string& claim : wanted.claims) {
      if (snapshot.find<api::ResourceClaim>(ns, claim) == nullptr)
        return no_such(context, snapshot, api::Kind::Claim, {ns, claim});
    }
    return Done{};
  }

  static Error no_such(const Context& context, const snapshot::Snapshot& snapshot, api::Kind kind,
                       const std::pair<std::string, std::string>& place) {
    const auto& [ns, name] = place;
    Error error = not_found(context, kind, name);
    error.hint = near_object(snapshot, kind, ns, name);
    if (!error.hint.empty()) return error;
    error.hint = hint_about(snapshot, kind, ns, name);
    if (context.args().size() == 1 && context.args().front() == name)
      error.hint +=
          "; of something else than a pod, name the kind, too: kubectl dra explain KIND NAME";
    return error;
  }

  // Needed only where a hypothesis may take away what a driver publishes.
  std::vector<std::string> drivers_of(const snapshot::Snapshot& snapshot) const {
    if (what_if_.remove_node.empty()) return {};
    std::set<std::string_view> drivers;
    for (const api::ResourceSlice& slice : snapshot.all<api::ResourceSlice>())
      drivers.insert(slice.spec.driver);
    return {drivers.begin(), drivers.end()};
  }

  Result<report::Explanation> explain(const snapshot::Snapshot& snapshot,
                                      const engine::Wanted& wanted,
                                      std::vector<std::string> drivers_before = {}) const {
    answers::Focus focus = DRA_TRY(this->focus(snapshot));
    focus.drivers_before = std::move(drivers_before);
    if (wanted.pod.empty())
      return answers::explain_claims(snapshot, wanted.namespace_, wanted.claims, focus);
    return answers::explain_pod(snapshot, *snapshot.find<api::Pod>(wanted.namespace_, wanted.pod),
                                focus);
  }

  bool all_ = false;
  bool all_namespaces_ = false;
  bool as_if_pending_ = false;
  std::string code_;
  std::string compare_;
  bool exit_zero_ = false;
  std::vector<std::string> devices_;
  bool emit_patch_ = false;
  std::vector<std::string> files_;
  std::vector<std::string> nodes_;
  ReportOutput output_;
  bool pending_ = false;
  ExplainWatchFlags watch_;
  WhatIfFlags what_if_;
};

}  // namespace

std::unique_ptr<Command> make_explain() { return std::make_unique<Explain>(); }

}  // namespace dra::cmd
