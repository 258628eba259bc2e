// src/report/explanation_view.cpp: an explanation as text. Arranges facts; computes none.

#include <algorithm>
#include <map>
#include <utility>

#include "dra/base/text.h"
#include "dra/report/explanation.h"
#include "dra/report/list_claims.h"
#include "dra/report/list_pods.h"
#include "src/report/explanation_demands.h"
#include "src/report/words.h"

namespace dra::report {
namespace {

using diag::Code;
using view::Tone;

constexpr std::size_t kMaxHolders = 6;
constexpr std::size_t kMaxNamesOfGroup = 3;
constexpr std::size_t kMaxDemands = 3;  // that get a column of their own
constexpr std::size_t kMaxFold = 32;    // cells of a list of names that must not be cut

class ViewBuilder {
 public:
  ViewBuilder(const Explanation& explanation, const snapshot::Snapshot& snapshot,
              const ExplainViewOptions& options)
      : explanation_(explanation), snapshot_(snapshot), options_(options) {}

  view::Document build() {
    headline();
    what_is_known();
    blockers();
    if (explanation_.verdict == Verdict::Scheduled) {
      how_to_go_on();
      return std::move(document_);
    }
    const bool something_to_allocate = add_demands(document_, explanation_, options_.wide);
    const bool nodes_matter = explanation_.verdict != Verdict::Blocked || options_.wide;
    if (explanation_.nodes.empty() || !nodes_matter) return std::move(document_);
    nodes();
    allocation();
    why_not();
    if ((something_to_allocate && holders_matter()) || options_.wide) holders();
    return std::move(document_);
  }

 private:
  void headline();
  void what_is_known();
  void add_scheduler(view::Fields& fields) const;
  void add_claims(view::Fields& fields) const;
  std::string describe_claim(const engine::SubjectClaim& claim) const;
  void how_to_go_on();
  void blockers();
  bool is_consequence(diag::Code code) const;
  bool shows_matches() const;
  void add_demand_columns(view::Table& table) const;
  bool is_said(const diag::Reason& reason, const engine::NodeStanding& node) const;
  std::vector<diag::Reason> reasons_of(const engine::NodeStanding& node) const;
  bool holders_matter() const;
  void allocation();
  void nodes();
  void why_not();
  void holders();
  std::string names_of(const std::vector<std::size_t>& group) const;

  const Explanation& explanation_;
  const snapshot::Snapshot& snapshot_;
  const ExplainViewOptions& options_;
  view::Document document_;
};

Tone tone_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::Fits:
    case Verdict::Scheduled:
      return Tone::Good;
    case Verdict::DoesNotFit:
    case Verdict::Blocked:
      return Tone::Bad;
    case Verdict::Undetermined:
      return Tone::Warn;
  }
  return Tone::Plain;
}

void ViewBuilder::headline() {
  document_.add(
      view::Paragraph{.spans = {span(explanation_.summary, tone_of(explanation_.verdict))}});
  document_.add(view::Blank{});
}

void ViewBuilder::add_scheduler(view::Fields& fields) const {
  if (!explanation_.scheduler) return;
  const SchedulerWord& word = *explanation_.scheduler;
  std::string text = without_preemption(word.message);
  if (word.reason == "SchedulerError") text = "error: " + text;
  std::string aside = word.since ? age_of(*word.since, options_.now) + " ago" : "";
  if (word.agrees) aside += *word.agrees ? ", agrees" : ", disagrees";
  fields.fields.push_back(
      {"scheduler", {span(text), span(aside.empty() ? "" : "  (" + aside + ")", Tone::Dim)}});
}

std::string ViewBuilder::describe_claim(const engine::SubjectClaim& claim) const {
  if (claim.claim != nullptr) {
    const ClaimRow row = claim_row(snapshot_, *claim.claim);
    std::string text = base::format("{}, {}", claim.label(), row.state);
    if (!claim.template_name.empty()) {
      text = base::format("{} (template {}), {}", claim.label(), claim.template_name, row.state);
    }
    if (!claim.pod_group.empty()) text += base::format(", of pod group {}", claim.pod_group);
    if (!claim.claim->allocated()) return text;
    return text + base::format(": {} of {} on {}", row.devices, row.drivers, row.node);
  }
  if (claim.extended != nullptr)
    return "made by the scheduler, for " + base::join(claim.extended->resources, ", ");
  if (!claim.template_name.empty()) {
    return base::format("to be made from template {}, not created", claim.template_name);
  }
  return claim.name.empty() ? "names neither a claim nor a template"
                            : base::format("{}, {}", claim.label(), engine::name_of(claim.state));
}

