// src/engine/whatif/proposals_selectors.cpp: to_change_selectors() of proposals.h.
//
// Proposals come from the devices that are available on the nodes with the most of them: the
// nearest values that let them match (selectors/suggestions), and the selector without one of its
// conditions. Selectors of a class stay as they are where the class matches devices and fails for
// none: such a class says what the devices are.

#include <algorithm>

#include "dra/api/device_class.h"
#include "dra/base/text.h"
#include "dra/cel/hints/changes.h"
#include "dra/engine/selectors/selection.h"
#include "dra/engine/selectors/shape_changes.h"
#include "dra/engine/selectors/suggestions.h"
#include "src/engine/whatif/proposals.h"

namespace dra::engine {
namespace {

constexpr std::size_t kMaxNodes = 3;  // for which nearest values are looked for

// It is not held as a whole. Of a blocked device siblings are in the way, not the selector.
bool is_available(const InventoryDevice& device, const api::DeviceDemand& demand) {
  const bool open = device.state == DeviceState::Free || device.state == DeviceState::Shared ||
                    device.state == DeviceState::Blocked || device.state == DeviceState::Tainted ||
                    device.state == DeviceState::Unknown;
  return open && tolerates_all(demand.tolerations, device.taints);
}

// Whether the condition is there to keep devices away: `a != "x"`, `!a`, `a == false`. Without it
// the request gets just these devices.
bool is_exclusion(const cel::Ast& ast, const cel::Clause& clause) {
  const cel::Node& node = ast[clause.node];
  if (clause.negated) return node.name != cel::op::kNotEquals;
  if (node.kind != cel::NodeKind::Call) return false;
  if (node.name == cel::op::kNot || node.name == cel::op::kNotEquals) return true;
  const auto is_false = [&ast](cel::NodeId id) {
    const bool* value = std::get_if<bool>(&ast[id].literal);
    return ast[id].kind == cel::NodeKind::Literal && value != nullptr && !*value;
  };
  return node.name == cel::op::kEquals && std::ranges::any_of(node.args, is_false);
}

class SelectorChanger {
 public:
  SelectorChanger(const Simulator& simulator, const SubjectClaim& claim,
                  const api::NamedDemand& named)
      : simulator_(simulator), demand_(*named.demand) {
    place_ = {.claim = claim.label(), .request = named.name};
  }

  std::vector<Proposal> propose() {
    const auto* device_class = simulator_.snapshot().find<api::DeviceClass>(demand_.device_class);
    if (device_class == nullptr) return {};
    of_class_ = device_class->spec.selectors.size();
    expressions_ = expressions_of(device_class->spec.selectors, demand_.selectors);
    if (expressions_.empty()) return {};
    ask_class();
    for (const Fleet& fleet : fleets())
      suggest(fleet);
    for (std::size_t i = of_class_; i < expressions_.size(); ++i)
      leave_out(i);
    return std::move(proposals_);
  }

 private:
  std::vector<Fleet> fleets() const;
  void ask_class();
  void suggest(const Fleet& fleet);
  void leave_out(std::size_t selector);
  SelectorPlace place_of(std::size_t selector) const;
  void add(Change change);

