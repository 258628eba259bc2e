// tests/api/kinds_test.cpp

#include "dra/api/kinds.h"
#include "dra/api/pod_templates.h"

#include <doctest/doctest.h>

#include <set>

namespace dra::api::kinds_test {
namespace {

struct KindCase {
  const char* name;
  const char* api_version;
  const char* kind;
  const char* want;  // the resource, empty if the program does not read it
};

const KindCase kKindCases[] = {
    {"claims in v1", "resource.k8s.io/v1", "ResourceClaim", "resourceclaims"},
    {"claims in v1beta2", "resource.k8s.io/v1beta2", "ResourceClaim", "resourceclaims"},
    {"claims in v1beta1", "resource.k8s.io/v1beta1", "ResourceClaim", "resourceclaims"},
    {"claims in v1alpha3, of 1.31", "resource.k8s.io/v1alpha3", "ResourceClaim", "resourceclaims"},
    {"claims of the classic DRA", "resource.k8s.io/v1alpha2", "ResourceClaim", ""},
    {"a later version is not guessed", "resource.k8s.io/v2", "ResourceClaim", ""},
    {"taint rules have versions of their own", "resource.k8s.io/v1alpha3", "DeviceTaintRule",
     "devicetaintrules"},
    {"taint rules were never in v1beta1", "resource.k8s.io/v1beta1", "DeviceTaintRule", ""},
    {"pods are of the core group", "v1", "Pod", "pods"},
    {"a pod of another group is something else", "metrics.k8s.io/v1", "Pod", ""},
    {"a claim needs its group", "v1", "ResourceClaim", ""},
    {"kinds are told by their exact name", "v1", "pod", ""},
    {"a list is no kind", "v1", "PodList", ""},
    {"secrets are never read", "v1", "Secret", ""},
    {"no version is no kind", "", "Pod", ""},
    {"deployments", "apps/v1", "Deployment", "deployments"},
    {"a deployment of long ago", "extensions/v1beta1", "Deployment", ""},
    {"jobsets", "jobset.x-k8s.io/v1alpha2", "JobSet", "jobsets"},
    {"a Ray cluster in its older version", "ray.io/v1alpha1", "RayCluster", "rayclusters"},
    {"pod groups", "scheduling.k8s.io/v1beta1", "PodGroup", "podgroups"},
    {"pod groups of 1.36", "scheduling.k8s.io/v1alpha2", "PodGroup", "podgroups"},
    {"a queue's pod group is something else", "scheduling.x-k8s.io/v1alpha1", "PodGroup", ""},
    {"a group without a version is no kind", "resource.k8s.io/", "ResourceClaim", ""},
};

TEST_CASE("which objects are read") {
  for (const KindCase& row : kKindCases) {
    CAPTURE(row.name);
    const KindInfo* kind = kind_of(row.api_version, row.kind);
    CHECK((kind == nullptr ? "" : kind->resource) == row.want);
  }
}

TEST_CASE("the table of kinds") {
  std::set<std::string_view> resources;
  CHECK(all_kinds().size() == kKindCount);
  for (const KindInfo& kind : all_kinds()) {
    CAPTURE(kind.name);
    CHECK(&info_of(kind.kind) == &kind);
    CHECK(resources.insert(kind.resource).second);
    CHECK(kind.is_dra() == (kind.group == "resource.k8s.io"));
    CHECK((kind.versions.front() == "v1" || kind.is_custom()));
    CHECK(kind.is_workload() ==
          api::makes_pods(api_version_of(kind, kind.versions.front()), kind.name));
    for (const std::string_view version : kind.versions) {
      if (version.empty()) continue;
      CHECK(kind_of(api_version_of(kind, version), kind.name) == &kind);
      CHECK(version_of(api_version_of(kind, version)) == version);
    }
  }
}

struct PathCase {
  const char* name;
  Kind kind;
  const char* version;
  const char* ns;
  const char* want;
};

const PathCase kPaths[] = {
    {"a namespaced kind in one namespace", Kind::Claim, "v1", "ml",
     "/apis/resource.k8s.io/v1/namespaces/ml/resourceclaims"},
    {"a namespaced kind in all namespaces", Kind::Claim, "v1beta1", "",
     "/apis/resource.k8s.io/v1beta1/resourceclaims"},
    {"a cluster-scoped kind has no namespace", Kind::Slice, "v1", "ml",
     "/apis/resource.k8s.io/v1/resourceslices"},
    {"the core group has a root of its own", Kind::Pod, "v1", "ml", "/api/v1/namespaces/ml/pods"},
    {"a namespace cannot become another path", Kind::Pod, "v1", "a/b?c",
     "/api/v1/namespaces/a%2Fb%3Fc/pods"},
    {"nodes", Kind::Node, "v1", "", "/api/v1/nodes"},
};

TEST_CASE("paths of lists") {
  for (const PathCase& row : kPaths) {
    CAPTURE(row.name);
    CHECK(list_path(info_of(row.kind), row.version, row.ns) == row.want);
  }
}

}  // namespace
}  // namespace dra::api::kinds_test
