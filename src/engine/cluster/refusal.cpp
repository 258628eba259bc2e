// src/engine/cluster/refusal.cpp: recognises upstream's messages by the words around the names.

#include "dra/engine/cluster/refusal.h"

#include "dra/base/text.h"
#include "dra/engine/cluster/quotas.h"

namespace dra::engine {
namespace {

using diag::RefusalEvidence;

// The text between two marks, or up to the end if the second is missing. No value without the
// first.
std::optional<std::string> between(std::string_view text, std::string_view from,
                                   std::string_view to) {
  const std::size_t begin = text.find(from);
  if (begin == std::string_view::npos) return std::nullopt;
  text.remove_prefix(begin + from.size());
  return std::string(base::trim(text.substr(0, text.find(to))));
}

// "exceeded quota: tight, requested: pods=1, used: pods=2, limited: pods=2"
std::optional<CreationFailure> by_quota(std::string_view text) {
  const auto name = between(text, "exceeded quota: ", ", requested: ");
  if (!name) return std::nullopt;
  RefusalEvidence refusal{.by = RefusalEvidence::By::Quota, .name = *name};
  refusal.requested = between(text, ", requested: ", ", used: ").value_or("");
  refusal.used = between(text, ", used: ", ", limited: ").value_or("");
  refusal.limited = between(text, ", limited: ", "\n").value_or("");
  std::string cause = words_for_quota(refusal);
  return CreationFailure{std::move(cause), std::move(refusal)};
}

// "ns/hook" of `failed to call webhook: Post "https://hook.ns.svc:443/path": why`, else the
// address; without one the text. Upstream: k8s.io/apiserver/pkg/util/webhook, serviceResolver,
// which makes the name of the host.
std::string service_of(const std::string& said) {
  const auto host = between(said, "\"https://", "/");
  if (!host) return said;
  const std::string_view name = std::string_view(*host).substr(0, host->find(".svc"));
  const std::size_t dot = name.find('.');
  if (name.size() == host->size() || dot == std::string_view::npos) return *host;
  return base::format("{}/{}", name.substr(dot + 1), name.substr(0, dot));
}

// `admission webhook "w" denied the request: why`, `failed calling webhook "w": why`.
std::optional<CreationFailure> by_webhook(std::string_view text) {
  RefusalEvidence refusal{.by = RefusalEvidence::By::Webhook};
  if (const auto name = between(text, "admission webhook \"", "\"")) {
    refusal.name = *name;
    refusal.said = between(text, "denied the request: ", "\n").value_or("");
    std::string cause = base::format("admission webhook {} refuses it{}{}", refusal.name,
                                     refusal.said.empty() ? "" : ": ", refusal.said);
    return CreationFailure{std::move(cause), std::move(refusal)};
  }
  const auto name = between(text, "failed calling webhook \"", "\"");
  if (!name) return std::nullopt;
  refusal.name = *name;
  refusal.said = between(text, base::format("webhook \"{}\": ", *name), "\n").value_or("");
  refusal.unreachable = service_of(refusal.said);
  std::string cause =
      base::format("admission webhook {} cannot be asked: {}", refusal.name, refusal.said);
  return CreationFailure{std::move(cause), std::move(refusal)};
}

// "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: why"
std::optional<CreationFailure> by_policy(std::string_view text) {
  const auto name = between(text, "AdmissionPolicy '", "'");
  if (!name) return std::nullopt;
  RefusalEvidence refusal{.by = RefusalEvidence::By::Policy, .name = *name};
  refusal.said = between(text, "denied request: ", "\n").value_or("");
  std::string cause =
      base::format("admission policy {} refuses it: {}", refusal.name, refusal.said);
  return CreationFailure{std::move(cause), std::move(refusal)};
}

// Removes the controller's prefix: "PodResourceClaim gpu: create ResourceClaim : why" -> "why".
std::string_view without_controller(std::string_view text) {
  for (const std::string_view frame :
       {"PodResourceClaim ", "PodGroupResourceClaim ", "create ResourceClaim ",
        "finding ResourceClaim for claim "}) {
    const std::size_t colon = text.find(": ");
    if (colon != std::string_view::npos && text.starts_with(frame)) text.remove_prefix(colon + 2);
  }
  return text;
}

}  // namespace

CreationFailure creation_failure(std::string_view message) {
  for (const auto& refused : {by_quota, by_webhook, by_policy}) {
    if (auto failure = refused(message)) return *std::move(failure);
  }
  return {std::string(without_controller(message)), std::nullopt};
}

CreationFailure creation_failure(const snapshot::Snapshot& snapshot, std::string_view ns,
                                 std::string_view message) {
  CreationFailure failure = creation_failure(message);
  if (failure.refusal && failure.refusal->by == RefusalEvidence::By::Quota) {
    bring_up_to_date(snapshot, ns, *failure.refusal);
    failure.cause = words_for_quota(*failure.refusal);
  }
  return failure;
}

}  // namespace dra::engine
