// src/cel/check/estimate_calls.cpp: three tables of functions that estimate a call from the sizes
// of its arguments. Upstream: functionCost of cel-go checker/cost.go; EstimateCallCost of
// k8s.io/apiserver/pkg/cel/library/cost.go; the estimators of cel-go ext/lists.go and ext/sets.go.

#include "src/cel/check/estimate_calls.h"

#include <algorithm>
#include <cmath>

#include "dra/cel/library/cost.h"

namespace dra::cel {
namespace {

std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  return a > kUnbounded - b ? kUnbounded : a + b;
}

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kUnbounded / b ? kUnbounded : a * b;
}

std::uint64_t scaled(std::uint64_t x, double factor) {
  const double limit = std::ldexp(1.0, 64);
  const double up = std::ceil(static_cast<double>(x) * factor);
  return up >= limit ? kUnbounded : static_cast<std::uint64_t>(up);
}

constexpr Estimate fixed(std::uint64_t value) { return {value, value}; }

// Reading a text `times` times.
Estimate traversal(const Operand& text, double times = 1) {
  return scaled(text.size(), times * kTraversal);
}

// Matching a text against a pattern. The added 1 gives the empty text a cost, too.
Estimate search(const Operand& text, const Operand& pattern) {
  const Estimate text_cost = scaled(sum(text.size(), fixed(1)), kTraversal);
  return product(text_cost, scaled(pattern.size(), kPatternTraversal));
}

// --- shapes that several functions have

CallEstimate one(const EstimatedCall&) { return {fixed(1)}; }

CallEstimate read_text(const EstimatedCall& call) { return {traversal(call.args[0])}; }
CallEstimate read_text_twice(const EstimatedCall& call) { return {traversal(call.args[0], 2)}; }

// The result is as long as the text.
CallEstimate change_text(const EstimatedCall& call) {
  const Operand& text = call.target != nullptr ? *call.target : call.args[0];
  return {traversal(text), text.size()};
}

CallEstimate search_target(const EstimatedCall& call) {
  return {search(*call.target, call.args[0]), Estimate{0, call.target->size().max}};
}

// --- Kubernetes' functions

// An authorization check; a budget has room for two.
CallEstimate check(const EstimatedCall&) { return {fixed(kAuthorizationCost)}; }

CallEstimate selector(const EstimatedCall& call) {
  const Estimate length = call.args[0].size();
  const Estimate requirements = scaled(scaled(length, kRequirementsPerLetter), kRequirementCost);
  return {sum(sum(fixed(kListCost), scaled(length, kTraversal)), requirements)};
}

// The elements of a list as an operand; no value for other types.
std::optional<Operand> elements_of(const Operand& list, std::span<const SizeRow> sizes) {
  if (list.type->params.empty()) return std::nullopt;
  std::vector<std::string_view> path(list.path.begin(), list.path.end());
  path.emplace_back("@items");
  return Operand{.type = list.type->params[0],
                 .known = list.path.empty() ? std::nullopt : size_at(path, sizes)};
}

// Compares every element once.
CallEstimate compare_all(const EstimatedCall& call) {
  const Estimate size = call.target->size();
  if (const std::optional<Operand> elements = elements_of(*call.target, call.sizes)) {
    const bool texts =
        elements->type->kind == TypeKind::String || elements->type->kind == TypeKind::Bytes;
    return {product(size, texts ? sum(fixed(1), traversal(*elements)) : fixed(1))};
  }
  if (call.function == "includes") return {size};
  return {traversal(*call.target)};
}

// The number of parts of a whole, rounded up.
std::uint64_t pieces(std::uint64_t whole, std::uint64_t part) {
  return go_uint64(std::ceil(static_cast<double>(whole) / static_cast<double>(part)));
}

// The least and the greatest size of the result of replacing.
Estimate replaced_size(const Estimate& text, const Estimate& from, const Estimate& to) {
  Estimate count;
  Estimate kept;
  if (from.min == 0) {  // the empty text occurs around every character
    count.max = sum(text.max, 1);
    kept.max = text.max;
  } else if (to.max <= from.min) {
    kept.max = text.max;
  } else {
    count.max = pieces(text.max, from.min);
  }
  if (from.max == 0) {
    count.min = sum(text.min, 1);
    kept.min = text.min;
  } else if (from.max <= to.min) {
    kept.min = text.min;
  } else {
    count.min = pieces(text.min, from.max);
  }
  return sum(product(count, to), kept);
}

CallEstimate replace(const EstimatedCall& call) {
  return {traversal(*call.target, 2),
          replaced_size(call.target->size(), call.args[0].size(), call.args[1].size())};
}

