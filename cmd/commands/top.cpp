// cmd/commands/top.cpp: `kubectl dra top`: capacity and use.

#include "dra/report/top/top.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "cmd/commands.h"
#include "cmd/commands/list.h"
#include "cmd/commands/prices.h"
#include "cmd/commands/watch/watched_report.h"
#include "cmd/name_hints.h"
#include "cmd/needs.h"
#include "cmd/report_source.h"
#include "dra/api/cluster_objects.h"
#include "dra/base/text.h"
#include "dra/render/openmetrics.h"
#include "dra/report/top/idle.h"

namespace dra::cmd {
namespace {

using api::Kind;
using report::Prices;
using report::TopBy;

// Those of -o openmetrics without a name. Workloads come and go, and each would be a series.
constexpr std::array kMeasured = {TopBy::Drivers, TopBy::Classes, TopBy::Nodes, TopBy::NodePools,
                                  TopBy::Namespaces};
constexpr std::array kAll = {TopBy::Drivers,   TopBy::Classes,    TopBy::Nodes,
                             TopBy::NodePools, TopBy::Namespaces, TopBy::Workloads};

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
               "name drivers, classes, nodes, nodepools, namespaces or workloads"};
}

class Top final : public Command {
 public:
  Info info() const override {
    return {
        .name = "top",
        .usage = "[drivers|classes|nodes|nodepools|namespaces|workloads] [NAME ...]",
        .summary = "Show device usage and the largest request that still fits.",
        .description =
            "DEVICES are accelerators: one that is cut into partitions counts once, however many "
            "partitions its driver publishes. IN-USE are those of which nothing is left; SHARED "
            "those with room for more; FREE those that one claim could get now. BLOCKED, TAINTED, "
            "UNUSABLE and MISSING have a column where there are some, as in `devices`. A second "
            "table has the accelerators that are cut into partitions: how many slices are in use, "
            "and how many of its partitions are free. LARGEST is how many devices one claim could "
            "get on one node now, partitions where the accelerators are cut into them, as the "
            "scheduler's allocator finds them without tolerations; -o wide shows where, and draws "
            "bars. Nodes that are not ready or cordoned "
            "do not count; what else keeps a pod from a node depends on the pod. `+?` behind it: "
            "there may be more.\n\n"
            "--sort-by sorts by a field of -o json: `.accelerators.free` is the column FREE; "
            "`.free` counts what drivers publish, each partition for itself.\n\n"
            "Below stands what devices share out: capacity of devices that allow several "
            "allocations, and counters of partitions, with the most that is left in one place.\n\n"
            "Of namespaces, with -n of one: claims, the devices that these hold, and quotas. Of "
            "workloads: what claims hold for each, and for pods that nothing creates again.\n\n"
            "--idle of these two: devices that claims hold and nothing works with. Their pods "
            "crash again and again, are not ready, have not started or have ended, no container "
            "names the claim (of drivers that are known to serve those alone that do), or no pod "
            "has reserved it. A device that several pods have is idle if it is for all of them. "
            "SINCE is the earliest time among them, and DEVICE-HOURS adds up the devices times the "
            "hours: `>=` where they may have been idle before, `<=` where they may have been in "
            "use after their allocation, `~` where both occur. --price gives what a device of a "
            "class costs in an hour; `+?` behind COST: some are of a class without a price.",
        .examples = {{"top", "every driver"},
                     {"top nodes --sort-by .accelerators.free",
                      "those with the fewest free devices first"},
                     {"top classes", "what claims can ask for"},
                     {"top nodes -w", "the same, drawn again as things change"},
                     {"top namespaces", "who uses how much"},
                     {"top workloads --idle", "who holds devices that nothing works with"},
                     {"top namespaces --idle --price gpu.nvidia.com=2.5", "and what that costs"},
                     {"top -o openmetrics", "figures of all but workloads, for Prometheus"}},
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
    add_flags(flags, {{"idle", '\0', "",
                       "Of namespaces or workloads: only devices that nothing works with.", &idle_},
                      {"price", '\0', "CLASS=AMOUNT",
                       "With --idle, what a device of the class costs in an hour; can be repeated.",
                       &prices_}});
    return flags;
  }

  Result<ExitCode> run(Context& context) override {
    DRA_TRY(check_report_watch(context, watch_, flags_.output));
    if (flags_.output == kOpenMetrics) return print_metrics(context);
    const Output output = DRA_TRY(check_flags(flags_, context));
    const TopBy by = DRA_TRY(read_by(context.args()));
    const Prices prices = DRA_TRY(check_idle(by));
    context.use_server_gates();
    const std::string in = DRA_TRY(snapshot::default_namespace(context.source()));
    if (idle_) {
      return show_state(context, watch_, flags_.output,
                        with_namespace(context, by, needs_of_idle(in)),
                        [&](Context& to, const snapshot::Snapshot& state) {
                          return show_idle(to, state, output, {by, prices});
                        });
    }
    return show_state(
        context, watch_, flags_.output, with_namespace(context, by, needs_of(by, in)),
        [&](Context& to, const snapshot::Snapshot& state) { return show(to, state, output, by); });
  }

 private:
  Result<ExitCode> show(Context& context, const snapshot::Snapshot& snapshot, const Output& output,
                        TopBy by) const {
    const engine::Inventory inventory(snapshot);
    const report::Scene scene{snapshot, inventory, context.now(snapshot)};
    DRA_TRY(check_asked_namespace(context, snapshot, by));
    report::Top top = report::top_of(scene, by);
    const std::vector<std::string> names = names_asked(context);
    ReportRows rows{
        .json = [&] { return report::to_json(top); },
        .table = [&] { return report::to_view(top, output.format == Format::Wide); },
        .not_found = missing_among(
            names, all_names(top),
            {.what = one_of(by), .hint = why_none(snapshot, top, names), .known = known_names(top)},
            std::equal_to<std::string_view>())};
    const std::string& ns = context.globals().connection.namespace_;
    if (!ns.empty() && !flags_.all_namespaces) keep(top.namespaces, {ns});
    if (!ns.empty() && !flags_.all_namespaces) keep_of(top.workloads, ns);
    keep(top.rows, names);
    keep(top.namespaces, names);
    keep(top.workloads, names);
    std::vector<std::string> row_names;
    row_names.reserve(top.rows.size() + top.namespaces.size() + top.workloads.size());
    for (const report::TopRow& row : top.rows)
      row_names.push_back(row.name.empty() ? "" : base::format("{}/{}", one_of(by), row.name));
    for (const report::NamespaceTop& row : top.namespaces)
      row_names.push_back(base::format("{}/{}", one_of(by), row.name));
    for (const report::WorkloadTop& row : top.workloads)
      row_names.push_back(base::format("{}/{}", base::lower(row.kind), row.name));
    name_rows(rows, row_names);
    return print_report(context, flags_, output, rows);
  }

  static void name_rows(ReportRows& rows, const std::vector<std::string>& names) {
    rows.count = names.size();
    rows.name = [&names](std::size_t i) { return names[i]; };
  }

  // -n is for what is in namespaces.
  std::string namespace_of(const Context& context, TopBy by) const {
    const bool has = by == TopBy::Namespaces || by == TopBy::Workloads;
    return has ? namespace_asked(context, flags_.all_namespaces) : std::string();
  }

  Result<Done> check_asked_namespace(const Context& context, const snapshot::Snapshot& snapshot,
                                     TopBy by) const {
    return check_namespace("top", namespace_of(context, by), {&snapshot});
  }

  std::vector<snapshot::Need> with_namespace(const Context& context, TopBy by,
                                             std::vector<snapshot::Need> needs) const {
    if (const std::string ns = namespace_of(context, by); !ns.empty())
      needs.push_back({.kind = Kind::Namespace, .names = {ns}, .aside = true});
    return needs;
  }

  // --idle and --price go with some of the tables only.
  Result<Prices> check_idle(TopBy by) const {
    if (idle_ && by != TopBy::Namespaces && by != TopBy::Workloads)
      return Error{ErrorKind::BadInput, "--idle is about namespaces and workloads",
                   "top namespaces --idle, or top workloads --idle"};
    if (!idle_ && !prices_.empty())
      return Error{ErrorKind::BadInput, "--price is used together with --idle only", {}};
    return read_prices(prices_);
  }

  struct IdleQuestion {
    TopBy by;
    const Prices& prices;
  };
  Result<ExitCode> show_idle(Context& context, const snapshot::Snapshot& snapshot,
                             const Output& output, const IdleQuestion& asked) const {
    const engine::Inventory inventory(snapshot);
    const report::Scene scene{snapshot, inventory, context.now(snapshot)};
    const std::string& ns = context.globals().connection.namespace_;
    DRA_TRY(check_asked_namespace(context, snapshot, asked.by));
    DRA_TRY(check_classes(snapshot, asked.prices));
    report::IdleTop top =
        report::idle_of(scene, asked.by, flags_.all_namespaces ? "" : ns, asked.prices);
    const std::vector<std::string> names = names_asked(context);
    const report::Top all = report::top_of(scene, asked.by);
    ReportRows rows{
        .json = [&] { return report::to_json(top); },
        .table = [&] { return report::to_view(top); },
        .not_found = missing_among(names, all_names(all),
                                   {.what = one_of(asked.by), .known = known_names(all)},
                                   std::equal_to<std::string_view>()),
        .says_none = true};
    keep_idle(top, names);
    std::vector<std::string> row_names;
    row_names.reserve(top.rows.size());
    for (const report::IdleRow& row : top.rows)
      row_names.push_back(row.kind.empty()
                              ? base::format("{}/{}", one_of(asked.by), row.namespace_)
                              : base::format("{}/{}", base::lower(row.kind), row.name));
    name_rows(rows, row_names);
    return print_report(context, flags_, output, rows);
  }

  static void keep_idle(report::IdleTop& top, const std::vector<std::string>& names) {
    if (names.empty()) return;
    std::erase_if(top.rows, [&](const report::IdleRow& row) {
      const std::string_view name = row.kind.empty() ? row.namespace_ : row.name;
      return std::ranges::find(names, name) == names.end();
    });
  }

  static constexpr std::string_view kOpenMetrics = "openmetrics";

  // Of everything, unless a kind is named.
  Result<ExitCode> print_metrics(Context& context) const {
    std::vector<TopBy> kinds(kMeasured.begin(), kMeasured.end());
    if (context.args().size() > 1) {
      return Error{ErrorKind::BadInput,
                   "--output=openmetrics has figures of all, and does not accept names",
                   "name drivers, classes, nodes, nodepools, namespaces or workloads alone"};
    }
    if (idle_) kinds.assign(1, TopBy::Namespaces);
    if (!context.args().empty()) kinds.assign(1, DRA_TRY(read_by(context.args())));
    DRA_TRY(check_idle(kinds.front()));
    context.use_server_gates();
    const std::string in = DRA_TRY(snapshot::default_namespace(context.source()));
    const auto snapshot =
        DRA_TRY(context.load(needs_of_all(in, idle_ || kinds.front() == TopBy::Workloads)));
    const engine::Inventory inventory(snapshot);
    const report::Scene scene{snapshot, inventory, context.now(snapshot)};
    std::vector<render::MetricFamily> families;
    for (const TopBy by : kinds) {
      auto some = idle_ ? render::idle_metrics(report::to_json(report::idle_of(scene, by, {}, {})))
                        : render::top_metrics(report::to_json(report::top_of(scene, by)));
      std::ranges::move(some, std::back_inserter(families));
    }
    context.print_text(render::to_openmetrics(families));
    return ExitCode::Done;
  }

  static std::vector<snapshot::Need> needs_of_all(const std::string& ns, bool owners) {
    std::vector<snapshot::Need> needs = needs_of(TopBy::Namespaces, ns);
    needs.push_back({.kind = Kind::Node});
    if (owners) add_owners(needs);
    return needs;
  }

  // A user who may read claims of one namespace only gets the row of that namespace.
  static std::vector<snapshot::Need> needs_of(TopBy by, const std::string& ns) {
    std::vector<snapshot::Need> needs = {
        {.kind = Kind::Slice, .essential = true}, {.kind = Kind::Claim}, {.kind = Kind::TaintRule}};
    if (by == TopBy::Namespaces) needs.push_back({.kind = Kind::Quota});
    if (by == TopBy::Workloads) add_owners(needs);
    const bool held = by == TopBy::Namespaces || by == TopBy::Workloads;
    if (held) needs = also_within(std::move(needs), ns);
    if (by == TopBy::Namespaces || by == TopBy::Classes) needs.push_back({.kind = Kind::Class});
    if (!held) needs.push_back({.kind = Kind::Node});
    return needs;
  }

  // Pods, and what stands between them and CronJobs; ReplicaSets are known by labels.
  static void add_owners(std::vector<snapshot::Need>& needs) {
    needs.push_back({.kind = Kind::Pod});
    needs.push_back({.kind = Kind::Job, .aside = true});
  }

  static std::vector<snapshot::Need> needs_of_idle(const std::string& ns) {
    std::vector<snapshot::Need> needs = needs_of(TopBy::Workloads, ns);
    needs.push_back({.kind = Kind::Quota});
    needs.push_back({.kind = Kind::Class});
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
    for (const report::WorkloadTop& row : top.workloads)
      names.push_back(row.name);
    return names;
  }

  static std::vector<std::string> known_names(const report::Top& top) {
    const auto names = all_names(top);
    return {names.begin(), names.end()};
  }

  template <class Rows>
  static void keep(Rows& rows, const std::vector<std::string>& names) {
    if (names.empty()) return;
    std::erase_if(rows, [&names](const auto& row) {
      return std::ranges::find(names, row.name) == names.end();
    });
  }

  // Of workloads, those of one namespace.
  static void keep_of(std::vector<report::WorkloadTop>& rows, std::string_view ns) {
    std::erase_if(rows, [ns](const report::WorkloadTop& row) { return row.namespace_ != ns; });
  }

  ListFlags flags_;
  ReportWatchFlags watch_;
  bool idle_ = false;
  std::vector<std::string> prices_;
};

}  // namespace

std::unique_ptr<Command> make_top() { return std::make_unique<Top>(); }

}  // namespace dra::cmd