void ViewBuilder::add_claims(view::Fields& fields) const {
  for (const engine::SubjectClaim& claim : explanation_.subject.claims) {
    const std::string name =
        claim.pod_claim.empty() ? "claim" : base::format("claim {}", claim.pod_claim);
    fields.fields.push_back({name, {span(describe_claim(claim))}});
  }
}

void ViewBuilder::what_is_known() {
  view::Fields fields{.fields = {}, .indent = 2};
  add_scheduler(fields);
  add_claims(fields);
  if (explanation_.subject.pod != nullptr && !explanation_.scheduler &&
      explanation_.verdict == Verdict::Blocked) {
    fields.fields.push_back(
        {"scheduler", {span("says nothing: it keeps the pod out of its queue", Tone::Dim)}});
  }
  if (fields.fields.empty()) return;
  document_.add(std::move(fields));
  document_.add(view::Blank{});
}

// A pod that has its devices may still not get on; what keeps it is no matter of scheduling.
void ViewBuilder::how_to_go_on() {
  const api::Pod* pod = explanation_.subject.pod;
  if (pod == nullptr || pod->status.phase.empty() || pod->finished() ||
      api::is_true(pod->status.conditions, "Ready"))
    return;
  document_.add(view::Paragraph{.spans = {span(base::format("It is not running and ready ({}): ",
                                                            pod_row(snapshot_, *pod).status)),
                                          span(base::format("kubectl dra describe pod {} -n {}",
                                                            base::shell_word(pod->meta.name),
                                                            base::shell_word(pod->meta.namespace_)),
                                               Tone::Dim)},
                                .indent = 2});
}

// A claim that was not created, and what its controller said, follow from a missing template.
bool ViewBuilder::is_consequence(Code code) const {
  const auto& blockers = explanation_.subject.blockers;
  const auto there = [&blockers](Code cause) {
    return std::ranges::find(blockers, cause, &diag::Reason::code) != blockers.end();
  };
  if (code == Code::ClaimNotCreated)
    return there(Code::TemplateMissing) || there(Code::ClaimCreationFailed);
  return code == Code::ClaimCreationFailed && there(Code::TemplateMissing);
}

void ViewBuilder::blockers() {
  if (explanation_.subject.blockers.empty()) return;
  view::Fields reasons{.fields = {}, .indent = 2};
  std::vector<std::string_view> remedies;
  for (const diag::Reason& reason : explanation_.subject.blockers) {
    const std::string where =
        reason.request.empty() ? "" : base::format("request {}: ", reason.request);
    reasons.fields.push_back(
        {std::string(diag::name_of(reason.code)), {span(where + reason.message)}});
    const std::string_view remedy = diag::info_of(reason.code).remedy;
    if (!is_consequence(reason.code) && std::ranges::find(remedies, remedy) == remedies.end()) {
      remedies.push_back(remedy);
    }
  }
  document_.add(std::move(reasons));
  document_.add(view::Blank{});
  for (const std::string_view remedy : remedies) {
    document_.add(view::Paragraph{
        .spans = {span("-> ", Tone::Strong), span(std::string(remedy))}, .indent = 2, .hang = 3});
  }
  document_.add(view::Blank{});
}

std::string ViewBuilder::names_of(const std::vector<std::size_t>& group) const {
  std::vector<std::string_view> names;
  names.reserve(group.size());
  for (const std::size_t index : group)
    names.push_back(explanation_.nodes[index].name);
  if (options_.wide) return fold_nodes(names, names.size());
  // A table may shorten the stem that the names share, not the list of what differs.
  for (std::size_t limit = kMaxNamesOfGroup; limit > 1; --limit) {
    std::string text = fold_nodes(names, limit);
    const std::size_t fold = text.find('{');
    if (text.size() - (fold == std::string::npos ? 0 : fold) <= kMaxFold) return text;
  }
  return fold_nodes(names, 1);
}

// "2 free, 1 in use": the kinds that are there, the promising ones first.
std::string describe_devices(const engine::DriverStanding& driver) {
  std::vector<std::string> parts;
  const auto add = [&parts](std::int64_t count, const char* kind) {
    if (count > 0) parts.push_back(base::format("{} {}", count, kind));
  };
  add(driver.free, "free");
  add(driver.in_use, "in use");
  add(driver.tainted, "tainted");
  add(driver.unusable, "in unusable pools");
  add(driver.unknown, "perhaps free");
  return base::join(parts, ", ");
}

// "a share: 10Gi of memory", "admin access".
std::string describe_part(const engine::PickedDevice& picked) {
  std::vector<std::string> parts;
  for (const auto& [name, amount] : picked.consumed)
    parts.push_back(base::format("{} of {}", amount.to_string(), name));
  std::string text = picked.share ? "a share" : "";
  if (!parts.empty()) text += ": " + base::join(parts, ", ");
  if (picked.admin_access) text += text.empty() ? "admin access" : ", admin access";
  return text;
}

