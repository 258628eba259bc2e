// src/engine/running/driver_refusals.cpp: what a driver's failure to prepare a claim means where
// its words tell: it is missing a permission, it takes another driver's device for its own, or it
// refuses the claim's configuration. Sources of after_scheduling.h.

#include <algorithm>
#include <array>
#include <set>

#include "dra/base/text.h"
#include "dra/engine/cluster/allocated_device.h"
#include "dra/engine/cluster/compute_domains.h"
#include "dra/engine/facts/full_name.h"
#include "dra/engine/running/kubelet_words.h"
#include "src/engine/running/after_scheduling.h"

namespace dra::engine {
namespace {

constexpr std::string_view kInNames = "abcdefghijklmnopqrstuvwxyz0123456789-./";

// The part of the text between the two; empty if it is not there.
std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
  const std::size_t start = text.find(before);
  if (start == std::string_view::npos) return {};
  text.remove_prefix(start + before.size());
  const std::size_t end = text.find(after);
  return end == std::string_view::npos ? std::string_view() : text.substr(0, end);
}

bool is_name(std::string_view text) {
  return !text.empty() && text.find_first_not_of(kInNames) == std::string_view::npos;
}

// What the API server refuses to a service account. Upstream:
// k8s.io/apiserver/pkg/endpoints/handlers/responsewriters, forbiddenMessage.
struct Forbidden {
  std::string_view ns, account, verb, resource, group;

  explicit Forbidden(std::string_view text) {
    const std::string_view user =
        between(text, " is forbidden: User \"system:serviceaccount:", "\"");
    ns = user.substr(0, user.find(':'));
    account = user.size() > ns.size() ? user.substr(ns.size() + 1) : std::string_view();
    verb = between(text, "\" cannot ", " resource \"");
    resource = between(text, " resource \"", "\"");
    group = between(text, " in API group \"", "\"");
  }
  bool known() const {
    return is_name(ns) && is_name(account) && is_name(verb) && is_name(resource) &&
           (group.empty() || is_name(group));
  }
  // "get resourceclaims.resource.k8s.io", as kubectl has it.
  std::string permission() const {
    if (group.empty()) return base::format("{} {}", verb, resource);
    const std::string_view kind = resource.substr(0, resource.find('/'));
    return base::format("{} {}.{}{}", verb, kind, group, resource.substr(kind.size()));
  }
};

// Whether the text says of that very device that it is not known: "not allocatable: gpu-0", "device
// gpu-0 not found".
bool says_unknown(std::string_view text, std::string_view device) {
  constexpr std::array<std::string_view, 5> before = {
      "not allocatable", "not found", "unknown device", "no such device", "unknown"};
  constexpr std::array<std::string_view, 5> after = {"not allocatable", "not found", "not known",
                                                     "does not exist", "unknown"};
  constexpr std::string_view marks = " :\"'";
  const std::size_t at = text.find(device);
  if (at == std::string_view::npos) return false;
  std::string_view head = text.substr(0, at);
  std::string_view tail = text.substr(at + device.size());
  while (!head.empty() && marks.find(head.back()) != std::string_view::npos)
    head.remove_suffix(1);
  while (!tail.empty() && marks.find(tail.front()) != std::string_view::npos)
    tail.remove_prefix(1);
  if (tail.starts_with("is ")) tail.remove_prefix(3);
  return std::ranges::any_of(before,
                             [head](std::string_view sign) { return head.ends_with(sign); }) ||
         std::ranges::any_of(after,
                             [tail](std::string_view sign) { return tail.starts_with(sign); });
}

bool is_published(const Inventory& inventory, const api::AllocationResultItem& result) {
  return inventory.find(id_of(result)) != nullptr;
}

// The kind of a driver's parameters, or the first one's: "GpuConfig".
std::string_view kind_of_parameters(const api::ResourceClaim& claim, std::string_view driver) {
  for (const api::AllocationConfig& config : claim.status.allocation->devices.config) {
    if (!config.config.opaque || (!driver.empty() && config.config.opaque->driver != driver))
      continue;
    const auto words = base::split(config.config.opaque->parameters.text, '"');
    for (std::size_t i = 0; i + 2 < words.size(); ++i) {
      if (words[i] == "kind" && base::trim(words[i + 1]) == ":") return words[i + 2];
    }
  }
  return {};
}

}  // namespace

