// src/report/explain/explanation_evidence.cpp: one table for each kind of evidence, made once for
// all nodes.

#include "src/report/explain/explanation_evidence.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "dra/base/text.h"
#include "dra/report/phrases/words.h"
#include "src/report/explain/explanation_ranks.h"

namespace dra::report {
namespace {

using view::Tone;

constexpr std::size_t kMaxConsumers = 3;

std::string_view last_name(std::string_view id) { return id.substr(id.rfind('/') + 1); }

class EvidenceView {
 public:
  EvidenceView(view::Document& document, bool wide, std::optional<view::PartId> needs)
      : document_(document), wide_(wide), needs_(needs) {}

  // Puts a blank line before the next table, as a part of it.
  void set_apart() { apart_ = true; }
  // Tables of constraints that read alike are one, if `all` has them.
  void add(const diag::Evidence& evidence, std::span<const diag::Evidence* const> all = {});
  // The first row of the last added table.
  const std::optional<view::PartId>& last() const { return last_; }

 private:
  void constraint(const diag::ConstraintEvidence& constraint);
  void likewise(const std::vector<std::string>& requests);
  void ledger(const diag::LedgerEvidence& ledger);
  void consumers(const diag::LedgerEvidence& ledger);
  void capacity(const std::vector<diag::CapacityEvidence>& capacity);
  void add(view::Table table, std::string_view what);

