// cmd/commands/top.cpp: `kubectl dra top`: capacity and use.

#include "dra/report/top/top.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "cmd/commands.h"
#include "cmd/commands/list.h"
#include "cmd/commands/watch/watched_report.h"
#include "cmd/needs.h"
#include "dra/api/cluster_objects.h"
#include "dra/base/text.h"
#include "dra/render/openmetrics.h"

namespace dra::cmd {
namespace {

using api::Kind;
using report::TopBy;

constexpr std::array kAll = {TopBy::Drivers, TopBy::Classes, TopBy::Nodes, TopBy::NodePools,
                             TopBy::Namespaces};

std::string_view one_of(TopBy by) {
  if (by == TopBy::Classes) return "class";
  std::string_view one = name_of(by);
  one.remove_suffix(1);
  return one;
}

// Accepts singular, plural and kubectl's names.
Result<TopBy> read_by(const std::vector<std::string>& words) {
  if (words.empty()) return TopBy::Drivers;
  const std::string& word = words.front();
  for (const TopBy by : kAll) {
    const std::string_view plural = name_of(by);
    if (word == plural || word == one_of(by)) return by;
  }
  if (const NounInfo* info = find_noun(word)) {
    if (info->noun == Noun::Drivers) return TopBy::Drivers;
    if (info->noun == Noun::Classes) return TopBy::Classes;
    if (info->noun == Noun::Nodes) return TopBy::Nodes;
  }
  if (word == "ns") return TopBy::Namespaces;
  return Error{ErrorKind::BadInput,
               base::format("top: there is no top of {}", base::shell_word(word)),
               "name drivers, classes, nodes, nodepools or namespaces"};
}

class Top final : public Command {
 public:
  Info info() const override {
    return {
        .name = "top",
        .usage = "[drivers|classes|nodes|nodepools|namespaces] [NAME ...]",
        .summary = "Show device usage and the largest request that still fits.",
        .description =
            "DEVICES are accelerators: one that is cut into partitions counts once, however many "
            "partitions its driver publishes. IN-USE are those of which nothing is left; SHARED "
            "those with room for more; FREE those that one claim could get now. BLOCKED, TAINTED, "
            "UNUSABLE and MISSING have a column where there are some, as in `devices`. A second "
            "table has the accelerators that are cut into partitions: how many slices are in use, "
            "and which partitions that leaves. LARGEST is how many devices one claim could get on "
            "one "
            "node now, as the scheduler's allocator finds them without tolerations; -o wide tells "
            "where, and draws bars. Nodes that are not ready or cordoned "
            "do not count; what else keeps a pod from a node depends on the pod. `+?` behind it: "
            "there may be more.\n\n"
            "Below stands what devices share out: capacity of devices that allow several "
            "allocations, and counters of partitions, with the most that is left in one place.\n\n"
            "Of namespaces, with -n of one: claims, the devices that these hold, and quotas.",
        .examples = {{"top", "every driver"},
                     {"top nodes --sort-by .free", "those with the fewest free devices first"},
                     {"top classes", "what claims can ask for"},
                     {"top nodes -w", "the same, drawn again as things change"},
                     {"top namespaces", "who uses how much"},
                     {"top -o openmetrics", "figures of all of these, for Prometheus"}},
        .task = Task::Diagnose,
        .min_args = 0,
        .max_args = kAnyArgs,
        .arguments = ArgumentKind::Top,
        .contexts = Combination::Rows};
  }

  std::vector<Flag> flags() override {
    std::vector<Flag> flags = flags_.for_reports();
    const auto all = std::ranges::find(flags, 'A', &Flag::letter);
    all->help =
        "Of namespaces all, which is what happens without -n. Not used for the rest, which is in "
        "no "
        "namespace.";
    const auto output = std::ranges::find(flags, 'o', &Flag::letter);
    output->choices.push_back(kOpenMetrics);
    std::ranges::sort(output->choices);
    add_flags(flags, watch_.flags());
    return flags;
  }

  Result<ExitCode> run(Context& context) override {
    DRA_TRY(check_report_watch(context, watch_, flags_.output));
    if (flags_.output == kOpenMetrics) return print_metrics(context);
    const Output output = DRA_TRY(check_flags(flags_, context));
    const TopBy by = DRA_TRY(read_by(context.args()));
    context.use_server_gates();
    const std::string in = DRA_TRY(snapshot::default_namespace(context.source()));
    return show_state(
        context, watch_, flags_.output, needs_of(by, in),
        [&](Context& to, const snapshot::Snapshot& state) { return show(to, state, output, by); });
  }