// "fits", "no", or "open" where that is not known.
view::Cell standing_cell(const engine::NodeStanding& node) {
  if (node.ruled_out || !node.passes()) return cell("no", Tone::Bad);
  return node.fits ? cell("fits", Tone::Good) : cell("open", Tone::Warn);
}

// "2 match, 1 in use".
std::string describe_matches(const engine::DemandStanding& demand) {
  if (demand.by_plugin) return "device plugin";
  if (!demand.known) return std::string(kUnknown);
  if (demand.matching == 0 && demand.failing > 0)
    return base::format("fails for {}", demand.failing);
  std::string words = base::format("{} match", demand.matching);
  const std::int64_t other = demand.matching - demand.in_use - demand.usable;
  if (demand.in_use > 0) words += base::format(", {} in use", demand.in_use);
  if (other > 0) words += base::format(", {} unusable", other);
  if (demand.failing > 0) words += base::format(", fails for {}", demand.failing);
  return words;
}

// What is asked for is told of each node; where that is not known, or nothing is asked for any
// more, what the drivers have.
bool ViewBuilder::shows_matches() const {
  const auto& demands = explanation_.nodes.front().demands;
  return !demands.empty() && demands.size() <= kMaxDemands &&
         std::ranges::all_of(demands,
                             [](const auto& demand) { return demand.known || demand.by_plugin; });
}

// "FOR gpu"; of alternatives only their own names, unless several requests have some.
void ViewBuilder::add_demand_columns(view::Table& table) const {
  const auto& demands = explanation_.nodes.front().demands;
  const auto parent = [](const engine::DemandStanding& demand) {
    return std::string_view(demand.request).substr(0, demand.request.find('/'));
  };
  const bool one_request = std::ranges::all_of(
      demands, [&](const auto& demand) { return parent(demand) == parent(demands.front()); });
  for (const engine::DemandStanding& demand : demands) {
    const std::size_t own = one_request ? demand.request.find('/') + 1 : 0;  // 0 without a slash
    table.columns.push_back({.title = base::format("FOR {}", demand.request.substr(own))});
  }
}

void ViewBuilder::nodes() {
  const bool matches = shows_matches();
  const bool drivers = !matches || options_.wide;
  view::Table table = table_of({"", "NODE"});
  table.columns[1].elastic = true;
  table.indent = 2;
  table.fits_width = !options_.wide;
  if (matches) add_demand_columns(table);
  if (drivers) {
    table.columns.push_back({.title = "DRIVER"});
    table.columns.push_back({.title = "DEVICES ON EACH"});
  }
  for (const std::vector<std::size_t>& group : explanation_.groups) {
    const engine::NodeStanding& node = explanation_.nodes[group.front()];
    std::vector<view::Cell> row{standing_cell(node), cell(names_of(group))};
    if (matches) {
      for (const engine::DemandStanding& demand : node.demands)
        row.push_back(cell(describe_matches(demand)));
    }
    if (!drivers) {
      table.rows.push_back(std::move(row));
      continue;
    }
    const std::vector<view::Cell> again(row.size(), cell(""));
    const auto add_row = [&](view::Cell driver, view::Cell devices) {
      std::vector<view::Cell> cells = std::exchange(row, again);
      cells.push_back(std::move(driver));
      cells.push_back(std::move(devices));
      table.rows.push_back(std::move(cells));
    };
    if (node.drivers.empty()) add_row(cell(kNone), cell(kNone));
    for (const engine::DriverStanding& driver : node.drivers)
      add_row(cell(driver.driver), cell(describe_devices(driver)));
  }
  document_.add(std::move(table));
  if (explanation_.nodes_assumed) {
    document_.add(
        view::Paragraph{.spans = {span("There are no Node objects here: nodes are assumed from "
                                       "the names that slices and pods mention.",
                                       Tone::Dim)},
                        .indent = 2});
  }
  document_.add(view::Blank{});
}

// Whether the table of nodes, or the selectors above it, have said it already.
bool ViewBuilder::is_said(const diag::Reason& reason, const engine::NodeStanding& node) const {
  switch (reason.code) {
    case Code::DeviceInUse:
    case Code::NotSimulated:
    case Code::ClassSelectorFalse:
    case Code::SelectorFalse:
      return true;
    case Code::NoMatch:
    case Code::AllNone:
      return shows_matches();
    case Code::CountShort:  // for want of those for which the selector fails
      return std::ranges::any_of(node.reasons, [&reason](const diag::Reason& other) {
        const bool fails = other.code == Code::SelectorError || other.code == Code::SelectorCompile;
        return fails && other.claim == reason.claim && other.request == reason.request;
      });
    default:
      return false;
  }
}

