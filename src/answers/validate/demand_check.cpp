// src/answers/validate/demand_check.cpp: turns the selection of a demand into findings and counts.

#include "src/answers/validate/demand_check.h"

#include <algorithm>
#include <set>

#include "dra/answers/explain/selector_findings.h"
#include "dra/answers/explain/suggestion_text.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/taints.h"
#include "dra/engine/cluster/tpu_hosts.h"
#include "dra/engine/selectors/suggestions.h"

namespace dra::answers {
namespace {

using checks::ManifestFinding;
using checks::ManifestPlace;
using diag::Code;
using engine::DeviceState;
using engine::InventoryDevice;
using engine::Outcome;

constexpr std::size_t kMaxNames = 5;
constexpr std::size_t kShownPart = 80;  // characters

std::string devices_text(std::size_t count) {
  return base::plural(static_cast<std::int64_t>(count), "device");
}

// The place of the selector in the request, or of the class that has it.
ManifestPlace place_of_selector(const SelectorFinding& finding, const ManifestPlace& demand) {
  if (finding.of_class) return demand.child("deviceClassName").or_parent(demand);
  const ManifestPlace selector = demand.child("selectors").item(finding.index);
  return selector.child("cel").child("expression").or_parent(selector).or_parent(demand);
}

// "gpu.example.com/type, gpu.example.com/uuid and 3 more", the nearest name first.
std::string names_text(std::vector<std::string> names, std::string_view wanted) {
  const std::vector<std::string_view> all(names.begin(), names.end());
  std::vector<std::string_view> ids;
  ids.reserve(all.size());
  for (const std::string_view name : all)
    ids.push_back(name.substr(name.rfind('/') + 1));
  const auto near = std::ranges::find(ids, base::nearest(wanted, ids));
  if (near != ids.end())
    std::rotate(names.begin(), names.begin() + (near - ids.begin()),
                names.begin() + (near - ids.begin()) + 1);
  return base::join_first(names, kMaxNames);
}

struct Words {
  Code code;
  std::string text;
};

Words words_of_failure(const SelectorFinding& finding, std::string_view device_class) {
  const std::string who =
      finding.of_class ? base::format("a selector of class {}", device_class) : "the selector";
  const std::string_view gives_up = "the scheduler gives up on the whole pod when it tries one";
  if (finding.finding.code == Code::SelectorCompile)
    return {finding.finding.code,
            base::format("{} does not compile: {}", who, finding.finding.message)};
  if (finding.key.empty())
    return {finding.finding.code,
            base::format("{} fails for {} of {} ({}: {}), and {}", who, finding.devices,
                         devices_text(finding.of), base::shorten_middle(finding.part, kShownPart),
                         finding.finding.message, gives_up)};
  if (finding.devices < finding.of)
    return {
        Code::SelectorUnguarded,
        base::format("{}: {} of {} of class {} have no {}, and {}", finding.part, finding.devices,
                     devices_text(finding.of), device_class, finding.key, gives_up)};
  return {Code::SelectorPathUnknown,
          base::format("{}: no device of class {} has {}; there is {}", finding.part, device_class,
                       finding.key, names_text(finding.names, finding.key))};
}

Words words_of_nothing(const SelectorFinding& finding, std::string_view device_class) {
  std::string text =
      base::format("with those of class {}, the selectors match none of {} in the cluster: {} {}",
                   device_class, devices_text(finding.of),
                   finding.met == 0 ? "none has" : "none that is else right has", finding.part);
  if (!finding.seen.empty()) text += base::format("; they have {}", seen_text(finding.seen));
  return {Code::SelectorMatchesNothing, std::move(text)};
}

// YAML of a toleration for the taint.
std::string toleration_of(const api::DeviceTaint& taint) {
  return base::format(
      "# only if the workload can do with such a device\ntolerations:\n- key: {}\n  operator: "
      "Exists\n  effect: {}",
      taint.key, taint.effect);
}

}  // namespace

DemandCheck::DemandCheck(const snapshot::Snapshot& snapshot, const engine::Inventory& now,
                         const engine::Inventory& empty, const engine::Subject& subject)
    : snapshot_(snapshot), now_(now), demands_(snapshot, empty, subject) {}

bool DemandCheck::check(const api::DeviceDemand& demand, const ManifestPlace& place,
                        std::vector<ManifestFinding>& findings) const {
  const engine::Selection* selection = demands_.of(demand);
  if (selection == nullptr) return true;
  const auto wrong = findings_of(demands_, demand, demands_.clauses_of(demand));
  const bool nothing = selection->chosen == 0;
  if (wrong.empty() && !nothing) return check_taints(demand, place, findings);
  std::vector<std::string_view> expressions;
  expressions.reserve(selection->selectors.size());
  for (const engine::SelectorCount& selector : selection->selectors)
    expressions.push_back(selector.answer->selector.expression());
  const auto suggestions =
      engine::suggestions_for(demands_.fleet(), expressions, snapshot_.server());
  const std::string fix = suggestions.empty()
                              ? std::string()
                              : base::format("{}:\n{}", suggestion_text(suggestions.front(), true),
                                             base::trim(suggestions.front().expression));
  for (const SelectorFinding& finding : wrong) {
    const bool is_error = finding.finding.code == Code::SelectorCompile && !finding.of_class;
    if (is_error) continue;  // the checks of the rules report it
    Words words = finding.finding.code == Code::NoMatch
                      ? words_of_nothing(finding, demand.device_class)
                      : words_of_failure(finding, demand.device_class);
    findings.push_back(checks::warning_at(place_of_selector(finding, place), words.code,
                                          std::move(words.text), fix));
    if (finding.of_class) continue;
    const cel::Source source{
        std::string(expressions[expressions.size() - demand.selectors.size() + finding.index])};
    findings.back().text = source.text();
    findings.back().offset = source.byte_of(finding.span.begin);
  }
  if (wrong.empty())
    findings.push_back(checks::warning_at(
        place.child("deviceClassName").or_parent(place), Code::SelectorMatchesNothing,
        base::format("no device in the cluster is of class {}: {} in all", demand.device_class,
                     devices_text(demands_.fleet().size())),
        "kubectl dra classes shows how many devices each class has"));
  return false;
}

bool DemandCheck::check_taints(const api::DeviceDemand& demand, const ManifestPlace& place,
                               std::vector<ManifestFinding>& findings) const {
  const engine::Selection& selection = *demands_.of(demand);
  const engine::DeviceTaintOf* first = nullptr;
  for (std::size_t i = 0; i < selection.devices.size(); ++i) {
    if (selection.devices[i] != Outcome::Chosen) continue;
    const InventoryDevice& device = now_.devices()[i];
    if (engine::tolerates_all(demand.tolerations, device.taints)) return true;
    if (first == nullptr) first = &device.taints.front();
  }
  if (first == nullptr) return true;
  const api::DeviceTaint& taint = *first->taint;
  findings.push_back(checks::warning_at(
      place.child("tolerations").or_parent(place), Code::DeviceTainted,
      base::format("all {} that match have taints that the request does not tolerate, such as {}",
                   devices_text(selection.chosen),
                   engine::describe_taint(taint.key, taint.value, taint.effect)),
      toleration_of(taint)));
  return false;
}

std::optional<RequestMatch> DemandCheck::match(const api::NamedDemand& demand,
                                               const ManifestPlace& place) const {
  const engine::Selection* selection = demands_.of(*demand.demand);
  if (selection == nullptr || !selection->compiles()) return std::nullopt;
  RequestMatch match{.path = place.path,
                     .request = demand.name,
                     .device_class = std::string(demand.demand->device_class),
                     .devices = static_cast<std::int64_t>(demands_.fleet().size()),
                     .matched = static_cast<std::int64_t>(selection->chosen)};
  std::int64_t free = 0;
  std::int64_t tainted = 0;
  bool known = true;
  for (std::size_t i = 0; i < selection->devices.size(); ++i) {
    if (selection->devices[i] != Outcome::Chosen) continue;
    const InventoryDevice& device = now_.devices()[i];
    const bool tolerated = engine::tolerates_all(demand.demand->tolerations, device.taints);
    known = known && device.state != DeviceState::Unknown;
    tainted += tolerated ? 0 : 1;
    free += device.state == DeviceState::Free || (device.state == DeviceState::Tainted && tolerated)
                ? 1
                : 0;
  }
  if (known) match.free = free;
  if (snapshot_.coverage().saw(api::Kind::TaintRule)) match.tainted = tainted;
  return match;
}

std::vector<std::int64_t> DemandCheck::chips_of_hosts(const api::DeviceDemand& demand) const {
  const engine::Selection* selection = demands_.of(demand);
  if (selection == nullptr) return {};
  std::set<std::size_t> pools;
  for (std::size_t i = 0; i < selection->devices.size(); ++i) {
    if (selection->devices[i] == Outcome::Chosen) pools.insert(now_.devices()[i].pool);
  }
  std::set<std::int64_t> chips;
  for (const std::size_t pool : pools) {
    if (const auto host = engine::tpu_host_of(snapshot_, now_.pools()[pool]))
      chips.insert(host->chips);
  }
  return {chips.begin(), chips.end()};
}

}  // namespace dra::answers