CallEstimate split(const EstimatedCall& call) {
  std::uint64_t parts = call.target->size().max;
  if (call.args.size() > 1 && call.args[1].node->kind == NodeKind::Literal) {
    const auto* limit = std::get_if<std::int64_t>(&call.args[1].node->literal);
    if (limit != nullptr) parts = static_cast<std::uint64_t>(*limit);
  }
  return {traversal(*call.target, 2), Estimate{0, parts}};
}

CallEstimate join(const EstimatedCall& call) {
  const Estimate count = call.target->size();
  Estimate size;
  if (const auto elements = elements_of(*call.target, call.sizes)) {
    size = product(count, elements->size());
  }
  if (!call.args.empty()) {
    const Estimate gaps{count.min > 0 ? count.min - 1 : 0, count.max > 0 ? count.max - 1 : 0};
    size = sum(size, product(call.args[0].size(), gaps));
  }
  return {scaled(size, kTraversal), size};
}

CallEstimate ip(const EstimatedCall& call) {
  return call.overload == "cidr_ip" ? one(call) : read_text(call);
}

// Addresses have 4 or 16 bytes.
constexpr Estimate kAddress{4, 16};

CallEstimate contains_ip(const EstimatedCall& call) {
  const Estimate compared = scaled(sum(kAddress, kAddress), kTraversal);
  const bool parsed = call.overload == "cidr_contains_ip_string";
  return {parsed ? sum(compared, traversal(call.args[0])) : compared};
}

CallEstimate contains_cidr(const EstimatedCall& call) {
  Estimate cost = scaled(sum(kAddress, kAddress), kTraversal);
  cost = sum(sum(cost, scaled(kAddress, kTraversal)),
             fixed(1));  // masks the address and compares the bits
  const bool parsed = call.overload == "cidr_contains_cidr_string";
  return {parsed ? sum(cost, traversal(call.args[0])) : cost};
}

CallEstimate validate_format(const EstimatedCall& call) {
  return {scaled(traversal(call.args[0]), kLongestFormatPattern * kPatternTraversal)};
}

// --- lists and sets

// The value of a number literal; negative ones count as 0.
std::uint64_t number_or(const Operand& operand, std::uint64_t otherwise) {
  if (operand.node->kind != NodeKind::Literal) return otherwise;
  const auto* number = std::get_if<std::int64_t>(&operand.node->literal);
  if (number == nullptr) return otherwise;
  return *number < 0 ? 0 : static_cast<std::uint64_t>(*number);
}

CallEstimate make_list(const Estimate& size, double factor = 1) {
  return {sum(scaled(size, factor), fixed(kStepCost + kListCost)), size};
}

CallEstimate slice(const EstimatedCall& call) {
  const std::uint64_t end = number_or(call.args[1], call.target->size().max);
  return make_list(fixed(end - number_or(call.args[0], 0)));  // wraps around if end < start
}

CallEstimate range(const EstimatedCall& call) {
  return make_list(fixed(number_or(call.args[0], kUnbounded)));
}

CallEstimate reverse(const EstimatedCall& call) { return make_list(call.target->size()); }

CallEstimate flatten(const EstimatedCall& call) {
  const std::uint64_t depth = call.args.empty() ? 1 : number_or(call.args[0], kUnbounded);
  return make_list(call.target->size(), static_cast<double>(depth));
}

// Compares each element with each other, both ways.
CallEstimate compare_each_with_each(const Operand& list, double factor) {
  return make_list(product(list.size(), list.size()), factor);
}
CallEstimate distinct(const EstimatedCall& call) {
  return compare_each_with_each(*call.target, kBothWays);
}
CallEstimate sort(const EstimatedCall& call) {
  return compare_each_with_each(*call.target, kBothWays);
}
CallEstimate sort_texts(const EstimatedCall& call) {
  return compare_each_with_each(*call.target, kBothWays + kTraversal);
}
CallEstimate sort_by(const EstimatedCall& call) {
  return compare_each_with_each(call.args[0], kBothWays);
}
CallEstimate sort_by_texts(const EstimatedCall& call) {
  return compare_each_with_each(call.args[0], kBothWays + kTraversal);
}

CallEstimate compare_sets(const EstimatedCall& call) {
  const Estimate pairs = product(call.args[0].size(), call.args[1].size());
  return {sum(scaled(pairs, 1), fixed(1))};
}
CallEstimate compare_sets_both_ways(const EstimatedCall& call) {
  const Estimate pairs = product(call.args[0].size(), call.args[1].size());
  return {sum(scaled(pairs, kBothWays), fixed(1))};
}

