// tests/api/fields_test.cpp: what every decoder does, whatever the type.

#include "src/api/fields.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "dra/api/claim.h"
#include "dra/api/cluster_objects.h"
#include "dra/api/decode.h"
#include "dra/api/device_class.h"
#include "dra/api/pod.h"
#include "dra/api/slice.h"
#include "dra/api/taint_rule.h"
#include "dra/api/workload.h"
#include "dra/json/parse.h"
#include "dra/json/yaml.h"

namespace dra::api::fields_test {
namespace {

// A decoded object with the bytes that it points into.
template <class T>
struct Decoded {
  explicit Decoded(std::string_view json) : page(json) {
    auto result =
        json::read_json(page, arena, [this](json::Cursor& root) { decode(root, object); });
    if (!result.ok()) error = result.error().message;
  }

  base::Page page;
  base::Arena arena;
  T object;
  std::string error;
};

struct ErrorCase {
  const char* name;
  const char* json;
  const char* want;  // the error's end, after the place
};

const ErrorCase kErrors[] = {
    {"an object where text belongs", R"({"metadata": {"name": {}}})",
     "metadata.name: expected a string, found an object"},
    {"a number where text belongs", R"({"spec": {"driver": 1}})",
     "spec.driver: expected a string, found a number"},
    {"text where an object belongs", R"({"spec": "x"})",
     "spec: expected an object, found a string"},
    {"an object where a list belongs", R"({"spec": {"devices": {}}})",
     "spec.devices: expected a list, found an object"},
    {"text where true or false belongs", R"({"spec": {"allNodes": "true"}})",
     "spec.allNodes: expected a boolean, found a string"},
    {"text where a number belongs", R"({"spec": {"pool": {"generation": "1"}}})",
     "spec.pool.generation: expected a number, found a string"},
    {"an item of a list is named by its index",
     R"({"spec": {"devices": [{"name": "a"}, {"name": []}]}})",
     "spec.devices[1].name: expected a string, found a list"},
    {"a member of a map is named by its key",
     R"({"spec": {"devices": [{"attributes": {"x.com/y": {"int": true}}}]}})",
     "spec.devices[0].attributes[x.com/y].int: expected a number, found a boolean"},
    {"an integer beyond 64 bits", R"({"spec": {"pool": {"generation": 9223372036854775808}}})",
     "spec.pool.generation: 9223372036854775808 is not an integer of 64 bits"},
    {"a negative integer beyond 64 bits",
     R"({"spec": {"pool": {"generation": -9223372036854775809}}})",
     "spec.pool.generation: -9223372036854775809 is not an integer of 64 bits"},
    {"a fraction is no integer", R"({"spec": {"pool": {"generation": 1.5}}})",
     "spec.pool.generation: 1.5 is not an integer of 64 bits"},
    {"an exponent is no integer", R"({"spec": {"pool": {"generation": 1e2}}})",
     "spec.pool.generation: 1e2 is not an integer of 64 bits"},
    {"a quantity is text or a number",
     R"({"spec": {"devices": [{"capacity": {"memory": {"value": true}}}]}})",
     "spec.devices[0].capacity[memory].value: expected a string, found a boolean"},
    {"the first of two errors is told", R"({"spec": {"driver": 1, "pool": []}})",
     "spec.driver: expected a string, found a number"},
};

TEST_CASE("a value of the wrong type is an error that names its path") {
  for (const ErrorCase& row : kErrors) {
    CAPTURE(row.name);
    const Decoded<ResourceSlice> slice(row.json);
    CAPTURE(slice.error);
    CHECK(slice.error.ends_with(row.want));
  }
}

TEST_CASE("a time that cannot be read is an error that names its path") {
  const Decoded<Pod> pod(R"({"metadata": {"creationTimestamp": "yesterday"}})");
  CAPTURE(pod.error);
  CHECK(pod.error.find("metadata.creationTimestamp: ") != std::string::npos);
}

TEST_CASE("the root itself must be an object") {
  const Decoded<Pod> pod("[]");
  CAPTURE(pod.error);
  CHECK(pod.error.ends_with("expected an object, found a list"));
}

TEST_CASE("an error in YAML names line and column, too") {
  const auto documents = json::parse_yaml("spec:\n  pool:\n    generation: many\n");
  REQUIRE(documents.ok());
  base::Arena arena;
  ResourceSlice slice;
  const auto read = json::read_tree(documents.value().front(), arena,
                                    [&slice](json::Cursor& root) { decode(root, slice); });
  REQUIRE_FALSE(read.ok());
  CHECK(read.error().message ==
        "line 3, column 17: spec.pool.generation: expected a number, found a string");
}

TEST_CASE("fields that are not known are skipped, whatever they hold") {
  const Decoded<ResourceSlice> slice(
      R"({"new": [{"a": {"b": [1, "x", null]}}], "spec": {"driver": "d", "later": {"driver": 1},
          "devices": [{"fancy": {"x": []}, "name": "gpu-0"}]}, "metadata": {"name": "s"}})");
  CHECK(slice.error == "");
  CHECK(slice.object.meta.name == "s");
  CHECK(slice.object.spec.driver == "d");
  REQUIRE(slice.object.spec.devices.size() == 1);
  CHECK(slice.object.spec.devices.front().name == "gpu-0");
}