  const Simulator& simulator_;
  const api::DeviceDemand& demand_;
  SelectorPlace place_;
  std::size_t of_class_ = 0;
  // By device, what the class says; empty where its selectors may be changed.
  std::vector<Outcome> class_says_;
  std::vector<std::string_view> expressions_;
  std::vector<Proposal> proposals_;
};

// The available devices of each of the nodes that have the most of them.
std::vector<Fleet> SelectorChanger::fleets() const {
  std::vector<Fleet> fleets;
  const auto& devices = simulator_.inventory().devices();
  for (const api::Node& node : simulator_.nodes().nodes) {
    Fleet& fleet = fleets.emplace_back();
    for (std::size_t i = 0; i < devices.size(); ++i) {
      if (!class_says_.empty() && class_says_[i] != Outcome::Chosen) continue;
      const auto here = is_for(devices[i].published, node);
      if (here.ok() && here.value() && is_available(devices[i], demand_))
        fleet.add({devices[i].published.slice->spec.driver, devices[i].published.device});
    }
  }
  std::ranges::stable_sort(fleets, std::ranges::greater(), &Fleet::size);
  if (fleets.size() > kMaxNodes) fleets.resize(kMaxNodes);
  std::erase_if(fleets, [](const Fleet& fleet) { return fleet.size() == 0; });
  return fleets;
}

void SelectorChanger::ask_class() {
  Answers answers = answers_for(simulator_.inventory(), simulator_.snapshot().server());
  Selection said = choose(answers, std::span(expressions_).first(of_class_));
  if (said.chosen > 0 && said.failed == 0) class_says_ = std::move(said.devices);
}

SelectorPlace SelectorChanger::place_of(std::size_t selector) const {
  SelectorPlace place = place_;
  place.of_class = selector < of_class_;
  place.selector = place.of_class ? selector : selector - of_class_;
  return place;
}

void SelectorChanger::add(Change change) {
  Proposal proposal{std::move(change)};
  if (std::ranges::find(proposals_, proposal) == proposals_.end())
    proposals_.push_back(std::move(proposal));
}

void SelectorChanger::suggest(const Fleet& fleet) {
  const auto wanted = demand_.all() ? 1 : static_cast<std::size_t>(demand_.wanted());
  const auto& server = simulator_.snapshot().server();
  for (const Suggestion& one : suggestions_for(fleet, expressions_, server, wanted)) {
    if (std::ranges::find(one.kinds, cel::ChangeKind::Drop) != one.kinds.end()) continue;
    if (one.selector < of_class_ && !class_says_.empty()) continue;
    add(EditSelector{place_of(one.selector), one.expression, one.values, one.changes_more()});
  }
}

// The whole selector, and each of its conditions.
void SelectorChanger::leave_out(std::size_t selector) {
  const SelectorPlace place = place_of(selector);
  const std::string text(expressions_[selector]);
  const Selector parsed(text, language_of(simulator_.snapshot().server(), Expressions::Stored));
  std::vector<cel::Clause> clauses;
  if (parsed.program() != nullptr)
    clauses = cel::clauses_of(parsed.program()->checked().ast, parsed.source());
  const auto excludes = [&parsed](const cel::Clause& clause) {
    return is_exclusion(parsed.program()->checked().ast, clause);
  };
  if (text.find(kIdentity) == std::string::npos && std::ranges::none_of(clauses, excludes))
    add(DropSelector{.place = place, .text = text});
  if (parsed.program() == nullptr) return;
  for (const Step& step : drops_of(parsed.source(), clauses)) {
    const cel::Span gone = step.changes.front().span;
    const auto clause = std::ranges::find_if(clauses, [&gone](const cel::Clause& one) {
      return gone.begin <= one.span.begin && one.span.end <= gone.end;
    });
    if (clause == clauses.end() || excludes(*clause)) continue;
    add(DropSelector{.place = place,
                     .span = std::pair(clause->span.begin, clause->span.end),
                     .text = clause->text,
                     .left = cel::changed(parsed.source(), step.changes)});
  }
}

}  // namespace

std::vector<Proposal> to_change_selectors(const Simulator& simulator, const Subject& subject) {
  std::vector<Proposal> proposals;
  for_each_unmet(subject, [&](const SubjectClaim& claim, const api::DeviceRequest& request) {
    if (claim.extended != nullptr) return;
    for (const api::NamedDemand& demand : api::demands_of(request)) {
      std::ranges::move(SelectorChanger(simulator, claim, demand).propose(),
                        std::back_inserter(proposals));
    }
  });
  return proposals;
}

}  // namespace dra::engine
