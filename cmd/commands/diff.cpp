// cmd/commands/diff.cpp: `kubectl dra diff`: what changed between two states of a cluster.

#include <algorithm>

#include "cmd/command.h"
#include "cmd/commands.h"
#include "cmd/commands/explain/explain_subject.h"
#include "cmd/list_flags.h"
#include "cmd/name_hints.h"
#include "cmd/needs.h"
#include "cmd/report_output.h"
#include "cmd/report_source.h"
#include "cmd/server_flags.h"
#include "dra/answers/diff/diff.h"
#include "dra/base/text.h"
#include "dra/render/page.h"
#include "dra/report/diff/diff_report.h"
#include "dra/snapshot/select.h"

namespace dra::cmd {
namespace {

constexpr std::string_view kStandardInput = "-";

// Recordings contain namespaces and events, so they are read from the server, too: otherwise all of
// them would seem to be deleted.
std::vector<snapshot::Need> needs_of_diff() {
  auto needs = needs_of_pods({});
  needs.push_back({.kind = api::Kind::Namespace});
  needs.push_back({.kind = api::Kind::Event, .field_selector = "type=Warning"});
  return verbatim(std::move(needs));
}

// Rejects a file that is not a state: it would look like a cluster in which everything is deleted.
Result<Done> check_state(const snapshot::Snapshot& state, const std::string& file) {
  const bool any = state.taken().has_value() ||
                   std::ranges::any_of(api::all_kinds(), [&](const api::KindInfo& kind) {
                     return !snapshot::objects_of(state, kind.kind).empty();
                   });
  if (any) return Done{};
  return Error{ErrorKind::BadInput,
               base::format("{} holds no object that this program knows", file),
               "kubectl dra snapshot FILE writes the state of a cluster"};
}

// Reads the state of one argument.
Result<snapshot::Snapshot> read_state(const Context& context, const std::string& file) {
  snapshot::Source source;
  source.files = {file};
  source.standard_input = context.console().streams.read_input;
  auto loaded = snapshot::load(source, needs_of_diff());
  const std::string name = file == kStandardInput ? "standard input" : file;
  if (!loaded.ok() && loaded.error().message.find(name) == std::string::npos)
    return std::move(loaded).context(name);
  snapshot::Snapshot state = DRA_TRY(std::move(loaded));
  DRA_TRY(check_state(state, name));
  return context.adopt(std::move(state), name);
}

class DiffCommand final : public Command {
 public:
  Info info() const override {
    return {
        .name = "diff",
        .usage = "OLD [NEW]",
        .summary = "Compare two cluster states and show which pods are affected.",
        .description =
            "OLD and NEW are files that `kubectl dra snapshot` has written, directories, "
            "manifests, or - for standard input. Without NEW, OLD is compared with the cluster, or "
            "with what --snapshot or --demo name.\n\nVERDICTS are about pods that waited for "
            "devices before or wait now, pods that have their devices and cannot run with them, "
            "and claims that no pod uses: what is reported about them now and was not before, and "
            "because of which changes. These are the fewest that make the difference: each was "
            "tried, by simulating the scheduler in states between the two. Of a pod that got its "
            "devices they are what let it fit. What is reported about several subjects holds for "
            "each of "
            "them alone, in the words of the first where a trouble is the same on other nodes; "
            "where what decided was found for the first only, that is said. Events expire after "
            "about an hour: where nothing but one that is gone makes the difference, it is not "
            "known whether the trouble is over.\n\nDEVICES are those that came, went, changed "
            "hands or state; OBJECTS all that differ. What only a server counts, and what a node's "
            "kubelet repeats, makes no difference, and nothing is reported about kinds that could "
            "not be read in both states. Without -n it is about all namespaces; with it about "
            "objects, pods and claims of one, and what is in none.",
        .examples = {{"snapshot before.json", "first, keep the state"},
                     {"diff before.json", "what happened since"},
                     {"diff before.json after.json -o json", "two files, for a program"},
                     {"diff before.json -o html >changes.html", "a page, for a ticket"}},
        .exits = {{0, "The states were compared, whether or not something changed."},
                  {1, "They could not be compared."}},
        .task = Task::Diagnose,
        .min_args = 1,
        .max_args = 2,
        .arguments = ArgumentKind::Files};
  }

  std::vector<Flag> flags() override {
    std::vector<Flag> flags = {all_namespaces_flag(all_namespaces_)};
    add_flags(flags, output_.flags());
    return flags;
  }

  Result<ExitCode> run(Context& context) override {
    DRA_TRY(output_.read());
    DRA_TRY(check_sources(context));
    const std::vector<std::string>& args = context.args();
    const auto before = DRA_TRY(read_state(context, args.front()));
    context.use_server_gates();
    const auto after =
        DRA_TRY(args.size() > 1 ? read_state(context, args[1]) : context.load(needs_of_diff()));
    const std::string ns = namespace_asked(context, all_namespaces_);
    DRA_TRY(check_namespace("diff", ns, {&before, &after}));
    const answers::Diff diff = answers::diff_of(before, after, ns);
    if (output_.page() && args.size() > 1) {
      print_as_page(context, report::to_view(diff, true), after);
    } else {
      DRA_TRY(
          output_.print(context, {.json = [&] { return report::to_json(diff); },
                                  .document = [&] { return report::to_view(diff, output_.wide()); },
                                  .page = {"diff", context.now(after)}}));
    }
    return ExitCode::Done;
  }

 private:
  // Each state has one source.
  static Result<Done> check_sources(const Context& context) {
    const std::vector<std::string>& args = context.args();
    const bool two = args.size() > 1;
    const auto& named = context.globals().snapshot;
    const bool reads_input =
        two ? args[1] == kStandardInput : std::ranges::find(named, kStandardInput) != named.end();
    if (args.front() == kStandardInput && reads_input)
      return Error{ErrorKind::BadInput, "standard input cannot be both OLD and NEW",
                   "write one of the two to a file"};
    if (!two || !names_cluster(context.globals())) return Done{};
    return Error{ErrorKind::BadInput,
                 base::format("{} is the later state, but a flag names another one", args[1]),
                 "omit NEW, or --snapshot, --demo and the flags that name a server"};
  }

  // The later state is a file of the arguments.
  static void print_as_page(const Context& context, const view::Document& document,
                            const snapshot::Snapshot& after) {
    const std::vector<std::string>& args = context.args();
    context.print_text(render::render_html(
        document,
        {.title = title_of_page(document),
         .about = base::format("kubectl dra diff {} {}: snapshot {}, {}", args[0], args[1], args[1],
                               base::format_rfc3339(context.now(after)))}));
  }

  bool all_namespaces_ = false;
  ReportOutput output_;
};

}  // namespace

std::unique_ptr<Command> make_diff() { return std::make_unique<DiffCommand>(); }

}  // namespace dra::cmd
