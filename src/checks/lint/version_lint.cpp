// src/checks/lint/version_lint.cpp: compares an object's version with the ones that the server
// serves, or, where these are not known, with the ones that its release serves by default.

#include "src/checks/lint/version_lint.h"

#include <algorithm>
#include <array>

#include "dra/base/text.h"
#include "dra/diag/codes.h"
#include "dra/engine/facts/features.h"

namespace dra::checks {
namespace {

using base::format;
using diag::Code;

struct OldVersion {
  std::string_view kind;  // empty: all kinds
  std::string_view version;
  int removed_in;  // the first minor release of Kubernetes 1 without it
};
// k8s.io/api/resource/VERSION, zz_generated.prerelease-lifecycle.go.
constexpr std::array kOld = {
    OldVersion{"DeviceTaintRule", "v1beta2", 42},
    OldVersion{"", "v1alpha3", 39},
    OldVersion{"", "v1beta1", 38},
    OldVersion{"", "v1beta2", 39},
};

// The first minor release that serves v1 of the kind. Other versions are never served by default:
// k8s.io/kubernetes/pkg/controlplane, DefaultAPIResourceConfigSource.
int default_since(const api::KindInfo& kind) { return kind.kind == api::Kind::TaintRule ? 37 : 34; }

bool serves(const snapshot::Server& server, std::string_view version) {
  return std::ranges::find(server.dra_versions, version) != server.dra_versions.end();
}

std::string last_release_words(const OldVersion& old) {
  return format("Kubernetes v1.{} is the last release that has it", old.removed_in - 1);
}

}  // namespace

void lint_version(const Field& object, const api::KindInfo& kind, std::string_view version,
                  const snapshot::Server& server) {
  const std::string newest = api::api_version_of(kind, kind.versions.front());
  const Field field = object.child("apiVersion");
  const auto old = std::ranges::find_if(kOld, [&](const OldVersion& one) {
    return one.version == version && (one.kind.empty() || one.kind == kind.name);
  });
  const bool known = !server.dra_versions.empty();
  if (known && !serves(server, version)) {
    field.warn(Code::VersionNotServed,
               format("the server does not serve {}, but {}", version,
                      base::join(server.dra_versions, ", ")),
               format("write {}/{}", api::kDraGroup, server.dra_versions.front()));
    return;
  }
  if (old == kOld.end()) return;
  const int release = engine::minor_release(server);
  if (!known && release >= default_since(kind)) {
    field.warn(
        Code::VersionNotServed,
        format("{} is off by default in Kubernetes v1.{}: such a server has no {} of this "
               "version, unless it was started with --runtime-config={}/{}=true; {}",
               version, release, kind.name, api::kDraGroup, version, last_release_words(*old)),
        format("write {}", newest));
    return;
  }
  field.hint(Code::VersionDeprecated,
             format("{} is deprecated; {}", version, last_release_words(*old)),
             format("write {}", newest));
}

}  // namespace dra::checks
