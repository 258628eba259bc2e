// tests/support/builders.cpp

#include "tests/support/builders.h"

#include <doctest/doctest.h>

#include "dra/base/text.h"
#include "dra/snapshot/builder.h"
#include "dra/snapshot/load.h"
#include "tests/support/files.h"

namespace dra::support {
namespace {

constexpr std::string_view kDriver = "gpu.example.com";

std::string comma(std::string_view more) {
  return more.empty() ? std::string() : base::format(", {}", more);
}

}  // namespace

std::string exactly(std::string_view device_class, int count, std::string_view more) {
  return base::format("{{name: {}, exactly: {{deviceClassName: {}, count: {}{}}}}}", device_class,
                      device_class, count, comma(more));
}

std::string all(std::string_view device_class, std::string_view more) {
  return base::format("{{name: {}, exactly: {{deviceClassName: {}, allocationMode: All{}}}}}",
                      device_class, device_class, comma(more));
}

std::string request(std::string_view name, std::string_view demand) {
  return base::format("{{name: {}, exactly: {{deviceClassName: gpu{}}}}}", name, comma(demand));
}

std::string first_available(std::string_view name,
                            std::initializer_list<std::string_view> demands) {
  std::vector<std::string> alternatives;
  char letter = 'a';
  for (const std::string_view demand : demands) {
    alternatives.push_back(base::format("{{name: {}, deviceClassName: gpu{}}}",
                                        std::string(1, letter++), comma(demand)));
  }
  return base::format("{{name: {}, firstAvailable: [{}]}}", name, base::join(alternatives, ", "));
}

std::string on_node(std::string_view node) {
  return base::format(
      "nodeSelector: {{nodeSelectorTerms: [{{matchFields: [{{key: metadata.name, operator: In, "
      "values: [{}]}}]}}]}}",
      node);
}

std::string allocated(std::string_view results, std::string_view more) {
  std::string full(results);
  const std::string own = base::format("{{request: gpu, driver: {}, ", kDriver);
  for (std::size_t at = full.find("{device"); at != std::string::npos;
       at = full.find("{device", at + own.size())) {
    full.replace(at, 1, own);
  }
  return base::format("allocation: {{devices: {{results: [{}]}}{}}}", full, comma(more));
}

Scene::Scene() {
  yaml("{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}}");
}

Scene& Scene::yaml(std::string_view document) {
  text_ += base::format("---\n{}\n", document);
  return *this;
}

Scene& Scene::node(std::string_view name, std::string_view labels) {
  return yaml(
      base::format("{{apiVersion: v1, kind: Node, metadata: {{name: {}, labels: {{{}}}}}, status: "
                   "{{allocatable: {{cpu: \"8\", memory: 32Gi, pods: \"110\"}}}}}}",
                   name, labels));
}

Scene& Scene::device_class(std::string_view name, std::string_view expression) {
  return yaml(
      base::format("{{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {{name: "
                   "{}}}, spec: {{selectors: [{{cel: {{expression: \"{}\"}}}}]}}}}",
                   name, expression));
}

Scene& Scene::slice(std::string_view node, std::initializer_list<std::string_view> devices) {
  std::vector<std::string> list;
  for (const std::string_view device : devices)
    list.push_back(base::format("{{name: {}}}", device));
  return slice({.name = base::format("{}-slice", node),
                .pool = std::string(node),
                .where = base::format("nodeName: {}", node),
                .devices = base::join(list, ", ")});
}

Scene& Scene::slice(const SliceWords& words) {
  return yaml(base::format(
      "{{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {{name: {}}}, spec: "
      "{{driver: {}, pool: {{name: {}, generation: {}, resourceSliceCount: {}}}, {}, devices: "
      "[{}]{}}}}}",
      words.name, words.driver, words.pool, words.generation, words.count, words.where,
      words.devices, comma(words.more)));
}

Scene& Scene::claim(std::string_view name, std::string_view requests, std::string_view status) {
  return yaml(base::format(
      "{{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {{name: {}, namespace: "
      "default}}, spec: {{devices: {{requests: [{}]}}}}, status: {{{}}}}}",
      name, requests, status));
}

Scene& Scene::constrained(std::string_view name, std::string_view requests,
                          std::string_view constraints) {
  return yaml(base::format(
      "{{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {{name: {}, namespace: "
      "default}}, spec: {{devices: {{requests: [{}], constraints: [{}]}}}}}}",
      name, requests, constraints));
}

Scene& Scene::held(std::string_view node, std::string_view device) {
  const std::string status =
      allocated(base::format("{{device: {}, pool: {}}}", device, node), on_node(node));
  return claim(base::format("{}-{}", node, device), exactly("gpu", 1),
               status + ", reservedFor: [{resource: pods, name: user, uid: user}]");
}

Scene& Scene::taint_rule(std::string_view name, std::string_view selector, std::string_view taint) {
  return yaml(base::format(
      "{{apiVersion: resource.k8s.io/v1, kind: DeviceTaintRule, metadata: {{name: {}}}, spec: "
      "{{{}{}taint: {{{}}}}}}}",
      name, selector, selector.empty() ? "" : ", ", taint));
}

Scene& Scene::pod(std::string_view name, std::string_view claims, std::string_view spec,
                  std::string_view status) {
  return yaml(base::format(
      "{{apiVersion: v1, kind: Pod, metadata: {{name: {}, namespace: default, uid: {}}}, spec: "
      "{{resourceClaims: [{}]{}}}, status: {{{}}}}}",
      name, name, claims, comma(spec), status));
}

Scene& Scene::cannot_read(api::Kind kind) {
  missing_.push_back(kind);
  return *this;
}

Scene& Scene::server(std::string_view version) {
  server_.version = version;
  server_.assumed = false;
  return *this;
}

Scene& Scene::gate(std::string_view name, bool on) {
  server_.gates.emplace_back(name, on);
  return *this;
}

snapshot::Snapshot Scene::build() const {
  snapshot::Builder builder;
  const auto added = builder.add_text(text_, "scene");
  if (!added.ok()) FAIL(added.error().message);
  for (const api::Kind kind : missing_)
    builder.add_missing(kind, "forbidden");
  builder.set_server(server_);
  auto built = std::move(builder).build();
  if (!built.ok()) FAIL(built.error().message);
  return std::move(built).take();
}

snapshot::Snapshot load(const std::string& path) {
  snapshot::Source source;
  source.files = {path};
  auto loaded = snapshot::load(source, {});
  if (!loaded.ok()) FAIL(loaded.error().message);
  return std::move(loaded).take();
}

std::vector<std::string> fixtures() {
  std::vector<std::string> scenes;
  for (std::string& path : files_below("tests/fixtures", ".yaml")) {
    if (!path.ends_with("/invalid-manifests.yaml")) scenes.push_back(std::move(path));
  }
  return scenes;
}

}  // namespace dra::support