 private:
  Result<ExitCode> show(Context& context, const snapshot::Snapshot& snapshot, const Output& output,
                        TopBy by) const {
    const engine::Inventory inventory(snapshot);
    const report::Scene scene{snapshot, inventory, context.now(snapshot)};
    report::Top top = report::top_of(scene, by);
    const std::vector<std::string> names = names_asked(context);
    ReportRows rows{.json = [&] { return report::to_json(top); },
                    .table = [&] { return report::to_view(top, output.format == Format::Wide); },
                    .not_found = missing_among(names, all_names(top),
                                               {one_of(by), why_none(snapshot, top, names)},
                                               std::equal_to<std::string_view>())};
    const std::string& ns = context.globals().connection.namespace_;
    if (!ns.empty() && !flags_.all_namespaces) keep(top.namespaces, {ns});
    keep(top.rows, names);
    keep(top.namespaces, names);
    for (const report::TopRow& row : top.rows)
      rows.names.push_back(row.name.empty() ? "" : base::format("{}/{}", one_of(by), row.name));
    for (const report::NamespaceTop& row : top.namespaces)
      rows.names.push_back(base::format("{}/{}", one_of(by), row.name));
    return print_report(context, flags_, output, rows);
  }

  static constexpr std::string_view kOpenMetrics = "openmetrics";

  // Of everything, unless a kind is named.
  static Result<ExitCode> print_metrics(Context& context) {
    std::vector<TopBy> kinds(kAll.begin(), kAll.end());
    if (context.args().size() > 1) {
      return Error{ErrorKind::BadInput,
                   "--output=openmetrics has figures of all, and takes no names",
                   "name drivers, classes, nodes, nodepools or namespaces alone"};
    }
    if (!context.args().empty()) kinds.assign(1, DRA_TRY(read_by(context.args())));
    context.use_server_gates();
    const std::string in = DRA_TRY(snapshot::default_namespace(context.source()));
    const auto snapshot = DRA_TRY(context.load(needs_of_all(in)));
    const engine::Inventory inventory(snapshot);
    const report::Scene scene{snapshot, inventory, context.now(snapshot)};
    std::vector<render::MetricFamily> families;
    for (const TopBy by : kinds) {
      auto some = render::top_metrics(report::to_json(report::top_of(scene, by)));
      std::ranges::move(some, std::back_inserter(families));
    }
    context.print_text(render::to_openmetrics(families));
    return ExitCode::Done;
  }

  static std::vector<snapshot::Need> needs_of_all(const std::string& ns) {
    std::vector<snapshot::Need> needs = needs_of(TopBy::Namespaces, ns);
    needs.push_back({.kind = Kind::Node});
    return needs;
  }

  // A user who may read claims of one namespace only gets the row of that namespace.
  static std::vector<snapshot::Need> needs_of(TopBy by, const std::string& ns) {
    std::vector<snapshot::Need> needs = {
        {.kind = Kind::Slice, .essential = true}, {.kind = Kind::Claim}, {.kind = Kind::TaintRule}};
    if (by == TopBy::Namespaces) {
      needs.push_back({.kind = Kind::Quota});
      needs = also_within(std::move(needs), ns);
    }
    if (by == TopBy::Namespaces || by == TopBy::Classes) needs.push_back({.kind = Kind::Class});
    if (by != TopBy::Namespaces) needs.push_back({.kind = Kind::Node});
    return needs;
  }

  // The reason why a name has no row: an existing node without devices is not an unknown node.
  static std::string_view why_none(const snapshot::Snapshot& snapshot, const report::Top& top,
                                   const std::vector<std::string>& names) {
    const auto is_idle = [&](const std::string& name) {
      return snapshot.find<api::Node>(name) != nullptr &&
             std::ranges::find(top.rows, name, &report::TopRow::name) == top.rows.end();
    };
    const bool idle = top.by == TopBy::Nodes && std::ranges::any_of(names, is_idle);
    return idle ? "of nodes for which no driver publishes devices there is no row" : "";
  }

  static std::vector<std::string> names_asked(const Context& context) {
    const auto& words = context.args();
    return words.empty() ? words : std::vector<std::string>(words.begin() + 1, words.end());
  }

  static std::vector<std::string_view> all_names(const report::Top& top) {
    std::vector<std::string_view> names;
    for (const report::TopRow& row : top.rows)
      names.push_back(row.name);
    for (const report::NamespaceTop& row : top.namespaces)
      names.push_back(row.name);
    return names;
  }

  template <class Rows>
  static void keep(Rows& rows, const std::vector<std::string>& names) {
    if (names.empty()) return;
    std::erase_if(rows, [&names](const auto& row) {
      return std::ranges::find(names, row.name) == names.end();
    });
  }

  ListFlags flags_;
  ReportWatchFlags watch_;
};

}  // namespace

std::unique_ptr<Command> make_top() { return std::make_unique<Top>(); }

}  // namespace dra::cmd
