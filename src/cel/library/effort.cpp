// src/cel/library/effort.cpp: a table of functions whose effort exceeds reading their arguments
// once.

#include "dra/cel/library/effort.h"

#include <algorithm>

namespace dra::cel {
namespace {

constexpr std::uint64_t kBytesCopied = 4;     // per unit; also bytes read one by one
constexpr std::uint64_t kBytesCompared = 16;  // per unit

// Caps numbers, so that products of three do not overflow.
std::uint64_t capped(std::uint64_t units) { return std::min(units, kMostEffort); }
std::uint64_t product(std::uint64_t a, std::uint64_t b) { return capped(capped(a) * capped(b)); }

bool is_text(const Value& value) {
  return value.is(ValueKind::String) || value.is(ValueKind::Bytes);
}

std::uint64_t copy(std::string_view text) { return 1 + text.size() / kBytesCopied; }
std::uint64_t compare(const Value& text) { return 1 + text.text().size() / kBytesCompared; }

// Reads a value without its elements.
std::uint64_t shallow(const Value& value) {
  if (is_text(value)) return copy(value.text());
  if (value.is(ValueKind::List)) return capped(value.as_list().size());
  if (value.is(ValueKind::Map)) return capped(value.as_map().size());
  return 1;
}

std::uint64_t deep_within(const Value& value, std::uint64_t most);

// Reads all content of a value. A list that occurs several times counts each time.
std::uint64_t deep(const Value& value, std::uint64_t most = kMostEffort) {
  const bool holds_more =
      value.is(ValueKind::List) || value.is(ValueKind::Map) || value.is(ValueKind::Optional);
  return holds_more ? deep_within(value, most) : 1 + shallow(value);
}

std::uint64_t deep_within(const Value& value, std::uint64_t most) {
  std::uint64_t sum = std::min(1 + shallow(value), most);
  if (value.is(ValueKind::List)) {
    const ListValue& list = value.as_list();
    for (std::size_t i = 0; i < list.size() && sum < most; ++i)
      sum += deep(list.at(i), most - sum);
  } else if (value.is(ValueKind::Map)) {
    const MapValue& map = value.as_map();
    for (std::size_t i = 0; i < map.size() && sum < most; ++i) {
      const auto [key, content] = map.entry(i);
      sum += deep(key, most - sum);
      if (sum < most) sum += deep(content, most - sum);
    }
  } else if (value.is(ValueKind::Optional) && value.content() != nullptr && sum < most) {
    sum += deep(*value.content(), most - sum);
  }
  return std::min(sum, most);
}

std::uint64_t count_of(const Value& value) {
  return value.is(ValueKind::List) ? capped(value.as_list().size()) : 1;
}

// --- shapes of functions

std::uint64_t at_once(std::span<const Value>) { return 1; }

std::uint64_t go_through(std::span<const Value> args) {
  std::uint64_t sum = 1;
  for (const Value& arg : args)
    sum = capped(sum + shallow(arg));
  return sum;
}

std::uint64_t go_through_all(std::span<const Value> args) {
  std::uint64_t sum = 1;
  for (const Value& arg : args)
    sum = capped(sum + deep(arg));
  return sum;
}

// Searches one text in another: at worst compares to the end at each position.
std::uint64_t search_effort(std::span<const Value> args) {
  const bool texts = args.size() > 1 && is_text(args[0]) && is_text(args[1]);
  const std::uint64_t tries = texts ? product(compare(args[0]), compare(args[1])) : 0;
  return capped(tries + go_through_all(args));
}

std::uint64_t compare_with_each(std::span<const Value> args) {
  std::uint64_t sum = 1;
  for (const Value& arg : args)
    sum = capped(sum + product(count_of(args[0]), deep(arg)));
  return sum;
}

std::uint64_t compare_sets_effort(std::span<const Value> args) {
  const std::uint64_t forth = product(count_of(args[0]), deep(args[1]));
  return capped(forth + product(count_of(args[1]), deep(args[0])));
}

std::uint64_t sort_effort(std::span<const Value> args) {
  constexpr std::uint64_t comparisons = 20;  // per element, for a million elements
  return product(comparisons, go_through_all(args));
}

// Concatenating lists does not read them.
std::uint64_t add_effort(std::span<const Value> args) {
  return is_text(args[0]) ? go_through(args) : 1;
}

std::uint64_t join_effort(std::span<const Value> args) {
  const std::uint64_t separators =
      args.size() > 1 ? product(count_of(args[0]), shallow(args[1])) : std::uint64_t{0};
  return capped(separators + deep(args[0]));
}

// The number of occurrences is not known beforehand.
std::uint64_t replace_effort(std::span<const Value> args) {
  std::uint64_t out = search_effort(args);
  if (args.size() > 2 && is_text(args[0]) && is_text(args[1]) && is_text(args[2])) {
    const std::uint64_t most =
        args[0].text().size() / std::max<std::size_t>(args[1].text().size(), 1);
    out = capped(out + product(most + 1, copy(args[2].text())));
  }
  return out;
}

struct EffortRow {
  std::string_view function;
  CallEffort effort;
};

// Sorted. Other functions read their arguments once; those with a pattern count their own effort.
constexpr EffortRow kEffortRows[] = {
    {"!_", at_once},
    {"@in", go_through_all},
    {"@not_strictly_false", at_once},
    {"@sortByAssociatedKeys", sort_effort},
    {"_!=_", go_through_all},
    {"_+_", add_effort},
    {"_==_", go_through_all},
    {"cel.@mapInsert", at_once},
    {"contains", search_effort},
    {"distinct", compare_with_each},
    {"dyn", at_once},
    {"first", at_once},
    {"flatten", go_through_all},
    {"format", go_through_all},
    {"hasValue", at_once},
    {"includes", go_through_all},
    {"indexOf", search_effort},
    {"isSorted", go_through_all},
    {"join", join_effort},
    {"last", at_once},
    {"lastIndexOf", search_effort},
    {"max", go_through_all},
    {"min", go_through_all},
    {"optional.none", at_once},
    {"optional.of", at_once},
    {"replace", replace_effort},
    {"sets.contains", compare_sets_effort},
    {"sets.equivalent", compare_sets_effort},
    {"sets.intersects", compare_sets_effort},
    {"sort", sort_effort},
    {"split", search_effort},
    {"sum", go_through_all},
    {"type", at_once},
    {"value", at_once},
};

}  // namespace

CallEffort effort_of(std::string_view function) {
  const auto found = std::ranges::lower_bound(kEffortRows, function, {}, &EffortRow::function);
  const bool known = found != std::end(kEffortRows) && found->function == function;
  return known ? found->effort : go_through;
}

}  // namespace dra::cel
