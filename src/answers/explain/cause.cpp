// src/answers/explain/cause.cpp: finds the one cause of an explanation. A blocked subject gets the
// blocker with the highest rank. For a subject that does not fit, the candidates are in this order:
// a node on which the scheduler gives up, a driver that publishes nothing, a request that no device
// can serve, a pool name that nodes share, nodes with devices that are out, a message that all
// nodes share, devices that are all in use, and the code that stands for most nodes, those nearest
// to serving the subject first.

#include "src/answers/explain/cause.h"

#include <algorithm>
#include <map>
#include <vector>

#include "dra/api/daemon_pod.h"
#include "dra/base/prose.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/daemon_pods.h"
#include "dra/engine/selectors/silent_drivers.h"
#include "dra/snapshot/template_pods.h"
#include "src/answers/explain/after/after_summary.h"
#include "src/answers/explain/away/kept_causes.h"
#include "src/answers/explain/cause_candidates.h"
#include "src/answers/explain/device_causes.h"
#include "src/answers/explain/device_remedies.h"
#include "src/answers/explain/nearest.h"
#include "src/answers/explain/shortage/admin_access.h"
#include "src/answers/explain/shortage/counters_again.h"
#include "src/answers/explain/shortage/in_use_or_tainted.h"
#include "src/answers/explain/standing.h"

