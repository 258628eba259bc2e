// src/answers/explain/cause.cpp: finds the one cause of an explanation. A blocked subject gets the
// blocker with the highest rank. For a subject that does not fit, the candidates are in this order:
// a node on which the scheduler gives up, a driver that publishes nothing, a request that no device
// can serve, a pool name that nodes share, nodes with devices that are out, a message that all
// nodes share, devices that are all in use, and the code that stands for most nodes, those nearest
// to serving the subject first.

#include "src/answers/explain/cause.h"

#include <algorithm>
#include <map>

#include "dra/base/prose.h"
#include "dra/base/text.h"
#include "dra/engine/selectors/silent_drivers.h"
#include "src/answers/explain/after_summary.h"
#include "src/answers/explain/cause_candidates.h"
#include "src/answers/explain/nearest.h"

namespace dra::answers {
namespace {

using diag::Code;
using diag::Reason;

constexpr std::size_t kMaxPart = 80;  // cells of an expression in a sentence

std::string subject_words(const Grounds& grounds) {
  const SubjectName& first = grounds.subjects.front();
  const std::string name = base::format("{}/{}", first.namespace_, first.name);
  if (grounds.subject.pod != nullptr) return "Pod " + name;
  if (grounds.subjects.size() == 1) return "Claim " + name;
  return base::format("The group of {} claims with {}", grounds.subjects.size(), name);
}

// The cause that a user has to act on, not its consequence.
const Reason& deciding(const std::vector<Reason>& blockers) {
  return *std::ranges::max_element(
      blockers, {}, [](const Reason& reason) { return diag::info_of(reason.code).rank; });
}

std::string nodes_words(const Grounds& grounds) {
  const std::size_t count = grounds.survey.nodes.size();
  if (grounds.survey.nodes_chosen) {
    return count == 1 ? base::format("node {} (only this one was looked at)",
                                     grounds.survey.nodes.front().name)
                      : base::format("any of the {} nodes that were named", count);
  }
  return count == 1 ? "the only node" : base::format("any of {} nodes", count);
}

// A broken TPU slice: while it is broken, pods that ask for one of its hosts may wait for ever.
const engine::AfterFinding* broken_slice(const Grounds& grounds) {
  const auto& after = grounds.after;
  if (grounds.decision.verdict != Verdict::DoesNotFit || after.empty()) return nullptr;
  const Code code = after.front().finding.code;
  return code == Code::HostLost || code == Code::PartialHost ? &after.front() : nullptr;
}

// If the pod's own workload holds the devices, the lost host is the missing one. Devices that
// others hold may become free.
bool is_for_want_of_a_host(const Candidate& cause, const engine::AfterFinding& broken) {
  const bool held = cause.code == Code::DeviceInUse || cause.code == Code::AllUnusable ||
                    cause.code == Code::AllNone;
  return held && broken.held_by_own && broken.finding.code == Code::HostLost;
}

// A node on which the scheduler gives up on the whole pod, whatever other nodes have; the node's
// first reason says why. nullptr: there is none.
const engine::NodeResult* fatal_node(const Grounds& grounds) {
  const auto node = std::ranges::find_if(grounds.survey.nodes, &engine::NodeResult::aborts_pod);
  return node == grounds.survey.nodes.end() ? nullptr : &*node;
}

// Device plugins serve some of the requests, so that devices of DRA alone do not decide.
bool plugins_serve(const Grounds& grounds) {
  return std::ranges::any_of(grounds.survey.nodes, [](const engine::NodeResult& node) {
    return std::ranges::any_of(node.demands, &engine::DemandResult::by_plugin);
  });
}

// A request that no device in the cluster can serve, free or not.
std::optional<Candidate> never_matched(const Grounds& grounds) {
  const auto hopeless = [&grounds](const api::DeviceRequest& request) {
    const auto demands = api::demands_of(request);
    return !demands.empty() && std::ranges::all_of(demands, [&](const api::NamedDemand& demand) {
      const DemandFacts* facts = facts_of(grounds.survey.demands, *demand.demand);
      return facts != nullptr && facts->known && facts->devices > 0 && facts->chosen == 0;
    });
  };
  for (const engine::SubjectClaim& claim : grounds.subject.claims) {
    if (claim.unmet() == nullptr) continue;
    for (const api::DeviceRequest& request : claim.spec->devices.requests) {
      if (!hopeless(request)) continue;
      std::string text = base::format("no device in the cluster matches request {}", request.name);
      const DemandFacts* facts =
          facts_of(grounds.survey.demands, *api::demands_of(request).front().demand);
      const bool one = api::demands_of(request).size() == 1 && facts->findings.size() == 1;
      const SelectorFinding* finding = one ? &facts->findings.front() : nullptr;
      if (finding != nullptr && finding->finding.code != Code::NoMatch) {
        text += base::format(": its selector fails: {}", finding->finding.message);
        return Candidate{finding->finding.code, std::move(text)};
      }
      if (finding != nullptr && finding->part.size() <= kMaxPart) {
        text +=
            base::format(": {} {}", finding->met == 0 ? "none has" : "none that is else right has",
                         finding->part);
      }
      return Candidate{Code::NoMatch, std::move(text)};
    }
  }
  return std::nullopt;
}

// All devices that match any of the demands are in use. One device may match several demands.
std::optional<Candidate> everything_in_use(const Grounds& grounds) {
  // (matching, in use) by (claim, request)
  std::map<std::pair<std::string_view, std::string_view>, std::pair<std::int64_t, std::int64_t>>
      demands;
  bool all_match = true;
  std::int64_t published = 0;
  for (const engine::NodeResult& node : grounds.survey.nodes) {
    std::int64_t here = 0;
    for (const engine::DriverCounts& driver : node.drivers)
      here += driver.published;
    published += here;
    for (const engine::DemandResult& demand : node.demands) {
      auto& [matching, in_use] = demands[{demand.claim, demand.request}];
      matching += demand.matching;
      in_use += demand.in_use;
      all_match &= demand.matching == here;
    }
  }
  const bool all_held = !demands.empty() && std::ranges::all_of(demands, [](const auto& demand) {
    return demand.second.first > 0 && demand.second.first == demand.second.second;
  });
  if (!all_held) return std::nullopt;
  if (all_match)
    return Candidate{Code::DeviceInUse,
                     base::format("every device is in use ({} of {})", published, published)};
  const std::int64_t matching = demands.begin()->second.first;
  const std::string count =
      demands.size() == 1 ? base::format(" ({} of {})", matching, matching) : "";
  return Candidate{Code::DeviceInUse, base::format("every device that matches is in use{}", count)};
}

// The code of a node's nearest reason, or of what is against the devices that it counts.
Code deciding(const engine::NodeResult& node) {
  const Reason& nearest = nearest_reason(node);
  if (!node.passes_filters()) return nearest.code;
  const Reason* against = against_devices(node, nearest);
  return against == nullptr ? nearest.code : against->code;
}

// The nodes that one code stands for.
struct Share {
  Code code;
  bool near = false;  // on one of these nodes every request finds devices that match
  std::int64_t nodes = 0;
};

// Sorted by how near the nodes are to serving the subject, then by number of nodes.
std::vector<Share> shares_of(const std::vector<engine::NodeResult>& nodes) {
  std::map<Code, Share> shares;
  for (const engine::NodeResult& node : nodes) {
    const Code code = deciding(node);
    Share& share = shares.emplace(code, Share{.code = code}).first->second;
    ++share.nodes;
    share.near |= node.passes_filters() && !node.demands.empty() &&
                  std::ranges::all_of(node.demands, [](const engine::DemandResult& demand) {
                    return demand.matching > 0;
                  });
  }
  std::vector<Share> sorted;
  sorted.reserve(shares.size());
  for (const auto& [code, share] : shares)
    sorted.push_back(share);
  std::ranges::stable_sort(sorted, [](const Share& a, const Share& b) {
    return std::pair(a.near, a.nodes) > std::pair(b.near, b.nodes);
  });
  return sorted;
}

// The common cause of all nodes; without one, each cause with the number of its nodes.
Candidate cause_of_nodes(const Grounds& grounds) {
  if (const engine::NodeResult* node = fatal_node(grounds)) {
    const Reason& fatal = node->reasons.front();
    return {fatal.code,
            base::format("{}, and then the scheduler gives up on the whole pod", fatal.message)};
  }
  const bool plugins = plugins_serve(grounds);
  if (!plugins) {
    for (const auto candidate : {nothing_published, never_matched, pool_name_shared}) {
      if (auto found = candidate(grounds)) return *std::move(found);
    }
  }
  if (auto out = only_nodes_are_out(grounds)) return *std::move(out);
  const Reason& first = nearest_reason(grounds.survey.nodes.front());
  const bool same_words = std::ranges::all_of(grounds.survey.nodes, [&first](const auto& node) {
    return nearest_reason(node).message == first.message;
  });
  if (same_words) {
    if (auto held = held_till_someone_acts(grounds, first)) return *std::move(held);
    auto against = against_all_devices(grounds, first);
    return against ? *std::move(against) : Candidate{first.code, first.message};
  }
  if (auto in_use = everything_in_use(grounds); in_use && !plugins) return *std::move(in_use);
  const std::vector<Share> causes = shares_of(grounds.survey.nodes);
  const auto words = [](std::string_view what, std::int64_t nodes) {
    return base::format("{} on {}", what, base::plural(nodes, "node"));
  };
  const std::string_view title = diag::info_of(causes.front().code).title;
  if (causes.size() == 1) return {causes.front().code, std::string(title)};
  std::string text = words(title, causes.front().nodes);
  const auto others = static_cast<std::int64_t>(grounds.survey.nodes.size()) - causes.front().nodes;
  text += ", " +
          words(causes.size() == 2 ? diag::info_of(causes[1].code).title : "other reasons", others);
  return {causes.front().code, std::move(text)};
}

// The reason why a subject without blockers is undetermined.
std::string not_computed(const Grounds& grounds) {
  if (!grounds.decision.blockers.empty() || grounds.subject.claims.empty()) return {};
  if (!grounds.survey.not_simulated.empty())
    return base::join(grounds.survey.not_simulated, " and ") + ", which is not simulated";
  return "more than could be read or computed";
}

std::size_t open_nodes(const Grounds& grounds) {
  return static_cast<std::size_t>(
      std::ranges::count_if(grounds.survey.nodes, &engine::NodeResult::is_feasible));
}

// "on 2 of 3 nodes".
std::string where_it_fits(const Grounds& grounds) {
  const std::size_t open = open_nodes(grounds);
  const std::size_t all = grounds.survey.nodes.size();
  if (all == 1) return base::format("on node {}", grounds.survey.nodes.front().name);
  return open == all ? base::format("on all {} nodes", all)
                     : base::format("on {} of {} nodes", open, all);
}

std::string cause_undetermined(const Grounds& grounds, const std::string& why) {
  const auto& blockers = grounds.decision.blockers;
  if (!blockers.empty()) return blockers.front().message;
  if (!grounds.without_claims.empty()) return std::string(grounds.without_claims);
  if (grounds.subject.claims.empty()) return "it uses no claims, so DRA does not hold it up";
  const auto out = std::ranges::count_if(grounds.survey.nodes, &engine::NodeResult::is_infeasible);
  const auto all = static_cast<std::ptrdiff_t>(grounds.survey.nodes.size());
  if (const engine::NodeResult* fatal = fatal_node(grounds)) {
    return base::format("the scheduler gives up on the whole pod if it looks at {}: {}",
                        fatal->name, fatal->reasons.front().message);
  }
  if (open_nodes(grounds) > 0)
    return base::format("as far as DRA goes it fits {}, but it depends on {}",
                        where_it_fits(grounds), why);
  if (out == 0) return base::format("it depends on {}", why);
  return base::format("{} of {} {} ruled out; on the {} it depends on {}", out,
                      base::plural(all, "node"), out == 1 ? "is" : "are",
                      all - out == 1 ? "other" : base::format("other {}", all - out), why);
}

Candidate cause_of_misfit(const Grounds& grounds) {
  Candidate cause = cause_of_nodes(grounds);
  const engine::AfterFinding* broken = broken_slice(grounds);
  if (broken == nullptr) return cause;
  // That node is the lost host, and the slice needs it.
  if (cause.code == Code::NodeNotReady && broken->finding.code == Code::HostLost)
    return {Code::HostLost, broken->finding.message};
  const bool lacks = is_for_want_of_a_host(cause, *broken);
  if (lacks) cause.code = broken->finding.code;
  cause.text = lacks ? base::format("{}; {}", broken->finding.message, cause.text)
                     : base::format("{}; {}", cause.text, broken->finding.message);
  return cause;
}

Code code_undetermined(const Grounds& grounds) {
  const auto& blockers = grounds.decision.blockers;
  if (!blockers.empty()) return blockers.front().code;
  const engine::NodeResult* fatal = fatal_node(grounds);
  return fatal == nullptr ? Code::NotSimulated : fatal->reasons.front().code;
}

// The blocker's message; for a class that is missing while a driver of its vendor is there, with
// that.
std::string cause_of_blocker(const Grounds& grounds, const Reason& blocker) {
  if (blocker.code != Code::ClassMissing) return blocker.message;
  for (const engine::SubjectClaim& claim : grounds.subject.claims) {
    if (claim.label() != blocker.claim || claim.spec == nullptr) continue;
    for (const api::DeviceRequest& request : claim.spec->devices.requests) {
      for (const api::NamedDemand& demand : api::demands_of(request)) {
        const std::string_view relative =
            engine::relative_of(grounds.cluster.inventory, demand.demand->device_class);
        if (demand.name == blocker.request && !relative.empty())
          return base::format("{}; of the same vendor only driver {} is installed", blocker.message,
                              relative);
      }
    }
  }
  return blocker.message;
}

Conclusion cause_of(const Grounds& grounds) {
  switch (grounds.decision.verdict) {
    case Verdict::Blocked: {
      const Reason& blocker = deciding(grounds.decision.blockers);
      return {.code = blocker.code, .cause = cause_of_blocker(grounds, blocker)};
    }
    case Verdict::DoesNotFit: {
      Candidate cause = cause_of_misfit(grounds);
      return {
          .code = cause.code, .cause = std::move(cause.text), .remedy = std::move(cause.remedy)};
    }
    case Verdict::Undetermined: {
      Conclusion conclusion{.code = code_undetermined(grounds)};
      conclusion.depends_on = not_computed(grounds);
      conclusion.cause = cause_undetermined(grounds, conclusion.depends_on);
      return conclusion;
    }
    case Verdict::Fits:
    case Verdict::Scheduled:
      break;
  }
  return {};
}

std::string summarize(const Grounds& grounds, const std::string& cause) {
  std::string who = subject_words(grounds);
  switch (grounds.decision.verdict) {
    case Verdict::Blocked:
      return base::sentence(
          base::format("{} is blocked before any node is looked at: {}", who, cause));
    case Verdict::DoesNotFit:
      return base::format("{} does not fit on {}: {}.", who, nodes_words(grounds), cause);
    case Verdict::Scheduled:
      return grounds.subject.pod == nullptr ? base::format("{} is allocated.", who)
                                            : base::format("{} is scheduled on node {}.", who,
                                                           grounds.subject.pod->spec.node_name);
    case Verdict::Undetermined:
      return base::sentence(base::format("{}: undetermined, {}", who, cause));
    case Verdict::Fits:
      return base::format("{} fits {}.", who, where_it_fits(grounds));
  }
  return who;
}

}  // namespace

Conclusion conclude(const Grounds& grounds) {
  Conclusion conclusion = cause_of(grounds);
  const std::string after = after_summary(grounds.decision.verdict, grounds.subject, grounds.after,
                                          subject_words(grounds));
  if (after.empty()) {
    conclusion.summary = summarize(grounds, conclusion.cause);
    return conclusion;
  }
  const diag::Finding& first = grounds.after.front().finding;
  conclusion.code = first.code;
  conclusion.remedy = {};  // the finding has its own
  conclusion.cause = first.message;
  conclusion.summary = base::sentence(after);
  conclusion.is_after = true;
  return conclusion;
}

}  // namespace dra::answers
