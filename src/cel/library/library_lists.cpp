// src/cel/library/library_lists.cpp: functions of lists and sets. Upstream: cel-go ext/lists.go
// (version 3) and ext/sets.go, k8s.io/apiserver/pkg/cel/library/lists.go.

#include <algorithm>
#include <numeric>

#include "dra/base/text.h"
#include "dra/cel/library/library.h"

namespace dra::cel {
namespace {

constexpr std::int64_t kLongestRange = 1'000'000;

constexpr Kinds kComparable =
    kinds_of(ValueKind::Bool, ValueKind::Int, ValueKind::Uint, ValueKind::Double, ValueKind::String,
             ValueKind::Bytes, ValueKind::Duration, ValueKind::Timestamp);
constexpr Kinds kAddable =
    kinds_of(ValueKind::Int, ValueKind::Uint, ValueKind::Double, ValueKind::String,
             ValueKind::Bytes, ValueKind::List, ValueKind::Duration, ValueKind::Timestamp);

bool is_of(const Value& value, Kinds kinds) { return (kinds_of(value.kind()) & kinds) != 0; }

// compare(), with values that cannot be compared neither less nor greater.
int order_of_items(const Value& a, const Value& b) {
  const Value result = compare(a, b);
  return result.is_error() ? 0 : static_cast<int>(result.as_int());
}

std::vector<Value> elements_of(const ListValue& list) {
  std::vector<Value> out;
  out.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i)
    out.push_back(list.at(i));
  return out;
}

// --- looking at all elements

Value is_sorted(const Invocation& call) {
  const ListValue& list = call.args[0].as_list();
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!is_of(list.at(i), kComparable)) return no_such_overload();
    if (i > 0 && order_of_items(list.at(i - 1), list.at(i)) > 0) return Value::boolean(false);
  }
  return Value::boolean(true);
}

// The least or greatest element by `sign`; the first one of equal ones.
Value extreme(const Invocation& call, int sign, std::string_view empty) {
  const ListValue& list = call.args[0].as_list();
  if (list.size() == 0) return Value::error(empty);
  Value best;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value element = list.at(i);
    if (!is_of(element, kComparable)) return no_such_overload();
    if (i == 0 || order_of_items(best, element) == sign) best = element;
  }
  return best;
}
Value min(const Invocation& call) { return extreme(call, 1, "min called on empty list"); }
Value max(const Invocation& call) { return extreme(call, -1, "max called on empty list"); }

Value sum_from(const Invocation& call, Value sum) {
  const Code add = code_of_function("_+_")->run;
  const ListValue& list = call.args[0].as_list();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value terms[] = {sum, list.at(i)};
    if (!is_of(terms[1], kAddable)) return no_such_overload();
    sum = add({terms, call.scratch, call.effort});
    if (sum.is_error()) return sum;
  }
  return sum;
}
Value sum_ints(const Invocation& call) { return sum_from(call, Value::integer(0)); }
Value sum_uints(const Invocation& call) { return sum_from(call, Value::uint(0)); }
Value sum_doubles(const Invocation& call) { return sum_from(call, Value::real(0)); }
Value sum_durations(const Invocation& call) { return sum_from(call, Value::duration(0)); }

Value index_of_item(const Invocation& call) {
  const ListValue& list = call.args[0].as_list();
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (equal(list.at(i), call.args[1]).is_true()) {
      return Value::integer(static_cast<std::int64_t>(i));
    }
  }
  return Value::integer(-1);
}
Value last_index_of_item(const Invocation& call) {
  const ListValue& list = call.args[0].as_list();
  for (std::size_t i = list.size(); i > 0; --i) {
    if (equal(list.at(i - 1), call.args[1]).is_true()) {
      return Value::integer(static_cast<std::int64_t>(i - 1));
    }
  }
  return Value::integer(-1);
}

// Also for an attribute with one value, which stands for a list of it.
Value includes(const Invocation& call) {
  if (!call.args[0].is(ValueKind::List)) {
    return Value::boolean(equal(call.args[0], call.args[1]).is_true());
  }
  return Value::boolean(index_of_item(call).as_int() >= 0);
}

// --- other lists

