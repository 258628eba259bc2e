// src/checks/rules/pod_rules.cpp: rules for the claims of a pod. Upstream:
// k8s.io/kubernetes/pkg/apis/core/validation, validatePodResourceClaims,
// validateResourceClaimNames, validatePodResources.

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "dra/base/text.h"
#include "dra/checks/rules/rules.h"
#include "src/checks/rules/names.h"

namespace dra::checks {
namespace {

using base::format;

constexpr std::string_view kMirrorPod = "kubernetes.io/config.mirror";

using ClaimNames = std::set<std::string_view>;

void check_pod_claim(const Field& claim, ClaimNames& names) {
  const Field name = claim.child("name");
  if (name.is_blank()) {
    name.error(ErrorType::Required, "the name by which containers name the claim is missing");
  } else if (name.is_text() && !names.insert(name.text()).second) {
    name.error(ErrorType::Duplicate, format("\"{}\" is there already", name.text()));
  } else if (name.is_text()) {
    check_dns_label(name);
  }
  const Field by_name = claim.child("resourceClaimName");
  const Field by_template = claim.child("resourceClaimTemplateName");
  if (by_name.present() && by_template.present()) {
    claim.error(ErrorType::Invalid,
                "resourceClaimName and resourceClaimTemplateName exclude each other");
  } else if (!by_name.present() && !by_template.present()) {
    claim.error(ErrorType::Invalid, "resourceClaimName or resourceClaimTemplateName is missing");
  }
  for (const Field& reference : {by_name, by_template}) {
    if (reference.is_text()) check_dns_subdomain(reference);
  }
}

std::string words_for_unknown(std::string_view name, const ClaimNames& names) {
  if (names.empty())
    return format("the pod has no claim \"{}\": its resourceClaims are empty", name);
  const std::vector<std::string_view> all(names.begin(), names.end());
  const std::string_view near = base::nearest(name, all);
  const std::string known = base::join(std::vector<std::string>(all.begin(), all.end()), ", ");
  return format(
      "the pod has no claim \"{}\"; {}", name,
      near.empty() ? format("its resourceClaims are {}", known) : format("did you mean {}?", near));
}

// A container that uses a whole claim cannot also use a request of it.
class UsedClaims {
 public:
  explicit UsedClaims(const ClaimNames& names) : names_(names) {}

  void check(const Field& use) {
    const Field name = use.child("name");
    if (name.is_blank()) {
      use.error(ErrorType::Required, "the name of one of the pod's resourceClaims is missing");
    } else if (name.is_text()) {
      check_doubles(use, name.text());
      if (!names_.contains(name.text()))
        use.error(ErrorType::NotFound, words_for_unknown(name.text(), names_));
    }
  }

 private:
  void check_doubles(const Field& use, std::string_view name) {
    const Field request = use.child("request");
    const bool part = !request.text().empty();
    auto& requests = used_[name];
    if (!requests.contains("") && part) check_dns_label(request);
    const bool doubled =
        part ? requests.contains("") || requests.contains(request.text()) : !requests.empty();
    if (doubled) use.error(ErrorType::Duplicate, format("claim \"{}\" is used here already", name));
    if (!requests.contains("")) requests.insert(request.text());
  }

  const ClaimNames& names_;
  std::map<std::string_view, std::set<std::string_view>>
      used_;  // requests by claim; "": the whole claim
};

}  // namespace

void check_pod_spec(const Field& spec) {
  ClaimNames seen;
  ClaimNames names;
  for (const Field& claim : spec.child("resourceClaims").items()) {
    check_pod_claim(claim, seen);
    if (!claim.child("name").text().empty()) names.insert(claim.child("name").text());
  }
  constexpr std::array kinds = {"containers", "initContainers", "ephemeralContainers"};
  for (const std::string_view kind : kinds) {
    for (const Field& container : spec.child(kind).items()) {
      UsedClaims used(names);
      for (const Field& use : container.child("resources").child("claims").items())
        used.check(use);
    }
  }
  const Field of_pod = spec.child("resources").child("claims");
  if (of_pod.present())
    of_pod.error(ErrorType::Forbidden, "claims belong into the resources of containers");
}

void check_pod(const Field& pod) {
  check_metadata(pod.child("metadata"), {.judges_prefix_on_update = true});
  const Field spec = pod.child("spec");
  const bool mirror = pod.child("metadata").child("annotations").has(kMirrorPod);
  if (mirror && spec.child("resourceClaims").size() > 0) {
    // The server's path of the pod itself ends with [].
    pod.entry("").error(ErrorType::Forbidden, "a static pod cannot have claims");
    return;
  }
  check_pod_spec(spec);
  check_kept_claims(spec);
}

}  // namespace dra::checks
