// tests/engine/scheduler/constraint_test.cpp: which devices may stand beside each other, and what
// remains when the search goes back.

#include "src/engine/scheduler/constraint.h"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::constraint_test {
namespace {

using support::scene;

constexpr std::string_view kDriver = "gpu.example.com";
constexpr std::string_view kMatch = "gpu.example.com/x1";

constexpr std::array<std::string_view, 4> kObjections{"ok", "missing", "differs", "same"};

std::string_view name_of(Objection objection) {
  return kObjections.at(static_cast<std::size_t>(objection));
}

// A slice with a device for each attribute x1; those that are empty have none.
snapshot::Snapshot devices_with(const std::vector<const char*>& attributes) {
  std::vector<std::string> devices;
  devices.reserve(attributes.size());
  for (const char* attribute : attributes) {
    devices.push_back(*attribute == '\0' ? base::format("{{name: d{}}}", devices.size())
                                         : base::format("{{name: d{}, attributes: {{x1: {{{}}}}}}}",
                                                        devices.size(), attribute));
  }
  return scene().slice({.name = "s", .devices = base::join(devices, ", ")}).build();
}

// Adds the devices with these numbers, and at each "-" takes back the last one, if it was let in:
// "ok differs".
std::string play(ConstraintState state, const snapshot::Snapshot& snapshot,
                 std::string_view script) {
  const auto& devices = snapshot.all<api::ResourceSlice>().front().spec.devices;
  std::vector<std::string> said;
  std::vector<bool> let_in;
  for (const std::string_view step : base::split(script, ' ')) {
    if (step == "-") {
      if (let_in.back()) state.remove("r");
      let_in.pop_back();
      continue;
    }
    const auto& device = devices.at(static_cast<std::size_t>(step.front() - '0'));
    const Objection objection = state.add(attribute_for(device, kDriver, kMatch), "r");
    let_in.push_back(objection == Objection::None);
    said.emplace_back(name_of(objection));
  }
  return base::join(said, " ");
}

struct Case {
  std::string name;
  std::vector<const char*> attributes;
  const char* script;
  // Without lists, with lists that stay narrowed, with lists as sets.
  std::string unknown;
  std::string narrowed;
  std::string as_sets;
};

void check(const Case& row, const api::Constraint& constraint) {
  CAPTURE(row.name);
  const auto snapshot = devices_with(row.attributes);
  CHECK(play({constraint, Lists::Unknown, Memory::OfEach}, snapshot, row.script) == row.unknown);
  CHECK(play({constraint, Lists::Narrowed, Memory::OfEach}, snapshot, row.script) == row.narrowed);
  CHECK(play({constraint, Lists::AsSets, Memory::OfEach}, snapshot, row.script) == row.as_sets);
}

// Without lists there is one rule for all releases.
void check_all(const Case& row, const api::Constraint& constraint) {
  Case same = row;
  same.narrowed = same.as_sets = row.unknown;
  check(same, constraint);
}

const api::Constraint kMatching{.match_attribute = kMatch};
const api::Constraint kDistinct{.distinct_attribute = kMatch};

TEST_CASE("matchAttribute, of single values") {
  const Case rows[] = {
      {"the first may have any value", {"int: 1"}, "0", "ok"},
      {"the same value", {"int: 1", "int: 1", "int: 1"}, "0 1 2", "ok ok ok"},
      {"another value", {"int: 1", "int: 2"}, "0 1", "ok differs"},
      {"a device that is refused leaves no trace",
       {"int: 1", "int: 2", "int: 1"},
       "0 1 2",
       "ok differs ok"},
      {"no value", {"int: 1", ""}, "0 1", "ok missing"},
      {"the first must have one, too", {"", "int: 1"}, "0 1", "missing ok"},
      {"texts", {"string: a", "string: a", "string: b"}, "0 1 2", "ok ok differs"},
      {"truth", {"bool: true", "bool: true", "bool: false"}, "0 1 2", "ok ok differs"},
      {"false and zero are of two types", {"bool: false", "int: 0"}, "0 1", "ok differs"},
      {"a number and its text, too", {"int: 1", "string: '1'"}, "0 1", "ok differs"},
      {"a version and its text, too", {"version: 1.0.0", "string: 1.0.0"}, "0 1", "ok differs"},
      {"versions are compared as texts",
       {"version: 1.0.0", "version: 1.0.0", "version: 1.0.0+a"},
       "0 1 2",
       "ok ok differs"},
      {"the value holds as long as a device is left",
       {"int: 1", "int: 1", "int: 2"},
       "0 1 - 2",
       "ok ok differs"},
      {"and not after that", {"int: 1", "int: 2", "int: 1"}, "0 - 1 2", "ok ok differs"},
  };
  for (const Case& row : rows)
    check_all(row, kMatching);
}

TEST_CASE("matchAttribute, of lists") {
  const Case rows[] = {
      {"a list matches alone only, unless lists are known",
       {"ints: [1]", "ints: [1]"},
       "0 1",
       "ok differs",
       "ok ok",
       "ok ok"},
      {"a value in a list", {"ints: [1, 2]", "int: 2"}, "0 1", "ok differs", "ok ok", "ok ok"},
      {"the other way round", {"int: 2", "ints: [1, 2]"}, "0 1", "ok differs", "ok ok", "ok ok"},
      {"all must have one value in common, not any two",
       {"ints: [1, 2]", "ints: [2, 3]", "ints: [1, 3]"},
       "0 1 2",
       "ok differs differs",
       "ok ok differs",
       "ok ok differs"},
      {"in 1.36 what is common stays narrow when the search goes back",
       {"ints: [1, 2]", "ints: [2, 3]", "ints: [1, 3]"},
       "0 1 - 2",
       "ok differs differs",
       "ok ok differs",
       "ok ok ok"},
      {"without any device all starts anew",
       {"ints: [1, 2]", "ints: [2, 3]", "ints: [1, 3]"},
       "0 - 2",
       "ok ok",
       "ok ok",
       "ok ok"},
      {"texts",
       {"strings: [a, b]", "strings: [b]", "string: a"},
       "0 1 2",
       "ok differs differs",
       "ok ok differs",
       "ok ok differs"},
      {"truth", {"bools: [true, false]", "bool: true"}, "0 1", "ok differs", "ok ok", "ok ok"},
      {"versions",
       {"versions: [1.0.0, 2.0.0]", "version: 2.0.0"},
       "0 1",
       "ok differs",
       "ok ok",
       "ok ok"},
      {"types are kept apart",
       {"versions: [1.0.0]", "strings: [1.0.0]"},
       "0 1",
       "ok differs",
       "ok differs",
       "ok differs"},
      {"an empty list is no value", {"ints: []", "int: 1"}, "0", "ok", "differs", "differs"},
      {"nor is a type that is not known yet",
       {"int: 1", "later: 1"},
       "0 1",
       "ok differs",
       "ok differs",
       "ok differs"},
  };
  for (const Case& row : rows)
    check(row, kMatching);
}

TEST_CASE("distinctAttribute, of single values") {
  const Case rows[] = {
      {"other values", {"int: 1", "int: 2", "int: 3"}, "0 1 2", "ok ok ok"},
      {"a value a second time", {"int: 1", "int: 2", "int: 1"}, "0 1 2", "ok ok same"},
      {"no value", {"int: 1", ""}, "0 1", "ok missing"},
      {"a number and its text differ", {"int: 1", "string: '1'"}, "0 1", "ok ok"},
      {"versions are compared as texts",
       {"version: 1.0.0", "version: 1.0.0+a", "version: 1.0.0"},
       "0 1 2",
       "ok ok same"},
      {"truth has room for two",
       {"bool: true", "bool: false", "bool: true"},
       "0 1 2",
       "ok ok same"},
      {"a value is free again when its device is removed",
       {"int: 1", "int: 2", "int: 2"},
       "0 1 - 2",
       "ok ok ok"},
  };
  for (const Case& row : rows)
    check_all(row, kDistinct);
}

TEST_CASE("distinctAttribute, of lists") {
  const Case rows[] = {
      {"no value in common",
       {"ints: [1, 2]", "ints: [3]", "int: 4"},
       "0 1 2",
       "ok same ok",
       "ok ok ok",
       "ok ok ok"},
      {"one value in common",
       {"ints: [1, 2]", "ints: [3]", "ints: [3, 2]"},
       "0 1 2",
       "ok same same",
       "ok ok same",
       "ok ok same"},
      {"a value in a list before it: unless lists are known, it is distinct",
       {"ints: [1, 2]", "int: 1"},
       "0 1",
       "ok ok",
       "ok same",
       "ok same"},
      {"a list after a value: unless lists are known, it never is",
       {"int: 1", "ints: [2]"},
       "0 1",
       "ok same",
       "ok ok",
       "ok ok"},
      {"types are kept apart", {"ints: [1]", "strings: ['1']"}, "0 1", "ok same", "ok ok", "ok ok"},
      {"an empty list is no value", {"ints: []"}, "0", "ok", "same", "same"},
      {"a device that is removed binds nobody",
       {"ints: [1, 2]", "ints: [3]", "ints: [2, 3]"},
       "1 0 - - 2",
       "ok same ok",
       "ok ok ok",
       "ok ok ok"},
  };
  for (const Case& row : rows)
    check(row, kDistinct);
}

TEST_CASE("of both kinds at once only matchAttribute counts") {
  const api::Constraint both{.match_attribute = kMatch, .distinct_attribute = "gpu.example.com/b1"};
  const ConstraintState state(both, Lists::AsSets, Memory::OfEach);
  CHECK(state.matching());
  CHECK(state.attribute() == kMatch);
  CHECK(play(state, devices_with({"int: 1", "int: 1", "int: 2"}), "0 1 2") == "ok ok differs");
}

struct AttributeCase {
  std::string name;
  const char* attributes;
  const char* asked;
  std::int64_t want;  // -1: none
};

const AttributeCase kAttributes[] = {
    {"as it is written", "gpu.example.com/x1: {int: 1}", "gpu.example.com/x1", 1},
    {"a bare name is the driver's", "x1: {int: 1}", "gpu.example.com/x1", 1},
    {"not another domain's", "x1: {int: 1}", "other.com/x1", -1},
    {"what is written out comes first", "gpu.example.com/x1: {int: 1}, x1: {int: 2}",
     "gpu.example.com/x1", 1},
    {"another domain's that the driver publishes", "other.com/x1: {int: 1}", "other.com/x1", 1},
    {"a constraint's bare name means just that", "x1: {int: 1}", "x1", 1},
    {"and no full one", "gpu.example.com/x1: {int: 1}", "x1", -1},
    {"none", "x1: {int: 1}", "gpu.example.com/b1", -1},
};

TEST_CASE("the attribute that a constraint means") {
  for (const AttributeCase& row : kAttributes) {
    CAPTURE(row.name);
    const auto snapshot =
        scene()
            .slice({.name = "s",
                    .devices = base::format("{{name: d, attributes: {{{}}}}}", row.attributes)})
            .build();
    const auto& device = snapshot.all<api::ResourceSlice>().front().spec.devices.front();
    const auto* attribute = attribute_for(device, kDriver, row.asked);
    CHECK((attribute == nullptr ? -1 : attribute->as_int()) == row.want);
  }
}

struct RequestCase {
  std::string name;
  std::vector<std::string_view> requests;
  bool of_a;  // whether it speaks of r/a, of r/b and of another request
  bool of_b;
  bool of_other;
};

const RequestCase kRequests[] = {
    {"none is named: all are meant", {}, true, true, true},
    {"a request with all its alternatives", {"r"}, true, true, false},
    {"one alternative", {"r/a"}, true, false, false},
    {"several", {"r/b", "other"}, false, true, true},
    {"an alternative has no name of its own", {"a"}, false, false, false},
};

TEST_CASE("the requests that a constraint speaks of") {
  for (const RequestCase& row : kRequests) {
    CAPTURE(row.name);
    const api::Constraint constraint{.requests = row.requests, .match_attribute = kMatch};
    const ConstraintState state(constraint, Lists::AsSets, Memory::OfEach);
    CHECK(state.applies_to("r", "r/a") == row.of_a);
    CHECK(state.applies_to("r", "r/b") == row.of_b);
    CHECK(state.applies_to("other", "other") == row.of_other);
  }
}

// The memory of older releases, in a table of its own: what distinctAttribute says of devices with
// the numbers in `script`, each for the request named behind it; "-" takes the last one back.
TEST_CASE("older releases forget which devices have to be distinct") {
  const auto snapshot = devices_with({"int: 1", "int: 2", "int: 1"});
  const auto& devices = snapshot.all<api::ResourceSlice>().front().spec.devices;
  const api::Constraint distinct{.distinct_attribute = kMatch};
  const auto says = [&](Memory memory, std::initializer_list<std::pair<int, const char*>> picks) {
    ConstraintState state(distinct, Lists::Unknown, memory);
    Objection last = Objection::None;
    for (const auto& [device, request] : picks) {
      last = state.add(attribute_for(devices.at(static_cast<std::size_t>(device)), kDriver, kMatch),
                       request);
    }
    return last;
  };
  CHECK(says(Memory::OfEach, {{0, "a"}, {1, "a"}, {2, "b"}}) == Objection::NotDistinct);
  CHECK(says(Memory::LastOfRequest, {{0, "a"}, {1, "a"}, {2, "b"}}) == Objection::None);
  CHECK(says(Memory::LastOfRequest, {{0, "a"}, {1, "b"}, {2, "b"}}) == Objection::NotDistinct);
  CHECK(says(Memory::ByPlace, {{0, "a"}, {2, "b"}}) == Objection::None);
}

}  // namespace
}  // namespace dra::engine::constraint_test
