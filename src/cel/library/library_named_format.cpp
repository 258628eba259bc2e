// src/cel/library/library_named_format.cpp: looks up formats by name, and validates texts.
// Upstream: k8s.io/apiserver/pkg/cel/library/format.go.

#include <algorithm>

#include "dra/cel/library/library.h"
#include "dra/cel/values/opaque.h"
#include "src/cel/library/named_format.h"

namespace dra::cel {
namespace {

const NamedFormat* find_format(std::string_view name) {
  const auto found = std::ranges::lower_bound(named_formats(), name, {}, &NamedFormat::name);
  return found != named_formats().end() && found->name() == name ? &*found : nullptr;
}

Value named(const Invocation& call) {
  const NamedFormat* format = find_format(call.args[0].text());
  return format == nullptr ? Value::none() : call.scratch.optional(Value::opaque(format));
}

// An optional with the violations; none if the text is valid.
Value validate(const Invocation& call) {
  const auto& format = opaque<NamedFormat>(call.args[0]);
  std::vector<Value> problems;
  for (const std::string& problem : format.validate(call.args[1].text()))
    problems.push_back(call.scratch.string(problem));
  return problems.empty() ? Value::none() : call.scratch.optional(call.scratch.list(problems));
}

template <std::size_t at>
Value constant(const Invocation&) {
  return Value::opaque(&named_formats()[at]);
}

// The functions for the formats, in the order of the formats.
constexpr OverloadCode kNamedFormatOverloads[] = {
    {"format-named", named},
    {"format-validate", validate},
    {"format.byte", constant<0>},
    {"format.date", constant<1>},
    {"format.datetime", constant<2>},
    {"format.dns1035Label", constant<3>},
    {"format.dns1035LabelPrefix", constant<4>},
    {"format.dns1123Label", constant<5>},
    {"format.dns1123LabelPrefix", constant<6>},
    {"format.dns1123Subdomain", constant<7>},
    {"format.dns1123SubdomainPrefix", constant<8>},
    {"format.labelValue", constant<9>},
    {"format.qualifiedName", constant<10>},
    {"format.uri", constant<11>},
    {"format.uuid", constant<12>},
};

}  // namespace

std::span<const OverloadCode> named_format_codes() { return kNamedFormatOverloads; }

}  // namespace dra::cel
