// src/answers/explain/away/kept_causes.cpp: takes the nodes that pass the scheduler's other
// filters, and looks which of them a driver should serve and does not.

#include "src/answers/explain/away/kept_causes.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "dra/api/device_class.h"
#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/left_out_nodes.h"
#include "dra/engine/selectors/driver_summary.h"

namespace dra::answers {
namespace {

using diag::Code;

constexpr std::size_t kNamed = 3;       // nodes in a sentence
constexpr std::size_t kMaxCause = 200;  // cells of what is wrong with a driver's pod

using Alike = std::vector<const KeptAway*>;

const engine::NodeResult* result_of(const Grounds& grounds, const KeptAway& kept) {
  const auto& nodes = grounds.survey.nodes;
  const auto found = std::ranges::find(nodes, kept.node->meta.name, &engine::NodeResult::name);
  return found == nodes.end() ? nullptr : &*found;
}

// The nodes in reach, by cause; those that probably have devices first, then by number.
std::vector<Alike> in_reach(const Grounds& grounds) {
  std::vector<Alike> groups;
  std::set<const api::Node*> seen;
  for (const KeptAway& kept : grounds.kept) {
    const engine::NodeResult* node = result_of(grounds, kept);
    if (node == nullptr || !node->passes_filters() || node->fits()) continue;
    if (!seen.insert(kept.node).second) continue;
    const auto group = std::ranges::find_if(groups, [&kept](const Alike& one) {
      return one.front()->cause == kept.cause && one.front()->driver == kept.driver &&
             one.front()->is_likely() == kept.is_likely();
    });
    if (group == groups.end()) {
      groups.push_back({&kept});
    } else {
      group->push_back(&kept);
    }
  }
  std::ranges::stable_sort(groups, [](const Alike& a, const Alike& b) {
    return std::pair(a.front()->is_likely(), a.size()) >
           std::pair(b.front()->is_likely(), b.size());
  });
  return groups;
}

std::string names_of(const Alike& alike) {
  std::vector<std::string> names;
  for (const KeptAway* kept : alike)
    names.emplace_back(kept->node->meta.name);
  std::ranges::sort(names);
  return names.size() <= kNamed ? base::join(names, " and ") : base::join_first(names, kNamed);
}

// A long message stands below.
std::string_view short_cause(const KeptAway& kept) {
  const std::string_view cause = kept.cause;
  return base::width(cause) <= kMaxCause ? cause : cause.substr(0, cause.find(": "));
}

std::string cause_words(const KeptAway& kept) {
  return kept.like.empty() ? std::string(short_cause(kept))
                           : base::format("{} ({})", short_cause(kept), kept.like);
}

// Every request finds devices that match there, or may.
bool has_all_kinds(const engine::NodeResult& node) {
  return !node.demands.empty() && std::ranges::all_of(node.demands, [](const auto& demand) {
    return demand.matching > 0 || !demand.known || demand.by_plugin;
  });
}

}  // namespace

std::vector<KeptAway> kept_away_of(const Cluster& cluster, const engine::Subject& subject,
                                   const Survey& survey, const engine::Decision& decision) {
  std::vector<KeptAway> all;
  if (decision.verdict != Verdict::DoesNotFit || survey.nodes_chosen) return all;
  std::set<std::string_view> drivers;
  engine::for_each_unmet(
      subject, [&](const engine::SubjectClaim&, const api::DeviceRequest& request) {
        for (const api::NamedDemand& demand : api::demands_of(request)) {
          const auto* of = cluster.snapshot.find<api::DeviceClass>(demand.demand->device_class);
          if (of == nullptr) continue;
          for (const std::string_view driver : engine::drivers_named_by(*of))
            drivers.insert(driver);
        }
      });
  if (drivers.empty()) return all;
  const auto left_out = engine::nodes_left_out(cluster.snapshot, cluster.inventory);
  for (const std::string_view driver : drivers)
    std::ranges::move(
        nodes_kept_away(cluster.snapshot, cluster.inventory, left_out, cluster.loads, driver),
        std::back_inserter(all));
  return all;
}

std::optional<Candidate> all_in_reach_are_silent(const Grounds& grounds) {
  if (grounds.kept.empty() || grounds.subject.allocated()) return std::nullopt;
  std::size_t in_all = 0;
  for (const engine::NodeResult& node : grounds.survey.nodes) {
    if (!node.passes_filters()) continue;
    if (has_all_kinds(node)) return std::nullopt;
    ++in_all;
  }
  const std::vector<Alike> groups = in_reach(grounds);
  if (groups.empty()) return std::nullopt;
  const Alike& first = groups.front();
  const bool one = first.size() == 1;
  const std::string which = one && in_all == 1       ? ", the only one it can use,"
                            : first.size() == in_all ? ", all that it can use,"
                                                     : "";
  return Candidate{
      Code::NoSlices,
      base::format("{} {}{} {} no devices of {}: {}", one ? "node" : "nodes", names_of(first),
                   which, one ? "has" : "have", first.front()->driver, cause_words(*first.front())),
      remedy_of(*first.front())};
}

void add_silent_nodes(const Grounds& grounds, Candidate& cause) {
  const std::vector<Alike> groups = in_reach(grounds);
  if (groups.empty()) return;
  const Alike& first = groups.front();
  const bool likely = first.front()->is_likely();
  if (!likely && first.size() > kNamed) return;  // a driver that runs everywhere
  const bool one = first.size() == 1;
  cause.text += base::format("; {} {} {} none: {}", one ? "node" : "nodes", names_of(first),
                             one ? "publishes" : "publish", cause_words(*first.front()));
  if (likely && cause.remedy.text.empty()) cause.remedy = remedy_of(*first.front());
}

void mark_stated(const std::vector<engine::NodeResult>& nodes, const Conclusion& conclusion,
                 std::vector<KeptAway>& kept) {
  const std::string_view cause = conclusion.cause;
  for (KeptAway& one : kept) {
    const auto node = std::ranges::find(nodes, one.node->meta.name, &engine::NodeResult::name);
    const bool out = node != nodes.end() && !node->passes_filters();
    one.is_stated = (cause.find(one.cause) != std::string_view::npos &&
                     cause.find(one.node->meta.name) != std::string_view::npos) ||
                    (out && conclusion.code == Code::NoSlices);
  }
}

}  // namespace dra::answers