  view::Document& document_;
  bool wide_;
  bool apart_ = false;
  std::optional<view::PartId> needs_;
  std::optional<view::PartId> last_;
};

void EvidenceView::add(view::Table table, std::string_view what) {
  table.indent = 2;
  const std::size_t fold = document_.begin_fold({.more = rest_of(what)}, needs_);
  if (std::exchange(apart_, false)) document_.add_head(fold, view::Blank{});
  std::vector<view::RowPart> rows(table.rows.size(), {.rank = ExplainRank::Figures});
  rows.front().rank = ExplainRank::Evidence;
  document_.add_rows(fold, std::move(table), rows);
  last_ = view::PartId{fold, 0};
}

// "SAME numa  2 FOR gpu  1 FOR nic": a row for each value, with the number of devices that have it.
void EvidenceView::constraint(const diag::ConstraintEvidence& constraint) {
  view::Table table;
  table.columns.push_back({.title = base::format("{} {}", constraint.matching ? "SAME" : "DISTINCT",
                                                 constraint.attribute)});
  bool without = false;
  std::vector<view::Cell> none{cell(kNone, Tone::Dim)};
  for (const auto& asked : constraint.requests) {
    table.columns.push_back({.title = base::format("{} FOR {}", asked.wanted, asked.request)});
    without |= asked.without > 0;
    none.push_back(cell(asked.without));
  }
  for (const auto& value : constraint.values) {
    std::vector<view::Cell> row{cell(value.value)};
    for (const std::int64_t count : value.devices)
      row.push_back(cell(count));
    table.rows.push_back(std::move(row));
  }
  if (without) table.rows.push_back(std::move(none));
  if (!table.rows.empty()) add(std::move(table), "value");
}

bool reads_as(const diag::ConstraintEvidence& a, const diag::ConstraintEvidence& b) {
  const auto same_request = [](const auto& one, const auto& other) {
    return one.wanted == other.wanted && one.without == other.without;
  };
  const auto same_value = [](const auto& one, const auto& other) {
    return one.value == other.value && one.devices == other.devices;
  };
  return a.matching == b.matching && a.attribute == b.attribute &&
         std::ranges::equal(a.requests, b.requests, same_request) &&
         std::ranges::equal(a.values, b.values, same_value);
}

// "gpu-1 with nic-1"
std::string requests_of(const diag::ConstraintEvidence& constraint) {
  std::vector<std::string> names;
  for (const auto& asked : constraint.requests)
    names.push_back(asked.request);
  return base::join(names, " with ");
}

void EvidenceView::likewise(const std::vector<std::string>& requests) {
  if (requests.empty()) return;
  const std::size_t fold = document_.begin_fold({}, last_);
  document_.add_part(
      fold,
      view::Paragraph{.spans = {span("the same for ", Tone::Dim), span(base::join(requests, ", "))},
                      .indent = 2},
      ExplainRank::Figures);
  document_.end_fold(fold);
}

// True for counters of one set with the same amounts.
bool reads_as(const diag::LedgerEvidence::Counter& a, const diag::LedgerEvidence::Counter& b) {
  return a.set == b.set && a.takes == b.takes && a.left == b.left && a.total == b.total;
}

// Shows counters that are too low; others only in wide output.
void EvidenceView::ledger(const diag::LedgerEvidence& ledger) {
  view::Table table;
  table.columns = {{.title = "COUNTER"},
                   {.title = base::format("{} TAKES", last_name(ledger.candidate))},
                   {.title = "LEFT"},
                   {.title = "TOTAL"}};
  const auto& all = ledger.counters;
  for (std::size_t i = 0, end = 0; i < all.size(); i = end) {
    std::vector<std::string_view> names;
    for (end = i; end < all.size() && reads_as(all[i], all[end]); ++end)
      names.push_back(all[end].name);
    if (all[i].enough && !wide_) continue;
    table.rows.push_back({cell(base::format("{}/{}", all[i].set, fold_devices(names))),
                          cell(all[i].takes), cell(all[i].left), cell(all[i].total)});
  }
  if (table.rows.empty()) return;
  add(std::move(table), "counter");
  consumers(ledger);
}

void EvidenceView::consumers(const diag::LedgerEvidence& ledger) {
  std::vector<std::string> users;
  std::set<std::string_view> seen;
  for (const auto& counter : ledger.counters) {
    if (counter.enough && !wide_) continue;
    for (const auto& consumer : counter.consumers) {
      if (!seen.insert(consumer.device).second) continue;
      const std::string who = consumer.pod.empty() ? base::format("claim {}", consumer.claim)
                                                   : base::format("pod {}", consumer.pod);
      users.push_back(base::format("{} ({})", last_name(consumer.device), who));
    }
  }
  if (users.empty()) return;
  const std::size_t shown = wide_ ? users.size() : std::min(users.size(), kMaxConsumers);
  const std::size_t left = users.size() - shown;
  users.resize(shown);
  const std::string rest = left == 0 ? "" : base::format(" and {} more", left);
  view::Paragraph line{.spans = {span("used by ", Tone::Dim), span(base::join(users, ", ") + rest)},
                       .indent = 2};
  const std::size_t fold = document_.begin_fold({}, last_);
  document_.add_part(fold, std::move(line), ExplainRank::Evidence);
  document_.end_fold(fold);
}

void EvidenceView::capacity(const std::vector<diag::CapacityEvidence>& capacity) {
  view::Table table = table_of({"CAPACITY", "DEVICE", "ASKED", "TAKES", "IN USE", "LEFT", "TOTAL"});
  for (const auto& one : capacity) {
    table.rows.push_back({cell(one.capacity), cell(last_name(one.device)),
                          cell(one.asked ? std::string_view(*one.asked) : kNone),
                          cell(or_none(one.takes)), cell(or_none(one.used)),
                          cell(or_none(one.left)), cell(or_none(one.total))});
  }
  add(std::move(table), "device");
}

void EvidenceView::add(const diag::Evidence& evidence, std::span<const diag::Evidence* const> all) {
  for (const auto& one : evidence.constraints) {
    const diag::ConstraintEvidence* first = nullptr;
    std::vector<std::string> others;
    for (const diag::Evidence* other : all) {
      for (const auto& alike : other->constraints) {
        if (!reads_as(alike, one)) continue;
        if (first == nullptr)
          first = &alike;
        else
          others.push_back(requests_of(alike));
      }
    }
    if (first != nullptr && first != &one) continue;
    constraint(one);
    likewise(others);
  }
  if (evidence.ledger) ledger(*evidence.ledger);
  if (!evidence.capacity.empty()) capacity(evidence.capacity);
}

}  // namespace

void add_evidence(view::Document& document, const diag::Evidence& evidence, bool wide,
                  view::PartId reason) {
  EvidenceView view(document, wide, reason);
  view.add(evidence);
  if (!view.last()) return;
  const std::size_t blank = document.begin_fold({}, view.last());
  document.add_part(blank, view::Blank{}, ExplainRank::Evidence);
  document.end_fold(blank);
}

bool add_evidence(view::Document& document, const Explanation& explanation, bool wide, bool blank) {
  EvidenceView view(document, wide, std::nullopt);
  std::set<std::pair<diag::Code, std::string_view>> seen;  // a reason is shown once for all nodes
  std::vector<const diag::Evidence*> all;
  for (const engine::NodeResult& node : explanation.nodes) {
    if (node.is_feasible() && !wide) continue;
    for (const diag::Reason& reason : node.reasons) {
      if (reason.evidence && seen.insert({reason.code, reason.message}).second)
        all.push_back(&*reason.evidence);
    }
  }
  for (const diag::Evidence* evidence : all) {
    if (blank || view.last()) view.set_apart();
    view.add(*evidence, all);
  }
  return view.last().has_value();
}

}  // namespace dra::report
