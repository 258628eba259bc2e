// src/report/explain/explanation_nodes.cpp: a table with a row for each group of equal nodes, and
// with columns by demand, or by driver if there are many demands.

#include "src/report/explain/explanation_nodes.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "dra/base/text.h"
#include "dra/engine/running/kubelet_words.h"
#include "dra/report/phrases/words.h"
#include "src/report/explain/explanation_ranks.h"
#include "src/report/explain/explanation_reasons.h"

namespace dra::report {
namespace {

using view::Tone;

constexpr std::size_t kMaxNamesOfGroup = 3;
constexpr std::size_t kMaxDemands = 3;    // demands with a column of their own
constexpr std::size_t kMaxNodeFold = 32;  // cells of a list of names that is never cut
constexpr std::size_t kMaxInText = 70;    // cells of such a list on its own line
constexpr std::size_t kMaxRows = 6;       // rows up to which rows with equal words are not joined
constexpr std::size_t kFirstRows = 2;     // rows that are always shown

// Nodes of one row of the table.
struct Row {
  std::vector<std::size_t> nodes;
  std::string names;
  view::Cell result;
  std::vector<std::vector<view::Cell>> lines;  // cells after the names; at least one line
  std::string reason;                          // in the first line
};

// "2 free, 1 in use": counts by state, free ones first.
std::string describe_devices(const engine::DriverCounts& driver) {
  std::vector<std::string> parts;
  const auto add = [&parts](std::int64_t count, const char* kind) {
    if (count > 0) parts.push_back(base::format("{} {}", count, kind));
  };
  add(driver.free, "free");
  add(driver.in_use, "in use");
  add(driver.blocked, "blocked");
  add(driver.tainted, "tainted");
  add(driver.unusable, "unusable");
  add(driver.unknown, "perhaps free");
  return base::join(parts, ", ");
}

// "a share: 10Gi of memory", "admin access".
std::string describe_part(const engine::PickedDevice& picked) {
  std::vector<std::string> parts;
  for (const auto& [name, amount] : picked.consumed)
    parts.push_back(base::format("{} of {}", amount.to_string(), name));
  std::string text = picked.share ? "a share" : "";
  if (!parts.empty()) text += ": " + base::join(parts, ", ");
  if (picked.admin_access) text += text.empty() ? "admin access" : ", admin access";
  return text;
}

// The finding that the pod would not start on the node, where it would get a part of a TPU host. It
// names that node, or all nodes.
bool would_not_start(const Explanation& explanation, const engine::NodeResult& node) {
  return node.is_feasible() &&
         std::ranges::any_of(explanation.after, [&node](const engine::AfterFinding& found) {
           if (found.finding.code != diag::Code::PartialHost) return false;
           return !found.on_some_nodes || found.node == node.name ||
                  std::ranges::any_of(found.finding.evidence, [&node](const auto& evidence) {
                    return engine::contains_name(evidence.text, node.name);
                  });
         });
}

// Whether the subject can go there; a question mark if that is not known.
view::Cell result_cell(const Explanation& explanation, const engine::NodeResult& node) {
  if (node.is_infeasible()) return cell(view::kNo, Tone::Bad);
  if (would_not_start(explanation, node)) return cell("!", Tone::Warn);
  return node.fits() ? cell(view::kYes, Tone::Good) : cell("?", Tone::Warn);
}

// Of the devices that match the demand, at most those that a reason with this code is against.
std::int64_t count_against(const engine::NodeResult& node, const engine::DemandResult& demand,
                           diag::Code code) {
  std::int64_t devices = 0;
  for (const diag::Reason& reason : node.reasons) {
    const bool of_all = reason.claim.empty() && reason.request.empty();
    const bool own = reason.claim == demand.claim && reason.request == demand.request;
    if ((own || of_all) && reason.code == code) devices += reason.devices;
  }
  return devices;
}

std::int64_t published_on(const engine::NodeResult& node) {
  std::int64_t devices = 0;
  for (const engine::DriverCounts& driver : node.drivers)
    devices += driver.published;
  return devices;
}

// ", free", ", in use", ": 1 free, 2 blocked": the states of the devices that match.
std::string states_of(const engine::NodeResult& node, const engine::DemandResult& demand) {
  std::vector<std::pair<std::int64_t, std::string_view>> states;
  std::int64_t left = demand.matching;
  const auto add = [&](std::int64_t devices, std::string_view state) {
    const std::int64_t count = std::min(devices, left);
    if (count > 0) states.emplace_back(count, state);
    left -= std::max<std::int64_t>(count, 0);
  };
  add(demand.usable, "free");
  add(demand.in_use, "in use");
  add(count_against(node, demand, diag::Code::CountersShort), "blocked");
  add(count_against(node, demand, diag::Code::DeviceTainted), "tainted");
  add(left, "unusable");
  if (states.size() == 1) return base::format(", {}", states.front().second);
  std::vector<std::string> parts;
  parts.reserve(states.size());
  for (const auto& [count, state] : states)
    parts.push_back(base::format("{} {}", count, state));
  return ": " + base::join(parts, ", ");
}

// "8 of 8 match, free", "3 match: 1 free, 2 in use", "no devices".
std::string describe_matches(const engine::NodeResult& node, const engine::DemandResult& demand) {
  if (demand.by_plugin) return "device plugin";
  if (!demand.known) return std::string(kUnknown);
  if (demand.matching == 0 && demand.failing > 0)
    return base::format("fails for {}", demand.failing);
  const std::int64_t published = published_on(node);
  if (demand.matching == 0 && published == 0) return "no devices";
  const std::string states = demand.matching > 0 ? states_of(node, demand) : "";
  // Several states are long enough. Devices that are not published for the node alone may match.
  const bool brief = states.starts_with(':') || demand.matching > published;
  std::string words = brief ? base::format("{} match", demand.matching)
                            : base::format("{} of {} match", demand.matching, published);
  words += states;
  if (demand.failing > 0) words += base::format(", fails for {}", demand.failing);
  return words;
}

// No device of the node can serve any request, whatever becomes of it.
bool matches_nothing(const engine::NodeResult& node) {
  return node.is_infeasible() && std::ranges::all_of(node.demands, [](const auto& demand) {
           return demand.known && demand.matching == 0 && demand.failing == 0 && !demand.by_plugin;
         });
}

// A row for each device, or for each run of devices of one pool for the same request.
void add_picked(view::Table& table, const Explanation& explanation,
                const std::vector<engine::PickedDevice>& all, bool wide) {
  const auto same = [wide](const engine::PickedDevice& one, const engine::PickedDevice& other) {
    return !wide && one.claim == other.claim && one.request == other.request &&
           one.id().driver == other.id().driver && one.id().pool == other.id().pool &&
           describe_part(one) == describe_part(other);
  };
  for (std::size_t i = 0, end = 0; i < all.size(); i = end) {
    std::vector<std::string_view> names;
    for (end = i; end < all.size() && (end == i || same(all[i], all[end])); ++end)
      names.push_back(all[end].id().device);
    table.rows.push_back(
        {cell(base::format("{}/{}/{}", all[i].id().driver, all[i].id().pool, fold_devices(names))),
         cell(all[i].request + of_claim(explanation, all[i].claim->label(), all[i].request)),
         cell(describe_part(all[i]), Tone::Dim)});
  }
}

class NodeTable {
 public:
  NodeTable(const Explanation& explanation, bool wide)
      : explanation_(explanation),
        wide_(wide),
        matches_(shows_matches(explanation)),
        drivers_(!matches_ || wide),
        reasons_(explanation, wide) {}

