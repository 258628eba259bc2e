// src/report/explain/explanation_devices.cpp: groups nodes with the same verdicts on a device, and
// shows each verdict with its reasons.

#include "src/report/explain/explanation_devices.h"

#include <algorithm>
#include <set>

#include "dra/base/text.h"
#include "dra/report/phrases/words.h"
#include "src/report/explain/explanation_evidence.h"
#include "src/report/explain/explanation_nodes.h"
#include "src/report/explain/explanation_ranks.h"

namespace dra::report {
namespace {

using engine::DeviceOutcome;
using engine::DeviceVerdict;
using view::Tone;

constexpr std::size_t kMaxPicked = 3;  // devices named as picked instead

// Nodes with the same verdicts on a device.
struct Place {
  std::vector<std::size_t> nodes;
  const std::optional<std::vector<DeviceVerdict>>* requests;
};

// Equal for nodes with the same verdicts and reasons.
std::string key_of(const std::optional<std::vector<DeviceVerdict>>& requests) {
  if (!requests) return "-";
  std::string key;
  for (const DeviceVerdict& one : *requests) {
    key += base::format("|{} {}", one.request, engine::name_of(one.outcome));
    for (const diag::Reason& reason : one.reasons)
      key += base::format(" {} {}", diag::name_of(reason.code), reason.message);
  }
  return key;
}

std::vector<Place> places_of(const Explanation& explanation, const DeviceAnswer& device) {
  std::vector<Place> places;
  std::vector<std::string> keys;
  for (const DeviceOnNode& one : device.nodes) {
    std::string key = key_of(one.requests);
    for (const diag::Reason& reason : explanation.nodes[one.node].other_reasons)
      key += base::format("/{}", reason.message);
    const auto known = std::ranges::find(keys, key);
    if (known == keys.end()) {
      keys.push_back(std::move(key));
      places.push_back({{one.node}, &one.requests});
    } else {
      places[static_cast<std::size_t>(known - keys.begin())].nodes.push_back(one.node);
    }
  }
  return places;
}

class DeviceView {
 public:
  DeviceView(const Explanation& explanation, const DeviceAnswer& device, bool wide)
      : explanation_(explanation), device_(device), wide_(wide) {}

  view::Document build() {
    const std::vector<Place> places = places_of(explanation_, device_);
    if (places.empty()) head("Device {}: no node sees it.", device_.device);
    lines_ = document_.begin_fold({.more = rest_of("reason"), .none = rest_of("reason")});
    for (const Place& place : places)
      add(place);
    document_.end_fold(lines_);
    return std::move(document_);
  }

 private:
  void head(const char* words, const std::string& device, const std::string& nodes = {});
  void add(const Place& place);
  void add(const DeviceVerdict& verdict, const engine::NodeResult& node);
  void add(const diag::Reason& reason);
  void add_condition(const diag::Reason& reason, view::Document& part) const;
  std::string words_for(const DeviceVerdict& verdict, const engine::NodeResult& node) const;

