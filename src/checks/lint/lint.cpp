// src/checks/lint/lint.cpp: lint of objects by kind: fields that the server sets, claims and their
// parameters, pods.

#include "dra/checks/lint/lint.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "dra/api/limits.h"
#include "dra/base/text.h"
#include "dra/checks/fields/references.h"
#include "dra/engine/facts/driver_knowledge.h"
#include "dra/engine/facts/tpu_generations.h"
#include "dra/engine/facts/tpu_variables.h"
#include "dra/json/write.h"
#include "src/checks/lint/known_parameters.h"
#include "src/checks/lint/version_lint.h"

namespace dra::checks {
namespace {

using base::format;
using diag::Code;

// --- what the server sets

void find_server_fields(const Field& object) {
  constexpr std::array<std::string_view, 6> names = {
      "creationTimestamp", "generation", "managedFields", "resourceVersion", "selfLink", "uid"};
  const Field metadata = object.child("metadata");
  std::vector<std::string> found;
  std::optional<Field> first;
  for (const std::string_view name : names) {
    const Field field = metadata.child(name);
    if (!field.present() || field.is_blank()) continue;
    found.push_back(format("metadata.{}", name));
    if (!first) first = field;
  }
  const Field status = object.child("status");
  if (status.present() && status.size() > 0) {
    found.emplace_back("status");
    if (!first) first = status;
  }
  if (first)
    first->hint(
        Code::ServerField,
        format("pasted from a live object: the server sets {} itself", base::join(found, ", ")),
        "remove it");
}

// --- claims

std::string as_text(const Field& field) {
  return field.present() ? json::write_json(*field.value(), json::Style::Compact) : std::string();
}

std::set<std::string> texts_of(const Field& list) {
  std::set<std::string> texts;
  for (const Field& item : list.items())
    texts.insert(as_text(item));
  return texts;
}

// The least number of devices that satisfies a demand.
std::int64_t least_of(const Field& demand) {
  if (demand.child("allocationMode").text() == "All") return 0;
  return std::max<std::int64_t>(demand.child("count").integer().value_or(1), 0);
}

// True if every set of devices for the second demand serves the first, too: then the scheduler
// never gets to the second.
bool takes_all_of(const Field& first, const Field& second) {
  const auto same = [&](std::string_view name) {
    return as_text(first.child(name)) == as_text(second.child(name));
  };
  if (!same("deviceClassName") || !same("allocationMode") || !same("capacity")) return false;
  if (first.child("derivedAttributes").present() || second.child("derivedAttributes").present())
    return false;
  const auto selectors = texts_of(first.child("selectors"));
  const auto others = texts_of(second.child("selectors"));
  const auto tolerations = texts_of(first.child("tolerations"));
  const auto tolerated = texts_of(second.child("tolerations"));
  const bool all = first.child("allocationMode").text() == "All";
  if (all) return selectors == others && tolerations == tolerated;
  return least_of(first) <= least_of(second) && std::ranges::includes(others, selectors) &&
         std::ranges::includes(tolerations, tolerated);
}

// True if a constraint is for one alternative only, which may be the point of having two.
bool is_constrained(const Field& devices, const std::string& reference) {
  for (const Field& constraint : devices.child("constraints").items()) {
    for (const Field& request : constraint.child("requests").items()) {
      if (request.text() == reference) return true;
    }
  }
  return false;
}

void find_dead_alternatives(const Field& devices, const Field& request) {
  const std::vector<Field> items = request.child("firstAvailable").items();
  for (std::size_t later = 0; later < items.size(); ++later) {
    if (least_of(items[later]) > api::kMaxResults) {
      items[later].warn(
          Code::AlternativeDead,
          format("it asks for {} devices, and a claim gets at most {}: it is never taken",
                 least_of(items[later]), api::kMaxResults),
          "lower its count, or remove it");
      continue;
    }
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      const std::string name(items[earlier].child("name").text());
      const std::string reference = format("{}/{}", request.child("name").text(), name);
      if (!takes_all_of(items[earlier], items[later]) || is_constrained(devices, reference))
        continue;
      items[later].hint(
          Code::AlternativeDead,
          format("never chosen: each device that it matches also matches {}, which comes first",
                 name),
          "put the narrower alternative first, or remove this one");
      break;
    }
  }
}

void find_too_many(const Field& devices) {
  std::int64_t sum = 0;
  const Field requests = devices.child("requests");
  for (const Field& request : requests.items()) {
    const std::vector<Field> alternatives = request.child("firstAvailable").items();
    std::int64_t least =
        alternatives.empty() ? least_of(request.child("exactly")) : api::kMaxResults + 1;
    for (const Field& alternative : alternatives)
      least = std::min(least, least_of(alternative));
    sum += request.child("exactly").present() || !alternatives.empty() ? least : 0;
  }
  if (sum > api::kMaxResults)
    requests.warn(
        Code::CountTooLarge,
        format("the requests ask for {} devices together; the scheduler gives a claim at most {}",
               sum, api::kMaxResults),
        "lower the counts, or split the claim");
}

// Checks requests for chips through the class that the driver's charts install, which has the
// driver's name. Skips requests with alternatives: requests may share a host, so the sum must be
// known.
void find_partial_hosts(const Field& devices) {
  std::int64_t wanted = 0;
  const Field requests = devices.child("requests");
  for (const Field& request : requests.items()) {
    const Field exactly = request.child("exactly");
    if (request.child("firstAvailable").present()) return;
    if (!engine::hands_out_hosts(exactly.child("deviceClassName").text())) continue;
    if (exactly.child("allocationMode").text() == "All") return;
    wanted += least_of(exactly);
  }
  if (wanted > 0 && engine::tpu_host_size_of(wanted) == nullptr)
    requests.warn(Code::PartialHost,
                  format("the TPU driver prepares all chips of a host or none, and no host has "
                         "{}: the claim is allocated, and then refused on its node",
                         wanted),
                  wanted > 8 ? "a claim is for one host: give each pod of a slice of several hosts "
                               "a claim of its own, by a template"
                             : "ask for all chips of a host: `allocationMode: All`");
}

void lint_configurations(const Field& configs) {
  for (const Field& config : configs.items())
    check_driver_parameters(config.child("opaque"));
}

// --- pods

std::set<std::string_view> claims_used(const Field& spec) {
  std::set<std::string_view> used;
  for (const Field& use : claim_uses(spec))
    used.insert(use.child("name").text());
  return used;
}

void find_shadowing(const Field& container) {
  if (container.child("resources").child("claims").size() == 0) return;
  for (const Field& variable : container.child("env").items()) {
    const std::string_view name = variable.child("name").text();
    if (!engine::is_set_by_tpu_driver(name)) continue;
    variable.warn(
        Code::EnvShadowed,
        format("the TPU driver sets {}, too, by the chips that the pod gets; which of the two wins "
               "depends on the container runtime",
               name),
        "remove it if the container uses TPUs");
  }
}

}  // namespace