Value slice(const Invocation& call) {
  const ListValue& list = call.args[0].as_list();
  const std::int64_t start = call.args[1].as_int();
  const std::int64_t end = call.args[2].as_int();
  const auto size = static_cast<std::int64_t>(list.size());
  const auto fail = [&](std::string_view why) {
    return call.scratch.failure(base::format("cannot slice({}, {}), {}", start, end, why));
  };
  if (start < 0 || end < 0) return fail("negative indexes not supported");
  if (start > end) return fail("start index must be less than or equal to end index");
  if (size < end) return fail(base::format("list is length {}", size));
  std::vector<Value> out;
  for (std::int64_t i = start; i < end; ++i)
    out.push_back(list.at(static_cast<std::size_t>(i)));
  return call.scratch.list(out);
}

void flatten_into(std::vector<Value>& out, const ListValue& list, std::int64_t depth) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value element = list.at(i);
    if (depth > 0 && element.is(ValueKind::List)) {
      flatten_into(out, element.as_list(), depth - 1);
    } else {
      out.push_back(element);
    }
  }
}

// "map(dyn, dyn)": the printed type of a value, with its parameters.
std::string with_parameters(const Value& value) {
  const std::string name(type_name(value));
  if (value.is(ValueKind::Map)) return name + "(dyn, dyn)";
  const bool one = value.is(ValueKind::List) || value.is(ValueKind::Optional);
  return one ? name + "(dyn)" : name;
}

// Upstream has no guard here, so arguments may be of any kind.
Value flatten_list(const Invocation& call) {
  const bool has_depth = call.args.size() == 2;
  const bool fits =
      call.args[0].is(ValueKind::List) && (!has_depth || call.args[1].is(ValueKind::Int));
  if (!fits) {
    return call.scratch.failure(base::format("no such overload: {}.flatten({})",
                                             with_parameters(call.args[0]),
                                             has_depth ? with_parameters(call.args[1]) : ""));
  }
  const std::int64_t depth = has_depth ? call.args[1].as_int() : 1;
  if (depth < 0) return Value::error("level must be non-negative");
  std::vector<Value> out;
  flatten_into(out, call.args[0].as_list(), depth);
  return call.scratch.list(out);
}

Value distinct(const Invocation& call) {
  std::vector<Value> out;
  for (const Value& element : elements_of(call.args[0].as_list())) {
    const bool seen = std::ranges::any_of(
        out, [&element](const Value& other) { return equal(element, other).is_true(); });
    if (!seen) out.push_back(element);
  }
  return call.scratch.list(out);
}

Value reverse(const Invocation& call) {
  std::vector<Value> out = elements_of(call.args[0].as_list());
  std::ranges::reverse(out);
  return call.scratch.list(out);
}

// The numbers from 0 on, without storing them.
class Range final : public ListValue {
 public:
  explicit Range(std::size_t size) : size_(size) {}
  std::size_t size() const override { return size_; }
  Value at(std::size_t index) const override {
    return Value::integer(static_cast<std::int64_t>(index));
  }

 private:
  std::size_t size_;
};

Value range(const Invocation& call) {
  const std::int64_t size = call.args[0].as_int();
  if (size < 0) {
    return call.scratch.failure(
        base::format("lists.range: size must be non-negative, got {}", size));
  }
  if (size > kLongestRange) {
    return call.scratch.failure(
        base::format("lists.range: size {} exceeds maximum allowed ({})", size, kLongestRange));
  }
  return Value::list(call.scratch.make<Range>(static_cast<std::size_t>(size)));
}

// --- sorting

// Go's sort of up to twelve elements is an insertion sort, which is visible for NaN keys.
constexpr std::size_t kFew = 12;