  const Explanation& explanation_;
  const DeviceAnswer& device_;
  bool wide_;
  std::size_t lines_ = 0;        // fold of all lines except heads
  std::set<std::string> shown_;  // evidence that is shown already
  view::Document document_;
};

void DeviceView::head(const char* words, const std::string& device, const std::string& nodes) {
  document_.add(view::Blank{});
  document_.add(view::Paragraph{.spans = {span(base::format(words, device, nodes), Tone::Strong)}});
}

Tone tone_of_outcome(DeviceOutcome outcome) {
  switch (outcome) {
    case DeviceOutcome::Picked:
    case DeviceOutcome::Possible:
    case DeviceOutcome::Held:
      return Tone::Good;
    case DeviceOutcome::Rejected:
    case DeviceOutcome::Together:
      return Tone::Bad;
    default:
      return Tone::Warn;
  }
}

// "gpu-1", or "gpu-1…3 and 2 more".
std::string picked_words(const engine::NodeResult& node, const DeviceVerdict& verdict) {
  std::vector<std::string> names;
  for (const engine::PickedDevice& picked : node.allocation) {
    if (picked.request == verdict.request && picked.claim->label() == verdict.claim)
      names.push_back(engine::to_string(picked.id()));
  }
  if (names.empty()) return "another alternative";
  const std::size_t all = names.size();
  names.resize(std::min(all, kMaxPicked));
  const std::string rest = all > kMaxPicked ? base::format(" and {} more", all - kMaxPicked) : "";
  return base::join(names, ", ") + rest;
}

std::string DeviceView::words_for(const DeviceVerdict& verdict,
                                  const engine::NodeResult& node) const {
  switch (verdict.outcome) {
    case DeviceOutcome::Picked:
      return node.passes_filters() ? "the simulation allocates it" : "DRA would allocate it";
    case DeviceOutcome::Possible:
      return base::format("could be allocated; {} {}",
                          node.passes_filters() ? "the simulation takes" : "DRA would take",
                          picked_words(node, verdict));
    case DeviceOutcome::Together:
      return "it qualifies by itself, but no complete allocation includes it";
    case DeviceOutcome::Rejected:
      return base::format(
          "{} against it",
          base::plural(static_cast<std::int64_t>(verdict.reasons.size()), "reason"));
    case DeviceOutcome::Held:
      return "the claim is allocated, and has it";
    case DeviceOutcome::Allocated:
      return "the claim is allocated, with other devices";
    case DeviceOutcome::ByPlugin:
      return "the node's device plugin serves it, DRA is not asked";
    case DeviceOutcome::Unknown:
      return "that is not known";
  }
  return "";
}

void DeviceView::add(const Place& place) {
  const std::string nodes = node_names(explanation_, place.nodes, wide_);
  if (!*place.requests) {
    head("Device {} is not available to {}: its slice is for other nodes.", device_.device, nodes);
    return;
  }
  head("Device {} on {}:", device_.device, nodes);
  const engine::NodeResult& node = explanation_.nodes[place.nodes.front()];
  for (const diag::Reason& reason : node.other_reasons) {
    document_.add_part(
        lines_,
        view::Paragraph{
            .spans = {span("the node is rejected by another filter, ", Tone::Dim),
                      span(base::format("{}: {}", diag::name_of(reason.code), reason.message))},
            .indent = 2},
        ExplainRank::Reasons, 0);
  }
  for (const DeviceVerdict& verdict : **place.requests)
    add(verdict, node);
}

void DeviceView::add(const DeviceVerdict& verdict, const engine::NodeResult& node) {
  const bool several = explanation_.subject.claims.size() > 1;
  const std::string claim = several ? base::format(" of {}", verdict.claim) : "";
  view::Paragraph head{.spans = {span(base::format("request {}{}: ", verdict.request, claim)),
                                 span(words_for(verdict, node), tone_of_outcome(verdict.outcome))},
                       .indent = 2};
  document_.add_part(lines_, std::move(head), ExplainRank::Reasons,
                     verdict.reasons.empty() ? 1 : 0);
  for (const diag::Reason& reason : verdict.reasons)
    add(reason);
}

// Adds the condition that is false, and the device's values in it.
void DeviceView::add_condition(const diag::Reason& reason, view::Document& part) const {
  if (reason.expression.empty() || !reason.span) return;
  const auto [begin, end] = *reason.span;
  const std::string condition =
      one_line(std::string_view(reason.expression).substr(begin, end - begin));
  part.add(view::Paragraph{.spans = {span(condition)}, .indent = 6});
  for (const auto& [operand, value] : reason.values) {
    if (operand == condition || condition.find(operand) == std::string::npos) continue;
    part.add(
        view::Paragraph{.spans = {span(operand + " is ", Tone::Dim), span(value)}, .indent = 6});
  }
}

void DeviceView::add(const diag::Reason& reason) {
  const std::string text = base::format("{}: {}", diag::name_of(reason.code), reason.message);
  view::Document part;
  part.add(view::Paragraph{.spans = {span(text)}, .indent = 4});
  add_condition(reason, part);
  const view::PartId added = document_.add_part(lines_, std::move(part), ExplainRank::Reasons);
  const bool is_new = shown_.insert(text).second;
  if (reason.evidence && is_new) add_evidence(document_, *reason.evidence, wide_, added);
}

}  // namespace

void add_devices(view::Document& document, const Explanation& explanation, bool wide) {
  for (const DeviceAnswer& device : explanation.devices) {
    view::Document part = DeviceView(explanation, device, wide).build();
    document.add(view::Blank{});
    if (&device == &explanation.devices.front()) {
      document.append(std::move(part));
    } else {
      document.append_screen(std::move(part));
    }
  }
}

}  // namespace dra::report
