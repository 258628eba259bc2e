// include/dra/api/version_history.h
//
// The releases of Kubernetes 1 that have a version of a kind of the DRA API, as minor numbers:
// k8s.io/api/resource/VERSION, zz_generated.prerelease-lifecycle.go. The API server drops what its
// release is not to have: k8s.io/apiserver/pkg/server, resourceExpirationEvaluator.

#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "dra/api/kinds.h"

namespace dra::api {

struct VersionHistory {
  int introduced;
  int deprecated = 0;  // 0: never
  int removed = 0;     // the first release without it; 0: never
};

// No value for kinds of other groups, and for versions that no release has any more.
std::optional<VersionHistory> history_of(const KindInfo& kind, std::string_view version);

// Whether that release has the version, served by default or not.
bool has_version(const KindInfo& kind, std::string_view version, int release);

// The versions of the kind that the release has, the best first.
std::vector<std::string_view> versions_in(const KindInfo& kind, int release);

// Servers omit alpha and beta versions unless --runtime-config names them:
// k8s.io/kubernetes/pkg/controlplane, DefaultAPIResourceConfigSource.
bool is_on_by_default(std::string_view version);

}  // namespace dra::api