void lint_object(const Field& object, const api::KindInfo& kind, std::string_view version,
                 const snapshot::Server& server) {
  if (kind.is_dra()) lint_version(object, kind, version, server);
  find_server_fields(object);
}

void lint_claim(const Field& devices) {
  find_too_many(devices);
  find_partial_hosts(devices);
  for (const Field& request : devices.child("requests").items())
    find_dead_alternatives(devices, request);
  lint_configurations(devices.child("config"));
}

void lint_class(const Field& spec, bool complete) {
  if (complete && spec.child("selectors").size() == 0)
    spec.hint(Code::ClassMatchesAll, "a class without selectors takes every device of every driver",
              "add `selectors: [{cel: {expression: device.driver == \"NAME\"}}]`");
  lint_configurations(spec.child("config"));
}

void lint_pod(const Field& spec, std::int64_t pods) {
  const auto used = claims_used(spec);
  for (const Field& claim : spec.child("resourceClaims").items()) {
    const std::string_view name = claim.child("name").text();
    if (!name.empty() && !used.contains(name))
      claim.hint(
          Code::ClaimUnused,
          format("no container uses claim {}: its devices are prepared for the pod, which is "
                 "enough for network devices; a driver that hands devices to containers gives "
                 "them to none",
                 name),
          format("add `resources: {{claims: [{{name: {}}}]}}` to the container that needs them",
                 name));
    const Field by_name = claim.child("resourceClaimName");
    if (by_name.is_text() && pods > 1)
      by_name.hint(
          Code::ClaimShared,
          format("all {} pods use the one claim {}: they run where its devices are, and share them",
                 pods, by_name.text()),
          "resourceClaimTemplateName gives each pod a claim of its own");
  }
  for (const std::string_view kind : {"containers", "initContainers"}) {
    for (const Field& container : spec.child(kind).items())
      find_shadowing(container);
  }
}

}  // namespace dra::checks
