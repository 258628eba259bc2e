// cmd/explain.cpp: `kubectl dra explain`: why a pod or its claims do not run.

#include <algorithm>

#include "cmd/commands.h"
#include "cmd/find_device.h"
#include "cmd/list_flags.h"
#include "cmd/output.h"
#include "dra/base/text.h"
#include "dra/engine/nodes.h"
#include "dra/report/explanation.h"
#include "dra/snapshot/pretend.h"

namespace dra::cmd {
namespace {

using snapshot::Need;

enum class SubjectKind { Pod, Claim };

struct SubjectWords {
  SubjectKind kind;
  std::vector<std::string> names;
};

Result<SubjectKind> kind_of_word(std::string_view word) {
  for (const char* pod : {"pod", "pods", "po"}) {
    if (word == pod) return SubjectKind::Pod;
  }
  for (const char* claim : {"claim", "claims", "resourceclaim", "resourceclaims"}) {
    if (word == claim) return SubjectKind::Claim;
  }
  return Error{ErrorKind::BadInput, base::format("cannot explain \"{}\"", word),
               "say: kubectl dra explain pod NAME, or kubectl dra explain claim NAME ..."};
}

// `pod NAME`, `pod/NAME`, `claim NAME NAME`, `claim/NAME claim/NAME`.
Result<SubjectWords> read_subject(const std::vector<std::string>& words) {
  const auto first = base::split(words.front(), '/');
  SubjectWords subject{.kind = DRA_TRY(kind_of_word(first.front())), .names = {}};
  if (first.size() == 1) {
    subject.names.assign(words.begin() + 1, words.end());
  } else {
    for (const std::string& word : words) {
      const std::size_t slash = word.find('/');
      if (word.substr(0, slash) != first.front() || slash == std::string::npos) {
        return Error{ErrorKind::BadInput,
                     base::format("\"{}\" is not of the form {}/NAME", word, first.front()),
                     {}};
      }
      subject.names.push_back(word.substr(slash + 1));
    }
  }
  if (subject.names.empty() || subject.names.front().empty()) {
    return Error{ErrorKind::BadInput, base::format("explain {}: which one?", first.front()),
                 base::format("say: kubectl dra explain {} NAME", first.front())};
  }
  if (subject.kind == SubjectKind::Pod && subject.names.size() > 1) {
    return Error{ErrorKind::BadInput, "one pod at a time can be explained; several claims can", {}};
  }
  return subject;
}

ExitCode exit_code_of(report::Verdict verdict) {
  switch (verdict) {
    case report::Verdict::Fits:
    case report::Verdict::Scheduled:
      return ExitCode::Done;
    case report::Verdict::Blocked:
    case report::Verdict::DoesNotFit:
      return ExitCode::Found;
    case report::Verdict::Undetermined:
      return ExitCode::Undetermined;
  }
  return ExitCode::Undetermined;
}

class Explain final : public Command {
 public:
  Info info() const override {
    return {
        .name = "explain",
        .usage = "pod NAME | claim NAME ...",
        .summary = "Say why a pod or claim does not get its devices.",
        .description =
            "First what stops the pod before any node is looked at, most of which leaves no event; "
            "then what its selectors choose in the cluster, and what is wrong with them; then, for "
            "each node, what the scheduler's allocator would do there: the devices it would pick, "
            "or what is against each device: selectors, who holds it, taints, capacity, counters, "
            "constraints; and what other filters of the scheduler say. Beside it stand the "
            "scheduler's own words. A verdict is given only where it is proven: what a pod uses "
            "that is not simulated is named, and leaves the answer undetermined. Several claims "
            "are explained together, as one pod would use them. Where no node fits, it says "
            "whether one "
            "would if nobody else held any device.\n\n"
            "--device asks about one device instead: for each request and alternative, on each "
            "node that sees it, whether the simulation allocates it, or could, or all that is "
            "against it: who holds it, each condition of a selector that is false, with the "
            "values, taints, capacity, counters, constraints.\n\n"
            "Exit code: 0 fits, scheduled or allocated, 2 blocked or does not fit, 3 undetermined.",
        .examples = {{"explain pod vllm-0 -n ml", "why the pod waits"},
                     {"explain claim train-gpus -o json", "a claim, for a script"},
                     {"explain pod vllm-0 --device gpu.nvidia.com/node-1/gpu-0",
                      "why it does not get this device"},
                     {"explain pod vllm-0 --as-if-pending",
                      "where a pod that runs could go, if it had to start again"}},
        .min_args = 1,
        .max_args = kAnyArgs,
        .words = Words::PodOrClaim};
  }