// --- the standard library

CallEstimate format_text(const EstimatedCall& call) { return {traversal(*call.target)}; }

// Without a bound, the sizes of these results wrap around, as upstream's do.
CallEstimate encode(const EstimatedCall& call) {
  const Estimate text = call.args[0].size();
  return {scaled(text, kTraversal), Estimate{text.min, text.max * 4}};
}
CallEstimate decode(const EstimatedCall& call) {
  const Estimate octets = call.args[0].size();
  return {scaled(octets, kTraversal), Estimate{octets.min / 4, octets.max}};
}
CallEstimate quote(const EstimatedCall& call) {
  const Estimate text = call.args[0].size();
  return {scaled(text, kTraversal), Estimate{text.min + 2, text.max * 2 + 2}};
}

CallEstimate in_list(const EstimatedCall& call) { return {scaled(call.args[1].size(), 1)}; }

CallEstimate match(const EstimatedCall& call) { return {search(call.args[0], call.args[1])}; }
CallEstimate match_target(const EstimatedCall& call) {
  return {search(*call.target, call.args[0])};
}

CallEstimate contains(const EstimatedCall& call) {
  return {product(traversal(*call.target), traversal(call.args[0]))};
}

CallEstimate add_texts(const EstimatedCall& call) {
  const Estimate size = sum(call.args[0].size(), call.args[1].size());
  return {scaled(size, kTraversal), size};
}
CallEstimate add_lists(const EstimatedCall& call) {
  return {fixed(1), sum(call.args[0].size(), call.args[1].size())};
}

// Compares up to the end of the shorter one.
CallEstimate compare_two(const EstimatedCall& call) {
  const std::uint64_t most = std::min(call.args[0].size().max, call.args[1].size().max);
  return {scaled(Estimate{most > 0 ? std::uint64_t{1} : 0, most}, kTraversal)};
}

// Values of Kubernetes' types compare in one step, if both sides are known to be of one.
CallEstimate equals(const EstimatedCall& call) {
  const Type& type = *call.args[0].type;
  if (type.name != call.args[1].type->name) return compare_two(call);
  const bool opaque = type.kind == TypeKind::Opaque || type.kind == TypeKind::Struct;
  constexpr std::string_view simple[] = {"kubernetes.Quantity", "kubernetes.Semver", "net.CIDR",
                                         "net.IP"};
  if (!opaque) return compare_two(call);
  const bool of_authorizer = type.name.starts_with("kubernetes.authorization.");
  if (of_authorizer || std::ranges::find(simple, type.name) != std::end(simple)) return {fixed(1)};
  if (type.name == "kubernetes.NamedFormat")
    return {scaled(Estimate{1, kLongestFormat}, kTraversal)};
  if (type.name == "kubernetes.URL") {
    const std::uint64_t most = call.args[1].known ? call.args[1].known->max : 1;
    return {scaled(Estimate{1, most}, kTraversal)};
  }
  return compare_two(call);
}

// --- the tables, each sorted

struct Row {
  std::string_view name;
  CallEstimate (*estimate)(const EstimatedCall&);
};

// By overload: estimators of cel-go's extensions.
constexpr Row kExtensions[] = {
    {"list_bool_sort", sort},
    {"list_bool_sortByAssociatedKeys", sort_by},
    {"list_bytes_sort", sort_texts},
    {"list_bytes_sortByAssociatedKeys", sort_by_texts},
    {"list_distinct", distinct},
    {"list_double_sort", sort},
    {"list_double_sortByAssociatedKeys", sort_by},
    {"list_flatten", flatten},
    {"list_flatten_int", flatten},
    {"list_google.protobuf.Duration_sort", sort},
    {"list_google.protobuf.Duration_sortByAssociatedKeys", sort_by},
    {"list_google.protobuf.Timestamp_sort", sort},
    {"list_google.protobuf.Timestamp_sortByAssociatedKeys", sort_by},
    {"list_int_sort", sort},
    {"list_int_sortByAssociatedKeys", sort_by},
    {"list_reverse", reverse},
    {"list_sets_contains_list", compare_sets},
    {"list_sets_equivalent_list", compare_sets_both_ways},
    {"list_sets_intersects_list", compare_sets},
    {"list_slice", slice},
    {"list_string_sort", sort_texts},
    {"list_string_sortByAssociatedKeys", sort_by_texts},
    {"list_uint_sort", sort},
    {"list_uint_sortByAssociatedKeys", sort_by},
    {"lists_range", range},
};

