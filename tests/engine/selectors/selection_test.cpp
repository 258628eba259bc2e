// tests/engine/selectors/selection_test.cpp

#include "dra/engine/selectors/selection.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::selection_test {
namespace {

using support::scene;

// Of four devices: memory 1Gi, 2Gi and 3Gi, and one that has none.
snapshot::Snapshot four_devices() {
  return scene()
      .slice({.name = "s",
              .devices = "{name: a, capacity: {memory: {value: 1Gi}}}, "
                         "{name: b, capacity: {memory: {value: 2Gi}}}, "
                         "{name: c, capacity: {memory: {value: 3Gi}}}, {name: d}"})
      .build();
}

// "chosen CHOSEN, failed FAILED; alone/reached/after/failed ..." and a letter for each device.
std::string say(const std::vector<std::string_view>& selectors) {
  const auto snapshot = four_devices();
  const Inventory inventory(snapshot);
  Answers answers = answers_for(inventory, {});
  const Selection selection = choose(answers, selectors);
  std::string text;
  for (const Outcome outcome : selection.devices)
    text += outcome == Outcome::Chosen ? 'C' : outcome == Outcome::Failed ? 'F' : '-';
  CHECK(selection.chosen == static_cast<std::size_t>(std::ranges::count(text, 'C')));
  CHECK(selection.failed == static_cast<std::size_t>(std::ranges::count(text, 'F')));
  for (const SelectorCount& count : selection.selectors)
    text += base::format(" {}/{}/{}/{}", count.alone, count.reached, count.after, count.failed);
  return text;
}

constexpr std::string_view kMemory =
    "device.capacity['gpu.example.com'].memory.compareTo(quantity('2Gi')) >= 0";
constexpr std::string_view kHasMemory = "'memory' in device.capacity['gpu.example.com']";

struct Row {
  const char* name;
  std::vector<std::string_view> selectors;
  const char* want;
};

TEST_CASE("what several selectors choose") {
  const Row rows[] = {
      {"without selectors every device", {}, "CCCC"},
      {"one that fails for a device", {kMemory}, "-CCF 2/4/2/1"},
      {"one before it keeps it from failing", {kHasMemory, kMemory}, "-CC- 3/4/3/0 2/3/2/0"},
      {"one behind it does not", {kMemory, kHasMemory}, "-CCF 2/4/2/1 3/2/2/0"},
      {"one that is never true ends it", {"false", kMemory}, "---- 0/4/0/0 2/0/0/0"},
      {"one that does not compile fails for all that reach it",
       {kHasMemory, "x"},
       "FFF- 3/4/3/0 0/3/0/3"},
      {"one that the API server would not store is evaluated all the same",
       {"device.capacity.all(d, device.capacity.all(e, device.capacity.all(f, d.matches(e + f))))"
        " || true"},
       "CCCC 4/4/4/0"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(say(row.selectors) == row.want);
  }
}

TEST_CASE("failures of one kind are told together") {
  const auto snapshot = scene()
                            .slice({.name = "s",
                                    .devices = "{name: a}, {name: b, attributes: {version: "
                                               "{version: '1'}}}, {name: c}"})
                            .build();
  const Inventory inventory(snapshot);
  Answers answers = answers_for(inventory, {});
  const std::vector<std::string_view> selectors{"true",
                                                "device.attributes['gpu.example.com'].x == 1"};
  const Selection selection = choose(answers, selectors);
  const auto groups = failures_of(selection);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].selector == 1);
  CHECK(groups[0].failure->message.starts_with("no such key: x"));
  CHECK(groups[0].devices == std::vector<std::size_t>{0, 2});
  CHECK(groups[1].selector == 0);  // nothing at all can be evaluated for it
  CHECK(groups[1].failure->stage == Stage::Attribute);
  CHECK(groups[1].devices == std::vector<std::size_t>{1});
}

TEST_CASE("an expression is compiled once") {
  const auto snapshot = four_devices();
  const Inventory inventory(snapshot);
  Answers answers = answers_for(inventory, {});
  const SelectorAnswer& first = answers.of("true");
  CHECK(answers.of("false").devices->matches() == 0);
  CHECK(&answers.of("true") == &first);
  CHECK_FALSE(answers.of("tru").devices.has_value());
}

}  // namespace
}  // namespace dra::engine::selection_test
