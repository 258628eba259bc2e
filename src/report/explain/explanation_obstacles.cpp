// src/report/explain/explanation_obstacles.cpp: collects the reasons of all nodes and the holders
// of devices, each once, and drops those that the table of nodes or the first line shows.

#include "src/report/explain/explanation_obstacles.h"

#include <algorithm>
#include <map>
#include <utility>

#include "dra/base/text.h"
#include "dra/report/phrases/words.h"
#include "src/report/explain/explanation_evidence.h"
#include "src/report/explain/explanation_nodes.h"
#include "src/report/explain/explanation_ranks.h"

namespace dra::report {
namespace {

using diag::Code;
using view::Tone;

constexpr std::size_t kMaxHolderFold = 32;  // cells of a list of names that is never cut

// Device plugins serve some of the demands, so reasons are shown for each node and not by figures
// alone.
bool some_is_left_to_plugins(const Explanation& explanation) {
  return std::ranges::any_of(explanation.nodes, [](const engine::NodeResult& node) {
    return std::ranges::any_of(node.demands, &engine::DemandResult::by_plugin);
  });
}

class Obstacles {
 public:
  Obstacles(view::Document& document, const Explanation& explanation, bool wide)
      : document_(document),
        explanation_(explanation),
        wide_(wide),
        shows_matches_(shows_matches(explanation)),
        left_to_plugins_(some_is_left_to_plugins(explanation)) {}

  void add() {
    take_blank();
    why_not();
    blank_ |= add_evidence(document_, explanation_, wide_, blank_);
    find_holders();
    holders();
  }

 private:
  // The devices of one claim on one node.
  struct Held {
    std::vector<std::string_view> devices;
    const std::string* node = nullptr;
    const std::string* pod = nullptr;
  };

  bool is_said(const diag::Reason& reason, const engine::NodeResult& node) const;
  bool is_told_above(const engine::NodeResult& node) const;
  std::vector<diag::Reason> reasons_of(const engine::NodeResult& node) const;
  void why_not();
  void take_blank();
  void give_blank();
  bool holders_matter() const;
  void find_holders();
  std::string user_words(const std::string& pod, std::string_view claim) const;
  void holders();

