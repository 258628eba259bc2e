// tests/checks/rules/differences_test.cpp: what the API server takes for a change. What it says of
// thousands of updates is in tests/cluster/validate.

#include "src/checks/rules/differences.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/json/yaml.h"

namespace dra::checks::differences_test {
namespace {

json::Value tree_of(std::string_view yaml) { return json::parse_yaml(yaml).take().front(); }

// "a is 1 in the cluster and 2 here"; empty if the server takes them for the same.
std::string change(std::string_view type, std::string_view before, std::string_view now,
                   const UpdateTarget& how = {}) {
  std::vector<ManifestFinding> findings;
  const engine::Features features = engine::features_of({});
  const engine::Language language = engine::language_of({}, engine::Expressions::New);
  UpdateTarget target = how;
  target.object = tree_of(before);
  const Checking checking{
      .findings = findings, .features = features, .language = language, .update_target = &target};
  const json::Value manifest = tree_of(now);
  const auto found = differences(Field(checking, manifest), &target.object, type);
  return found.empty() ? std::string() : words_for(found);
}

struct Row {
  const char* name;
  const char* type;
  const char* before;
  const char* now;
  const char* want;
};

TEST_CASE("what differs, and what only looks different") {
  const char* exact = "resource/v1.ExactDeviceRequest";
  const char* toleration = "resource/v1.DeviceToleration";
  const char* constraint = "resource/v1.DeviceConstraint";
  const Row rows[] = {
      {"nothing", exact, "{count: 1}", "{count: 1}", ""},
      {"a number", exact, "{count: 1}", "{count: 2}", "count is 1 in the cluster and 2 here"},
      {"a zero that is left away", exact, "{count: 0}", "{}", ""},
      {"an empty text that is left away", exact, "{allocationMode: ''}", "{}", ""},
      {"a list that is empty", exact, "{selectors: []}", "{}", ""},
      {"null", exact, "{selectors: null, adminAccess: null}", "{}", ""},
      {"false where Go holds a pointer", exact, "{}", "{adminAccess: false}",
       "adminAccess is not in the cluster and false here"},
      {"an empty object where Go holds a pointer", exact, "{capacity: {}}", "{}",
       "capacity is {} in the cluster and not here"},
      {"an empty text where Go holds a pointer", constraint, "{}", "{matchAttribute: ''}",
       "matchAttribute is not in the cluster and \"\" here"},
      {"a quantity in another unit", exact, "{capacity: {requests: {memory: 1Gi}}}",
       "{capacity: {requests: {memory: 1024Mi}}}", ""},
      {"a quantity", exact, "{capacity: {requests: {memory: 1Gi}}}",
       "{capacity: {requests: {memory: 1G}}}",
       "capacity.requests[memory] is \"1Gi\" in the cluster and \"1G\" here"},
      {"an entry more, and one less", exact, "{capacity: {requests: {a: 1}}}",
       "{capacity: {requests: {b: 1}}}",
       "capacity.requests[a] is 1 in the cluster and not here; capacity.requests[b] is not in the "
       "cluster and 1 here"},
      {"items in another order", constraint, "{requests: [a, b]}", "{requests: [b, a]}",
       "requests[0] is \"a\" in the cluster and \"b\" here; requests[1] is \"b\" in the cluster "
       "and \"a\" here"},
      {"an item more", constraint, "{requests: [a]}", "{requests: [a, b]}",
       "requests[1] is not in the cluster and \"b\" here"},
      {"an item less", constraint, "{requests: [a, b]}", "{requests: [a]}",
       "requests[1] is \"b\" in the cluster and not here"},
      {"more than is told", constraint, "{requests: [a, b, c, d, e]}", "{requests: []}",
       "requests[0] is \"a\" in the cluster and not here; requests[1] is \"b\" in the cluster and "
       "not here; requests[2] is \"c\" in the cluster and not here; "
       "and 2 more"},
      {"a time elsewhere", "resource/v1.DeviceTaint", "{timeAdded: '2026-11-20T08:00:00Z'}",
       "{timeAdded: '2026-11-20T09:00:00+01:00'}", ""},
      {"a value of another operator", toleration, "{operator: Exists}", "{operator: Equal}",
       "operator is \"Exists\" in the cluster and \"Equal\" here"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(change(row.type, row.before, row.now) == row.want);
  }
}

TEST_CASE("a driver's parameters are bytes, as far as they can be seen") {
  const char* type = "resource/v1.OpaqueDeviceConfiguration";
  const char* sorted = "{parameters: {a: 1, b: {c: 2}}}";
  const char* unsorted = "{parameters: {b: {c: 2}, a: 1}}";
  const UpdateTarget stored{.stored_order = true};
  CHECK(change(type, sorted, unsorted, stored).empty());  // kubectl sends them sorted
  CHECK_FALSE(change(type, unsorted, sorted, stored).empty());
  CHECK(change(type, unsorted, sorted).empty());
  CHECK_FALSE(change(type, sorted, "{parameters: {a: 2, b: {c: 2}}}").empty());
  const UpdateTarget recorded{.parameters_left_out = true};
  CHECK(change(type, "{parameters: {}}", sorted, recorded).empty());
  CHECK_FALSE(change(type, "{parameters: {}}", sorted).empty());
  CHECK_FALSE(change(type, "{}", sorted, recorded).empty());
}

}  // namespace
}  // namespace dra::checks::differences_test
