// src/report/explain/explanation_obstacles.cpp: collects the reasons of all nodes and the holders
// of devices, each once.

#include "src/report/explain/explanation_obstacles.h"

#include <algorithm>
#include <map>
#include <utility>

#include "dra/base/text.h"
#include "dra/report/phrases/words.h"
#include "src/report/explain/explanation_evidence.h"
#include "src/report/explain/explanation_nodes.h"
#include "src/report/explain/explanation_ranks.h"
#include "src/report/explain/explanation_reasons.h"

namespace dra::report {
namespace {

using view::Tone;

constexpr std::size_t kMaxHolderFold = 32;  // cells of a list of names that is never cut

class Obstacles {
 public:
  Obstacles(view::Document& document, const Explanation& explanation, bool wide)
      : document_(document), explanation_(explanation), wide_(wide) {}

  void add() {
    take_blank();
    if (wide_) why_not();
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

  void why_not();
  void take_blank();
  void give_blank();
  bool holders_matter() const;
  void find_holders();
  void add_pod(const std::string& name, std::string_view claim,
               std::vector<view::Cell>& cells) const;
  std::string user_words(const std::string& pod, std::string_view claim) const;
  void holders();

  view::Document& document_;
  const Explanation& explanation_;
  bool wide_;
  bool blank_ = false;  // a blank line is due before the next part
  std::map<std::pair<std::string_view, std::string_view>, Held> held_;  // (node, claim)
};

// Removes the last blank line, which becomes a part of what follows and is dropped with it.
void Obstacles::take_blank() {
  blank_ =
      !document_.blocks.empty() && std::holds_alternative<view::Blank>(document_.blocks.back());
  if (blank_) document_.blocks.pop_back();
}

void Obstacles::give_blank() {
  if (std::exchange(blank_, false)) document_.add(view::Blank{});
}

// Reasons that rule nodes out, and unusable pools; each once, with its code and nodes. Other output
// than the wide one has them in the rows of the nodes.
void Obstacles::why_not() {
  const NodeReasons against(explanation_, wide_);
  std::vector<std::pair<std::string, std::vector<std::size_t>>> reasons;
  std::map<std::string, std::size_t> known;  // their places
  for (std::size_t i = 0; i < explanation_.nodes.size(); ++i) {
    for (const diag::Reason* reason : against.against(explanation_.nodes[i])) {
      std::string text = base::format("{}: {}", diag::name_of(reason->code), reason->message);
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
      return base::format("{}pod {} ({})", facts.replaced ? "earlier " : "", pod,
                          facts.ended ? "has ended" : "does not exist any more");
    case engine::HolderState::Unused:
    case engine::HolderState::Runs:
      break;
  }
  return pod.empty() ? base::format("claim {}, no pod", claim) : base::format("pod {}", pod);
}

// Who would be stopped: what creates the pod again, how long it has run, and its priority. A pod
// that has the name of one that is gone holds nothing.
void Obstacles::add_pod(const std::string& name, std::string_view claim,
                        std::vector<view::Cell>& cells) const {
  const auto found = explanation_.holder_pods.find(name);
  const auto holder = explanation_.holders.find(claim);
  const bool gone = holder != explanation_.holders.end() &&
                    holder->second.state == engine::HolderState::Gone && !holder->second.ended;
  if (gone || found == explanation_.holder_pods.end()) {
    cells.insert(cells.end(), 3, cell(""));
    return;
  }
  const answers::HolderPod& pod = found->second;
  cells.push_back(
      cell(pod.workload.kind.empty()
               ? std::string(kNone)
               : base::format("{}/{}", base::lower(pod.workload.kind), pod.workload.name)));
  cells.push_back(cell(pod.standing));
  cells.push_back(cell(pod.priority));
}

void Obstacles::holders() {
  if (held_.empty()) return;
  // A subject that fits needs nothing from the holders.
  const bool pods = !explanation_.holder_pods.empty();
  view::Table table = table_of({"IN USE", "NODE", "BY"});
  for (std::size_t i = 1; i < table.columns.size(); ++i)
    table.columns[i].elastic = true;
  if (pods) {
    for (const char* title : {"OWNER", "STATE", "PRIORITY"})
      table.columns.push_back({.title = title, .spare = true});
  }
  table.columns.push_back({.title = "CLAIM", .wide = true});
  table.indent = 2;
  table.fits_width = !wide_;
  std::vector<view::RowPart> rows(held_.size(), {.rank = ExplainRank::Holders});
  rows.front().rank = ExplainRank::FirstHolder;
  for (const auto& [key, held] : held_) {
    const std::string user = user_words(*held.pod, key.second);
    std::vector<view::Cell> cells{cell(wide_ ? fold_devices(held.devices)
                                             : fold_devices_within(held.devices, kMaxHolderFold)),
                                  cell(*held.node), cell(user)};
    if (pods) add_pod(*held.pod, key.second, cells);
    cells.push_back(cell(key.second));
    table.rows.push_back(std::move(cells));
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