  view::Document& document_;
  const Explanation& explanation_;
  bool wide_;
  // Of all nodes, and asked for each of them.
  bool shows_matches_;
  bool left_to_plugins_;
  bool blank_ = false;  // a blank line is due before the next part
  std::map<std::pair<std::string_view, std::string_view>, Held> held_;  // (node, claim)
};

// True if the table of nodes or the text above it shows the reason already.
bool Obstacles::is_said(const diag::Reason& reason, const engine::NodeResult& node) const {
  const bool headline = explanation_.cause.find(reason.message) != std::string::npos;
  switch (reason.code) {
    case Code::DeviceInUse:
    case Code::NotSimulated:
    case Code::ClassSelectorFalse:
    case Code::SelectorFalse:
    case Code::NoAlternative:  // the reasons against each alternative say it
      return true;
    case Code::NoMatch:
    case Code::AllNone:
      return shows_matches_;
    case Code::AllUnusable:
      return !wide_ && shows_matches_;
    case Code::CountShort: {
      if (!wide_ && !reason.request.empty() && shows_matches_) return !left_to_plugins_;
      // The shortage follows from a selector that fails.
      return std::ranges::any_of(node.reasons, [&reason](const diag::Reason& other) {
        const bool fails = other.code == Code::SelectorError || other.code == Code::SelectorCompile;
        return fails && other.claim == reason.claim && other.request == reason.request;
      });
    }
    default:
      return !wide_ && headline;
  }
}

// True if a finding above is about this node, as for a lost host.
bool Obstacles::is_told_above(const engine::NodeResult& node) const {
  return !wide_ && std::ranges::any_of(explanation_.after, [&node](const auto& finding) {
    return finding.node == node.name && !node.is_feasible();
  });
}

// The reasons to show for a node. If the subject fits there, reasons against other devices do not
// matter.
std::vector<diag::Reason> Obstacles::reasons_of(const engine::NodeResult& node) const {
  if (is_told_above(node)) return {};
  std::vector<diag::Reason> reasons = node.other_reasons;
  if (node.is_feasible() && !wide_) return reasons;
  std::ranges::copy_if(node.reasons, std::back_inserter(reasons),
                       [&](const diag::Reason& reason) { return !is_said(reason, node); });
  return reasons;
}

// Removes the last blank line, which becomes a part of what follows and is dropped with it.
void Obstacles::take_blank() {
  blank_ =
      !document_.blocks.empty() && std::holds_alternative<view::Blank>(document_.blocks.back());
  if (blank_) document_.blocks.pop_back();
}

void Obstacles::give_blank() {
  if (std::exchange(blank_, false)) document_.add(view::Blank{});
}

// Reasons that rule nodes out, and unusable pools; each once, with its nodes.
void Obstacles::why_not() {
  std::vector<std::pair<std::string, std::vector<std::size_t>>> reasons;
  std::map<std::string, std::size_t> known;  // their places
  for (std::size_t i = 0; i < explanation_.nodes.size(); ++i) {
    for (const diag::Reason& reason : reasons_of(explanation_.nodes[i])) {
      std::string text = base::format("{}: {}", diag::name_of(reason.code), reason.message);
      const auto [place, added] = known.try_emplace(text, reasons.size());
      if (added) {
        reasons.emplace_back(std::move(text), std::vector<std::size_t>{i});
      } else if (std::vector<std::size_t>& where = reasons[place->second].second;
                 where.back() != i) {
        where.push_back(i);
      }
    }
  }
  if (reasons.empty()) return;
  give_blank();
  const std::size_t fold = document_.begin_fold({.more = rest_of("reason")});
  view::Rank rank = ExplainRank::FirstReason;
  for (const auto& [text, where] : reasons) {
    const std::string on =
        where.size() == explanation_.nodes.size()
            ? ""
            : base::format(" ({})", node_names_in_text(explanation_, where, wide_));
    document_.add_part(
        fold, view::Paragraph{.spans = {span(text), span(on, Tone::Dim)}, .indent = 2, .hang = 4},
        std::exchange(rank, ExplainRank::Reasons));
  }
  document_.end_fold(fold);
  blank_ = true;
}

// Holders matter only for devices that some demand could choose.
bool Obstacles::holders_matter() const {
  return wide_ || std::ranges::any_of(explanation_.nodes, [](const engine::NodeResult& node) {
           return std::ranges::any_of(node.demands,
                                      [](const auto& demand) { return demand.in_use > 0; });
         });
}

void Obstacles::find_holders() {
  if (!holders_matter()) return;
  for (const engine::NodeResult& node : explanation_.nodes) {
    for (const diag::Reason& reason : node.reasons) {
      for (const diag::Holder& holder : reason.holders) {
        Held& held = held_[{node.name, holder.claim}];
        held.devices.push_back(
            std::string_view(holder.device).substr(holder.device.rfind('/') + 1));
        held.node = &node.name;
        held.pod = &holder.pod;
      }
    }
  }
}

// "pod a/b (is being deleted)", "claim a/c, for trainers.example.com t1".
std::string Obstacles::user_words(const std::string& pod, std::string_view claim) const {
  const auto found = explanation_.holders.find(claim);
  const engine::HolderFacts facts =
      found == explanation_.holders.end() ? engine::HolderFacts() : found->second;
  switch (facts.state) {
    case engine::HolderState::NotAPod:
      return base::format("claim {}, for {}, which is not a pod", claim, facts.consumer);
    case engine::HolderState::Crashes:
      return base::format("pod {} (crashes, {})", pod, base::plural(facts.restarts, "restart"));
    case engine::HolderState::Deleting:
      return base::format("pod {} (is being deleted)", pod);
    case engine::HolderState::Stuck:
      return base::format("pod {} (is deleted and does not go away)", pod);
    case engine::HolderState::Gone:
      return base::format("pod {} (has ended)", pod);
    case engine::HolderState::Unused:
    case engine::HolderState::Runs:
      break;
  }
  return pod.empty() ? base::format("claim {}, no pod", claim) : base::format("pod {}", pod);
}

void Obstacles::holders() {
  if (held_.empty()) return;
  view::Table table = table_of({"IN USE", "NODE", "BY"}, {"CLAIM"});
  for (std::size_t i = 1; i < table.columns.size(); ++i)
    table.columns[i].elastic = true;
  table.indent = 2;
  table.fits_width = !wide_;
  std::vector<view::RowPart> rows(held_.size(), {.rank = ExplainRank::Holders});
  rows.front().rank = ExplainRank::FirstHolder;
  for (const auto& [key, held] : held_) {
    const std::string user = user_words(*held.pod, key.second);
    table.rows.push_back({cell(wide_ ? fold_devices(held.devices)
                                     : fold_devices_within(held.devices, kMaxHolderFold)),
                          cell(*held.node), cell(user), cell(key.second)});
  }
  const std::size_t fold = document_.begin_fold({.more = rest_of("claim")});
  if (std::exchange(blank_, false)) document_.add_head(fold, view::Blank{});
  document_.add_rows(fold, std::move(table), rows);
}

}  // namespace

void add_obstacles(view::Document& document, const Explanation& explanation,
                   const ExplainViewOptions& options) {
  Obstacles(document, explanation, options.wide).add();
}

}  // namespace dra::report
