// cmd/commands/explain/what_if.cpp: parses each flag against the demands of the subject, and fails
// with the names that exist.

#include "cmd/commands/explain/what_if.h"

#include <algorithm>
#include <charconv>

#include "dra/api/cluster_objects.h"
#include "dra/api/device_class.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/nodes.h"

namespace dra::cmd {
namespace {

using engine::Change;

constexpr std::int64_t kMaxNewNodes = 1'000;

Error bad(std::string message, std::string hint) {
  return {.kind = ErrorKind::BadInput, .message = std::move(message), .hint = std::move(hint)};
}

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

// A demand of a claim that is not allocated.
struct OpenDemand {
  const engine::SubjectClaim* claim;
  std::string request;  // "req" or "req/sub"
  const api::DeviceDemand* demand;

  // True for both names that a flag may use: "req" and "claim/req".
  bool is(std::string_view name) const {
    return name == request || name == base::format("{}/{}", claim->pod_claim, request) ||
           name == base::format("{}/{}", claim->name, request);
  }
};

class WhatIfParser {
 public:
  explicit WhatIfParser(const engine::Hypothesis& hypothesis)
      : snapshot_(hypothesis.base()), subject_(hypothesis.subject()) {
    engine::for_each_unmet(
        subject_, [this](const engine::SubjectClaim& claim, const api::DeviceRequest& request) {
          for (const api::NamedDemand& demand : api::demands_of(request))
            asked_.push_back({&claim, demand.name, demand.demand});
        });
  }

  Result<Done> set(const std::string& flag);
  Result<Done> without(const std::string& flag);
  Result<Done> tolerate(const std::string& flag);
  Result<Done> add_node(const std::string& flag);
  void remove_node(const std::string& name) { changes_.emplace_back(engine::RemoveNode{name}); }
  void join(const Change& nodes) { changes_.push_back(nodes); }
  // The node that --add-node-like names is in the cluster as it is.
  bool is_there(const std::string& flag) const {
    return snapshot_.find<api::Node>(node_like(flag.substr(0, flag.find('=')))) != nullptr;
  }
  std::vector<Change> take() { return std::move(changes_); }

 private:
  Result<const OpenDemand*> find(const std::string& flag, std::string_view request) const;
  std::string requests() const;
  std::string node_like(const std::string& name) const;
  Result<Done> without_selector(const std::string& flag, std::string_view rest, bool of_class);
  Result<Done> without_constraint(const std::string& flag, std::string_view rest);

