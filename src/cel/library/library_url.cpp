// src/cel/library/library_url.cpp: functions of URLs. Upstream:
// k8s.io/apiserver/pkg/cel/library/urls.go.

#include "dra/cel/library/library.h"
#include "dra/cel/values/opaque.h"
#include "dra/cel/values/url_value.h"

namespace dra::cel {
namespace {

// Parses twice, as upstream does: the text must be a valid request URI, and then it is parsed with
// its fragment.
Value url_from_string(const Invocation& call) {
  const std::string_view text = call.args[0].text();
  std::optional<std::string> wrong = problem_of_request_uri(text);
  std::string problem;
  std::optional<Url> url;
  if (wrong) {
    problem = *std::move(wrong);
  } else {
    url = parse_url(text, problem);
  }
  if (url) return Value::opaque(call.scratch.make<UrlValue>(*std::move(url)));
  return call.scratch.failure("URL parse error during conversion from string: " + problem);
}

Value is_url(const Invocation& call) {
  return Value::boolean(!problem_of_request_uri(call.args[0].text()).has_value());
}

const Url& url(const Invocation& call) { return opaque<UrlValue>(call.args[0]).url(); }

Value scheme(const Invocation& call) { return Value::string(url(call).scheme); }
Value host(const Invocation& call) { return Value::string(url(call).host); }
Value hostname(const Invocation& call) { return call.scratch.string(url(call).hostname()); }
Value port(const Invocation& call) { return call.scratch.string(url(call).port()); }
Value escaped_path(const Invocation& call) { return call.scratch.string(url(call).escaped_path()); }

Value query(const Invocation& call) {
  std::vector<std::pair<Value, Value>> entries;
  for (const auto& [key, values] : url(call).parameters()) {
    std::vector<Value> list;
    for (const std::string& value : values)
      list.push_back(call.scratch.string(value));
    entries.emplace_back(call.scratch.string(key), call.scratch.list(list));
  }
  return make_map(call.scratch, entries);
}

constexpr OverloadCode kUrlOverloads[] = {
    {"is_url_string", is_url},
    {"string_to_url", url_from_string},
    {"url_get_escaped_path", escaped_path},
    {"url_get_host", host},
    {"url_get_hostname", hostname},
    {"url_get_port", port},
    {"url_get_query", query},
    {"url_get_scheme", scheme},
};

}  // namespace

std::optional<bool> UrlValue::equals(const Value& other) const {
  const auto* right = opaque_if<UrlValue>(other);
  return right == nullptr ? std::nullopt : std::optional(text() == right->text());
}

std::span<const OverloadCode> url_codes() { return kUrlOverloads; }

}  // namespace dra::cel