  void add_to(view::Document& document) const;

 private:
  view::Table head() const;
  std::string reason_of(const std::vector<std::size_t>& nodes) const;
  Row row_of(const std::vector<std::size_t>& group) const;
  bool is_in_headline(const std::vector<std::size_t>& group) const;
  bool is_chosen(const std::vector<std::size_t>& group) const;
  std::string names_without_match(const std::vector<std::size_t>& nodes) const;
  Row row_without_match(const std::vector<std::vector<std::size_t>>& groups) const;
  std::vector<Row> rows() const;

  const Explanation& explanation_;
  bool wide_;
  bool matches_;
  bool drivers_;
  NodeReasons reasons_;
};

// "FOR gpu"; alternatives by their own names, unless several requests have some.
void add_demand_columns(view::Table& table, const Explanation& explanation) {
  const std::vector<engine::DemandResult>& demands = explanation.nodes.front().demands;
  const auto parent = [](const engine::DemandResult& demand) {
    return std::string_view(demand.request).substr(0, demand.request.find('/'));
  };
  const bool one_request = std::ranges::all_of(
      demands, [&](const auto& demand) { return parent(demand) == parent(demands.front()); });
  for (const engine::DemandResult& demand : demands) {
    const std::size_t own = one_request ? demand.request.find('/') + 1 : 0;  // 0 without a slash
    table.columns.push_back(
        {.title = base::format("FOR {}{}", demand.request.substr(own),
                               of_claim(explanation, demand.claim, demand.request))});
  }
}

view::Table NodeTable::head() const {
  view::Table table = table_of({"", "NODE"});
  table.columns[1].elastic = true;
  table.indent = 2;
  table.fits_width = !wide_;
  if (matches_) add_demand_columns(table, explanation_);
  if (drivers_) {
    table.columns.push_back({.title = "DRIVER"});
    table.columns.push_back({.title = "DEVICES ON EACH"});
  }
  return table;
}

// What speaks against each of the nodes, each of which may stand for nodes that are alike. Whether
// devices that do not match could be used is of no interest; why a node has none at all may be.
std::string NodeTable::reason_of(const std::vector<std::size_t>& nodes) const {
  if (wide_) return {};
  if (would_not_start(explanation_, explanation_.nodes[nodes.front()]))
    return "would not start there";
  const auto is_idle = [this](std::size_t i) {
    const engine::NodeResult& node = explanation_.nodes[i];
    return matches_ && matches_nothing(node) && published_on(node) > 0;
  };
  if (std::ranges::any_of(nodes, is_idle)) return {};
  std::vector<std::string> common = reasons_.sentences(explanation_.nodes[nodes.front()]);
  for (std::size_t i = 1; i < nodes.size() && !common.empty(); ++i) {
    const std::vector<std::string> own = reasons_.sentences(explanation_.nodes[nodes[i]]);
    std::erase_if(common, [&own](const std::string& reason) {
      return std::ranges::find(own, reason) == own.end();
    });
  }
  return base::join(common, "; ");
}

Row NodeTable::row_of(const std::vector<std::size_t>& group) const {
  const engine::NodeResult& node = explanation_.nodes[group.front()];
  Row row{.nodes = group,
          .names = node_names(explanation_, group, wide_),
          .result = result_cell(explanation_, node),
          .lines = {},
          .reason = reason_of({group.front()})};
  std::vector<view::Cell> start;
  if (matches_) {
    for (const engine::DemandResult& demand : node.demands)
      start.push_back(cell(describe_matches(node, demand)));
  }
  const std::vector<view::Cell> again(start.size(), cell(""));
  const auto add_line = [&](std::string_view driver, std::string_view devices) {
    std::vector<view::Cell> cells = std::exchange(start, again);
    cells.push_back(cell(driver));
    cells.push_back(cell(devices));
    row.lines.push_back(std::move(cells));
  };
  if (!drivers_) {
    row.lines.push_back(std::move(start));
    return row;
  }
  if (node.drivers.empty()) add_line(kNone, kNone);
  for (const engine::DriverCounts& driver : node.drivers)
    add_line(driver.driver, describe_devices(driver));
  return row;
}

bool same_words(const Row& a, const Row& b) {
  const auto same = [](const view::Cell& one, const view::Cell& other) {
    return one.text == other.text;
  };
  return same(a.result, b.result) && a.reason == b.reason &&
         std::ranges::equal(a.lines, b.lines, [&same](const auto& one, const auto& other) {
           return std::ranges::equal(one, other, same);
         });
}

// A number, unless the names are few and short: these nodes are of the least interest.
std::string NodeTable::names_without_match(const std::vector<std::size_t>& nodes) const {
  std::string names = node_names(explanation_, nodes, true);
  if (names.size() <= kMaxNodeFold) return names;
  return nodes.size() == explanation_.nodes.size() ? base::format("all {} nodes", nodes.size())
                                                   : base::format("{} other nodes", nodes.size());
}

// Nodes without any device that matches differ in what does not matter.
Row NodeTable::row_without_match(const std::vector<std::vector<std::size_t>>& groups) const {
  Row row = row_of(groups.front());
  std::vector<std::size_t> firsts = {groups.front().front()};
  for (std::size_t i = 1; i < groups.size(); ++i) {
    const Row other = row_of(groups[i]);
    firsts.push_back(groups[i].front());
    row.nodes.insert(row.nodes.end(), groups[i].begin(), groups[i].end());
    for (std::size_t column = 0; column < row.lines.front().size(); ++column) {
      std::string& text = row.lines.front()[column].text;
      if (text != other.lines.front()[column].text) text = "0 match";
    }
  }
  std::ranges::sort(row.nodes);
  if (groups.size() > 1) row.names = names_without_match(row.nodes);
  row.reason = reason_of(firsts);
  return row;
}

// A reader looks for the node that the headline names.
bool NodeTable::is_in_headline(const std::vector<std::size_t>& group) const {
  return std::ranges::any_of(group, [this](std::size_t i) {
    return engine::contains_name(explanation_.cause, explanation_.nodes[i].name);
  });
}

// The pod's own selection of nodes admits them.
bool NodeTable::is_chosen(const std::vector<std::size_t>& group) const {
  return std::ranges::none_of(
      explanation_.nodes[group.front()].other_reasons, [](const diag::Reason& reason) {
        return reason.code == diag::Code::NodeAffinity || reason.code == diag::Code::NodeName;
      });
}

// Nodes that the pod chooses come first, and of them those that the headline names. Joins rows with
// equal words if there are more rows than fit a screen.
std::vector<Row> NodeTable::rows() const {
  std::vector<Row> rows;
  std::array<std::vector<std::vector<std::size_t>>, 2> without;  // by is_chosen()
  const bool join = !wide_ && explanation_.groups.size() > kMaxRows;
  for (const std::vector<std::size_t>& group : explanation_.groups) {
    if (!drivers_ && matches_nothing(explanation_.nodes[group.front()]) && !is_in_headline(group)) {
      without[is_chosen(group) ? 1 : 0].push_back(group);
      continue;
    }
    Row row = row_of(group);
    const auto known =
        std::ranges::find_if(rows, [&row](const Row& other) { return same_words(row, other); });
    if (!join || known == rows.end()) {
      rows.push_back(std::move(row));
    } else {
      known->nodes.insert(known->nodes.end(), group.begin(), group.end());
      known->names = node_names(explanation_, known->nodes, wide_);
    }
  }
  if (!wide_) {
    for (const auto& groups : without) {
      if (!groups.empty()) rows.push_back(row_without_match(groups));
    }
    std::ranges::stable_sort(rows, {}, [this](const Row& row) {
      return std::tuple(row.result.text == view::kNo, !is_chosen(row.nodes),
                        !is_in_headline(row.nodes),
                        matches_nothing(explanation_.nodes[row.nodes.front()]));
    });
  }
  return rows;
}

void NodeTable::add_to(view::Document& document) const {
  view::Table table = head();
  const std::vector<Row> all = rows();
  const bool reasons = std::ranges::any_of(all, [](const Row& row) { return !row.reason.empty(); });
  if (reasons) table.columns.push_back({.title = "REASON", .prose = true});
  std::vector<view::RowPart> parts;
  for (const Row& row : all) {
    const bool first = parts.empty() || table.rows.size() + row.lines.size() <= kFirstRows;
    parts.push_back({.rank = first ? view::kAlways : view::Rank{ExplainRank::Nodes},
                     .rows = row.lines.size(),
                     .count = row.nodes.size()});
    for (const auto& line : row.lines) {
      const bool first_line = &line == &row.lines.front();
      std::vector<view::Cell> cells{first_line ? row.result : cell(""),
                                    cell(first_line ? row.names : std::string())};
      cells.insert(cells.end(), line.begin(), line.end());
      if (reasons) cells.push_back(cell(first_line ? row.reason : std::string()));
      table.rows.push_back(std::move(cells));
    }
  }
  document.add_rows(document.begin_fold({.more = rest_of("node")}), std::move(table), parts);
}

}  // namespace

std::string node_names(const Explanation& explanation, const std::vector<std::size_t>& nodes,
                       bool wide) {
  std::vector<std::string_view> names;
  names.reserve(nodes.size());
  for (const std::size_t index : nodes)
    names.push_back(explanation.nodes[index].name);
  if (wide) return fold_nodes(names, names.size());
  // A table may shorten the common stem of names, not the list of their endings.
  for (std::size_t limit = kMaxNamesOfGroup; limit > 1; --limit) {
    std::string text = fold_nodes(names, limit);
    const std::size_t fold = text.find('{');
    if (text.size() - (fold == std::string::npos ? 0 : fold) <= kMaxNodeFold) return text;
  }
  return fold_nodes(names, 1);
}

std::string node_names_in_text(const Explanation& explanation,
                               const std::vector<std::size_t>& nodes, bool wide) {
  if (wide || nodes.size() > kMaxNamesOfGroup) return node_names(explanation, nodes, wide);
  std::string all = node_names(explanation, nodes, true);
  return all.size() <= kMaxInText ? all : node_names(explanation, nodes, false);
}

std::string of_claim(const Explanation& explanation, std::string_view claim,
                     std::string_view request) {
  const auto& demands = explanation.nodes.front().demands;
  const bool alone = std::ranges::none_of(demands, [&](const engine::DemandResult& demand) {
    return demand.request == request && demand.claim != claim;
  });
  return alone ? std::string() : base::format(" of {}", claim.substr(claim.find('/') + 1));
}

bool shows_matches(const Explanation& explanation) {
  const auto& demands = explanation.nodes.front().demands;
  return !demands.empty() && demands.size() <= kMaxDemands &&
         std::ranges::all_of(demands,
                             [](const auto& demand) { return demand.known || demand.by_plugin; });
}

void add_nodes(view::Document& document, const Explanation& explanation, bool wide) {
  NodeTable(explanation, wide).add_to(document);
  if (explanation.nodes_assumed) {
    document.add(
        view::Paragraph{.spans = {span("There are no Node objects here: nodes are assumed from "
                                       "the names that slices and pods mention.",
                                       Tone::Dim)},
                        .indent = 2});
  }
  document.add(view::Blank{});
}

void add_allocation(view::Document& document, const Explanation& explanation, bool wide) {
  for (const engine::NodeResult& node : explanation.nodes) {
    if (!node.is_feasible() || node.allocation.empty()) continue;
    view::Table table = table_of({"", "FOR", ""});
    table.columns.front().title = base::format("ON {} IT GETS", node.name);
    table.indent = 2;
    add_picked(table, explanation, node.allocation, wide);
    document.add(std::move(table));
    document.add(view::Blank{});
    if (!wide) return;
  }
}

}  // namespace dra::report
