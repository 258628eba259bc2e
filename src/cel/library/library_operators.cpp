// src/cel/library/library_operators.cpp: arithmetic, comparison, membership, and code that
// operators share. Upstream: cel-go common/stdlib, common/types (int.go, uint.go, ...).

#include <array>
#include <cmath>
#include <limits>

#include "dra/cel/library/library.h"
#include "dra/cel/values/time_values.h"

namespace dra::cel {
namespace {

constexpr Kinds kNumbers = kinds_of(ValueKind::Int, ValueKind::Uint, ValueKind::Double);
constexpr Kinds kOrdered = kNumbers | kinds_of(ValueKind::Bool, ValueKind::String, ValueKind::Bytes,
                                               ValueKind::Duration, ValueKind::Timestamp);

Value overflow(const Value& of) {
  return Value::error(of.is(ValueKind::Uint) ? "unsigned integer overflow" : "integer overflow");
}

// Applies a checked operation to integers and a plain one to doubles.
template <class OnIntegers, class OnDoubles>
Value arithmetic(const Invocation& call, OnIntegers on_integers, OnDoubles on_doubles) {
  const Value& a = call.args[0];
  const Value& b = call.args[1];
  if (a.kind() != b.kind()) return no_such_overload();
  if (a.is(ValueKind::Int)) {
    std::int64_t out = 0;
    return on_integers(a.as_int(), b.as_int(), &out) ? overflow(a) : Value::integer(out);
  }
  if (a.is(ValueKind::Uint)) {
    std::uint64_t out = 0;
    return on_integers(a.as_uint(), b.as_uint(), &out) ? overflow(a) : Value::uint(out);
  }
  if (a.is(ValueKind::Double)) return Value::real(on_doubles(a.as_double(), b.as_double()));
  return no_such_overload();
}

Value concatenated(const Invocation& call) {
  std::string text(call.args[0].text());
  text += call.args[1].text();
  return call.args[0].is(ValueKind::Bytes) ? call.scratch.bytes(text) : call.scratch.string(text);
}

Value add_values(const Invocation& call) {
  const Value& a = call.args[0];
  const Value& b = call.args[1];
  switch (a.kind()) {
    case ValueKind::String:
    case ValueKind::Bytes:
      return a.kind() == b.kind() ? concatenated(call) : no_such_overload();
    case ValueKind::List:
      return b.is(ValueKind::List) ? concatenate(call.scratch, a, b) : no_such_overload();
    case ValueKind::Duration:
    case ValueKind::Timestamp:
      return add_times(a, b, call.scratch);
    default:
      return arithmetic(
          call, [](auto x, auto y, auto* out) { return __builtin_add_overflow(x, y, out); },
          [](double x, double y) { return x + y; });
  }
}

Value subtract(const Invocation& call) {
  const Value& a = call.args[0];
  if (a.is(ValueKind::Duration) || a.is(ValueKind::Timestamp)) {
    return subtract_times(a, call.args[1], call.scratch);
  }
  return arithmetic(
      call, [](auto x, auto y, auto* out) { return __builtin_sub_overflow(x, y, out); },
      [](double x, double y) { return x - y; });
}

Value multiply(const Invocation& call) {
  return arithmetic(
      call, [](auto x, auto y, auto* out) { return __builtin_mul_overflow(x, y, out); },
      [](double x, double y) { return x * y; });
}

bool is_zero_divisor(const Value& value) {
  return value.is(ValueKind::Int) ? value.as_int() == 0
                                  : value.is(ValueKind::Uint) && value.as_uint() == 0;
}

// True for the only division of integers that overflows.
template <class T>
bool divides_least_by_minus_one(T x, T y) {
  return std::is_signed_v<T> && x == std::numeric_limits<T>::min() && y == static_cast<T>(-1);
}

Value divide(const Invocation& call) {
  const bool same = call.args[0].kind() == call.args[1].kind();
  if (same && is_zero_divisor(call.args[1])) return Value::error("division by zero");
  return arithmetic(
      call,
      [](auto x, auto y, auto* out) {
        if (divides_least_by_minus_one(x, y)) return true;
        *out = x / y;
        return false;
      },
      [](double x, double y) { return x / y; });
}

Value modulo(const Invocation& call) {
  const bool same = call.args[0].kind() == call.args[1].kind();
  if (same && is_zero_divisor(call.args[1])) return Value::error("modulus by zero");
  return arithmetic(
      call,
      [](auto x, auto y, auto* out) {
        if (divides_least_by_minus_one(x, y)) return true;
        *out = x % y;
        return false;
      },
      [](double x, double y) { return std::fmod(x, y); });
}

Value negate(const Invocation& call) {
  const Value& a = call.args[0];
  if (a.is(ValueKind::Double)) return Value::real(-a.as_double());
  if (a.is(ValueKind::Duration)) return subtract_times(Value::duration(0), a, call.scratch);
  if (!a.is(ValueKind::Int)) return no_such_overload();
  std::int64_t out = 0;
  if (__builtin_sub_overflow(std::int64_t{0}, a.as_int(), &out)) return overflow(a);
  return Value::integer(out);
}

Value negate_bool(const Invocation& call) {
  if (!call.args[0].is(ValueKind::Bool)) return no_such_overload();
  return Value::boolean(!call.args[0].as_bool());
}

template <class Test>
Value ordered(const Invocation& call, Test test) {
  const Value order = compare(call.args[0], call.args[1]);
  return order.is_error() ? order : Value::boolean(test(order.as_int()));
}
Value less(const Invocation& call) {
  return ordered(call, [](std::int64_t order) { return order < 0; });
}
Value less_equals(const Invocation& call) {
  return ordered(call, [](std::int64_t order) { return order <= 0; });
}
Value greater(const Invocation& call) {
  return ordered(call, [](std::int64_t order) { return order > 0; });
}
Value greater_equals(const Invocation& call) {
  return ordered(call, [](std::int64_t order) { return order >= 0; });
}

Value equal_values(const Invocation& call) { return equal(call.args[0], call.args[1]); }
// "Not equal", so values that cannot be compared are not equal, not errors.
Value not_equals(const Invocation& call) {
  return Value::boolean(!equal(call.args[0], call.args[1]).is_true());
}

Value in(const Invocation& call) {
  const Value& wanted = call.args[0];
  const Value& in = call.args[1];
  if (in.is(ValueKind::Map)) return Value::boolean(in.as_map().find(wanted).has_value());
  if (!in.is(ValueKind::List)) return no_such_overload();
  const ListValue& list = in.as_list();
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (equal(wanted, list.at(i)).is_true()) return Value::boolean(true);
  }
  return Value::boolean(false);
}

constexpr FunctionCode kOperators[] = {
    {"!_", negate_bool},
    {"-_", negate,
     kinds_of(ValueKind::Bool, ValueKind::Int, ValueKind::Double, ValueKind::Duration)},
    {"@in", in},
    {"_!=_", not_equals},
    {"_%_", modulo, kinds_of(ValueKind::Int, ValueKind::Uint)},
    {"_*_", multiply, kNumbers},
    {"_+_", add_values,
     kNumbers | kinds_of(ValueKind::String, ValueKind::Bytes, ValueKind::List, ValueKind::Duration,
                         ValueKind::Timestamp)},
    {"_-_", subtract, kNumbers | kinds_of(ValueKind::Duration, ValueKind::Timestamp)},
    {"_/_", divide, kNumbers},
    {"_<=_", less_equals, kOrdered},
    {"_<_", less, kOrdered},
    {"_==_", equal_values},
    {"_>=_", greater_equals, kOrdered},
    {"_>_", greater, kOrdered},
};

}  // namespace

std::span<const FunctionCode> operator_codes() { return kOperators; }

}  // namespace dra::cel