// What there is to say against a node. Where the subject fits, that other devices cannot be had is
// of no interest.
std::vector<diag::Reason> ViewBuilder::reasons_of(const engine::NodeStanding& node) const {
  std::vector<diag::Reason> reasons = node.other_reasons;
  if (node.open() && !options_.wide) return reasons;
  std::ranges::copy_if(node.reasons, std::back_inserter(reasons),
                       [&](const diag::Reason& reason) { return !is_said(reason, node); });
  return reasons;
}

// Reasons that rule a node out, and pools that cannot be used; each once, with the nodes it holds
// for.
void ViewBuilder::why_not() {
  std::vector<std::pair<std::string, std::vector<std::size_t>>> reasons;
  for (std::size_t i = 0; i < explanation_.nodes.size(); ++i) {
    for (const diag::Reason& reason : reasons_of(explanation_.nodes[i])) {
      const std::string text = base::format("{}: {}", diag::name_of(reason.code), reason.message);
      const auto known =
          std::ranges::find(reasons, text, [](const auto& entry) { return entry.first; });
      if (known == reasons.end()) {
        reasons.push_back({text, {i}});
      } else if (known->second.back() != i) {
        known->second.push_back(i);
      }
    }
  }
  for (const auto& [text, where] : reasons) {
    const std::string on =
        where.size() == explanation_.nodes.size() ? "" : base::format(" ({})", names_of(where));
    document_.add(
        view::Paragraph{.spans = {span(text), span(on, Tone::Dim)}, .indent = 2, .hang = 4});
  }
  if (!reasons.empty()) document_.add(view::Blank{});
}

// What it would get on the first node that it fits on; on every one in wide output.
void ViewBuilder::allocation() {
  for (const engine::NodeStanding& node : explanation_.nodes) {
    if (!node.open() || node.allocation.empty()) continue;
    view::Table table = table_of({"", "FOR", ""});
    table.columns.front().title = base::format("ON {} IT GETS", node.name);
    table.indent = 2;
    for (const engine::PickedDevice& picked : node.allocation)
      table.rows.push_back({cell(engine::to_string(picked.id)), cell(picked.request),
                            cell(describe_part(picked), Tone::Dim)});
    document_.add(std::move(table));
    document_.add(view::Blank{});
    if (!options_.wide) return;
  }
}

// Who has devices that could not be chosen anyway is of no interest.
bool ViewBuilder::holders_matter() const {
  return std::ranges::any_of(explanation_.nodes, [](const engine::NodeStanding& node) {
    return std::ranges::any_of(node.demands, [](const auto& demand) { return demand.in_use > 0; });
  });
}

void ViewBuilder::holders() {
  struct Held {
    std::vector<std::string_view> devices;
    const std::string* node;
    const std::string* pod;
  };
  std::map<std::pair<std::string_view, std::string_view>, Held> by_claim;  // (node, claim)
  for (const engine::NodeStanding& node : explanation_.nodes) {
    for (const diag::Reason& reason : node.reasons) {
      for (const diag::Holder& holder : reason.holders) {
        Held& held = by_claim[{node.name, holder.claim}];
        held.devices.push_back(
            std::string_view(holder.device).substr(holder.device.rfind('/') + 1));
        held.node = &node.name;
        held.pod = &holder.pod;
      }
    }
  }
  if (by_claim.empty()) return;
  view::Table table = table_of({"IN USE", "NODE", "BY"}, {"CLAIM"});
  for (std::size_t i = 1; i < table.columns.size(); ++i)
    table.columns[i].elastic = true;
  table.indent = 2;
  table.fits_width = !options_.wide;
  for (const auto& [key, held] : by_claim) {
    if (!options_.wide && table.rows.size() == kMaxHolders) break;
    const std::string user = held.pod->empty() ? base::format("claim {}, no pod", key.second)
                                               : base::format("pod {}", *held.pod);
    table.rows.push_back({cell(options_.wide ? fold_devices(held.devices)
                                             : fold_devices_within(held.devices, kMaxFold)),
                          cell(*held.node), cell(user), cell(key.second)});
  }
  const std::size_t left = by_claim.size() - table.rows.size();
  document_.add(std::move(table));
  if (left > 0) {
    document_.add(view::Paragraph{
        .spans = {span(base::format("and {} more claims: -o wide", left), Tone::Dim)},
        .indent = 2});
  }
}

}  // namespace

view::Document to_view(const Explanation& explanation, const snapshot::Snapshot& snapshot,
                       const ExplainViewOptions& options) {
  return ViewBuilder(explanation, snapshot, options).build();
}

}  // namespace dra::report
