// src/answers/explain/cause/unmet_words.cpp: the condition by its comparison, and the values by how
// near they come to it.

#include "src/answers/explain/cause/unmet_words.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "dra/base/quantity.h"
#include "dra/base/text.h"

namespace dra::answers {
namespace {

using Is = cel::Comparison::Is;

constexpr std::size_t kMaxPart = 80;   // cells of an expression in a sentence
constexpr std::size_t kMaxValues = 3;  // that devices have instead

// "81Gi of memory or more", "architecture 'Hopper'".
std::string wish_of(const cel::Comparison& condition) {
  const std::string& value = condition.value;
  const bool amount = condition.of == cel::Comparison::Of::Capacity;
  const auto with = [&](std::string_view amount_words, std::string_view words) {
    return amount ? base::format(amount_words, value, condition.name)
                  : base::format(words, condition.name, value);
  };
  switch (condition.is) {
    case Is::Equal:
      return with("{} of {}", "{} {}");
    case Is::NotEqual:
      return with("{1} other than {0}", "{} other than {}");
    case Is::Less:
      return with("less than {} of {}", "{} below {}");
    case Is::AtMost:
      return with("at most {} of {}", "{} {} or less");
    case Is::More:
      return with("more than {} of {}", "{} above {}");
    case Is::AtLeast:
      return with("{} of {} or more", "{} {} or more");
  }
  return {};
}

// A number, an amount or a version. Words such as "small" have no order that helps.
struct Rank {
  std::vector<base::Quantity> parts;

  friend bool operator<(const Rank& a, const Rank& b) {
    return std::lexicographical_compare(a.parts.begin(), a.parts.end(), b.parts.begin(),
                                        b.parts.end());
  }
};

// Of "81152Mi (79.25Gi)" the part in front. A version is its three numbers; one with a prerelease
// or a build has no rank.
std::optional<Rank> rank_of(std::string_view text) {
  text = text.substr(0, text.find(" ("));
  Rank rank;
  if (std::ranges::count(text, '.') != 2) {
    base::Quantity number;
    if (base::Quantity::read(text, number) != base::Quantity::Flaw::None) return std::nullopt;
    rank.parts.push_back(number);
    return rank;
  }
  for (const std::string_view part : base::split(text, '.')) {
    base::Quantity number;
    const bool digits = !part.empty() && part.find_first_not_of("0123456789") == part.npos;
    if (!digits || base::Quantity::read(part, number) != base::Quantity::Flaw::None)
      return std::nullopt;
    rank.parts.push_back(number);
  }
  return rank;
}

struct Value {
  const engine::SeenInstead* seen;
  Rank rank = {};
};

std::vector<Value> values_of(const std::vector<engine::SeenInstead>& seen, bool& ordered) {
  std::vector<Value> values;
  ordered = true;
  for (const engine::SeenInstead& one : seen) {
    if (one.text.starts_with("no such key")) continue;
    auto rank = rank_of(one.text);
    ordered &= rank.has_value();
    values.push_back({&one, rank ? *std::move(rank) : Rank{}});
  }
  return values;
}

std::string words_of(const Value& value) {
  return base::format("{} ({})", value.seen->text,
                      base::plural(static_cast<std::int64_t>(value.seen->devices), "device"));
}

// "; the largest has 80Gi (2 devices)"
std::string best_words(const cel::Comparison& condition, const std::vector<Value>& values) {
  const auto by_rank = [](const Value& a, const Value& b) { return a.rank < b.rank; };
  const bool amount = condition.of == cel::Comparison::Of::Capacity;
  if (condition.is == Is::AtLeast || condition.is == Is::More)
    return base::format(amount ? "; the largest has {}" : "; the highest is {}",
                        words_of(*std::ranges::max_element(values, by_rank)));
  return base::format(amount ? "; the smallest has {}" : "; the lowest is {}",
                      words_of(*std::ranges::min_element(values, by_rank)));
}

// Puts those in front that are next to the wanted one, below and above it.
void nearest_first(const Rank& wanted, std::vector<Value>& values) {
  std::ranges::stable_sort(values, [](const Value& a, const Value& b) { return a.rank < b.rank; });
  const auto above =
      std::ranges::find_if(values, [&wanted](const Value& value) { return wanted < value.rank; });
  const std::size_t middle = static_cast<std::size_t>(above - values.begin());
  const std::size_t first = std::min(middle - std::min(middle, kMaxValues / 2),
                                     values.size() - std::min(values.size(), kMaxValues));
  std::rotate(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(first), values.end());
}

// "; they have 80Gi (2 devices), 40Gi (4 devices)"
std::string seen_words(const cel::Comparison& condition,
                       const std::vector<engine::SeenInstead>& seen) {
  bool ordered = false;
  std::vector<Value> values = values_of(seen, ordered);
  const bool equality = condition.is == Is::Equal || condition.is == Is::NotEqual;
  if (values.empty()) return {};
  if (ordered && !equality && values.size() > 1) return best_words(condition, values);
  const auto wanted = rank_of(condition.value);
  if (ordered && wanted && values.size() > kMaxValues) nearest_first(*wanted, values);
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(kMaxValues, values.size()); ++i)
    shown.push_back(words_of(values[i]));
  const std::size_t left = values.size() - shown.size();
  return base::format("; they have {}{}", base::join(shown, ", "),
                      left == 0 ? std::string() : base::format(" and {} more", left));
}

}  // namespace

std::string unmet_words(const SelectorFinding& finding, std::string_view noun) {
  const std::string_view which = finding.met == 0 ? "" : " that meets the other conditions";
  if (finding.comparison && finding.comparison->of != cel::Comparison::Of::Driver &&
      finding.comparison->value != "true")
    return base::format("no {}{} has {}{}", noun, which, wish_of(*finding.comparison),
                        seen_words(*finding.comparison, finding.seen));
  if (finding.part.size() > kMaxPart) return base::format("no {} matches", noun);
  return base::format("no {}{} meets {}", noun, which, finding.part);
}

}  // namespace dra::answers
