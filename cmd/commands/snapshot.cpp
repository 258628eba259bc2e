// cmd/commands/snapshot.cpp: `kubectl dra snapshot`: writes the cluster's DRA state to a file.

#include "cmd/command.h"
#include "cmd/commands.h"
#include "cmd/needs.h"
#include "dra/base/files.h"
#include "dra/render/structured.h"
#include "dra/snapshot/recording.h"

namespace dra::cmd {
namespace {

class SnapshotCommand final : public Command {
 public:
  Info info() const override {
    return {.name = "snapshot",
            .usage = "[FILE]",
            .summary = "Save the cluster's DRA state to a file.",
            .description =
                "One List of ordinary objects: nodes, pods, claims, templates, classes, slices, "
                "taint rules, namespaces, volumes with their claims and classes, and the events "
                "of pods with claims, with the server's "
                "version, its feature gates as far as it tells them, and the time, which is the "
                "clock of every age when the file is read. Standard output without FILE, or with "
                "`-`.\n\nOnly fields that this program reads are in it, unless --full is given: no "
                "opaque parameters or other data of drivers, no environment (but TPU_*, "
                "MEGASCALE_* and JOB_COMPLETION_INDEX), no commands, arguments, images or "
                "volumes' contents, no annotations but those of the claim controller. Labels and "
                "messages of events and conditions are kept as they are. Credentials, the "
                "server's address and your name are never in it.",
            .examples = {{"snapshot cluster.json", "to look at later, or to attach to a ticket"},
                         {"explain pod vllm-0 --snapshot cluster.json", "read it again"}},
            .task = Task::Share,
            .max_args = 1};
  }

  std::vector<Flag> flags() override {
    return {{"full", '\0', "", "Save whole objects, and not only what this program reads.", &full_},
            {.name = "output",
             .letter = 'o',
             .value = "FORMAT",
             .help = "Write YAML or KYAML instead of JSON; --snapshot reads all of them.",
             .target = &output_,
             .choices = {"json", "kyaml", "yaml"}}};
  }

  Result<ExitCode> run(Context& context) override {
    // A user who may read only one namespace records that namespace.
    const std::string ns = DRA_TRY(snapshot::default_namespace(context.source()));
    std::vector<snapshot::Need> needs;
    for (const api::KindInfo& kind : api::all_kinds()) {
      if (kind.kind != api::Kind::ConfigMap) needs.push_back({.kind = kind.kind, .verbatim = true});
    }
    context.use_server_gates();
    const auto snapshot = DRA_TRY(context.load(also_within(std::move(needs), ns)));
    const json::Value list = snapshot::record(snapshot, {context.now(snapshot), full_});
    const bool to_output = context.args().empty() || context.args().front() == "-";
    const std::string text = written(list, to_output && context.console().terminal);
    if (to_output) {
      context.print_text(text);
    } else {
      DRA_TRY(base::write_output(context.args().front(), text, base::kPrivate));
    }
    return ExitCode::Done;
  }

 private:
  std::string written(const json::Value& list, bool for_terminal) const {
    if (output_ == "yaml") return render::render_api_yaml(list, for_terminal);
    if (output_ == "kyaml") return render::render_api_kyaml(list, for_terminal);
    return render::render_api_json(list, for_terminal);
  }

  std::string output_;
  bool full_ = false;
};

}  // namespace

std::unique_ptr<Command> make_snapshot() { return std::make_unique<SnapshotCommand>(); }

}  // namespace dra::cmd
