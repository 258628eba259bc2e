// src/engine/scheduler/node_tolerations.cpp: see node_tolerations.h.

#include "src/engine/scheduler/node_tolerations.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "dra/engine/facts/features.h"
#include "dra/engine/scheduler/node_filters.h"

namespace dra::engine {
namespace {

// A number as people write it: no sign but a minus, no leading zeros, no minus before zero
// (k8s.io/apimachinery/pkg/api/validate/content, IsDecimalInteger).
std::optional<std::int64_t> number_of(std::string_view text) {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (digits.empty() || digits.front() == '-') return std::nullopt;
  if (digits.front() == '0' && text != "0") return std::nullopt;
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return number;
}

bool is_beyond(const api::Toleration& toleration, const api::NodeTaint& taint) {
  const auto bound = number_of(toleration.value);
  const auto value = number_of(taint.value);
  if (!bound || !value) return false;
  return toleration.op == "Lt" ? *value < *bound : *value > *bound;
}

// An empty effect or key matches all; an empty operator is Equal.
bool matches_taint(const api::Toleration& toleration, const api::NodeTaint& taint, bool compares) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  if (toleration.op == "Exists") return true;
  if (toleration.op == "Lt" || toleration.op == "Gt")
    return compares && is_beyond(toleration, taint);
  return (toleration.op.empty() || toleration.op == "Equal") && toleration.value == taint.value;
}

}  // namespace

bool tolerates(const api::Pod& pod, const api::NodeTaint& taint, bool compares) {
  return std::ranges::any_of(pod.spec.tolerations, [&](const api::Toleration& toleration) {
    return matches_taint(toleration, taint, compares);
  });
}

// The API server accepts such operators only while the gate is on, so where it does not report its
// gates, a pod that has one says so.
bool tolerations_compare(const snapshot::Server& server) {
  constexpr int first = 35;
  constexpr Gate gate = Gate::TaintTolerationComparisonOperators;
  return is_assumed(server, gate) ? minor_release(server) >= first : features_of(server).on(gate);
}

}  // namespace dra::engine
