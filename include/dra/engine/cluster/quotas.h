// include/dra/engine/cluster/quotas.h
//
// Whether the quotas of namespaces admit new claims and templates. A claim counts as one object,
// and for each class as the most devices that it could get: the largest alternative, and for "all"
// as many as a claim can hold. If a class serves an extended resource, its devices also count as
// requests for that.
//
// Upstream: k8s.io/apiserver/pkg/admission/plugin/resourcequota.CheckRequest;
// k8s.io/kubernetes/pkg/quota/v1/evaluator/core.claimEvaluator;
// k8s.io/apiserver/pkg/quota/v1/generic.objectCountEvaluator.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/quantity.h"
#include "dra/diag/evidence.h"
#include "dra/engine/cluster/extended_resources.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

// By resource, as quotas name them: "gpu.example.com.deviceclass.resource.k8s.io/devices".
using QuotaUse = std::map<std::string, std::int64_t, std::less<>>;

// A limit of a quota and its use.
struct QuotaState {
  std::string_view namespace_;
  std::string_view quota;
  std::string_view resource;
  base::Quantity hard;
  base::Quantity used;
};

class Quotas {
 public:
  // The snapshot must outlive it. If quotas cannot be read, there are none.
  explicit Quotas(const snapshot::Snapshot& snapshot);

  // The refusal of the object; no value: it is created, and counts from now on. Only the first
  // quota that refuses is reported.
  std::optional<diag::RefusalEvidence> create_claim(std::string_view ns,
                                                    const api::ClaimSpec& spec);
  std::optional<diag::RefusalEvidence> create_template(std::string_view ns);
  // Like create_claim(), but the claim is not counted.
  std::optional<diag::RefusalEvidence> refusal_of_claim(std::string_view ns,
                                                        const api::ClaimSpec& spec) const;

  // For claims, templates and devices; by quota, then resource.
  std::vector<QuotaState> states() const;

 private:
  struct Quota {
    std::string_view ns;
    std::string_view name;
    std::map<std::string_view, base::Quantity> hard;
    std::map<std::string_view, base::Quantity> used;
  };

  QuotaUse use_of(const api::ClaimSpec& spec) const;
  bool is_of_claims(std::string_view resource) const;
  std::optional<diag::RefusalEvidence> refusal(const Quota& quota, const QuotaUse& use) const;
  std::optional<diag::RefusalEvidence> refusal(std::string_view ns, const QuotaUse& use) const;
  void count(std::string_view ns, const QuotaUse& use);

  ResourceClasses classes_;
  std::map<std::string_view, std::string_view>
      extended_;  // the resource that a class names, by class
  bool serves_extended_ = false;
  std::vector<Quota> quotas_;  // without scopes, which claims do not have
};

// "resource quota tight is exhausted (pods: 2 of 2 used, and 1 more wanted)"
std::string words_for_quota(const diag::RefusalEvidence& refusal);

// Takes what is used and the limits from the quota as it is now. Without it nothing changes.
void bring_up_to_date(const snapshot::Snapshot& snapshot, std::string_view ns,
                      diag::RefusalEvidence& refusal);
// Whether the figures leave room for what is requested.
bool has_room(const diag::RefusalEvidence& refusal);

}  // namespace dra::engine