  const snapshot::Snapshot& snapshot_;
  const engine::Subject& subject_;
  std::vector<OpenDemand> asked_;
  std::vector<Change> changes_;
};

std::string WhatIfParser::requests() const {
  std::vector<std::string> names;
  for (const OpenDemand& asked : asked_)
    names.push_back(asked.request);
  return names.empty()
             ? "all its claims are allocated; `explain --as-if-pending` supposes that none is"
             : "requests are: " + base::join(names, ", ");
}

// An empty name means the only demand.
Result<const OpenDemand*> WhatIfParser::find(const std::string& flag,
                                             std::string_view request) const {
  const OpenDemand* found = nullptr;
  for (const OpenDemand& asked : asked_) {
    if (!request.empty() && !asked.is(request)) continue;
    if (found != nullptr && request.empty())
      return bad(base::format("{}: there are several requests", flag),
                 base::format("name one: --set REQUEST.count=N; {}", requests()));
    if (found != nullptr)
      return bad(base::format("{}: several claims have a request {}", flag, request),
                 base::format("say CLAIM/{}", request));
    found = &asked;
  }
  if (found == nullptr)
    return bad(base::format("{}: there is no request{}{} to be allocated", flag,
                            request.empty() ? "" : " ", request),
               requests());
  return found;
}

Result<Done> WhatIfParser::set(const std::string& text) {
  const std::string flag = "--set " + text;
  const std::size_t equals = text.find('=');
  const std::string_view name = std::string_view(text).substr(0, equals);
  constexpr std::string_view field = "count";
  const bool named = name.ends_with(".count");
  if (equals == std::string::npos || !(named || name == field))
    return bad(base::format("{}: not understood", flag),
               "say --set count=N, or --set REQUEST.count=N");
  const auto count = number_in(std::string_view(text).substr(equals + 1));
  if (!count || *count == 0)
    return bad(base::format("{}: the count is not a number above 0", flag), {});
  const OpenDemand* asked =
      DRA_TRY(find(flag, named ? name.substr(0, name.size() - field.size() - 1) : ""));
  changes_.emplace_back(engine::SetCount{asked->claim->label(), asked->request, *count});
  return Done{};
}

Result<Done> WhatIfParser::without_selector(const std::string& flag, std::string_view rest,
                                            bool of_class) {
  const std::size_t slash = rest.rfind('/');
  const auto index =
      slash == std::string_view::npos ? std::nullopt : number_in(rest.substr(slash + 1));
  if (!index) return bad(base::format("{}: not understood", flag), "say selector/REQUEST/0");
  const OpenDemand* asked = DRA_TRY(find(flag, rest.substr(0, slash)));
  const auto* device_class = snapshot_.find<api::DeviceClass>(asked->demand->device_class);
  const std::vector<api::DeviceSelector> none;
  const auto& selectors = !of_class                 ? asked->demand->selectors
                          : device_class != nullptr ? device_class->spec.selectors
                                                    : none;
  const auto which = static_cast<std::size_t>(*index);
  if (which >= selectors.size())
    return bad(base::format("{}: there is no such selector", flag),
               base::format("{} has {}", of_class ? "its class" : "request " + asked->request,
                            base::plural(static_cast<std::int64_t>(selectors.size()), "selector")));
  changes_.emplace_back(
      engine::DropSelector{.place = {asked->claim->label(), asked->request, of_class, which},
                           .text = std::string(selectors[which].expression())});
  return Done{};
}

// `0` of the only claim that has so many, or `CLAIM/0`.
Result<Done> WhatIfParser::without_constraint(const std::string& flag, std::string_view rest) {
  const std::size_t slash = rest.rfind('/');
  const bool named = slash != std::string_view::npos;
  const std::string_view name = named ? rest.substr(0, slash) : std::string_view();
  const auto index = number_in(named ? rest.substr(slash + 1) : rest);
  if (!index) return bad(base::format("{}: not understood", flag), "say constraint/0");
  const auto which = static_cast<std::size_t>(*index);
  const engine::SubjectClaim* found = nullptr;
  for (const engine::SubjectClaim& claim : subject_.claims) {
    const bool meant = !named || name == claim.pod_claim || name == claim.name;
    if (!meant || claim.unmet() == nullptr || claim.unmet()->devices.constraints.size() <= which)
      continue;
    if (found != nullptr)
      return bad(base::format("{}: several claims have such a constraint", flag),
                 base::format("say constraint/CLAIM/{}", which));
    found = &claim;
  }
  if (found == nullptr)
    return bad(base::format("{}: no claim that is to be allocated has such a constraint", flag),
               "constraints are counted from 0");
  const api::Constraint& constraint = found->unmet()->devices.constraints[which];
  changes_.emplace_back(engine::DropConstraint{
      found->label(), which,
      std::string(constraint.match_attribute.empty() ? constraint.distinct_attribute
                                                     : constraint.match_attribute)});
  return Done{};
}

Result<Done> WhatIfParser::without(const std::string& text) {
  const std::string flag = "--without " + text;
  const std::size_t slash = text.find('/');
  const std::string_view kind = std::string_view(text).substr(0, slash);
  const std::string rest = slash == std::string::npos ? "" : text.substr(slash + 1);
  if (kind == "selector") return without_selector(flag, rest, false);
  if (kind == "class-selector") return without_selector(flag, rest, true);
  if (kind == "constraint") return without_constraint(flag, rest);
  const bool pair =
      std::ranges::count(rest, '/') == 1 && !rest.starts_with('/') && !rest.ends_with('/');
  if (kind == "claim" && pair) {
    changes_.emplace_back(engine::Release{.claims = {rest}, .pods = {}});
    return Done{};
  }
  if (kind == "pod" && pair) {
    changes_.emplace_back(engine::Release{.claims = {}, .pods = {rest}});
    return Done{};
  }
  return bad(base::format("{}: not understood", flag),
             "say claim/NAMESPACE/NAME, pod/NAMESPACE/NAME, selector/REQUEST/0, "
             "class-selector/REQUEST/0 or constraint/0");
}

// Finds the taint on devices and on nodes.
Result<Done> WhatIfParser::tolerate(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string key = text.substr(0, colon);
  const std::string effect = colon == std::string::npos ? "" : text.substr(colon + 1);
  const bool known = effect.empty() || effect == "NoSchedule" || effect == "NoExecute";
  if (key.empty() || !known)
    return bad(base::format("--tolerate {}: not understood", text),
               "say KEY, KEY:NoSchedule or KEY:NoExecute");
  for (const engine::SubjectClaim& claim : subject_.claims) {
    if (claim.unmet() != nullptr && claim.extended == nullptr)
      changes_.emplace_back(engine::Tolerate{.claim = claim.label(), .key = key, .effect = effect});
  }
  if (subject_.pod != nullptr)
    changes_.emplace_back(engine::Tolerate{.key = key, .effect = effect});
  return Done{};
}

// The node of that name, or else one of the node pool of that name, a ready one if there is any.
std::string WhatIfParser::node_like(const std::string& name) const {
  if (snapshot_.find<api::Node>(name) != nullptr) return name;
  const api::Node* like = nullptr;
  for (const api::Node& node : snapshot_.all<api::Node>()) {
    if (engine::node_pool_of(node) != name) continue;
    if (like == nullptr || (engine::is_ready(node) && !engine::is_ready(*like))) like = &node;
  }
  return like == nullptr ? name : std::string(like->meta.name);
}

Result<Done> WhatIfParser::add_node(const std::string& text) {
  const std::size_t equals = text.find('=');
  const auto count = equals == std::string::npos ? std::optional<std::int64_t>(1)
                                                 : number_in(text.substr(equals + 1));
  if (!count || *count == 0 || *count > kMaxNewNodes)
    return bad(base::format("--add-node-like {}: not a number from 1 to {}", text, kMaxNewNodes),
               "say NODE, POOL, NODE=N or POOL=N");
  changes_.emplace_back(engine::AddNode{node_like(text.substr(0, equals)), *count});
  return Done{};
}

}  // namespace

bool WhatIfFlags::any() const {
  return !set.empty() || !without.empty() || !tolerate.empty() || !add_node_like.empty() ||
         !add_nodes.empty() || !remove_node.empty();
}

std::string_view WhatIfFlags::names() {
  return "--set, --without, --tolerate, --add-node-like, --add-nodes and --remove-node";
}

std::vector<Flag> WhatIfFlags::flags() {
  return {
      {"add-node-like", '\0', "NODE[=N]",
       "Suppose that so many nodes like that one, or like those of that node pool, joined, with "
       "nothing on them but daemons.",
       &add_node_like},
      {"add-nodes", '\0', "FILE",
       "Suppose that the nodes and resource slices of the file joined, such as those of another "
       "cluster. `-` is standard input. Can be given several times.",
       &add_nodes},
      {"remove-node", '\0', "NODE",
       "Suppose that the node were gone, with its slices and the pods on it, which do not come "
       "back. Can be given several times.",
       &remove_node},
      {"set", '\0', "REQUEST.count=N",
       "Suppose that the request asked for so many devices; `count=N` if it is the only one.",
       &set},
      {"tolerate", '\0', "KEY[:EFFECT]",
       "Suppose that the requests, and the pod, tolerated taints with that key.", &tolerate},
      {"without", '\0', "WHAT",
       "Suppose that this were not there: claim/NAMESPACE/NAME, pod/NAMESPACE/NAME, "
       "selector/REQUEST/0, class-selector/REQUEST/0, constraint/0.",
       &without}};
}

Result<std::vector<Change>> read_what_if(const WhatIfFlags& flags,
                                         const engine::Hypothesis& hypothesis,
                                         const std::vector<Change>& joined) {
  WhatIfParser parser(hypothesis);
  for (const std::string& text : flags.set)
    DRA_TRY(parser.set(text));
  for (const std::string& text : flags.without)
    DRA_TRY(parser.without(text));
  for (const std::string& text : flags.tolerate)
    DRA_TRY(parser.tolerate(text));
  for (const std::string& text : flags.add_node_like) {
    if (joined.empty() || parser.is_there(text)) DRA_TRY(parser.add_node(text));
  }
  for (const std::string& name : flags.remove_node)
    parser.remove_node(name);
  for (const Change& nodes : joined)
    parser.join(nodes);
  for (const std::string& text : flags.add_node_like) {
    if (!joined.empty() && !parser.is_there(text)) DRA_TRY(parser.add_node(text));
  }
  return parser.take();
}

}  // namespace dra::cmd
