// src/engine/selectors/value_changes.cpp: collects the comparisons that came out false for the
// nearest devices, with the values seen there, and replaces the constant: by another value, another
// member of a list, or a looser bound.

#include "dra/engine/selectors/value_changes.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "dra/base/quantity.h"
#include "dra/base/text.h"
#include "dra/cel/hints/blame.h"
#include "dra/engine/selectors/clause_table.h"
#include "src/engine/selectors/literal_text.h"

namespace dra::engine {
namespace {

using cel::ChangeKind;
using cel::Leaf;
using cel::NodeKind;

constexpr std::size_t kMaxValues = 3;    // tried in place of one
constexpr std::size_t kMaxMembers = 16;  // of a list that are compared with seen values
constexpr std::size_t kMaxText = 128;    // longer values are no names
constexpr std::string_view kDriver = "device.driver";

// A value in a comparison, and the number of open devices that have it.
struct SeenValue {
  Constant value;
  std::size_t devices = 0;
};

// A comparison with a constant that has the wrong result.
struct Wrong {
  Leaf leaf;
  std::size_t varies = 0;                      // the side that is not constant
  std::size_t least = 0;                       // number of obstacles of the nearest devices
  std::map<std::string, SeenValue> seen = {};  // on these devices, by literal
};

// --- orders

bool is_order(std::string_view name) {
  return name == "<" || name == "<=" || name == ">" || name == ">=";
}
std::string_view contrary_of(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> all{
      {{"<", ">="}, {">=", "<"}, {">", "<="}, {"<=", ">"}, {"==", "!="}, {"!=", "=="}}};
  const auto* found =
      std::ranges::find(all, name, &std::pair<std::string_view, std::string_view>::first);
  return found == all.end() ? name : found->second;
}

class Changer {
 public:
  Changer(const Selector& selector, std::span<const cel::Clause> clauses, std::size_t missing)
      : selector_(selector),
        ast_(selector.program()->checked().ast),
        source_(selector.source()),
        clauses_(clauses),
        missing_(missing) {}

  void look_at(const TracedKind& kind) {
    for (const cel::Clause& clause : clauses_) {
      const cel::Blame blame =
          cel::blame_of(*selector_.program(), source_, kind.trace, clause.node, !clause.negated);
      for (const Leaf& leaf : blame.leaves)
        look_at(leaf, kind);
    }
  }

  std::vector<Step> steps() {
    for (const auto& [node, wrong] : wrong_) {
      const std::string_view name = effective(wrong.leaf);
      if (name == "==") equality(wrong);
      if (is_order(name)) bound(wrong);
      if (name == "in") member(wrong);
      if (wrong.leaf.wanted) text_call(wrong);
    }
    return std::move(steps_);
  }

 private:
  // The operator that should have held.
  static std::string_view effective(const Leaf& leaf) {
    if (leaf.wanted) return leaf.name;
    return leaf.name == "in" ? std::string_view() : contrary_of(leaf.name);
  }

  void look_at(const Leaf& leaf, const TracedKind& kind) {
    for (const cel::BlamedElement& element : leaf.elements)
      for (const Leaf& inner : element.leaves)
        look_at(inner, kind);
    if (leaf.value.is_error() || leaf.sides.size() != 2) return;
    const bool first = reads_variable(ast_, leaf.sides[0].node);
    const bool second = reads_variable(ast_, leaf.sides[1].node);
    if (first == second) return;
    const std::size_t varies = first ? 0 : 1;
    const auto value = constant_of(leaf.sides[varies].value);
    if (!leaf.sides[varies].known || !value) return;
    if (stands_in(leaf.sides[varies].node, *value)) return;
    Wrong& wrong = wrong_[leaf.node];
    const bool is_new = wrong.seen.empty();
    if (!is_new && kind.obstacles > wrong.least) return;
    if (is_new || kind.obstacles < wrong.least)
      wrong = {.leaf = leaf, .varies = varies, .least = kind.obstacles};
    SeenValue& seen = wrong.seen[whole_text(*value, '"')];
    seen.value = *value;
    seen.devices += kind.open;
  }

  // Whether the value is the default of orValue(), which no device has.
  bool stands_in(cel::NodeId id, const Constant& value) const {
    const cel::Node& node = ast_[id];
    if (node.kind != NodeKind::Call || node.name != "orValue" || node.args.size() != 2)
      return false;
    const auto instead = constant_of(ast_, source_, node.args[1]);
    return instead && *instead == value;
  }

