// src/report/explain/more_nodes.cpp: a row for each number of nodes that was found to help.

#include "src/report/explain/more_nodes.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "dra/base/text.h"
#include "dra/report/phrases/reason_json.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
namespace {

using answers::PodPlan;
using engine::MoreNodes;

std::size_t without_node(const PodPlan& plan) {
  return plan.pods.size() - plan.count(engine::PlanVerdict::Fits);
}

// What one kind comes to: the number of nodes that helps most, and one node where that is fewer.
struct OneKind {
  const MoreNodes* most = nullptr;
  const MoreNodes* one = nullptr;
};

// Those first that place the most pods, with the fewest nodes.
std::vector<OneKind> by_gain(const std::vector<MoreNodes>& found) {
  std::vector<OneKind> kinds;
  for (const MoreNodes& more : found) {
    if (!kinds.empty() && kinds.back().most->like == more.like)
      kinds.back() = {&more, kinds.back().most};
    else
      kinds.push_back({&more, nullptr});
  }
  std::ranges::stable_sort(kinds, {}, [](const OneKind& kind) {
    return std::pair(-std::ssize(kind.most->pods), kind.most->count);
  });
  return kinds;
}

std::string pool_words(const MoreNodes& more) {
  return more.pool.empty() ? "" : base::format(" (pool {})", more.pool);
}

std::string pods_placed(const MoreNodes& more) {
  return base::format("{}{}", more.at_least ? "at least " : "", more.pods.size());
}

// "3 of the 4 pods that get no node", "all 4 pods that get no node", "the pod that gets no node".
std::string pods_of(const MoreNodes& more, std::size_t of) {
  const std::string pods = base::plural(static_cast<std::int64_t>(of), "pod");
  if (more.pods.size() < of)
    return base::format("{} of the {} that get no node", pods_placed(more), pods);
  return of == 1
             ? "the pod that gets no node"
             : base::format("{} pods that get no node", base::all(static_cast<std::int64_t>(of)));
}

// "3 more nodes like n place 3 of the 4 pods that get no node; 1 places 1."
std::string best_words(const OneKind& kind, std::size_t of) {
  const MoreNodes& most = *kind.most;
  const bool one = most.count == 1;
  return base::format(
      "{} more {} like {}{} {} {}{}.", most.count, one ? "node" : "nodes", most.like,
      pool_words(most), one ? "places" : "place", pods_of(most, of),
      kind.one == nullptr ? "" : base::format("; 1 places {}", pods_placed(*kind.one)));
}

view::Table more_nodes_table(const std::vector<OneKind>& kinds, std::size_t of) {
  view::Table table{
      .columns = {{.title = "MORE NODES"}, {.title = "PLACE"}, {.title = "PODS", .elastic = true}},
      .rows = {},
      .indent = 2,
      .fits_width = true};
  const auto add = [&](const MoreNodes& more) {
    table.rows.push_back(
        {cell(base::format("{} like {}{}", more.count, more.like, pool_words(more))),
         cell(base::format("{} of {}", pods_placed(more), of)), cell(base::join(more.pods, ", "))});
  };
  for (const OneKind& kind : kinds) {
    if (kind.one != nullptr) add(*kind.one);
    add(*kind.most);
  }
  return table;
}

}  // namespace

void add_more_nodes(json::Value& out, const PodPlan& plan) {
  const auto& [found, tried, bounded] = plan.more_nodes;
  if (tried == 0 && !bounded) return;
  json::Value all = json::Value::array();
  for (const MoreNodes& more : found) {
    json::Value one = json::Value::object();
    one.set("like", more.like);
    if (!more.pool.empty()) one.set("nodePool", more.pool);
    one.set("count", more.count);
    one.set("pods", strings_json(more.pods));
    if (more.at_least) one.set("atLeast", true);
    all.push(std::move(one));
  }
  out.set("moreNodes", std::move(all));
  if (bounded) out.set("moreNodesBounded", true);
}

void add_more_nodes(view::Document& document, const PodPlan& plan, bool wide) {
  const auto& [found, tried, bounded] = plan.more_nodes;
  if (tried == 0 && !bounded) return;
  const auto add = [&document](std::string text) {
    document.add(view::Paragraph{.spans = {span(std::move(text))}, .indent = 2});
  };
  const std::vector<OneKind> kinds = by_gain(found);
  const std::size_t of = without_node(plan);
  // Where it depends on others, a node may come without more of them.
  const bool some_never = plan.count(engine::PlanVerdict::DoesNotFit) > 0;
  if (kinds.empty() && !bounded && (!plan.drain.nodes.empty() || !some_never)) return;
  document.add(view::Blank{});
  if (kinds.empty())
    add(bounded ? "More nodes were not tried, as there are many pods and nodes: --add-node-like "
                  "NODE=N tries some."
                : "More nodes like the existing ones may not help any of these pods.");
  else if (wide)
    document.add(more_nodes_table(kinds, of));
  else
    add(best_words(kinds.front(), of) + (kinds.size() > 1 ? " Others: -o wide" : ""));
  if (!kinds.empty() && wide && bounded) add("Not all kinds and numbers were tried.");
}

}  // namespace dra::report
