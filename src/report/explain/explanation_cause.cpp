// src/report/explain/explanation_cause.cpp: see explanation_cause.h.

#include "src/report/explain/explanation_cause.h"

#include <algorithm>
#include <map>

#include "dra/base/text.h"
#include "dra/report/phrases/words.h"
#include "src/report/explain/explanation_after.h"

namespace dra::report {
namespace {

using diag::Code;
using diag::Reason;

constexpr std::size_t kMaxPart = 80;  // of an expression, in a sentence

struct Cause {
  Code code;
  std::string text;
};

std::string subject_words(const Explanation& explanation) {
  const SubjectName& first = explanation.subjects.front();
  const std::string name = base::format("{}/{}", first.namespace_, first.name);
  if (explanation.subject.pod != nullptr) return "Pod " + name;
  if (explanation.subjects.size() == 1) return "Claim " + name;
  return base::format("The group of {} claims with {}", explanation.subjects.size(), name);
}

// The cause that a user has to act on, rather than its consequence.
const Reason& deciding(const std::vector<Reason>& blockers) {
  return *std::ranges::max_element(
      blockers, {}, [](const Reason& reason) { return diag::info_of(reason.code).rank; });
}

std::string nodes_words(const Explanation& explanation) {
  const std::size_t count = explanation.nodes.size();
  if (explanation.nodes_chosen) {
    return count == 1 ? base::format("node {} (only this one was looked at)",
                                     explanation.nodes.front().name)
                      : base::format("any of the {} nodes that were named", count);
  }
  return count == 1 ? "the only node" : base::format("any of {} nodes", count);
}

// A TPU slice that is broken: while it is, whoever asks for one of its hosts may wait for ever.
const engine::AfterFinding* broken_slice(const Explanation& explanation) {
  const auto& after = explanation.after;
  if (explanation.verdict != Verdict::DoesNotFit || after.empty()) return nullptr;
  const Code code = after.front().finding.code;
  return code == Code::HostLost || code == Code::PartialHost ? &after.front() : nullptr;
}

// Where the pod's own workload holds whatever there is, the host that is lost is the one that
// lacks. What others hold may become free.
bool is_for_want_of_a_host(const Cause& cause, const engine::AfterFinding& broken) {
  const bool held = cause.code == Code::DeviceInUse || cause.code == Code::AllUnusable ||
                    cause.code == Code::AllNone;
  return held && broken.held_by_own && broken.finding.code == Code::HostLost;
}

// Where the scheduler gives up on the whole pod, whatever other nodes have: its first reason is
// why. nullptr: nowhere.
const engine::NodeStanding* fatal_node(const Explanation& explanation) {
  const auto node = std::ranges::find_if(
      explanation.nodes, [](const auto& one) { return one.aborts && one.passes(); });
  return node == explanation.nodes.end() ? nullptr : &*node;
}

// Where device plugins serve some of what is asked for, devices are not all that counts.
bool plugins_serve(const Explanation& explanation) {
  return std::ranges::any_of(explanation.nodes, [](const engine::NodeStanding& node) {
    return std::ranges::any_of(node.demands, &engine::DemandStanding::by_plugin);
  });
}

// A request that no device in the cluster can serve, whoever has them.
std::optional<Cause> never_matched(const Explanation& explanation) {
  const auto hopeless = [&explanation](const api::DeviceRequest& request) {
    const auto demands = api::demands_of(request);
    return !demands.empty() && std::ranges::all_of(demands, [&](const api::NamedDemand& demand) {
      const DemandFacts* facts = explanation.facts_of(*demand.demand);
      return facts != nullptr && facts->known && facts->devices > 0 && facts->chosen == 0;
    });
  };
  for (const engine::SubjectClaim& claim : explanation.subject.claims) {
    if (claim.unmet() == nullptr) continue;
    for (const api::DeviceRequest& request : claim.spec->devices.requests) {
      if (!hopeless(request)) continue;
      std::string text = base::format("no device in the cluster matches request {}", request.name);
      const DemandFacts* facts = explanation.facts_of(*api::demands_of(request).front().demand);
      const bool one = api::demands_of(request).size() == 1 && facts->findings.size() == 1;
      const SelectorFinding* finding = one ? &facts->findings.front() : nullptr;
      if (finding != nullptr && finding->finding.code != Code::NoMatch) {
        text += base::format(": its selector fails: {}", finding->finding.message);
        return Cause{finding->finding.code, std::move(text)};
      }
      if (finding != nullptr && finding->part.size() <= kMaxPart) {
        text +=
            base::format(": {} {}", finding->met == 0 ? "none has" : "none that is else right has",
                         finding->part);
      }
      return Cause{Code::NoMatch, std::move(text)};
    }
  }
  return std::nullopt;
}

// If all that match any of the demands are in use. The same device may match several of them.
std::optional<Cause> everything_in_use(const Explanation& explanation) {
  // Matching and in use, by claim and request.
  std::map<std::pair<std::string_view, std::string_view>, std::pair<std::int64_t, std::int64_t>>
      demands;
  bool all_match = true;
  std::int64_t published = 0;
  for (const engine::NodeStanding& node : explanation.nodes) {
    std::int64_t here = 0;
    for (const engine::DriverStanding& driver : node.drivers)
      here += driver.published;
    published += here;
    for (const engine::DemandStanding& demand : node.demands) {
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
    return Cause{Code::DeviceInUse,
                 base::format("every device is in use ({} of {})", published, published)};
  const std::int64_t matching = demands.begin()->second.first;
  const std::string count =
      demands.size() == 1 ? base::format(" ({} of {})", matching, matching) : "";
  return Cause{Code::DeviceInUse, base::format("every device that matches is in use{}", count)};
}

// What keeps the subject from the node. A node that other filters reject does not count, whatever
// devices it has.
const Reason& first_reason(const engine::NodeStanding& node) {
  return node.passes() ? node.reasons.front() : node.other_reasons.front();
}

// What is against devices that match, where there are too few for another reason than that they are
// in use.
std::optional<Code> against_devices(const engine::NodeStanding& node, const Reason& shortage) {
  const bool counts = shortage.code == Code::CountShort || shortage.code == Code::AllUnusable;
  const auto demand = std::ranges::find_if(node.demands, [&shortage](const auto& one) {
    return one.claim == shortage.claim && one.request == shortage.request;
  });
  if (!counts || demand == node.demands.end()) return std::nullopt;
  if (demand->matching == demand->in_use + demand->usable) return std::nullopt;
  const auto against = std::ranges::find_if(node.reasons, [&shortage](const Reason& reason) {
    const bool own = reason.claim == shortage.claim && reason.request == shortage.request;
    return (own && reason.devices > 0 && reason.code != shortage.code) ||
           reason.code == Code::DeviceTainted;
  });
  if (against == node.reasons.end()) return std::nullopt;
  return against->code;
}

// Of a request with alternatives what comes nearest to serving it: too few is nearer than none.
Code deciding(const engine::NodeStanding& node) {
  const Reason& first = first_reason(node);
  if (!node.passes()) return first.code;
  const auto named = [&node](const Reason& reason) {
    return against_devices(node, reason).value_or(reason.code);
  };
  if (first.code != Code::NoMatch && first.code != Code::AllNone) return named(first);
  const auto root = [](const Reason& reason) {
    return std::string_view(reason.request).substr(0, reason.request.find('/'));
  };
  const auto nearer = std::ranges::find_if(node.reasons, [&](const Reason& other) {
    return (other.code == Code::CountShort || other.code == Code::AllUnusable) &&
           other.claim == first.claim && root(other) == root(first);
  });
  return nearer == node.reasons.end() ? first.code : named(*nearer);
}

// What a code stands for, over the nodes.
struct Share {
  Code code;
  bool near = false;  // on some node of these every request finds devices that match
  std::int64_t nodes = 0;
};

// Those that are nearest to serving the subject come first, then those of most nodes.
std::vector<Share> shares_of(const std::vector<engine::NodeStanding>& nodes) {
  std::map<Code, Share> shares;
  for (const engine::NodeStanding& node : nodes) {
    const Code code = deciding(node);
    Share& share = shares.emplace(code, Share{.code = code}).first->second;
    ++share.nodes;
    share.near |= node.passes() && !node.demands.empty() &&
                  std::ranges::all_of(node.demands, [](const engine::DemandStanding& demand) {
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

// One cause for all nodes if they have one, else each with the number of its nodes.
Cause cause_of_nodes(const Explanation& explanation) {
  if (const engine::NodeStanding* node = fatal_node(explanation)) {
    const Reason& fatal = node->reasons.front();
    return {fatal.code,
            base::format("{}, and then the scheduler gives up on the whole pod", fatal.message)};
  }
  const bool plugins = plugins_serve(explanation);
  if (auto never = never_matched(explanation); never && !plugins) return *std::move(never);
  const Reason& first = first_reason(explanation.nodes.front());
  const bool same_words = std::ranges::all_of(explanation.nodes, [&first](const auto& node) {
    return first_reason(node).message == first.message;
  });
  if (same_words) return {first.code, first.message};
  if (auto in_use = everything_in_use(explanation); in_use && !plugins) return *std::move(in_use);
  const std::vector<Share> causes = shares_of(explanation.nodes);
  const auto words = [](std::string_view what, std::int64_t nodes) {
    return base::format("{} on {}", what, base::plural(nodes, "node"));
  };
  const std::string_view title = diag::info_of(causes.front().code).title;
  if (causes.size() == 1) return {causes.front().code, std::string(title)};
  std::string text = words(title, causes.front().nodes);
  const auto others = static_cast<std::int64_t>(explanation.nodes.size()) - causes.front().nodes;
  text += ", " +
          words(causes.size() == 2 ? diag::info_of(causes[1].code).title : "other reasons", others);
  return {causes.front().code, std::move(text)};
}

// What is left open when nothing blocks the subject and not every node is ruled out.
std::string not_computed(const Explanation& explanation) {
  const engine::Subject& subject = explanation.subject;
  if (!subject.blockers.empty() || subject.claims.empty()) return {};
  if (!explanation.not_simulated.empty())
    return base::join(explanation.not_simulated, " and ") + ", which is not simulated";
  return "more than could be read or computed";
}

std::size_t open_nodes(const Explanation& explanation) {
  return static_cast<std::size_t>(
      std::ranges::count_if(explanation.nodes, &engine::NodeStanding::open));
}

// "on 2 of 3 nodes".
std::string where_it_fits(const Explanation& explanation) {
  const std::size_t open = open_nodes(explanation);
  const std::size_t all = explanation.nodes.size();
  if (all == 1) return base::format("on node {}", explanation.nodes.front().name);
  return open == all ? base::format("on all {} nodes", all)
                     : base::format("on {} of {} nodes", open, all);
}

std::string summary_undetermined(const Explanation& explanation) {
  const auto& blockers = explanation.subject.blockers;
  if (!blockers.empty()) return blockers.front().message;
  if (!explanation.without_claims.empty()) return explanation.without_claims;
  if (explanation.subject.claims.empty()) return "it uses no claims, so DRA does not hold it up";
  const auto out = std::ranges::count_if(
      explanation.nodes, [](const auto& node) { return node.ruled_out || !node.passes(); });
  const auto all = static_cast<std::ptrdiff_t>(explanation.nodes.size());
  const std::string& why = explanation.depends_on;
  if (const engine::NodeStanding* fatal = fatal_node(explanation)) {
    return base::format("the scheduler gives up on the whole pod if it looks at {}: {}",
                        fatal->name, fatal->reasons.front().message);
  }
  if (open_nodes(explanation) > 0)
    return base::format("as far as DRA goes it fits {}, but it depends on {}",
                        where_it_fits(explanation), why);
  if (out == 0) return base::format("it depends on {}", why);
  return base::format("{} of {} {} ruled out; on the {} it depends on {}", out,
                      base::plural(all, "node"), out == 1 ? "is" : "are",
                      all - out == 1 ? "other" : base::format("other {}", all - out), why);
}

void find_cause(Explanation& explanation) {
  const auto& blockers = explanation.subject.blockers;
  switch (explanation.verdict) {
    case Verdict::Blocked:
      explanation.code = deciding(blockers).code;
      explanation.cause = deciding(blockers).message;
      break;
    case Verdict::DoesNotFit: {
      Cause cause = cause_of_nodes(explanation);
      if (const engine::AfterFinding* broken = broken_slice(explanation)) {
        const bool lacks = is_for_want_of_a_host(cause, *broken);
        if (lacks) cause.code = broken->finding.code;
        cause.text = lacks ? base::format("{}; {}", broken->finding.message, cause.text)
                           : base::format("{}; {}", cause.text, broken->finding.message);
      }
      explanation.code = cause.code;
      explanation.cause = std::move(cause.text);
      break;
    }
    case Verdict::Undetermined:
      explanation.code = blockers.empty() ? Code::NotSimulated : blockers.front().code;
      if (const auto* fatal = fatal_node(explanation); fatal != nullptr && blockers.empty())
        explanation.code = fatal->reasons.front().code;
      explanation.depends_on = not_computed(explanation);
      explanation.cause = summary_undetermined(explanation);
      break;
    case Verdict::Fits:
    case Verdict::Scheduled:
      break;
  }
}

std::string summarize(const Explanation& explanation) {
  std::string who = subject_words(explanation);
  switch (explanation.verdict) {
    case Verdict::Blocked:
      return sentence(
          base::format("{} is blocked before any node is looked at: {}", who, explanation.cause));
    case Verdict::DoesNotFit:
      return base::format("{} does not fit on {}: {}.", who, nodes_words(explanation),
                          explanation.cause);
    case Verdict::Scheduled:
      return explanation.subject.pod == nullptr
                 ? base::format("{} is allocated.", who)
                 : base::format("{} is scheduled on node {}.", who,
                                explanation.subject.pod->spec.node_name);
    case Verdict::Undetermined:
      return sentence(base::format("{}: undetermined, {}", who, explanation.cause));
    case Verdict::Fits:
      return base::format("{} fits {}.", who, where_it_fits(explanation));
  }
  return who;
}

}  // namespace

void conclude_cause(Explanation& explanation) {
  find_cause(explanation);
  const std::string after = after_summary(explanation, subject_words(explanation));
  explanation.cause_is_after = !after.empty();
  if (after.empty()) {
    explanation.summary = summarize(explanation);
    return;
  }
  explanation.code = explanation.after.front().finding.code;
  explanation.cause = explanation.after.front().finding.message;
  explanation.summary = sentence(after);
}

}  // namespace dra::report
