// tests/report/list_classes_test.cpp

#include "dra/report/list_classes.h"

#include <doctest/doctest.h>

#include <string>

#include "src/report/words.h"
#include "tests/support/builders.h"
#include "tests/support/document_text.h"

namespace dra::report {
namespace {

using support::Scene;
using support::scene;

std::vector<const api::DeviceClass*> classes_of(const snapshot::Snapshot& snapshot) {
  std::vector<const api::DeviceClass*> classes;
  for (const auto& device_class : snapshot.all<api::DeviceClass>())
    classes.push_back(&device_class);
  return classes;
}

struct Case {
  const char* name;
  Scene scene;
  const char* want;  // NAME | DEVICES | FREE | EXTENDED-RESOURCE | SELECTORS | AGE
};

Scene with_class(const char* spec) {
  return Scene(Scene::Empty{})
      .yaml(std::string("{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: c}, "
                        "spec: {") +
            spec + "}}")
      .slice("n1", {"gpu-0", "gpu-1"})
      .held("n1", "gpu-0");
}

TEST_CASE("rows") {
  const Case rows[] = {
      {"without selectors every device is chosen", with_class(""),
       "c | 2 | 1 | <none> | <none> | <unknown>\n"},
      {"what selectors choose is not known",
       with_class("selectors: [{cel: {expression: 'a ==\n\n  b'}}, {cel: {expression: c}}]"),
       "c | <unknown> | <unknown> | <none> | a == b; c | <unknown>\n"},
      {"an extended resource", with_class("extendedResourceName: example.com/gpu"),
       "c | 2 | 1 | example.com/gpu | <none> | <unknown>\n"},
      {"what is free is not known without claims", with_class("").cannot_read(api::Kind::Claim),
       "c | 2 | <unknown> | <none> | <none> | <unknown>\n"},
      {"nothing is known without slices", with_class("").cannot_read(api::Kind::Slice),
       "c | <unknown> | <unknown> | <none> | <none> | <unknown>\n"},
  };
  for (const Case& row : rows) {
    CAPTURE(std::string(row.name));
    const auto snapshot = row.scene.build();
    const engine::Inventory inventory(snapshot);
    const auto found = class_rows(snapshot, inventory, classes_of(snapshot));
    CHECK(support::rows_of(classes_view(found, {})) == row.want);
  }
}

TEST_CASE("whoever can evaluate selectors says what a class chooses") {
  const auto snapshot = with_class("selectors: [{cel: {expression: x}}]").build();
  const engine::Inventory inventory(snapshot);
  const auto second = [](const api::DeviceClass&, const engine::InventoryDevice& device) {
    return std::optional(device.published.device->name == "gpu-1");
  };
  const auto found = class_rows(snapshot, inventory, classes_of(snapshot), second);
  CHECK(found.at(0).devices == 1);
  CHECK(found.at(0).free == 1);
}

}  // namespace
}  // namespace dra::report