// By function, for all its overloads: Kubernetes' functions, and those that Kubernetes estimates
// instead of cel-go.
constexpr Row kKubernetes[] = {
    {"_==_", equals},
    {"add", one},
    {"allowed", one},
    {"asApproximateFloat", one},
    {"asInteger", one},
    {"check", check},
    {"cidr", read_text},
    {"compareTo", one},
    {"containsCIDR", contains_cidr},
    {"containsIP", contains_ip},
    {"error", one},
    {"errored", one},
    {"family", one},
    {"fieldSelector", selector},
    {"find", search_target},
    {"findAll", search_target},
    {"format.named", one},
    {"getEscapedPath", one},
    {"getHost", one},
    {"getHostname", one},
    {"getPort", one},
    {"getQuery", one},
    {"getScheme", one},
    {"group", one},
    {"includes", compare_all},
    {"indexOf", compare_all},
    {"ip", ip},
    {"ip.isCanonical", read_text_twice},
    {"isCIDR", read_text},
    {"isGlobalUnicast", one},
    {"isGreaterThan", one},
    {"isIP", read_text},
    {"isInteger", one},
    {"isLessThan", one},
    {"isLinkLocalMulticast", one},
    {"isLinkLocalUnicast", one},
    {"isLoopback", one},
    {"isQuantity", read_text},
    {"isSemver", read_text},
    {"isSorted", compare_all},
    {"isUnspecified", one},
    {"join", join},
    {"labelSelector", selector},
    {"lastIndexOf", compare_all},
    {"lowerAscii", change_text},
    {"major", one},
    {"masked", one},
    {"max", compare_all},
    {"min", compare_all},
    {"minor", one},
    {"name", one},
    {"namespace", one},
    {"patch", one},
    {"path", one},
    {"prefixLength", one},
    {"quantity", read_text},
    {"reason", one},
    {"replace", replace},
    {"resource", one},
    {"semver", read_text},
    {"serviceAccount", one},
    {"sign", one},
    {"split", split},
    {"sub", one},
    {"subresource", one},
    {"substring", change_text},
    {"sum", compare_all},
    {"trim", change_text},
    {"upperAscii", change_text},
    {"url", change_text},
    {"validate", validate_format},
};

// By overload: the standard library. Calls in no table cost 1.
constexpr Row kStandard[] = {
    {"add_bytes", add_texts},
    {"add_list", add_lists},
    {"add_string", add_texts},
    {"bytes_to_string", decode},
    {"contains_string", contains},
    {"ends_with_string", read_text},
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
    {"matches_string", match_target},
    {"not_equals", compare_two},
    {"starts_with_string", read_text},
    {"string_format", format_text},
    {"string_to_bytes", encode},
    {"strings_quote", quote},
};

const Row* find(std::span<const Row> table, std::string_view name) {
  const auto found = std::ranges::lower_bound(table, name, {}, &Row::name);
  return found != table.end() && found->name == name ? &*found : nullptr;
}

// "a.b.*" matches everything one step below a.b.
bool fits(std::string_view pattern, Path path) {
  for (const std::string_view& step : path) {
    const std::size_t dot = pattern.find('.');
    const std::string_view wanted = pattern.substr(0, dot);
    if (wanted != step && wanted != "*") return false;
    const bool last = &step == &path.back();
    if (last || dot == std::string_view::npos) return last && dot == std::string_view::npos;
    pattern.remove_prefix(dot + 1);
  }
  return false;
}

}  // namespace

Estimate sum(const Estimate& a, const Estimate& b) {
  return {sum(a.min, b.min), sum(a.max, b.max)};
}

Estimate product(const Estimate& a, const Estimate& b) {
  return {product(a.min, b.min), product(a.max, b.max)};
}

Estimate scaled(const Estimate& a, double factor) {
  return {scaled(a.min, factor), scaled(a.max, factor)};
}

Estimate either(const Estimate& a, const Estimate& b) {
  return {std::min(a.min, b.min), std::max(a.max, b.max)};
}

std::optional<Estimate> size_at(Path path, std::span<const SizeRow> sizes) {
  for (const SizeRow& row : sizes) {
    if (fits(row.path, path)) return Estimate{0, row.max};
  }
  return std::nullopt;
}

CallEstimate estimate_call(const EstimatedCall& call) {
  const Row* row = find(kExtensions, call.overload);
  if (row == nullptr) row = find(kKubernetes, call.function);
  if (row == nullptr) row = find(kStandard, call.overload);
  return row != nullptr ? row->estimate(call) : one(call);
}

}  // namespace dra::cel