  void add(ChangeKind kind, cel::Span span, std::string text) {
    steps_.push_back({kind, {cel::Change{kind, span, std::move(text)}}});
  }

  std::optional<Constant> constant(const Wrong& wrong) const {
    return constant_of(ast_, source_, wrong.leaf.sides[1 - wrong.varies].node);
  }

  // By distance; of equally near ones the most frequent first.
  static std::vector<SeenValue> nearest(const Wrong& wrong, const Constant& to) {
    if (to.text.size() > kMaxText) return {};
    std::vector<std::pair<double, SeenValue>> values;
    for (const auto& [text, seen] : wrong.seen) {
      if (text.size() <= kMaxText) values.emplace_back(distance(seen.value, to), seen);
    }
    std::ranges::stable_sort(values, [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first < b.first : a.second.devices > b.second.devices;
    });
    std::vector<SeenValue> nearest;
    for (const auto& [far, seen] : values) {
      if (nearest.size() < kMaxValues) nearest.push_back(seen);
    }
    return nearest;
  }

  // Replaces the constant, keeping the function around it if the type fits.
  void replace(const Wrong& wrong, const Constant& old, const Constant& value, ChangeKind kind) {
    if (value.type == old.type) return add(kind, old.span, literal_text(value, old.quote));
    const cel::NodeId node = wrong.leaf.sides[1 - wrong.varies].node;
    add(kind, ast_[node].span, whole_text(value, old.quote));
  }

  static bool only_letters(const Constant& a, const Constant& b) {
    return a.type == Constant::Type::Text && distance(a, b) == 0;
  }

  // Whether the author cannot have meant the value: the opposite of what is written, or another
  // driver than the one that is named.
  bool reverses(const Wrong& wrong, const Constant& old, const Constant& value) const {
    if (old.type == Constant::Type::Bool) return true;
    const std::string_view path = source_.text_of(ast_[wrong.leaf.sides[wrong.varies].node].span);
    const std::vector<std::string_view> others = {value.text};
    return path == kDriver && base::nearest(old.text, others).empty();
  }

  void equality(const Wrong& wrong) {
    const auto old = constant(wrong);
    if (!old) return;
    for (const SeenValue& seen : nearest(wrong, *old)) {
      if (reverses(wrong, *old, seen.value)) continue;
      replace(wrong, *old, seen.value,
              only_letters(seen.value, *old) ? ChangeKind::Letters : ChangeKind::Value);
    }
  }

  void member(const Wrong& wrong) {
    const cel::Node& list = ast_[wrong.leaf.sides[1].node];
    if (wrong.varies != 0 || list.kind != NodeKind::List || list.args.empty()) return;
    std::vector<Constant> old;
    for (const cel::NodeId element : list.args) {
      auto constant = constant_of(ast_, source_, element);
      if (!constant) return;
      old.push_back(std::move(*constant));
    }
    for (const Constant& one : std::span(old).first(std::min(old.size(), kMaxMembers))) {
      for (const SeenValue& seen : nearest(wrong, one)) {
        if (only_letters(seen.value, one))
          add(ChangeKind::Letters, one.span, literal_text(seen.value, one.quote));
      }
    }
    for (const SeenValue& seen : nearest(wrong, old.front())) {
      const std::uint32_t end = ast_[list.args.back()].span.end;
      add(ChangeKind::Member, {end, end}, ", " + whole_text(seen.value, old.front().quote));
    }
  }

  // startsWith(), endsWith(), contains() and matches() with another case of letters.
  void text_call(const Wrong& wrong) {
    const std::string& name = wrong.leaf.name;
    const auto old = constant(wrong);
    if (!old || old->type != Constant::Type::Text || wrong.varies != 0) return;
    const std::uint32_t begin = old->span.begin + 1;
    if (name == "matches") return add(ChangeKind::Letters, {begin, begin}, "(?i)");
    if (name != "startsWith" && name != "endsWith" && name != "contains") return;
    const std::string want = base::lower(old->text);
    for (const auto& [key, seen] : wrong.seen) {
      const std::string text = base::lower(seen.value.text);
      const std::size_t at = name == "endsWith" ? text.rfind(want) : text.find(want);
      const bool fits = at != std::string::npos && (name != "startsWith" || at == 0) &&
                        (name != "endsWith" || at + want.size() == text.size());
      if (!fits) continue;
      Constant value = seen.value;
      value.text = value.text.substr(at, want.size());
      add(ChangeKind::Letters, old->span, literal_text(value, old->quote));
    }
  }

  // --- bounds

