// cmd/commands/report.cpp: `kubectl dra report`: overview, problems, waiting pods and topology on
// one page.

#include <optional>
#include <string>
#include <vector>

#include "cmd/command.h"
#include "cmd/commands.h"
#include "cmd/repeat_flags.h"
#include "cmd/report_source.h"
#include "dra/answers/explain/pending_pods.h"
#include "dra/answers/problems/doctor.h"
#include "dra/base/files.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/render/page.h"
#include "dra/report/doctor/doctor.h"
#include "dra/report/doctor/overview.h"
#include "dra/report/explain/pending.h"
#include "dra/report/topology/topology.h"

namespace dra::cmd {
namespace {

class Report final : public Command {
 public:
  Info info() const override {
    return {
        .name = "report",
        .usage = "[FILE]",
        .summary = "Write one page (HTML) to share: overview, problems, waiting pods, topology.",
        .description =
            "The page is one file without scripts and without requests to a network, so that "
            "it can be attached to a ticket. It names pods, claims and nodes. Without FILE it "
            "goes to standard output.\n\nWithout -n, of all namespaces, or of the context's if "
            "you cannot read other claims.",
        .examples = {{"report dra.html", "a page about the whole cluster"},
                     {"report dra.html --snapshot cluster.json", "of a recorded state"}},
        .task = Task::Share,
        .max_args = 1,
        .arguments = ArgumentKind::Files};
  }

  std::vector<Flag> flags() override { return {all_namespaces_flag(all_namespaces_)}; }

  Result<ExitCode> run(Context& context) override {
    const report::OverviewSource source = DRA_TRY(report_source(context));
    const auto [snapshot, ns] =
        DRA_TRY(load_for_problems(context, info().name, all_namespaces_,
                                  {{.kind = api::Kind::ComputeDomain, .aside = true}}));
    const engine::Inventory inventory(snapshot);
    const base::Instant now = context.now(snapshot);
    const answers::ClusterInput cluster{snapshot, inventory, now};
    const answers::Doctor doctor = answers::examine(cluster, ns);
    const report::Scene scene{.snapshot = snapshot,
                              .inventory = inventory,
                              .now = now,
                              .flags = repeat_flags(context.globals())};
    const std::vector<render::Section> sections = {
        {"Overview", report::to_view(answers::overview_of(cluster, ns, diag::Detail::Screen),
                                     source, {now, true})},
        {"Problems", report::to_view(doctor, source)},
        {"Waiting pods",
         report::to_view(answers::pending_pods(snapshot, ns),
                         {.wide = true, .program = source.program, .flags = source.flags})},
        {"Topology", report::to_view(report::topology_of(scene, std::nullopt), scene,
                                     {.wide = true, .details = true})}};
    const std::string page = render::render_html(
        sections,
        {.title = sections[1].document.title,
         .about = base::format("{} {}, {}", source.kind, source.name, base::format_rfc3339(now))});
    if (context.args().empty() || context.args().front() == "-") {
      context.print_text(page);
    } else {
      DRA_TRY(base::write_output(context.args().front(), page, base::kPrivate));
    }
    return ExitCode::Done;
  }

 private:
  bool all_namespaces_ = false;
};

}  // namespace

std::unique_ptr<Command> make_report() { return std::make_unique<Report>(); }

}  // namespace dra::cmd
