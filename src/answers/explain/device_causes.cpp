// src/answers/explain/device_causes.cpp: puts the numbers of a survey into one sentence: how many
// devices are needed, how many there are, and what is against them.

#include "src/answers/explain/device_causes.h"

#include <algorithm>
#include <map>
#include <set>

#include "dra/answers/explain/unreleased_holders.h"
#include "dra/base/prose.h"
#include "dra/base/text.h"
#include "src/answers/explain/cause/unmet_words.h"
#include "src/answers/explain/cause_candidates.h"
#include "src/answers/explain/claims_elsewhere.h"
#include "src/answers/explain/device_noun.h"
#include "src/answers/explain/device_remedies.h"
#include "src/answers/explain/nearest.h"

namespace dra::answers {
namespace {

using diag::Code;
using diag::Reason;

constexpr std::size_t kMaxNames = 2;  // of pods, in a sentence

// --- no device matches

bool matches_nothing(const Grounds& grounds, const api::DeviceRequest& request) {
  const auto demands = api::demands_of(request);
  return !demands.empty() && std::ranges::all_of(demands, [&](const api::NamedDemand& demand) {
    const DemandFacts* facts = facts_of(grounds.survey.demands, *demand.demand);
    return facts != nullptr && facts->known && facts->devices > 0 && facts->chosen == 0;
  });
}

bool has_one_request(const engine::Subject& subject) {
  std::size_t count = 0;
  engine::for_each_unmet(subject,
                         [&](const engine::SubjectClaim&, const api::DeviceRequest&) { ++count; });
  return count == 1;
}

Candidate without_match(const Grounds& grounds, const api::DeviceRequest& request) {
  const api::DeviceDemand& demand = *api::demands_of(request).front().demand;
  const DemandFacts* facts = facts_of(grounds.survey.demands, demand);
  const bool one = api::demands_of(request).size() == 1 && facts->findings.size() == 1;
  const SelectorFinding* finding = one ? &facts->findings.front() : nullptr;
  const std::string_view noun = device_noun(grounds.cluster.snapshot, demand.device_class);
  if (finding == nullptr)
    return {Code::NoMatch,
            base::format("no {} in the cluster matches request {}", noun, request.name)};
  if (finding->finding.code != Code::NoMatch)
    return {finding->finding.code,
            base::format("no {} in the cluster matches request {}: its selector fails: {}", noun,
                         request.name, finding->finding.message),
            remedy_for(*finding)};
  const std::string unmet = unmet_words(*finding, noun);
  return {Code::NoMatch, has_one_request(grounds.subject)
                             ? unmet
                             : base::format("for request {} {}", request.name, unmet)};
}

// --- in use

// Devices that match a request, over all nodes.
struct Matching {
  std::int64_t all = 0;
  std::int64_t in_use = 0;
};

// Claims that hold devices, each with the words for who uses it.
using Users = std::map<std::string, std::string>;

// False: the reasons do not list them all.
bool add_users(const engine::NodeResult& node, Users& users) {
  bool all = true;
  for (const Reason& reason : node.reasons) {
    if (reason.code != Code::DeviceInUse) continue;
    all &= reason.devices <= static_cast<std::int64_t>(reason.examples.size());
    for (const diag::Holder& holder : reason.holders)
      users[holder.claim] = holder.pod.empty()
                                ? base::format("claim {}, which no pod uses", holder.claim)
                            : holder.pod.find(',') == std::string::npos
                                ? base::format("pod {}", holder.pod)
                                : base::format("claim {} of several pods", holder.claim);
  }
  return all;
}

// " by pod a/b and pod a/c"; of many, the number of claims only.
std::string by_whom(const Users& users) {
  if (users.empty()) return {};
  if (users.size() > kMaxNames) return base::format(" by {} claims", users.size());
  std::vector<std::string> words;
  for (const auto& [claim, user] : users) {
    if (std::ranges::find(words, user) == words.end()) words.push_back(user);  // by two claims
  }
  return base::format(" by {}", base::join(words, " and "));
}

std::string by_whom(const Grounds& grounds) {
  Users users;
  for (const engine::NodeResult& node : grounds.survey.nodes) {
    if (!add_users(node, users)) return {};
  }
  return by_whom(users);
}

std::string by_whom(const engine::NodeResult& node) {
  Users users;
  return add_users(node, users) ? by_whom(users) : std::string();
}

// The devices that are in use on all nodes together; no value: the reasons do not list them all.
std::optional<std::int64_t> held_devices(const Grounds& grounds) {
  std::set<std::string_view> devices;
  for (const engine::NodeResult& node : grounds.survey.nodes) {
    for (const Reason& reason : node.reasons) {
      if (reason.code != Code::DeviceInUse) continue;
      if (reason.devices > std::ssize(reason.examples)) return std::nullopt;
      devices.insert(reason.examples.begin(), reason.examples.end());
    }
  }
  return devices.empty() ? std::nullopt : std::optional(std::ssize(devices));
}

// "; it needs 1 for a or 2 for b", of a request with alternatives.
std::string needs_words(const engine::Subject& subject) {
  std::vector<std::string> parts;
  bool several = false;
  engine::for_each_unmet(
      subject, [&](const engine::SubjectClaim&, const api::DeviceRequest& request) {
        if (!parts.empty()) several = true;
        for (const api::NamedDemand& demand : api::demands_of(request)) {
          const std::string count =
              demand.demand->all() ? std::string("all") : std::to_string(demand.demand->wanted());
          parts.push_back(
              base::format("{} for {}", count, demand.name.substr(demand.name.find('/') + 1)));
        }
      });
  return several || parts.size() < 2 ? ""
                                     : base::format("; it needs {}", base::join(parts, " or "));
}

bool wants_all(const engine::Subject& subject) {
  bool all = false;
  engine::for_each_unmet(subject,
                         [&](const engine::SubjectClaim&, const api::DeviceRequest& request) {
                           for (const api::NamedDemand& demand : api::demands_of(request))
                             all |= demand.demand->all();
                         });
  return all;
}

// --- too few on the nearest node

// The nodes that one code stands for.
struct Share {
  Code code;
  bool near = false;  // on one of these nodes every request finds devices that match
  std::vector<const engine::NodeResult*> nodes = {};
};

// The code of a node's nearest reason, or of what is against the devices that it counts.
Code deciding(const engine::NodeResult& node) {
  const Reason& nearest = nearest_reason(node);
  if (!node.passes_filters()) return nearest.code;
  // Of all devices the first that is lacking decides, and there the holders count as well.
  if (nearest.code == Code::AllUnusable) return nearest.code;
  const Reason* against = against_devices(node, nearest);
  return against == nullptr ? nearest.code : against->code;
}

bool all_requests_match(const engine::NodeResult& node) {
  return node.passes_filters() && !node.demands.empty() &&
         std::ranges::all_of(node.demands, [](const auto& demand) { return demand.matching > 0; });
}

// Sorted by how near the nodes are to serving the subject, then by number of nodes.
std::vector<Share> shares_of(const std::vector<engine::NodeResult>& nodes) {
  std::map<Code, Share> shares;
  for (const engine::NodeResult& node : nodes) {
    const Code code = deciding(node);
    Share& share = shares.emplace(code, Share{.code = code}).first->second;
    share.nodes.push_back(&node);
    share.near |= all_requests_match(node);
  }
  std::vector<Share> sorted;
  sorted.reserve(shares.size());
  for (auto& [code, share] : shares)
    sorted.push_back(std::move(share));
  // Nodes that the pod does not select are not why it waits, where others have such devices.
  const auto key = [](const Share& share) {
    return std::tuple(share.near, share.code != Code::NodeAffinity, share.nodes.size());
  };
  std::ranges::stable_sort(sorted, std::ranges::greater(), key);
  return sorted;
}

const engine::DemandResult* demand_of(const engine::NodeResult& node, const Reason& shortage) {
  const auto found = std::ranges::find_if(node.demands, [&shortage](const auto& one) {
    return one.claim == shortage.claim && one.request == shortage.request;
  });
  return found == node.demands.end() ? nullptr : &*found;
}

// All devices that the reason names are in use.
bool is_of_held_devices(const engine::NodeResult& node, const Reason& tainted) {
  std::set<std::string_view> held;
  for (const Reason& reason : node.reasons) {
    if (reason.code == Code::DeviceInUse)
      held.insert(reason.examples.begin(), reason.examples.end());
  }
  return std::ranges::all_of(tainted.examples,
                             [&held](const std::string& device) { return held.contains(device); });
}

// What is against the devices that are neither in use nor usable.
std::string against_words(const engine::NodeResult& node, const Reason& shortage,
                          std::int64_t count) {
  std::vector<std::string> taints;
  std::vector<std::string> others;
  for (const Reason& reason : node.reasons) {
    const bool own = reason.claim == shortage.claim && reason.request == shortage.request;
    if (is_of_selector(reason)) continue;
    if (reason.code == Code::DeviceTainted && !is_of_held_devices(node, reason)) {
      const std::size_t at = reason.message.find("taint ");
      taints.push_back(at == std::string::npos ? reason.message : reason.message.substr(at));
    } else if (is_of_pool(reason) || (own && reason.devices > 0 && reason.code != shortage.code &&
                                      reason.code != Code::DeviceTainted)) {
      others.push_back(reason.message);
    }
  }
  if (others.empty() && taints.empty()) return base::format("{} unavailable", count);
  if (others.empty()) return base::format("{} with {}", count, base::join(taints, " and "));
  return base::format("{} unavailable: {}", count, base::join(others, "; "));
}

// "1 in use, 2 free, 1 with taint x".
std::string state_words(const engine::NodeResult& node, const engine::DemandResult& demand,
                        const Reason& shortage) {
  std::vector<std::string> parts;
  if (demand.in_use > 0) parts.push_back(base::format("{} in use{}", demand.in_use, by_whom(node)));
  if (demand.usable > 0) parts.push_back(base::format("{} free", demand.usable));
  const std::int64_t rest = demand.matching - demand.in_use - demand.usable;
  if (rest > 0) parts.push_back(against_words(node, shortage, rest));
  return base::join(parts, ", ");
}

std::int64_t usable_devices(const engine::NodeResult* node) {
  std::int64_t sum = 0;
  for (const engine::DemandResult& demand : node->demands)
    sum += demand.usable;
  return sum;
}

// "4", "4: 1 in use, 3 free", "2, all unavailable: ...".
std::string has_words(const engine::NodeResult& node, const engine::DemandResult& demand,
                      const Reason& shortage) {
  if (demand.usable == demand.matching) return std::to_string(demand.matching);
  const std::string state = state_words(node, demand, shortage);
  const bool all = demand.in_use == 0 && demand.usable == 0 && demand.matching > 1;
  const std::string count = std::to_string(demand.matching);
  return all && state.starts_with(count)
             ? base::format("{}, all{}", count, state.substr(count.size()))
             : base::format("{}: {}", count, state);
}

// "request gpu needs 3 GPUs; node a, the only one with such devices, has 4: 1 in use, ...". No
// value: the numbers say nothing, as a request needs more than one kind of thing.
std::optional<std::string> shortage_words(const Grounds& grounds, const Share& share) {
  const engine::NodeResult& node = **std::ranges::max_element(share.nodes, {}, usable_devices);
  const Reason& shortage = nearest_reason(node);
  const bool counts = shortage.code == Code::CountShort || shortage.code == Code::AllUnusable;
  const engine::DemandResult* demand = counts ? demand_of(node, shortage) : nullptr;
  const api::DeviceDemand* asked = engine::UnmetDemands(grounds.subject).of(shortage);
  if (demand == nullptr || asked == nullptr || !demand->known || demand->matching == 0)
    return std::nullopt;
  const std::string noun(device_noun(grounds.cluster.snapshot, asked->device_class));
  const std::string needs = asked->all() ? base::format("all matching {}s of a node", noun)
                                         : base::plural(asked->wanted(), noun);
  std::int64_t matching = 0;
  std::int64_t nodes = 0;
  for (const engine::NodeResult& other : grounds.survey.nodes) {
    const engine::DemandResult* there = demand_of(other, shortage);
    if (there == nullptr || there->matching == 0) continue;
    matching += there->matching;
    ++nodes;
  }
  const std::int64_t rest = demand->matching - demand->in_use - demand->usable;
  if (matching == 1 && demand->in_use == 1)
    return base::format("the only matching {}, on node {}, is in use{}", noun, node.name,
                        by_whom(grounds));
  if (matching == 1 && rest == 1) {
    const Reason* against = against_devices(node, shortage);
    return base::format(
        "the only matching {}, on node {}, is unavailable: {}", noun, node.name,
        against == nullptr ? state_words(node, *demand, shortage) : against->message);
  }
  const std::string has = has_words(node, *demand, shortage);
  if (grounds.survey.nodes_chosen && nodes == 1)
    return base::format("request {} needs {}; node {} has {}", shortage.request, needs, node.name,
                        has);
  if (nodes == 1)
    return base::format("request {} needs {}; node {}, the only one with such devices, has {}",
                        shortage.request, needs, node.name, has);
  return base::format(
      "request {} needs {} on one node; {}, the best of {} nodes with such devices, has {}",
      shortage.request, needs, node.name, nodes, has);
}

bool has_no_match(Code code) {
  return code == Code::NoMatch || code == Code::AllNone || code == Code::NoSlices;
}

// As those of the control plane; where a driver should publish for it, that is said elsewhere.
bool is_bare(const engine::NodeResult& node) {
  return std::ranges::all_of(node.drivers,
                             [](const auto& driver) { return driver.published == 0; });
}

// "; 2 other nodes: taint x is not tolerated". Nodes without a matching device go without
// saying.
std::string others_words(const std::vector<Share>& shares) {
  std::size_t count = 0;
  std::string_view first;
  std::set<std::string_view> messages;
  for (std::size_t i = 1; i < shares.size(); ++i) {
    if (has_no_match(shares[i].code)) continue;
    for (const engine::NodeResult* node : shares[i].nodes) {
      if (is_bare(*node)) continue;
      ++count;
      if (first.empty()) first = node->name;
      messages.insert(nearest_reason(*node).message);
    }
  }
  if (count == 0) return {};
  const std::string who =
      count == 1 ? base::format("node {}", first) : base::format("{} other nodes", count);
  constexpr std::size_t few = 2;
  if (messages.size() > few) return base::format("; {}: other reasons", who);
  return base::format("; {}: {}", who,
                      base::join(std::vector<std::string>(messages.begin(), messages.end()), "; "));
}

// "node n1: MESSAGE" where the message ends with a parenthesis, else "MESSAGE (node n1)".
std::string with_nodes(const std::string& message, const Share& share) {
  const std::string nodes = share.nodes.size() == 1
                                ? base::format("node {}", share.nodes.front()->name)
                                : base::format("{} nodes", share.nodes.size());
  return message.ends_with(')') ? base::format("{}: {}", nodes, message)
                                : base::format("{} ({})", message, nodes);
}

// The most devices that match the demand on one node, in use or not.
std::int64_t most_on_a_node(const Grounds& grounds, const std::string& claim,
                            const std::string& request) {
  std::int64_t most = 0;
  for (const engine::NodeResult& node : grounds.survey.nodes) {
    for (const engine::DemandResult& demand : node.demands) {
      if (demand.claim == claim && demand.request == request)
        most = std::max(most, demand.matching);
    }
  }
  return most;
}

// A request of one number of devices that no node has, even if all were free. No value: none.
std::optional<Candidate> beyond_any_node(const Grounds& grounds) {
  std::optional<Candidate> beyond;
  engine::for_each_unmet(grounds.subject, [&](const engine::SubjectClaim& claim,
                                              const api::DeviceRequest& request) {
    const auto demands = api::demands_of(request);
    const api::NamedDemand& first = demands.front();
    if (beyond || demands.size() > 1 || first.demand->all()) return;
    const std::int64_t most = most_on_a_node(grounds, claim.label(), first.name);
    if (most >= first.demand->wanted()) return;
    const std::string_view noun = device_noun(grounds.cluster.snapshot, first.demand->device_class);
    beyond = Candidate{
        Code::CountShort,
        base::format("request {} needs {} on one node, and the most that one has is {}, in use "
                     "or not",
                     first.name, base::plural(first.demand->wanted(), noun), most)};
  });
  return beyond;
}

}  // namespace

std::optional<Candidate> never_matched(const Grounds& grounds) {
  for (const engine::SubjectClaim& claim : grounds.subject.claims) {
    if (claim.unmet() == nullptr) continue;
    for (const api::DeviceRequest& request : claim.spec->devices.requests) {
      if (matches_nothing(grounds, request)) return without_match(grounds, request);
    }
  }
  return std::nullopt;
}

// In place of who uses the devices, those that nothing has released. `count` devices are all in
// use; 0: their number is not known.
std::optional<Candidate> held_unreleased(const Grounds& grounds, Code code, std::int64_t count,
                                         const std::string& noun) {
  const snapshot::Snapshot& snapshot = grounds.cluster.snapshot;
  const UnreleasedHolders holders = unreleased_in(snapshot, grounds.survey.nodes);
  if (holders.claims.empty()) return std::nullopt;
  const std::string by = words_of(snapshot, holders);
  const std::string some =
      count == 0   ? base::format("all {}s are in use, {} of them by {}", noun, holders.devices, by)
      : count == 1 ? base::format("the only {} is held by {}", noun, by)
      : holders.devices >= count
          ? base::format("{} {}s are held by {}", base::all(count), noun, by)
          : base::format("{} of {} {}s {} held by {}", holders.devices, count, noun,
                         holders.devices == 1 ? "is" : "are", by);
  const bool others = count > holders.devices;
  return Candidate{code, others ? base::format("{}; pods use the rest", some) : some,
                   remedy_of(snapshot, holders)};
}

// One device may match several requests.
std::optional<Candidate> everything_in_use(const Grounds& grounds) {
  std::map<std::pair<std::string_view, std::string_view>, Matching> demands;
  std::int64_t published = 0;
  for (const engine::NodeResult& node : grounds.survey.nodes) {
    for (const engine::DriverCounts& driver : node.drivers)
      published += driver.published;
    for (const engine::DemandResult& demand : node.demands) {
      Matching& matching = demands[{demand.claim, demand.request}];
      matching.all += demand.matching;
      matching.in_use += demand.in_use;
    }
  }
  const bool all_held = !demands.empty() && std::ranges::all_of(demands, [](const auto& demand) {
    return demand.second.all > 0 && demand.second.all == demand.second.in_use;
  });
  if (!all_held) return std::nullopt;
  if (auto beyond = beyond_any_node(grounds)) return beyond;
  const auto most =
      std::ranges::max_element(demands, {}, [](const auto& demand) { return demand.second.all; });
  const std::optional<std::int64_t> held = held_devices(grounds);
  const bool several = demands.size() > 1 && held;
  const std::int64_t count = several ? *held : most->second.all;
  const std::string noun(device_noun(grounds.cluster.snapshot, grounds.subject));
  const bool counted = demands.size() == 1 || several || count == published;
  const std::string_view which = count == published ? "" : "matching ";
  const std::string rest = by_whom(grounds) + needs_words(grounds.subject);
  const Code code = wants_all(grounds.subject) ? Code::AllUnusable : Code::DeviceInUse;
  if (auto unreleased =
          held_unreleased(grounds, code, counted ? count : 0, base::format("{}{}", which, noun)))
    return unreleased;
  if (counted && count == 1)
    return Candidate{code, base::format("the only {}{} is in use{}", which, noun, rest)};
  return Candidate{
      code, base::format("{} {}{}s are in use{}", counted ? base::all(count) : std::string("all"),
                         which, noun, rest)};
}

Candidate nearest_nodes(const Grounds& grounds) {
  const std::vector<Share> shares = shares_of(grounds.survey.nodes);
  const Share& first = shares.front();
  if (first.code == Code::ClaimElsewhere) return allocated_elsewhere(grounds);
  std::string text;
  if (auto shortage = shortage_words(grounds, first)) {
    text = *std::move(shortage);
  } else {
    text = nearest_reason(*first.nodes.front()).message;
    if (shares.size() > 1) text = with_nodes(text, first);
  }
  return {first.code, text + others_words(shares),
          remedy_for(grounds, *first.nodes.front(), first.code)};
}

}  // namespace dra::answers
