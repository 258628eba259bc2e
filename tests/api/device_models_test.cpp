// tests/api/device_models_test.cpp: what slices and devices have in common.

#include "dra/api/device_models.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::api::device_models_test {
namespace {

using support::scene;

std::string gpu(std::string_view name, std::string_view serial, std::string_view more = "") {
  return base::format(
      "{{name: {}, attributes: {{brand: {{string: x}}, serial: {{string: s-{}}}}}{}{}}}", name,
      serial, more.empty() ? "" : ", ", more);
}

// Of each slice: which slice's model it has, the places that differ, and whether the names are the
// same; "-" without a model, followed by which of its devices have one.
std::string to_line(const snapshot::Snapshot& snapshot) {
  std::vector<const SliceModel*> models;
  std::vector<std::string> parts;
  for (const ResourceSlice& slice : snapshot.all<ResourceSlice>()) {
    const SliceSpec& spec = slice.spec;
    if (spec.model == nullptr) {
      std::string part = "-";
      for (const Device& device : spec.devices)
        part += device.model == nullptr ? "." : "m";
      parts.push_back(part);
      continue;
    }
    for (std::size_t i = 0; i < spec.devices.size(); ++i)
      CHECK(spec.devices[i].model == &spec.model->devices[i]);
    auto known = std::ranges::find(models, spec.model);
    if (known == models.end()) known = models.insert(models.end(), spec.model);
    parts.push_back(base::format("{}:{}{}", known - models.begin(), spec.differs,
                                 spec.names_as_model ? "" : "?"));
  }
  return base::join(parts, " ");
}

struct Case {
  const char* name;
  std::vector<std::string> slices;
  const char* want;
};

TEST_CASE("slices have the model of those that are like them") {
  const std::string two = gpu("a", "1") + ", " + gpu("b", "2");
  const std::string other = gpu("a", "3") + ", " + gpu("b", "4");
  const Case rows[] = {
      {"only serial numbers differ", {two, other}, "0:0 0:2"},
      {"names differ, too", {two, gpu("a", "1") + ", " + gpu("c", "2")}, "0:0 0:0?"},
      {"one has fewer devices", {two, gpu("a", "1"), other}, "0:0 1:0 0:2"},
      {"one has nothing", {two, ""}, "0:0 -"},
      {"a taint", {two, gpu("a", "1", "taints: [{key: k, effect: NoExecute}]")}, "0:0 -."},
      {"a taint beside devices without",
       {two, gpu("a", "1") + ", " + gpu("b", "2", "taints: [{key: k, effect: NoExecute}]")},
       "0:0 -m."},
      {"capacity with a policy",
       {gpu("a", "1", "capacity: {m: {value: 8, requestPolicy: {default: 1}}}")},
       "-."},
      {"other capacity",
       {gpu("a", "1", "capacity: {m: {value: 8}}"), gpu("a", "1", "capacity: {m: {value: 9}}")},
       "0:0 1:0"},
      {"most of it differs",
       {gpu("a", "1"),
        "{name: a, attributes: {brand: {string: z}, serial: "
        "{string: s-2}}}"},
       "0:0 1:0"},
  };
  for (const Case& row : rows) {
    CAPTURE(row.name);
    support::Scene made = scene();
    for (std::size_t i = 0; i < row.slices.size(); ++i) {
      const std::string name = base::format("s{}", i);
      made.slice({.name = name, .pool = name, .devices = row.slices[i]});
    }
    CHECK(to_line(made.build()) == row.want);
  }
}

TEST_CASE("another driver's devices are not alike") {
  const auto snapshot =
      scene()
          .slice({.name = "s1", .pool = "p", .devices = gpu("a", "1")})
          .slice({.name = "s2", .driver = "nic.example.com", .pool = "p", .devices = gpu("a", "1")})
          .build();
  CHECK(to_line(snapshot) == "0:0 1:0");
}

TEST_CASE("names that ascend are known of the model") {
  const auto ascend = [](const std::string& devices) {
    const auto snapshot = scene().slice({.name = "s", .devices = devices}).build();
    return snapshot.all<ResourceSlice>().front().spec.model->names_ascend;
  };
  CHECK(ascend(gpu("a", "1") + ", " + gpu("b", "1")));
  CHECK_FALSE(ascend(gpu("b", "1") + ", " + gpu("a", "1")));
  CHECK_FALSE(ascend(gpu("a", "1") + ", " + gpu("a", "1")));
}

TEST_CASE("a device with more attributes than a likeness has bits is no model") {
  constexpr std::size_t bits = 64;
  Device device;
  device.attributes.resize(bits);
  RecentModels recent;
  CHECK(recent.remember(device) == &device);
  CHECK(recent.likeness_of(device).model == &device);
  Device larger;
  larger.attributes.resize(bits + 1);
  CHECK(recent.remember(larger) == nullptr);
  CHECK(recent.likeness_of(larger).model == nullptr);
}

}  // namespace
}  // namespace dra::api::device_models_test