  std::vector<Flag> flags() override {
    return {{"as-if-pending", '\0', "",
             "Explain what has its devices as if it still waited for them, and others kept theirs.",
             &as_if_pending_},
            {"device", '\0', "DEVICE",
             "Say what is against this device: its name, or driver/pool/device. May be given "
             "several times.",
             &devices_},
            {"exit-zero", '\0', "", "Exit with 0 whatever the verdict.", &exit_zero_},
            {"node", '\0', "NAME", "Look at this node only. May be given several times.", &nodes_},
            {"output",
             'o',
             "FORMAT",
             "Write JSON or YAML, or text with nothing folded.",
             &output_,
             {"json", "wide", "yaml"}}};
  }

  Result<ExitCode> run(Context& context) override {
    const SubjectWords words = DRA_TRY(read_subject(context.args()));
    const std::string ns = DRA_TRY(snapshot::default_namespace(context.source()));
    context.ask_for_gates();
    auto snapshot = DRA_TRY(context.load(needs(words, ns)));
    if (as_if_pending_) pretend(snapshot, words, ns);
    const report::Explanation explanation = DRA_TRY(explain(context, snapshot, words, ns));
    const Output output = DRA_TRY(read_output(output_, false));
    const bool wide = output.format == Format::Wide;
    if (!output.table()) {
      DRA_TRY(print_structured(context, report::to_json(explanation, snapshot), output,
                               Printed::Report));
    } else {
      context.print(report::to_view(explanation, snapshot, {context.now(snapshot), wide}), wide);
    }
    return exit_zero_ ? ExitCode::Done : exit_code_of(explanation.verdict);
  }

 private:
  static std::vector<Need> needs(const SubjectWords& words, const std::string& ns) {
    std::vector<Need> needs{{.kind = api::Kind::Slice},
                            {.kind = api::Kind::Claim},
                            {.kind = api::Kind::Class},
                            {.kind = api::Kind::Node},
                            {.kind = api::Kind::TaintRule}};
    if (words.kind == SubjectKind::Pod) {
      needs.push_back({.kind = api::Kind::Template, .namespace_ = ns});
      // All pods, as they take room on nodes; without that right, those of the namespace.
      needs.push_back({.kind = api::Kind::Pod});
      needs.push_back({.kind = api::Kind::Pod, .namespace_ = ns, .essential = true});
      needs.push_back({.kind = api::Kind::Event,
                       .namespace_ = ns,
                       .field_selector = "involvedObject.name=" + words.names.front()});
    }
    return needs;
  }

  static void pretend(snapshot::Snapshot& snapshot, const SubjectWords& words,
                      const std::string& ns) {
    if (words.kind == SubjectKind::Pod) {
      snapshot::pretend_pending(snapshot, ns, words.names.front());
    } else {
      snapshot::pretend_unallocated(snapshot, ns, words.names);
    }
  }

  Result<Done> check_nodes(const snapshot::Snapshot& snapshot) const {
    if (nodes_.empty()) return Done{};
    const engine::Nodes known = engine::nodes_of(snapshot);
    for (const std::string& name : nodes_) {
      const bool found = std::ranges::any_of(
          known.nodes, [&name](const api::Node& node) { return node.meta.name == name; });
      if (!found) {
        return Error{.kind = ErrorKind::NotFound,
                     .message = base::format("nodes \"{}\" not found", name),
                     .hint = "see `kubectl dra nodes`"};
      }
    }
    return Done{};
  }

  // What is named must be there.
  Result<report::Focus> focus(const snapshot::Snapshot& snapshot) const {
    DRA_TRY(check_nodes(snapshot));
    report::Focus focus{.nodes = nodes_};
    if (devices_.empty()) return focus;
    const engine::Inventory inventory(snapshot);
    const auto devices = DRA_TRY(find_devices(inventory, devices_));
    for (const engine::InventoryDevice* device : devices)
      focus.devices.push_back(device->published.id());
    return focus;
  }

  Result<report::Explanation> explain(const Context& context, const snapshot::Snapshot& snapshot,
                                      const SubjectWords& words, const std::string& ns) const {
    const report::Focus focus = DRA_TRY(this->focus(snapshot));
    if (words.kind == SubjectKind::Claim)
      return report::explain_claims(snapshot, ns, words.names, focus);
    const api::Pod* pod = snapshot.find<api::Pod>(ns, words.names.front());
    if (pod == nullptr) {
      Error error = not_found(context, api::Kind::Pod, words.names.front());
      error.hint = base::format("looked in namespace {}; -n names another", ns);
      return error;
    }
    return report::explain_pod(snapshot, *pod, focus);
  }

  bool as_if_pending_ = false;
  bool exit_zero_ = false;
  std::vector<std::string> devices_;
  std::vector<std::string> nodes_;
  std::string output_;
};

}  // namespace

std::unique_ptr<Command> make_explain() { return std::make_unique<Explain>(); }

}  // namespace dra::cmd
