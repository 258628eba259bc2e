// src/report/phrases/clause_words.cpp: chooses the parts of an expression whose values are shown,
// and arranges conditions as a table and as a tree.

#include "dra/report/phrases/clause_words.h"

#include <algorithm>

#include "dra/answers/explain/suggestion_text.h"
#include "dra/base/text.h"
#include "dra/cel/hints/blame.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
namespace {

using engine::ClauseCount;
using engine::ClauseTable;
using engine::Truth;
using view::Tone;

constexpr int kIndent = 2;

std::string number_of(std::size_t clause) { return base::format("C{}", clause + 1); }

void add_remark(view::Document& document, std::string text) {
  document.add(view::Paragraph{.spans = {span(std::move(text))}, .indent = kIndent});
}

void add_advice(view::Document& document, const ClauseTable& table) {
  const auto nearest = table.nearest();
  const auto shown = nearest ? nearest : table.strictest();
  if (shown) document.add(view::Blank{});
  if (nearest) {
    const ClauseCount& count = table.clauses[*nearest];
    add_remark(document, base::format("{} is the only obstacle for {}.", number_of(*nearest),
                                      base::plural(static_cast<std::int64_t>(count.only_obstacle),
                                                   "device")));
  } else if (table.pair) {
    add_remark(document, base::format("{} and {} both keep away {}: both have to change.",
                                      number_of(table.pair->first), number_of(table.pair->second),
                                      base::plural(static_cast<std::int64_t>(table.pair->devices),
                                                   "device")));
  }
  if (!shown || table.clauses[*shown].seen.empty()) return;
  add_remark(document, base::format("Seen instead for {}: {}", number_of(*shown),
                                    answers::seen_text(table.clauses[*shown].seen)));
}

view::Span mark_of(Truth truth) {
  switch (truth) {
    case Truth::True:
      return span("T  ", Tone::Good);
    case Truth::False:
      return span("F  ", Tone::Warn);
    case Truth::Error:
      return span("E  ", Tone::Bad);
    case Truth::Unknown:
      break;
  }
  return span("?  ", Tone::Dim);
}

class Tree {
 public:
  Tree(view::Document& document, const engine::Selector& selector, const cel::Trace& trace)
      : document_(document), selector_(selector), trace_(trace) {}

  void add(const cel::Clause& clause) {
    const Truth truth = engine::truth_of(selector_, trace_, clause);
    document_.add(view::Paragraph{
        .spans = {mark_of(truth), span(clause.text)}, .indent = kIndent, .hang = 5});
    for (const cel::Binding& binding : clause.where)
      line(kIndent + 5, base::format("where {} is {}", binding.name, binding.text), Tone::Dim);
    // For a true clause the values that make it true are shown, dimmed.
    const bool holds = truth == Truth::True;
    const cel::Blame blame = cel::blame_of(*selector_.program(), selector_.source(), trace_,
                                           clause.node, clause.negated == holds);
    for (const cel::Leaf& leaf : blame.leaves)
      add(leaf, leaf.node == clause.node, holds ? Tone::Dim : Tone::Plain, kIndent + 5);
    for (const cel::Leaf& leaf : blame.ignored) {
      line(kIndent + 5, base::format("ignored: {}: {}", leaf.text, leaf.fact), Tone::Dim);
    }
  }

 private:
  void line(int indent, std::string text, Tone tone) {
    document_.add(view::Paragraph{.spans = {span(std::move(text), tone)}, .indent = indent});
  }

  // `whole`: the leaf is the clause itself, whose text is already printed.
  void add(const cel::Leaf& leaf, bool whole, Tone tone, int indent) {
    line(indent, whole ? leaf.fact : base::format("{}: {}", leaf.text, leaf.fact), tone);
    const auto cause = std::string(selector_.source().text_of(leaf.cause));
    if (leaf.value.is_error() && !cause.empty() && leaf.cause != leaf.span)
      line(indent, base::format("in {}", one_line(cause)), Tone::Dim);
    for (const cel::BlamedElement& element : leaf.elements) {
      const std::string& name = element.key.text.empty() ? element.value.text : element.key.text;
      for (const cel::Leaf& inner : element.leaves) {
        line(indent + 2, base::format("[{}] {}: {}", name, inner.text, inner.fact), tone);
      }
    }
  }

  view::Document& document_;
  const engine::Selector& selector_;
  const cel::Trace& trace_;
};

}  // namespace

void add_clauses(view::Document& document, const ClauseTable& table) {
  if (table.clauses.size() == 1) {
    const std::string seen = answers::seen_text(table.clauses.front().seen);
    if (!seen.empty()) add_remark(document, "Seen instead: " + seen);
    return;
  }
  view::Table out = table_of({"", "CONDITION", "ALONE", "AFTER-ABOVE", "ONLY-OBSTACLE"});
  out.indent = kIndent;
  out.fits_width = true;
  out.columns[1].elastic = true;
  const auto nearest = table.nearest();
  for (std::size_t i = 0; i < table.clauses.size(); ++i) {
    const ClauseCount& count = table.clauses[i];
    const Tone tone = nearest == i ? Tone::Strong : Tone::Plain;
    out.rows.push_back({cell(number_of(i)), cell(count.clause.text, tone),
                        cell(base::format("{}/{}", count.alone, table.devices)),
                        cell(static_cast<std::int64_t>(count.after)),
                        cell(std::to_string(count.only_obstacle), tone)});
  }
  document.add(std::move(out));
  add_advice(document, table);
}

void add_clause_tree(view::Document& document, const engine::Selector& selector,
                     const cel::Trace& trace) {
  Tree tree(document, selector, trace);
  for (const cel::Clause& clause :
       cel::clauses_of(selector.program()->checked().ast, selector.source())) {
    tree.add(clause);
  }
}

}  // namespace dra::report
