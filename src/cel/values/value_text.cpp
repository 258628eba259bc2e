// src/cel/values/value_text.cpp: cuts long values, and picks units for quantities.

#include "dra/cel/values/value_text.h"

#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "dra/base/text.h"
#include "dra/cel/syntax/utf8.h"
#include "dra/cel/values/go_text.h"
#include "dra/cel/values/time_values.h"

namespace dra::cel {
namespace {

constexpr std::size_t kLongestText = 80;  // in code points
constexpr std::size_t kMostElements = 5;

std::string quoted(std::string_view text) {
  std::size_t count = 0;
  std::size_t kept = 0;  // in bytes
  for (std::size_t at = 0; at < text.size(); ++count) {
    if (count == kLongestText) kept = at;
    at += std::max<std::size_t>(decode_utf8(text.substr(at)).size, 1);
  }
  if (count <= kLongestText) return go_quoted(text);
  const std::string start = go_quoted(text.substr(0, kept));
  return base::format("{}...\" ({} characters)", start.substr(0, start.size() - 1), count);
}

std::string double_text(double value) {
  const std::string text = go_double(value);
  const bool whole = text.find_first_not_of("-0123456789") == std::string::npos;
  return whole ? text + ".0" : text;
}

std::string list_text(const ListValue& list) {
  std::vector<std::string> elements;
  for (std::size_t i = 0; i < list.size() && i < kMostElements; ++i) {
    const Value element = list.at(i);
    const bool nested = element.is(ValueKind::List) && element.as_list().size() > 0;
    elements.push_back(
        nested
            ? base::format("[{}]", base::plural(static_cast<std::int64_t>(element.as_list().size()),
                                                "element"))
            : value_text(element));
  }
  if (list.size() > kMostElements) {
    elements.push_back(base::format("... {} elements", list.size()));
  }
  return "[" + base::join(elements, ", ") + "]";
}

std::string map_text(const MapValue& map) {
  if (map.size() == 0) return "{}";
  const auto size = static_cast<std::int64_t>(map.size());
  return "{" + base::plural(size, "entry", "entries") + "}";
}

// --- quantities

struct Unit {
  std::string_view suffix;
  double size;
};

constexpr double kKibi = 1024;
constexpr std::array<Unit, 6> kBinary{{{"Ki", kKibi},
                                       {"Mi", kKibi* kKibi},
                                       {"Gi", kKibi* kKibi* kKibi},
                                       {"Ti", kKibi* kKibi* kKibi* kKibi},
                                       {"Pi", kKibi* kKibi* kKibi* kKibi* kKibi},
                                       {"Ei", kKibi* kKibi* kKibi* kKibi* kKibi* kKibi}}};
constexpr std::array<Unit, 7> kDecimal{
    {{"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"P", 1e15}, {"E", 1e18}}};

// The largest unit not above the amount.
template <std::size_t kCount>
const Unit* unit_of(const std::array<Unit, kCount>& units, double amount) {
  const Unit* found = nullptr;
  for (const Unit& unit : units) {
    if (unit.size <= amount) found = &unit;
  }
  return found;
}

// At most two digits after the point.
std::string short_number(double value) {
  std::string text = base::format("{:.2f}", value);
  text.resize(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

// True for a plain number that is whole mebibytes: memory is often written so.
bool counts_mebibytes(const base::Quantity& quantity) {
  const auto value = quantity.value();
  return value && base::Quantity(*value) == quantity && *value % (std::int64_t{1} << 20) == 0;
}

}  // namespace

std::string readable_quantity(const base::Quantity& quantity) {
  constexpr double few = 10'000;  // as readable without a unit
  const std::string canonical = quantity.to_string();
  const double amount = std::abs(quantity.approximate());
  if (!std::isfinite(amount) || amount == 0) return {};
  const bool plain = canonical.find_first_not_of("-0123456789") == std::string::npos;
  if (plain && amount < few) return {};
  const bool binary =
      quantity.format() == base::Quantity::Format::BinarySI || counts_mebibytes(quantity);
  const Unit* unit = binary ? unit_of(kBinary, amount) : unit_of(kDecimal, amount);
  if (unit == nullptr) return {};
  std::string text = quantity.sign() < 0 ? "-" : "";
  text += short_number(amount / unit->size);
  text += unit->suffix;
  if (text == canonical) return {};
  const auto same = base::Quantity::parse(text);
  return same.ok() && same.value() == quantity ? text : "~" + text;
}

std::string value_text(const Value& value) {
  switch (value.kind()) {
    case ValueKind::Error:
      return std::string(value.text());
    case ValueKind::Null:
      return "null";
    case ValueKind::Bool:
      return value.as_bool() ? "true" : "false";
    case ValueKind::Int:
      return base::format("{}", value.as_int());
    case ValueKind::Uint:
      return base::format("{}u", value.as_uint());
    case ValueKind::Double:
      return double_text(value.as_double());
    case ValueKind::String:
      return quoted(value.text());
    case ValueKind::Bytes:
      return "b" + quoted(value.text());
    case ValueKind::Duration:
      return format_nanos(value.nanos());
    case ValueKind::Timestamp:
      return format_moment(value.moment());
    case ValueKind::Type:
      return std::string(value.as_type().name);
    case ValueKind::List:
      return list_text(value.as_list());
    case ValueKind::Map:
      return map_text(value.as_map());
    case ValueKind::Optional:
      return value.content() == nullptr ? "optional.none()"
                                        : "optional(" + value_text(*value.content()) + ")";
    case ValueKind::Opaque:
      return value.as_opaque().text();
  }
  return {};
}

}  // namespace dra::cel
