// tests/answers/explain/deployer_test.cpp: by which marks the tool that writes an object is known.

#include "dra/answers/explain/deployer.h"

#include <doctest/doctest.h>

#include <string>

namespace dra::answers::deployer_test {
namespace {

struct Row {
  api::Map<std::string_view> labels;
  api::Map<std::string_view> annotations;
  std::string words;  // empty: no tool is known
};

TEST_CASE("marks of tools") {
  const Row rows[] = {
      {{}, {}, ""},
      {{{"app.kubernetes.io/managed-by", "someone"}}, {}, ""},
      {{}, {{"meta.helm.sh/release-name", "web"}}, "Helm release web"},
      {{{"app.kubernetes.io/managed-by", "Helm"}, {"app.kubernetes.io/instance", "web"}},
       {},
       "Helm release web"},
      {{{"app.kubernetes.io/managed-by", "Helm"}}, {}, "a Helm release"},
      {{{"helm.toolkit.fluxcd.io/name", "apps"}, {"app.kubernetes.io/managed-by", "Helm"}},
       {{"meta.helm.sh/release-name", "web"}},
       "Flux HelmRelease apps"},
      {{{"kustomize.toolkit.fluxcd.io/name", "apps"}}, {}, "Flux Kustomization apps"},
      {{},
       {{"argocd.argoproj.io/tracking-id", "models:apps/Deployment:ml/a"}},
       "Argo CD application models"},
      {{{"argocd.argoproj.io/instance", "models"}}, {}, "Argo CD application models"},
      {{{"app.kubernetes.io/managed-by", "kustomize-v5.4.1"}}, {}, "the files of Kustomize"},
  };
  for (const Row& row : rows) {
    api::ObjectMeta meta;
    meta.labels = row.labels;
    meta.annotations = row.annotations;
    const auto deployer = deployer_of(meta);
    CAPTURE(row.words);
    CHECK((deployer ? words_of(*deployer) : std::string()) == row.words);
  }
}

}  // namespace
}  // namespace dra::answers::deployer_test
