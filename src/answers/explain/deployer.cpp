// src/answers/explain/deployer.cpp: reads the marks of Helm, Argo CD, Flux and Kustomize. Flux runs
// Helm, and Argo CD renders its charts, so their marks come before those of Helm.

#include "dra/answers/explain/deployer.h"

#include <string_view>

#include "dra/base/text.h"

namespace dra::answers {
namespace {

constexpr std::string_view kReconciliation = "at the next reconciliation";
constexpr std::string_view kUpgrade = "at the next upgrade";
constexpr std::string_view kSync = "at the next sync";

std::string_view value_at(const api::Map<std::string_view>& map, std::string_view key) {
  const std::string_view* value = api::find(map, key);
  return value == nullptr ? std::string_view() : *value;
}

Deployer deployer(std::string_view tool, std::string_view name, std::string_view until) {
  return {std::string(tool), std::string(name), std::string(until)};
}

// "app:group/Kind:namespace/name"; of an application in another namespace "namespace_app:...".
std::string_view application_of(const api::ObjectMeta& meta) {
  const std::string_view tracked = value_at(meta.annotations, "argocd.argoproj.io/tracking-id");
  if (!tracked.empty()) return tracked.substr(0, tracked.find(':'));
  return value_at(meta.labels, "argocd.argoproj.io/instance");
}

}  // namespace

std::optional<Deployer> deployer_of(const api::ObjectMeta& meta) {
  const auto label = [&meta](std::string_view key) { return value_at(meta.labels, key); };
  if (const auto name = label("helm.toolkit.fluxcd.io/name"); !name.empty())
    return deployer("Flux HelmRelease", name, kReconciliation);
  if (const auto name = label("kustomize.toolkit.fluxcd.io/name"); !name.empty())
    return deployer("Flux Kustomization", name, kReconciliation);
  if (const auto name = application_of(meta); !name.empty())
    return deployer("Argo CD application", name, kSync);
  const std::string_view release = value_at(meta.annotations, "meta.helm.sh/release-name");
  if (!release.empty()) return deployer("Helm release", release, kUpgrade);
  const std::string_view manager = label("app.kubernetes.io/managed-by");
  // Pods have the labels of their template only.
  const std::string_view instance = label("app.kubernetes.io/instance");
  if (manager == "Helm")
    return deployer(instance.empty() ? "a Helm release" : "Helm release", instance, kUpgrade);
  if (base::lower(manager).starts_with("kustomize"))
    return deployer("the files of Kustomize", {}, "when these are applied again");
  return std::nullopt;
}

std::string words_of(const Deployer& deployer) {
  return deployer.name.empty() ? deployer.tool
                               : base::format("{} {}", deployer.tool, deployer.name);
}

}  // namespace dra::answers
