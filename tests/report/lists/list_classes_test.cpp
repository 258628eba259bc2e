// tests/report/lists/list_classes_test.cpp

#include "dra/report/lists/list_classes.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/api/device_class.h"
#include "tests/support/builders.h"
#include "tests/support/document_text.h"

namespace dra::report::list_classes_test {
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
  const char* want;  // NAME | DEVICES | IN-USE | FREE | EXTENDED-RESOURCE | SELECTORS | AGE
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
       "c | 2 | 1 | 1 | <none> | <none> | <unknown>\n"},
      {"what all selectors choose",
       with_class("selectors: [{cel: {expression: 'device.driver ==\n\n  \"gpu.example.com\"'}}, "
                  "{cel: {expression: 'device.attributes.size() == 0'}}]"),
       "c | 2 | 1 | 1 | <none> | device.driver == \"gpu.example.com\"; device.attributes.size() == "
       "0 | <unknown>\n"},
      {"one of the selectors is false",
       with_class("selectors: [{cel: {expression: 'true'}}, {cel: {expression: 'false'}}]"),
       "c | 0 | 0 | 0 | <none> | true; false | <unknown>\n"},
      {"a selector that does not compile is an error, not nothing",
       with_class("selectors: [{cel: {expression: 'true'}}, {cel: {expression: x}}]"),
       "c | <error> | <error> | <error> | <none> | true; x | <unknown>\n"},
      {"so it is without slices",
       with_class("selectors: [{cel: {expression: x}}]").cannot_read(api::Kind::Slice),
       "c | <error> | <error> | <error> | <none> | x | <unknown>\n"},
      {"devices for which a selector fails are told apart",
       with_class("selectors: [{cel: {expression: 'device.attributes[device.driver].x == 1'}}]")
           .slice({.name = "s",
                   .pool = "p",
                   .devices = "{name: d, attributes: {x: {int: 1}}}, "
                              "{name: e, attributes: {x: {int: 2}}}"}),
       "c | 1 (2 fail) | 0 | 1 | <none> | device.attributes[device.driver].x == 1 | <unknown>\n"},
      {"an extended resource", with_class("extendedResourceName: example.com/gpu"),
       "c | 2 | 1 | 1 | example.com/gpu | <none> | <unknown>\n"},
      {"what is free is not known without claims", with_class("").cannot_read(api::Kind::Claim),
       "c | 2 | <unknown> | <unknown> | <none> | <none> | <unknown>\n"},
      {"nothing is known without slices", with_class("").cannot_read(api::Kind::Slice),
       "c | <unknown> | <unknown> | <unknown> | <none> | <none> | <unknown>\n"},
  };
  for (const Case& row : rows) {
    CAPTURE(std::string(row.name));
    const auto snapshot = row.scene.build();
    const engine::Inventory inventory(snapshot);
    const auto found = engine::count_classes(snapshot, inventory, classes_of(snapshot));
    CHECK(support::rows_of(classes_view(found, {})) == row.want);
  }
}

}  // namespace
}  // namespace dra::report::list_classes_test