bool lacks_permission(std::string_view text, AfterFinding& found) {
  const Forbidden forbidden(text);
  if (!forbidden.known()) return false;
  const std::string what = forbidden.resource == "resourceclaims" && forbidden.verb == "get"
                               ? std::string("cannot read claims")
                               : base::format("cannot {} {}", forbidden.verb, forbidden.resource);
  found.finding.message =
      base::format("{} {}: its service account {}/{} is missing the permission to {} {}",
                   found.driver.empty() ? "the driver" : base::format("driver {}", found.driver),
                   what, forbidden.ns, forbidden.account, forbidden.verb, forbidden.resource);
  found.what = base::format("{} {}/{}", what, forbidden.ns, forbidden.account);
  found.repair = {
      .action = Action::GrantPermission,
      .permission = forbidden.permission(),
      .command = Command::Grant,
      .object = {"ServiceAccount", std::string(forbidden.ns), std::string(forbidden.account)}};
  return true;
}

bool takes_others_device(const AfterScene& scene, const SubjectClaim& claim, std::string_view text,
                         AfterFinding& found) {
  if (!claim.allocated()) return false;
  const api::AllocationResultItem* named = nullptr;
  std::set<std::string_view> others;
  for (const auto& result : claim.claim->status.allocation->devices.results) {
    if (contains_name(text, result.device) && says_unknown(text, result.device)) named = &result;
  }
  if (named == nullptr || !is_published(scene.inventory, *named)) return false;
  for (const auto& result : claim.claim->status.allocation->devices.results)
    if (result.driver != named->driver) others.insert(result.driver);
  if (others.empty()) return false;
  const std::vector<std::string> names(others.begin(), others.end());
  const bool one = names.size() == 1;
  found.driver = one ? names.front() : std::string();
  found.finding.message = base::format(
      "{} probably takes device {} of driver {}, which publishes it, for its own in claim {}: {}",
      one ? base::format("driver {}", names.front())
          : base::format("one of the drivers {}", base::join(names, ", ")),
      named->device, named->driver, claim.name, text);
  found.finding.evidence.push_back(
      {"device",
       base::format("the kubelet does not say which driver complains: the log of driver {} "
                    "shows whether it is that one after all",
                    named->driver)});
  found.repair.action = Action::SplitClaim;
  found.repair.claim = claim.name;
  found.repair.template_name = claim.template_name;
  return true;
}

std::string refuses_configuration(const SubjectClaim* claim, const Repair& repair,
                                  std::string_view driver, std::string_view text) {
  const std::string who =
      driver.empty() ? std::string("the driver") : base::format("driver {}", driver);
  if (claim == nullptr || !claim->allocated())
    return base::format("{} refuses the configuration: {}", who, text);
  std::vector<std::string> origin;
  if (const std::string_view kind = kind_of_parameters(*claim->claim, driver); !kind.empty())
    origin.emplace_back(kind);
  if (repair.action == Action::CorrectTemplate && !repair.template_name.empty())
    origin.push_back(base::format("from template {}", repair.template_name));
  if (repair.action == Action::CorrectClass && !repair.classes.front().empty())
    origin.push_back(base::format("from class {}", repair.classes.front()));
  return base::format("{} refuses the configuration{} of claim {}: {}", who,
                      origin.empty() ? "" : base::format(" ({})", base::join(origin, ", ")),
                      claim->name, text);
}

}  // namespace dra::engine