  void bound(const Wrong& wrong) {
    const auto old = constant(wrong);
    if (!old) return;
    std::vector<SeenValue> values;
    for (const auto& [text, seen] : wrong.seen)
      if (compare(seen.value, *old)) values.push_back(seen);
    if (values.empty()) return;
    // The constant must become smaller.
    const bool lower = effective(wrong.leaf).starts_with(wrong.varies == 0 ? '>' : '<');
    std::ranges::sort(values, [lower](const SeenValue& a, const SeenValue& b) {
      const auto order = compare(a.value, b.value).value_or(std::weak_ordering::equivalent);
      return lower ? std::is_gt(order) : std::is_lt(order);
    });
    std::size_t through = 0;
    std::size_t last = 0;
    for (; last < values.size(); ++last) {
      through += values[last].devices;
      if (through >= missing_) break;
    }
    last = std::min(last, values.size() - 1);
    const SeenValue* next = last + 1 < values.size() ? &values[last + 1] : nullptr;
    loosen(wrong, *old, rounded(*old, values[last].value, next, lower));
    if (last > 0) loosen(wrong, *old, values.front().value);
  }

  // The value in the author's unit, if that admits no other value: 79Gi for 81152Mi.
  static Constant rounded(const Constant& old, const Constant& value, const SeenValue* next,
                          bool lower) {
    const std::size_t digits = old.text.find_first_not_of("0123456789");
    const auto quantity = base::Quantity::parse(value.text);
    if (old.type != Constant::Type::Quantity || digits == std::string::npos || !quantity.ok())
      return value;
    const std::string unit = old.text.substr(digits);
    const auto one = base::Quantity::parse("1" + unit);
    if (!one.ok() || one.value().approximate() <= 0) return value;
    const double units = quantity.value().approximate() / one.value().approximate();
    if (!(units <= 1e9)) return value;
    auto whole = static_cast<std::int64_t>(units);
    if (!lower && static_cast<double>(whole) < units) ++whole;
    if (whole <= 0) return value;
    Constant out = value;
    out.text = base::format("{}{}", whole, unit);
    const auto lets = [&](const Constant& other) {
      const auto order = compare(out, other);
      return order && (lower ? std::is_lteq(*order) : std::is_gteq(*order));
    };
    return lets(value) && (next == nullptr || !lets(next->value)) ? out : value;
  }

  // Loosens a bound so that it admits the value itself.
  void loosen(const Wrong& wrong, const Constant& old, const Constant& value) {
    const std::string_view should = effective(wrong.leaf);
    if (should == "<=" || should == ">=") return replace(wrong, old, value, ChangeKind::Threshold);
    const std::string with_equal = std::string(should) + "=";
    const std::string_view name = wrong.leaf.wanted ? with_equal : contrary_of(with_equal);
    std::array<std::string, 2> sides{wrong.leaf.sides[0].text, wrong.leaf.sides[1].text};
    sides.at(1 - wrong.varies) = whole_text(value, old.quote);
    const bool plain = value.type == Constant::Type::Int;
    std::string text = plain ? base::format("{} {} {}", sides[0], name, sides[1])
                             : base::format("{}.compareTo({}) {} 0", sides[0], sides[1], name);
    if (source_.text_of(wrong.leaf.span).starts_with("(")) text = "(" + text + ")";
    add(ChangeKind::Threshold, wrong.leaf.span, std::move(text));
  }

  const Selector& selector_;
  const cel::Ast& ast_;
  const cel::Source& source_;
  std::span<const cel::Clause> clauses_;
  std::size_t missing_;
  std::map<cel::NodeId, Wrong> wrong_;
  std::vector<Step> steps_;
};

bool is_text(std::string_view value) { return value.starts_with('\'') || value.starts_with('"'); }

}  // namespace

bool is_slip(const ValueInstead& value) {
  const std::string text = base::lower(value.second);
  const std::array<std::string_view, 1> to = {text};
  return is_text(value.first) && !base::nearest(base::lower(value.first), to).empty();
}

bool asks_for_others(std::span<const ValueInstead> values) {
  return std::ranges::any_of(
      values, [](const ValueInstead& value) { return is_text(value.first) && !is_slip(value); });
}

std::vector<Step> value_changes(const Selector& selector, std::span<const cel::Clause> clauses,
                                std::span<const TracedKind> kinds, std::size_t missing) {
  Changer changer(selector, clauses, missing);
  for (const TracedKind& kind : kinds)
    if (kind.open > 0) changer.look_at(kind);
  return changer.steps();
}

}  // namespace dra::engine