TEST_CASE("null is the same as absent") {
  const Decoded<ResourceClaim> claim(
      R"({"metadata": {"name": null, "labels": null, "finalizers": null, "deletionTimestamp": null},
          "spec": {"devices": {"requests": [{"name": "r", "exactly": null}]}}, "status":
          {"allocation": null}})");
  CHECK(claim.error == "");
  CHECK(claim.object.meta.name == "");
  CHECK(claim.object.meta.labels.empty());
  CHECK_FALSE(claim.object.meta.deleted);
  CHECK_FALSE(claim.object.spec.devices.requests.front().exactly);
  CHECK_FALSE(claim.object.allocated());
}

TEST_CASE("fields may stand in any order, and twice: then the last counts") {
  const Decoded<ResourceSlice> slice(
      R"({"spec": {"devices": [{"name": "a"}, {"name": "b"}], "pool": {"resourceSliceCount": 2,
          "generation": 7, "name": "p"}, "driver": "x", "driver": "d", "devices": [{"name": "c"}]},
          "metadata": {"uid": "u", "name": "s"}})");
  CHECK(slice.error == "");
  CHECK(slice.object.meta.name == "s");
  CHECK(slice.object.spec.driver == "d");
  CHECK(slice.object.spec.pool.name == "p");
  CHECK(slice.object.spec.pool.generation == 7);
  CHECK(slice.object.spec.pool.slice_count == 2);
  REQUIRE(slice.object.spec.devices.size() == 1);
  CHECK(slice.object.spec.devices.front().name == "c");
}

TEST_CASE(
    "maps are in the order of their keys, whoever wrote them; of a key twice the last counts") {
  const Decoded<ResourceSlice> slice(
      R"({"metadata": {"labels": {"b": "1", "a": "2", "b": "3", "a/c": "4"}}})");
  CHECK(slice.error == "");
  std::string line;
  for (const auto& label : slice.object.meta.labels) {
    line += std::string(label.key) + "=" + std::string(label.value) + " ";
  }
  CHECK(line == "a=2 a/c=4 b=3 ");
}

TEST_CASE("an object remembers the bytes it came from") {
  constexpr std::string_view kText = R"({"metadata": {"name": "s"},  "unknown": [1.50]})";
  const Decoded<DeviceClass> device_class(kText);
  CHECK(device_class.object.origin.raw == kText);
}

TEST_CASE("the whole range of 64 bits is read exactly") {
  const Decoded<ResourceSlice> slice(
      R"({"metadata": {"generation": -9223372036854775808},
          "spec": {"pool": {"generation": 9223372036854775807}}})");
  CHECK(slice.error == "");
  CHECK(slice.object.meta.generation == std::numeric_limits<std::int64_t>::min());
  CHECK(slice.object.spec.pool.generation == std::numeric_limits<std::int64_t>::max());
}

}  // namespace
}  // namespace dra::api::fields_test
