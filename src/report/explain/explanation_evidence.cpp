// src/report/explain/explanation_evidence.cpp: see explanation_evidence.h.

#include "src/report/explain/explanation_evidence.h"

#include <algorithm>
#include <set>

#include "dra/base/text.h"
#include "dra/report/phrases/height.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
namespace {

using view::Tone;

constexpr std::size_t kMaxConsumers = 3;
constexpr std::size_t kConsumers = 2;  // lines to leave for them

std::string_view last_name(std::string_view id) { return id.substr(id.rfind('/') + 1); }

class EvidenceView {
 public:
  EvidenceView(view::Document& document, bool wide, std::size_t limit)
      : document_(document), wide_(wide), limit_(limit) {}

  void add(const diag::Evidence& evidence);

 private:
  void constraint(const diag::ConstraintEvidence& constraint);
  void ledger(const diag::LedgerEvidence& ledger);
  void consumers(const diag::LedgerEvidence& ledger);
  void capacity(const std::vector<diag::CapacityEvidence>& capacity);
  void add(view::Table table, std::size_t more_below, std::string_view what);

  view::Document& document_;
  bool wide_;
  std::size_t limit_;
};

// As many rows as there is room for; none if that is none at all.
void EvidenceView::add(view::Table table, std::size_t more_below, std::string_view what) {
  table.indent = 2;
  const std::size_t all = table.rows.size();
  if (!wide_) {
    const std::size_t taken = height_of(document_) + 2 + more_below;  // a blank line, a title
    const std::size_t room = limit_ - std::min(limit_, taken);
    if (room < 2) return;
    if (all > room) table.rows.resize(room - 1);
  }
  const std::size_t left = all - table.rows.size();
  document_.add(std::move(table));
  if (left == 0) return;
  const std::string more =
      base::format("and {}: -o wide",
                   base::plural(static_cast<std::int64_t>(left), base::format("more {}", what)));
  document_.add(view::Paragraph{.spans = {span(more, Tone::Dim)}, .indent = 2});
}

// "SAME numa  2 FOR gpu  1 FOR nic": a row for each value, how many devices have it.
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
  if (!table.rows.empty()) add(std::move(table), 0, "value");
}

// Of one set, with the same amounts.
bool reads_as(const diag::LedgerEvidence::Counter& a, const diag::LedgerEvidence::Counter& b) {
  return a.set == b.set && a.takes == b.takes && a.left == b.left && a.total == b.total;
}

// Those that are short; of the others only in wide output.
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
  const std::size_t before = document_.blocks.size();
  add(std::move(table), kConsumers, "counter");
  if (document_.blocks.size() > before) consumers(ledger);
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
  if (wide_) {
    document_.add(std::move(line));
  } else {
    add_if_room(document_, std::move(line), limit_);
  }
}

void EvidenceView::capacity(const std::vector<diag::CapacityEvidence>& capacity) {
  view::Table table = table_of({"CAPACITY", "DEVICE", "ASKED", "TAKES", "IN USE", "LEFT", "TOTAL"});
  for (const auto& one : capacity) {
    table.rows.push_back({cell(one.capacity), cell(last_name(one.device)),
                          cell(one.asked ? std::string_view(*one.asked) : kNone),
                          cell(or_none(one.takes)), cell(or_none(one.used)),
                          cell(or_none(one.left)), cell(or_none(one.total))});
  }
  add(std::move(table), 0, "device");
}

void EvidenceView::add(const diag::Evidence& evidence) {
  const std::size_t before = document_.blocks.size();
  for (const auto& one : evidence.constraints)
    constraint(one);
  if (evidence.ledger) ledger(*evidence.ledger);
  if (!evidence.capacity.empty()) capacity(evidence.capacity);
  if (document_.blocks.size() > before) document_.add(view::Blank{});
}

}  // namespace

void add_evidence(view::Document& document, const diag::Evidence& evidence, bool wide,
                  std::size_t limit) {
  EvidenceView(document, wide, limit).add(evidence);
}

void add_evidence(view::Document& document, const Explanation& explanation, bool wide,
                  std::size_t below) {
  EvidenceView view(document, wide, kScreenHeight - below);
  std::set<std::pair<diag::Code, std::string_view>> seen;  // a reason is told once for all nodes
  for (const engine::NodeStanding& node : explanation.nodes) {
    if (node.open() && !wide) continue;
    for (const diag::Reason& reason : node.reasons) {
      if (reason.evidence && seen.insert({reason.code, reason.message}).second)
        view.add(*reason.evidence);
    }
  }
}

}  // namespace dra::report
