// src/cel/library/cost.cpp: three tables of functions that count an evaluated call, parallel to
// those of estimate_calls.cpp.

#include "dra/cel/library/cost.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dra/base/text.h"
#include "dra/cel/syntax/utf8.h"
#include "dra/cel/values/go_text.h"
#include "dra/cel/values/message_values.h"

namespace dra::cel {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

// The size as size() counts it; 1 for values without a size.
std::uint64_t size_of(const Value& value) {
  if (value.is(ValueKind::String)) return count_runes(value.text());
  switch (value.kind()) {
    case ValueKind::Bytes:
      return value.text().size();
    case ValueKind::List:
      return value.as_list().size();
    case ValueKind::Map:
      return value.as_map().size();
    case ValueKind::Opaque:
      return value.as_opaque().size();
    default:
      return 1;
  }
}

// The standard library counts the content of an optional.
std::uint64_t inner_size(const Value& value) {
  const bool holds = value.is(ValueKind::Optional) && value.content() != nullptr;
  return holds ? inner_size(*value.content()) : size_of(value);
}

std::uint64_t rounded_up(double cost) {
  const auto whole = static_cast<std::uint64_t>(cost);
  return whole + (static_cast<double>(whole) < cost ? 1 : 0);
}

std::uint64_t traversal(std::uint64_t size, double times = 1) {
  return rounded_up(static_cast<double>(size) * times * kTraversal);
}

std::uint64_t search_cost(std::uint64_t text, double pattern) {
  return traversal(text + 1) * rounded_up(pattern * kPatternTraversal);
}

// Reads all content of lists and maps once. Texts count in bytes here, rounded down.
std::uint64_t deep_traversal(const Value& value) {
  std::uint64_t cost = 0;
  switch (value.kind()) {
    case ValueKind::String:
    case ValueKind::Bytes:
      return static_cast<std::uint64_t>(static_cast<double>(value.text().size()) * kTraversal);
    case ValueKind::List:
      for (std::size_t i = 0; i < value.as_list().size(); ++i)
        cost += deep_traversal(value.as_list().at(i));
      return cost;
    case ValueKind::Map:
      for (std::size_t i = 0; i < value.as_map().size(); ++i) {
        const auto [key, content] = value.as_map().entry(i);
        cost += deep_traversal(key) + deep_traversal(content);
      }
      return cost;
    default:
      return 1;
  }
}

// --- shapes that several functions have

std::uint64_t one(FinishedCall&) { return 1; }
std::uint64_t read_text(FinishedCall& call) { return traversal(size_of(call.args[0])); }
std::uint64_t read_text_twice(FinishedCall& call) { return traversal(size_of(call.args[0]), 2); }

// --- Kubernetes' functions

std::uint64_t check(FinishedCall&) { return kAuthorizationCost; }

std::uint64_t selector(FinishedCall& call) {
  const std::uint64_t length = size_of(call.args[1]);
  const std::uint64_t requirements =
      rounded_up(static_cast<double>(length) * kRequirementsPerLetter);
  return kListCost + traversal(length) +
         rounded_up(static_cast<double>(requirements) * kRequirementCost);
}

std::uint64_t compare_all(FinishedCall& call) { return deep_traversal(call.args[0]); }
std::uint64_t make_text(FinishedCall& call) { return traversal(size_of(call.result), 2); }
std::uint64_t find_pattern(FinishedCall& call) {
  return search_cost(size_of(call.args[0]), static_cast<double>(size_of(call.args[1])));
}

// Compares the address with the bytes of the prefix.
std::uint64_t contains_ip_cost(FinishedCall& call) { return traversal(2 * size_of(call.args[0])); }
std::uint64_t contains_ip_text(FinishedCall& call) {
  return contains_ip_cost(call) + traversal(size_of(call.args[1]));
}
std::uint64_t contains_cidr_cost(FinishedCall& call) {
  return contains_ip_cost(call) + traversal(size_of(call.args[0])) + 1;
}
std::uint64_t contains_cidr_text(FinishedCall& call) {
  return contains_cidr_cost(call) + traversal(size_of(call.args[1]));
}

std::uint64_t validate_format(FinishedCall& call) {
  const Value& format = call.args[0];
  const std::size_t pattern = format.is(ValueKind::Opaque) ? format.as_opaque().pattern_size() : 0;
  return pattern == 0 ? 1 : search_cost(size_of(call.args[1]), static_cast<double>(pattern));
}

// --- lists and sets

std::uint64_t make_list(std::uint64_t size, double factor = 1) {
  if (factor < 0) factor = 1;
  const std::uint64_t cost = go_uint64(static_cast<double>(size) * factor);
  return cost > kMost - kStepCost - kListCost ? kMost : cost + kStepCost + kListCost;
}

// Upstream casts to a list, and fails for other values.
bool must_be_list(const Value& value, FinishedCall& call) {
  if (value.is(ValueKind::List)) return true;
  const bool adds = value.is(ValueKind::String) || value.is(ValueKind::Bytes) ||
                    (value.kind() >= ValueKind::Int && value.kind() <= ValueKind::Double) ||
                    value.is(ValueKind::Duration) || value.is(ValueKind::Timestamp);
  call.problem = base::format(
      "internal error: interface conversion: {} is not traits.Lister: missing method {}",
      go_type(value), adds ? "Contains" : "Add");
  return false;
}

// Compares each element with each other, both ways.
std::uint64_t compare_each_with_each(const Value& list, FinishedCall& call) {
  if (!must_be_list(list, call)) return 0;
  const std::uint64_t size = list.as_list().size();
  const bool texts = size > 0 && (list.as_list().at(0).is(ValueKind::String) ||
                                  list.as_list().at(0).is(ValueKind::Bytes));
  return make_list(size * size, texts ? kBothWays + kTraversal : kBothWays);
}
std::uint64_t compare_elements(FinishedCall& call) {
  return compare_each_with_each(call.args[0], call);
}
std::uint64_t compare_keys(FinishedCall& call) {
  return compare_each_with_each(call.args[1], call);
}

std::uint64_t make_result(FinishedCall& call) { return make_list(size_of(call.result)); }
std::uint64_t flatten_cost(FinishedCall& call) { return make_list(size_of(call.args[0])); }
std::uint64_t flatten_deep(FinishedCall& call) {
  const Value& depth = call.args[1];
  if (depth.is(ValueKind::Int)) {
    return make_list(size_of(call.args[0]), static_cast<double>(depth.as_int()));
  }
  call.problem = base::format("internal error: interface conversion: ref.Val is {}, not types.Int",
                              go_type(depth));
  return 0;
}

std::uint64_t compare_sets_cost(FinishedCall& call) {
  return 1 + size_of(call.args[0]) * size_of(call.args[1]);
}
std::uint64_t compare_sets_both_ways(FinishedCall& call) {
  return 1 + 2 * size_of(call.args[0]) * size_of(call.args[1]);
}

// --- the standard library

std::uint64_t read_inner_text(FinishedCall& call) { return traversal(inner_size(call.args[0])); }
std::uint64_t read_other_text(FinishedCall& call) { return traversal(inner_size(call.args[1])); }
std::uint64_t in_list(FinishedCall& call) { return inner_size(call.args[1]); }

// Compares up to the end of the shorter one.
std::uint64_t compare_two(FinishedCall& call) {
  return traversal(std::min(inner_size(call.args[0]), inner_size(call.args[1])));
}
// Values of Kubernetes' types on the left compare in one step, messages by their sizes.
std::uint64_t equals_cost(FinishedCall& call) {
  const Value& left = call.args[0];
  const bool of_kubernetes = left.is(ValueKind::Opaque) && message_if(left) == nullptr;
  return of_kubernetes ? 1 : compare_two(call);
}

std::uint64_t add_texts(FinishedCall& call) {
  return traversal(inner_size(call.args[0]) + inner_size(call.args[1]));
}
std::uint64_t match(FinishedCall& call) {
  return search_cost(inner_size(call.args[0]), static_cast<double>(inner_size(call.args[1])));
}
std::uint64_t contains_cost(FinishedCall& call) {
  return traversal(inner_size(call.args[0])) * traversal(inner_size(call.args[1]));
}

// --- the tables, each sorted

struct CostRow {
  std::string_view name;
  CallCost cost;
};

// By overload: cel-go's extensions, and overloads that Kubernetes counts separately.
constexpr CostRow kExtensions[] = {
    {"cidr_contains_cidr_string", contains_cidr_text},
    {"cidr_contains_ip_string", contains_ip_text},
    {"cidr_ip", one},
    {"list_bool_sort", compare_elements},
    {"list_bool_sortByAssociatedKeys", compare_keys},
    {"list_bytes_sort", compare_elements},
    {"list_bytes_sortByAssociatedKeys", compare_keys},
    {"list_distinct", compare_elements},
    {"list_double_sort", compare_elements},
    {"list_double_sortByAssociatedKeys", compare_keys},
    {"list_flatten", flatten_cost},
    {"list_flatten_int", flatten_deep},
    {"list_google.protobuf.Duration_sort", compare_elements},
    {"list_google.protobuf.Duration_sortByAssociatedKeys", compare_keys},
    {"list_google.protobuf.Timestamp_sort", compare_elements},
    {"list_google.protobuf.Timestamp_sortByAssociatedKeys", compare_keys},
    {"list_int_sort", compare_elements},
    {"list_int_sortByAssociatedKeys", compare_keys},
    {"list_reverse", make_result},
    {"list_sets_contains_list", compare_sets_cost},
    {"list_sets_equivalent_list", compare_sets_both_ways},
    {"list_sets_intersects_list", compare_sets_cost},
    {"list_slice", make_result},
    {"list_string_sort", compare_elements},
    {"list_string_sortByAssociatedKeys", compare_keys},
    {"list_uint_sort", compare_elements},
    {"list_uint_sortByAssociatedKeys", compare_keys},
    {"lists_range", make_result},
};

// By function, for all its overloads: Kubernetes' functions, and those that Kubernetes counts
// instead of cel-go.
constexpr CostRow kKubernetes[] = {
    {"_==_", equals_cost},
    {"check", check},
    {"cidr", read_text},
    {"containsCIDR", contains_cidr_cost},
    {"containsIP", contains_ip_cost},
    {"fieldSelector", selector},
    {"find", find_pattern},
    {"findAll", find_pattern},
    {"includes", compare_all},
    {"indexOf", compare_all},
    {"ip", read_text},
    {"ip.isCanonical", read_text_twice},
    {"isCIDR", read_text},
    {"isIP", read_text},
    {"isQuantity", read_text},
    {"isSemver", read_text},
    {"isSorted", compare_all},
    {"join", make_text},
    {"labelSelector", selector},
    {"lastIndexOf", compare_all},
    {"lowerAscii", read_text},
    {"max", compare_all},
    {"min", compare_all},
    {"quantity", read_text},
    {"replace", read_text_twice},
    {"semver", read_text},
    {"split", read_text_twice},
    {"substring", read_text},
    {"sum", compare_all},
    {"trim", read_text},
    {"upperAscii", read_text},
    {"url", read_text},
    {"validate", validate_format},
};

// By overload: the standard library.
constexpr CostRow kStandard[] = {
    {"add_bytes", add_texts},
    {"add_string", add_texts},
    {"bytes_to_string", read_inner_text},
    {"contains_string", contains_cost},
    {"ends_with_string", read_other_text},
    {"greater_bytes", compare_two},
    {"greater_equals_bytes", compare_two},
    {"greater_equals_string", compare_two},
    {"greater_string", compare_two},
    {"in_list", in_list},
    {"less_bytes", compare_two},
    {"less_equals_bytes", compare_two},
    {"less_equals_string", compare_two},
    {"less_string", compare_two},
    {"matches", match},
    {"matches_string", match},
    {"not_equals", compare_two},
    {"starts_with_string", read_other_text},
    {"string_format", read_inner_text},
    {"string_to_bytes", read_inner_text},
    {"strings_quote", read_inner_text},
};

CallCost find_cost(std::span<const CostRow> table, std::string_view name) {
  const auto found = std::ranges::lower_bound(table, name, {}, &CostRow::name);
  return found != table.end() && found->name == name ? found->cost : nullptr;
}

}  // namespace

std::uint64_t go_uint64(double value) {
  const double limit = std::ldexp(1.0, 64);
  return value < limit ? static_cast<std::uint64_t>(value) : std::uint64_t{1} << 63;
}

CallCost cost_of(std::string_view function, std::string_view overload) {
  CallCost cost = find_cost(kExtensions, overload);
  if (cost == nullptr) cost = find_cost(kKubernetes, function);
  if (cost == nullptr) cost = find_cost(kStandard, overload);
  return cost != nullptr ? cost : one;
}

}  // namespace dra::cel
