// tests/support/show_cel.h
//
// Literals and values of CEL as text that differs where they differ: 1, 1u, d3ff0000000000000 for
// 1.0, 'a', [1,2], {'k':1} with sorted keys, none, optional 1, error TEXT.

#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "dra/base/text.h"
#include "dra/cel/syntax/ast.h"
#include "dra/cel/values/value.h"

namespace dra::test {

inline std::string show(const cel::Literal& literal) {
  struct Show {
    std::string operator()(std::monostate) const { return "null"; }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return base::format("{}", value); }
    std::string operator()(std::uint64_t value) const { return base::format("{}u", value); }
    std::string operator()(double value) const {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &value, sizeof bits);
      return base::format("d{:016x}", bits);
    }
    std::string operator()(const std::string& value) const { return "'" + value + "'"; }
    std::string operator()(const cel::Bytes& value) const {
      std::string out = "b";
      for (const char c : value.octets)
        out += base::format("{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
      return out;
    }
  };
  return std::visit(Show(), literal);
}

inline std::string show(const cel::Value& value);

inline std::string show_map(const cel::MapValue& map) {
  std::vector<std::string> entries;
  for (std::size_t i = 0; i < map.size(); ++i) {
    const auto [key, content] = map.entry(i);
    entries.push_back(show(key) + ":" + show(content));
  }
  std::ranges::sort(entries);
  return "{" + base::join(entries, ",") + "}";
}

inline std::string show_list(const cel::ListValue& list) {
  std::vector<std::string> elements;
  for (std::size_t i = 0; i < list.size(); ++i)
    elements.push_back(show(list.at(i)));
  return "[" + base::join(elements, ",") + "]";
}

inline std::string show(const cel::Value& value) {
  switch (value.kind()) {
    case cel::ValueKind::Null:
      return show(cel::Literal());
    case cel::ValueKind::Bool:
      return show(cel::Literal(value.as_bool()));
    case cel::ValueKind::Int:
      return show(cel::Literal(value.as_int()));
    case cel::ValueKind::Uint:
      return show(cel::Literal(value.as_uint()));
    case cel::ValueKind::Double:
      return value.as_double() != value.as_double() ? "NaN" : show(cel::Literal(value.as_double()));
    case cel::ValueKind::String:
      return show(cel::Literal(std::string(value.text())));
    case cel::ValueKind::Bytes:
      return show(cel::Literal(cel::Bytes{std::string(value.text())}));
    case cel::ValueKind::Duration:
      return base::format("duration {}", value.nanos());
    case cel::ValueKind::Timestamp: {
      const cel::Moment& moment = value.moment();
      return base::format("timestamp {}.{:09} {}", moment.seconds, moment.nanos, moment.offset);
    }
    case cel::ValueKind::Type:
      return base::format("type {}", value.as_type().name);
    case cel::ValueKind::List:
      return show_list(value.as_list());
    case cel::ValueKind::Map:
      return show_map(value.as_map());
    case cel::ValueKind::Optional:
      return value.content() == nullptr ? "none" : "optional " + show(*value.content());
    case cel::ValueKind::Error:
      return "error " + std::string(value.text());
    case cel::ValueKind::Opaque:
      break;
  }
  return std::string(cel::type_name(value));
}

}  // namespace dra::test
