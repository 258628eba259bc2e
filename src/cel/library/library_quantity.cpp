// src/cel/library/library_quantity.cpp: functions of quantities. Upstream:
// k8s.io/apiserver/pkg/cel/library/quantity.go, k8s.io/apimachinery/pkg/api/resource.

#include "dra/cel/library/kubernetes.h"
#include "dra/cel/library/library.h"
#include "dra/cel/values/opaque.h"
#include "dra/cel/values/quantity_value.h"

namespace dra::cel {
namespace {

using base::Quantity;

std::string_view words(Quantity::Flaw flaw) {
  switch (flaw) {
    case Quantity::Flaw::Suffix:
      return "unable to parse quantity's suffix";
    case Quantity::Flaw::Number:
      return "unable to parse numeric part of quantity";
    case Quantity::Flaw::Length:
      return "a quantity of more than 4096 bytes is not supported";
    case Quantity::Flaw::Exponent:
      return "a quantity with an exponent beyond 4096 is not supported";
    default:
      return "quantities must match the regular expression "
             "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  }
}

const Quantity& quantity(const Invocation& call, std::size_t at = 0) {
  return opaque<QuantityValue>(call.args[at]).quantity();
}

Value quantity_from_string(const Invocation& call) {
  return parse_quantity(call.args[0].text(), call.scratch);
}

Value is_quantity(const Invocation& call) {
  Quantity read;
  return Value::boolean(Quantity::read(call.args[0].text(), read) == Quantity::Flaw::None);
}

Value sign(const Invocation& call) { return Value::integer(quantity(call).sign()); }

std::weak_ordering order_of_quantities(const Invocation& call) {
  return quantity(call) <=> quantity(call, 1);
}

Value compare_quantities(const Invocation& call) {
  const std::weak_ordering found = order_of_quantities(call);
  return Value::integer(std::is_lt(found) ? -1 : std::is_gt(found) ? 1 : 0);
}
Value is_greater_quantity(const Invocation& call) {
  return Value::boolean(std::is_gt(order_of_quantities(call)));
}
Value is_less_quantity(const Invocation& call) {
  return Value::boolean(std::is_lt(order_of_quantities(call)));
}

Value approximate(const Invocation& call) { return Value::real(quantity(call).approximate()); }

Value is_integer(const Invocation& call) {
  return Value::boolean(quantity(call).as_int64().has_value());
}

Value as_integer(const Invocation& call) {
  const std::optional<std::int64_t> integer = quantity(call).as_int64();
  return integer ? Value::integer(*integer) : Value::error("cannot convert value to integer");
}

using Combine = void (Quantity::*)(const Quantity&);

Value combined(const Invocation& call, Combine combine, const Quantity& other) {
  Quantity result = quantity(call);
  (result.*combine)(other);
  return Value::opaque(
      call.scratch.make<QuantityValue>(std::move(result), QuantityValue::Origin::Computed));
}

Quantity integer(const Value& value) {
  return Quantity(value.as_int(), Quantity::Format::DecimalExponent);
}

Value add_quantities(const Invocation& call) {
  return combined(call, &Quantity::add, quantity(call, 1));
}
Value sub(const Invocation& call) { return combined(call, &Quantity::sub, quantity(call, 1)); }
Value add_int(const Invocation& call) {
  return combined(call, &Quantity::add, integer(call.args[1]));
}
Value sub_int(const Invocation& call) {
  return combined(call, &Quantity::sub, integer(call.args[1]));
}

constexpr OverloadCode kQuantityOverloads[] = {
    {"is_quantity_string", is_quantity},
    {"quantity_add", add_quantities},
    {"quantity_add_int", add_int},
    {"quantity_compare_to", compare_quantities},
    {"quantity_get_float", approximate},
    {"quantity_get_int", as_integer},
    {"quantity_is_greater_than", is_greater_quantity},
    {"quantity_is_integer", is_integer},
    {"quantity_is_less_than", is_less_quantity},
    {"quantity_sign", sign},
    {"quantity_sub", sub},
    {"quantity_sub_int", sub_int},
    {"string_to_quantity", quantity_from_string},
};

}  // namespace

std::string_view QuantityValue::go_type() const {
  return origin_ == Origin::Computed ? "*cel.Quantity" : "cel.Quantity";
}

std::optional<bool> QuantityValue::equals(const Value& other) const {
  const auto* right = opaque_if<QuantityValue>(other);
  if (right == nullptr || right->origin_ == Origin::Computed) return std::nullopt;
  return quantity_ == right->quantity_;
}

Value make_quantity(const Quantity& quantity, Scratch& scratch) {
  return Value::opaque(scratch.make<QuantityValue>(quantity));
}

Value parse_quantity(std::string_view text, Scratch& scratch) {
  Quantity read;
  const Quantity::Flaw flaw = Quantity::read(text, read);
  if (flaw != Quantity::Flaw::None) return Value::error(words(flaw));
  return Value::opaque(scratch.make<QuantityValue>(std::move(read)));
}

std::span<const OverloadCode> quantity_codes() { return kQuantityOverloads; }

}  // namespace dra::cel