std::vector<std::size_t> sorted_places(const std::vector<Value>& keys) {
  const auto less = [&keys](std::size_t a, std::size_t b) {
    return order_of_items(keys[a], keys[b]) < 0;
  };
  std::vector<std::size_t> places(keys.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  if (keys.size() > kFew) {
    std::ranges::stable_sort(places, less);
    return places;
  }
  for (std::size_t i = 1; i < places.size(); ++i) {
    for (std::size_t j = i; j > 0 && less(places[j], places[j - 1]); --j)
      std::swap(places[j], places[j - 1]);
  }
  return places;
}

Value sorted_by(Scratch& scratch, const Value& list, const Value& by) {
  const std::vector<Value> elements = elements_of(list.as_list());
  const std::vector<Value> keys = elements_of(by.as_list());
  if (elements.size() != keys.size()) {
    return scratch.failure(base::format(
        "@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but "
        "got {} and {} elements respectively",
        elements.size(), keys.size()));
  }
  if (elements.empty()) return list;
  const ValueKind kind = keys.front().kind();
  if (!is_of(keys.front(), kComparable)) return Value::error("list elements must be comparable");
  if (!std::ranges::all_of(keys, [kind](const Value& key) { return key.is(kind); })) {
    return Value::error("list elements must have the same type");
  }
  std::vector<Value> out;
  for (const std::size_t place : sorted_places(keys))
    out.push_back(elements[place]);
  return scratch.list(out);
}
Value sort_list(const Invocation& call) {
  return sorted_by(call.scratch, call.args[0], call.args[0]);
}
Value sort_by(const Invocation& call) {
  if (!call.args[1].is(ValueKind::List)) return no_such_overload();
  return sorted_by(call.scratch, call.args[0], call.args[1]);
}

// --- sets

bool has(const ListValue& list, const Value& wanted) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (equal(wanted, list.at(i)).is_true()) return true;
  }
  return false;
}

bool has_all(const ListValue& list, const ListValue& wanted) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!has(list, wanted.at(i))) return false;
  }
  return true;
}

Value set_contains(const Invocation& call) {
  return Value::boolean(has_all(call.args[0].as_list(), call.args[1].as_list()));
}
Value set_equivalent(const Invocation& call) {
  const ListValue& a = call.args[0].as_list();
  const ListValue& b = call.args[1].as_list();
  return Value::boolean(has_all(a, b) && has_all(b, a));
}
Value set_intersects(const Invocation& call) {
  const ListValue& a = call.args[0].as_list();
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (has(call.args[1].as_list(), a.at(i))) return Value::boolean(true);
  }
  return Value::boolean(false);
}

constexpr OverloadCode kListOverloads[] = {
    {"list_a_index_of_int", index_of_item},
    {"list_a_last_index_of_int", last_index_of_item},
    {"list_bool_is_sorted_bool", is_sorted},
    {"list_bool_max_bool", max},
    {"list_bool_min_bool", min},
    {"list_bytes_is_sorted_bool", is_sorted},
    {"list_bytes_max_bytes", max},
    {"list_bytes_min_bytes", min},
    {"list_distinct", distinct},
    {"list_double_is_sorted_bool", is_sorted},
    {"list_double_max_double", max},
    {"list_double_min_double", min},
    {"list_double_sum_double", sum_doubles},
    {"list_duration_is_sorted_bool", is_sorted},
    {"list_duration_max_duration", max},
    {"list_duration_min_duration", min},
    {"list_duration_sum_duration", sum_durations},
    {"list_includes_dyn_dyn", includes},
    {"list_int_is_sorted_bool", is_sorted},
    {"list_int_max_int", max},
    {"list_int_min_int", min},
    {"list_int_sum_int", sum_ints},
    {"list_reverse", reverse},
    {"list_sets_contains_list", set_contains},
    {"list_sets_equivalent_list", set_equivalent},
    {"list_sets_intersects_list", set_intersects},
    {"list_slice", slice},
    {"list_string_is_sorted_bool", is_sorted},
    {"list_string_max_string", max},
    {"list_string_min_string", min},
    {"list_timestamp_is_sorted_bool", is_sorted},
    {"list_timestamp_max_timestamp", max},
    {"list_timestamp_min_timestamp", min},
    {"list_uint_is_sorted_bool", is_sorted},
    {"list_uint_max_uint", max},
    {"list_uint_min_uint", min},
    {"list_uint_sum_uint", sum_uints},
    {"lists_range", range},
};

constexpr FunctionCode kListFunctions[] = {
    {"@sortByAssociatedKeys", sort_by, kinds_of(ValueKind::List)},
    {"flatten", flatten_list},
    {"sort", sort_list, kinds_of(ValueKind::List)},
};

}  // namespace

std::span<const OverloadCode> list_codes() { return kListOverloads; }
std::span<const FunctionCode> list_functions() { return kListFunctions; }

}  // namespace dra::cel