namespace dra::answers {
namespace {

using diag::Code;
using diag::Reason;

std::string subject_words(const Grounds& grounds) {
  const SubjectName& first = grounds.subjects.front();
  const std::string name = base::format("{}/{}", first.namespace_, first.name);
  if (grounds.subject.pod != nullptr) return "Pod " + name;
  const api::ResourceClaim* claim = grounds.subject.claims.front().claim;
  const bool of_template =
      claim != nullptr && snapshot::is_planned(*claim) && snapshot::is_from_template(*claim);
  if (grounds.subjects.size() == 1) return (of_template ? "A claim of template " : "Claim ") + name;
  return base::format("The group of {} claims with {}", grounds.subjects.size(), name);
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

// A capacity that is read as an attribute is corrected by advice that was tried.
bool is_capacity(const Grounds& grounds, std::string_view id) {
  const auto& devices = grounds.cluster.inventory.devices();
  return std::ranges::any_of(devices, [id](const engine::InventoryDevice& device) {
    const auto& capacities = device.published.device->capacity;
    return std::ranges::any_of(capacities, [id](const auto& capacity) {
      return std::string_view(capacity.key).substr(capacity.key.rfind('/') + 1) == id;
    });
  });
}

// Some devices do not have the name, and the selector reads it all the same.
bool wants_guard(const SelectorFinding& finding) {
  return finding.finding.code == Code::SelectorError && !finding.key.empty() &&
         finding.devices < finding.of;
}

diag::Remedy remedy_of_guard(const DemandFacts& facts, const SelectorFinding& finding) {
  const auto guarded = std::ranges::find_if(facts.suggestions, [&](const engine::Suggestion& one) {
    return one.matches > 0 && std::ranges::all_of(one.kinds, [](cel::ChangeKind kind) {
             return kind == cel::ChangeKind::Guard;
           });
  });
  const std::string why = base::format("{} of {} devices {} no {}", finding.devices, finding.of,
                                       finding.devices == 1 ? "has" : "have", finding.key);
  // Other suggestions correct more than that.
  if (guarded == facts.suggestions.end() && (!facts.suggestions.empty() || facts.chosen == 0))
    return {};
  if (guarded == facts.suggestions.end())
    return {base::format("Put has() before what the selector reads: {}.", why)};
  return {base::format("Guard the selector, as {}: {}", why, guarded->expression)};
}

// Of a selector that fails, the name that devices have; else what the node's reason tells.
diag::Remedy remedy_of_fatal(const Grounds& grounds, const engine::NodeResult& node, Code code) {
  if (code == Code::SelectorError) {
    for (const DemandFacts& facts : grounds.survey.demands) {
      for (const SelectorFinding& finding : facts.findings) {
        if (finding.finding.code != Code::SelectorError || is_capacity(grounds, finding.key))
          continue;
        return wants_guard(finding) && !finding.of_class ? remedy_of_guard(facts, finding)
                                                         : remedy_for(finding);
      }
    }
  }
  return remedy_for(grounds, node, code);
}

// " (device d/p/a)" for the one that a selector fails for, where it chooses others.
std::string failing_device(const Grounds& grounds, const Reason& fatal) {
  if (fatal.code != Code::SelectorError || fatal.examples.empty()) return {};
  const bool some = std::ranges::any_of(grounds.survey.demands, [](const DemandFacts& facts) {
    return facts.chosen > 0 && std::ranges::any_of(facts.findings, wants_guard);
  });
  return some ? base::format(" (device {})", fatal.examples.front()) : std::string();
}

// Device plugins serve some of the requests, so that devices of DRA alone do not decide.
bool plugins_serve(const Grounds& grounds) {
  return std::ranges::any_of(grounds.survey.nodes, [](const engine::NodeResult& node) {
    return std::ranges::any_of(node.demands, &engine::DemandResult::by_plugin);
  });
}

Candidate cause_of_nodes(const Grounds& grounds);

// The cause on the node of a DaemonSet's pod: devices of other nodes do not help it.
std::optional<Candidate> cause_of_daemon(const Grounds& grounds) {
  if (grounds.subject.pod == nullptr) return std::nullopt;
  const std::string_view name = engine::node_of_daemon(*grounds.subject.pod);
  const auto node = std::ranges::find(grounds.survey.nodes, name, &engine::NodeResult::name);
  if (name.empty() || grounds.survey.nodes.size() < 2 || node == grounds.survey.nodes.end() ||
      !node->passes_filters())
    return std::nullopt;
  // Where its claims are allocated says the whole.
  const bool elsewhere = std::ranges::any_of(
      node->reasons, [](const Reason& reason) { return reason.code == Code::ClaimElsewhere; });
  if (elsewhere) return std::nullopt;
  const Survey& all = grounds.survey;
  const Survey survey{.demands = all.demands,
                      .nodes_assumed = all.nodes_assumed,
                      .nodes_chosen = all.nodes_chosen,
                      .not_simulated = all.not_simulated,
                      .nodes = {*node},
                      .devices = all.devices};
  Candidate cause = cause_of_nodes({grounds.cluster, grounds.subjects, grounds.subject, survey,
                                    grounds.decision, grounds.after, grounds.without_claims,
                                    grounds.unused, grounds.gang, grounds.kept});
  if (cause.code != Code::NoSlices)
    cause.text = base::format("it is for node {} only (DaemonSet {}): {}", name,
                              api::daemon_set_of(*grounds.subject.pod)->name, cause.text);
  return cause;
}

// The common cause of all nodes; without one, what is against the nearest nodes.
Candidate cause_of_nodes(const Grounds& grounds) {
  if (auto of_daemon = cause_of_daemon(grounds)) return *std::move(of_daemon);
  if (const engine::NodeResult* node = fatal_node(grounds)) {
    const Reason& fatal = node->reasons.front();
    return {fatal.code,
            base::format("{}{}; the scheduler then gives up on the whole pod", fatal.message,
                         failing_device(grounds, fatal)),
            remedy_of_fatal(grounds, *node, fatal.code)};
  }
  const bool plugins = plugins_serve(grounds);
  if (!plugins) {
    for (const auto candidate : {nothing_published, never_matched, pool_name_shared}) {
      if (auto found = candidate(grounds)) return *std::move(found);
    }
  }
  auto out = only_nodes_are_out(grounds);
  // Nodes that the pod itself does not choose do not count.
  if (!out || out->code == Code::NodeAffinity) {
    if (auto silent = all_in_reach_are_silent(grounds)) return *std::move(silent);
  }
  if (out) return *std::move(out);
  const Reason& first = nearest_reason(grounds.survey.nodes.front());
  const bool same_words = std::ranges::all_of(grounds.survey.nodes, [&first](const auto& node) {
    return nearest_reason(node).message == first.message;
  });
  auto in_use = plugins ? std::nullopt : everything_in_use(grounds);
  if (same_words || in_use) {
    const std::string_view words = in_use ? std::string_view(in_use->text) : std::string_view();
    if (auto held = held_till_someone_acts(grounds, first, words)) return *std::move(held);
  }
  if (in_use) return *std::move(in_use);
  if (auto tainted = in_use_or_tainted(grounds)) return *std::move(tainted);
  Candidate nearest = nearest_nodes(grounds);
  if (same_words) {
    if (auto against = against_all_devices(grounds, first)) {
      nearest.code = against->code;
      if (!against->remedy.text.empty()) nearest.remedy = std::move(against->remedy);
    }
  }
  return nearest;
}

// The reason why a subject without blockers is undetermined.
std::string not_computed(const Grounds& grounds) {
  if (!grounds.decision.blockers.empty() || grounds.subject.claims.empty()) return {};
  const std::vector<std::string>& parts = grounds.survey.not_simulated;
  if (parts.empty()) return "more than could be read or computed";
  const bool only_unread = std::ranges::all_of(
      parts, [](const std::string& part) { return part.ends_with("cannot be read)"); });
  return base::join(parts, " and ") + (only_unread ? "" : ", which is not simulated");
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
  return open == all ? base::format("on {} nodes", base::all(static_cast<std::int64_t>(all)))
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

// The node on which the scheduler has made room for the pod, and the pods that have to end there
// first. Empty: it waits for none.
std::string room_being_made(const Grounds& grounds) {
  const api::Pod* pod = grounds.subject.pod;
  if (pod == nullptr || pod->status.nominated_node.empty()) return {};
  std::vector<std::string> ending;
  for (const api::Pod& other : grounds.cluster.snapshot.all<api::Pod>()) {
    if (other.spec.node_name == pod->status.nominated_node && other.meta.deleted)
      ending.push_back(base::format("{}/{}", other.meta.namespace_, other.meta.name));
  }
  if (ending.empty()) return {};
  constexpr std::size_t named = 3;
  return base::format(
      "the scheduler has made room for it on node {}, where {} {} ending; wait for that",
      pod->status.nominated_node, base::join_first(ending, named),
      ending.size() == 1 ? "is" : "are");
}

// Devices that are not published would help against it.
bool is_shortage(Code code) {
  switch (code) {
    case Code::AllNone:
    case Code::AllUnusable:
    case Code::CapacityShort:
    case Code::CountersShort:
    case Code::CountShort:
    case Code::DeviceInUse:
    case Code::DeviceTainted:
    case Code::NoMatch:
      return true;
    default:
      return false;
  }
}

Candidate cause_of_misfit(const Grounds& grounds) {
  Candidate cause = cause_of_nodes(grounds);
  name_unreleased(grounds, cause);
  if (is_shortage(cause.code)) add_silent_nodes(grounds, cause);
  name_old_pods(grounds, cause);
  offer_admin_access(grounds, cause);
  name_counter_bug(grounds, cause);
  name_dropped(grounds, cause);
  const std::string room = room_being_made(grounds);
  if (!room.empty()) cause.text = base::format("{} ({})", room, cause.text);
  const engine::AfterFinding* broken = broken_slice(grounds);
  if (broken == nullptr) return cause;
  // That node is the lost host, and the slice needs it.
  if (cause.code == Code::NodeNotReady && broken->finding.code == Code::HostLost)
    return {Code::HostLost, broken->finding.message};
  const bool lacks = is_for_want_of_a_host(cause, *broken);
  if (lacks) cause.code = broken->finding.code;
  cause.text = lacks ? base::format("{}; pods of the same workload use the other hosts",
                                    broken->finding.message)
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

// "the only node", "any of 3 nodes"; with --node which these are.
std::string nodes_chosen_words(const Grounds& grounds) {
  const std::size_t count = grounds.survey.nodes.size();
  return count == 1 ? base::format("node {} (only this one was looked at)",
                                   grounds.survey.nodes.front().name)
                    : base::format("any of the {} nodes that were named", count);
}

// "; gang train has room for 3 pods, and needs 3". Empty: there is no gang.
std::string gang_words(const engine::Gang* gang) {
  if (gang == nullptr) return {};
  return base::format("; gang {} has room for {}, and needs {}", gang->name,
                      base::plural(gang->with_node + gang->placed, "pod"), gang->min_count);
}

// The sentence behind the name, and the one behind phase and age.
void add_verdict(const Grounds& grounds, const std::string& cause, Headline& headline) {
  const auto both = [&headline](const std::string& predicate, const std::string& answer) {
    headline.predicate = base::sentence(predicate);
    headline.answer = base::sentence(answer);
  };
  switch (grounds.decision.verdict) {
    case Verdict::Blocked:
      return both(base::format("is blocked: {}", cause), cause);
    case Verdict::DoesNotFit: {
      if (!grounds.survey.nodes_chosen) return both(base::format("does not fit: {}", cause), cause);
      const std::string words =
          base::format("does not fit on {}: {}", nodes_chosen_words(grounds), cause);
      return both(words, "it " + words);
    }
    case Verdict::Scheduled:
      headline.predicate =
          grounds.subject.pod == nullptr
              ? std::string("is allocated.")
              : base::format("is scheduled on node {}.", grounds.subject.pod->spec.node_name);
      return;
    case Verdict::Undetermined:
      return both(base::format("is undetermined: {}", cause),
                  base::format("undetermined: {}", cause));
    case Verdict::Fits: {
      const std::string words =
          base::format("fits {}{}", where_it_fits(grounds), gang_words(grounds.gang));
      return both(words, "it " + words);
    }
  }
}

// "would fit" of what is supposed.
std::string conditional(std::string predicate) {
  for (const auto& [start, would] :
       {std::pair("fits ", "would fit "), std::pair("does not fit", "would not fit"),
        std::pair("is blocked", "would be blocked")}) {
    if (predicate.starts_with(start))
      return would + predicate.substr(std::string_view(start).size());
  }
  return predicate;
}

}  // namespace

Conclusion conclude(const Grounds& grounds) {
  Conclusion conclusion = cause_of(grounds);
  const Verdict verdict = grounds.decision.verdict;
  Headline headline{.who = subject_words(grounds), .standing = {}, .answer = {}, .predicate = {}};
  const bool fails = adds_failure(verdict, grounds.subject, grounds.after, headline);
  if (!fails) add_verdict(grounds, conclusion.cause, headline);
  if (grounds.unused && !headline.answer.empty())
    headline.answer = "no pod uses it, so nothing allocates it. If one did: " + headline.answer;
  if (grounds.cluster.focus.is_hypothesis) {
    headline.predicate = conditional(std::move(headline.predicate));
  } else {
    headline.standing = standing_of(grounds.cluster.snapshot, grounds.subject,
                                    verdict == Verdict::Scheduled && !fails);
  }
  conclusion.headline = std::move(headline);
  if (!fails) return conclusion;
  const diag::Finding& first = grounds.after.front().finding;
  conclusion.code = first.code;
  conclusion.remedy = {};  // the finding has its own
  conclusion.cause = first.message;
  conclusion.is_after = true;
  return conclusion;
}

const Reason& deciding(const std::vector<Reason>& blockers) {
  return *std::ranges::max_element(
      blockers, {}, [](const Reason& reason) { return diag::info_of(reason.code).rank; });
}

}  // namespace dra::answers
