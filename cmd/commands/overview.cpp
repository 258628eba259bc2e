// cmd/commands/overview.cpp: `kubectl dra overview`, which also runs without a command.

#include "dra/report/doctor/overview.h"
#include "cmd/command.h"
#include "cmd/commands.h"
#include "cmd/commands/watch/watched_report.h"
#include "cmd/help.h"
#include "cmd/list_flags.h"
#include "cmd/report_output.h"
#include "cmd/report_source.h"
#include "dra/base/text.h"
#include "dra/diag/subject_words.h"

namespace dra::cmd {
namespace {

class Overview final : public Command {
 public:
  Info info() const override {
    return {
        .name = "overview",
        .summary = "Show devices, claims and problems on one screen; the default command.",
        .description =
            "For each driver: its devices by their states, as `devices` has them: IN-USE, FREE, "
            "and "
            "where there are some SHARED, BLOCKED, TAINTED, UNUSABLE and MISSING ones; pools, "
            "nodes that can use them of all nodes, and classes that name the "
            "driver. Then the problems, worst first, each with the command that explains "
            "it.\n\nWithout -n, of all namespaces, or of the context's if you cannot read other "
            "claims; with it, claims, pods and their problems of one. -o wide shows every problem.",
        .examples = {{"--demo", "of a built-in cluster"},
                     {"overview -o json", "the same, for a script"},
                     {"overview -w", "the same, drawn again as things change"}},
        .task = Task::Diagnose,
        .contexts = Combination::Reports};
  }

  std::vector<Flag> flags() override {
    std::vector<Flag> flags = {all_namespaces_flag(all_namespaces_)};
    add_flags(flags, output_.flags());
    add_flags(flags, watch_.flags());
    return flags;
  }

  Result<ExitCode> run(Context& context) override {
    const report::OverviewSource source = DRA_TRY(report_source(context));
    DRA_TRY(output_.read());
    DRA_TRY(check_report_watch(context, watch_, output_.name()));
    const auto needs = DRA_TRY(needs_for_problems(context, all_namespaces_));
    return show_state(
        context, watch_, output_.name(), needs,
        [&](Context& to, const snapshot::Snapshot& state) { return show(to, state, source); });
  }

 private:
  Result<ExitCode> show(Context& context, const snapshot::Snapshot& snapshot,
                        const report::OverviewSource& source) const {
    const std::string ns =
        DRA_TRY(namespace_of_problems(context, info().name, all_namespaces_, snapshot));
    const engine::Inventory inventory(snapshot);
    const base::Instant now = context.now(snapshot);
    const auto overview =
        answers::overview_of({snapshot, inventory, now}, ns,
                             output_.wide() ? diag::Detail::Everything : diag::Detail::Screen);
    DRA_TRY(output_.print(context,
                          {.json = [&] { return report::to_json(overview, source); },
                           .document =
                               [&] {
                                 return report::to_view(overview, source, {now, output_.wide()});
                               },
                           .page = {"overview", now}}));
    return ExitCode::Done;
  }

  bool all_namespaces_ = false;
  ReportOutput output_;
  ReportWatchFlags watch_;
};

}  // namespace

std::unique_ptr<Command> make_overview() { return std::make_unique<Overview>(); }

}  // namespace dra::cmd
