// tests/engine/selectors/clause_table_test.cpp

#include "dra/engine/selectors/clause_table.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "dra/engine/selectors/selection.h"
#include "tests/support/builders.h"

namespace dra::engine::clause_table_test {
namespace {

using support::scene;

// Memory 1Gi, 2Gi, 2Gi and none; model a, a, b and none.
snapshot::Snapshot four_devices() {
  return scene()
      .slice({.name = "s",
              .devices = "{name: d1, attributes: {model: {string: a}}, capacity: {memory: {value: "
                         "1Gi}}}, {name: d2, attributes: {model: {string: a}}, capacity: {memory: "
                         "{value: 2Gi}}}, {name: d3, attributes: {model: {string: b}}, capacity: "
                         "{memory: {value: 2Gi}}}, {name: d4}"})
      .build();
}

ClauseTable table_of(const std::vector<std::string_view>& expressions) {
  const auto snapshot = four_devices();
  const Inventory inventory(snapshot);
  Answers answers = answers_for(inventory, {});
  std::vector<Asked> asked;
  for (const std::string_view expression : expressions) {
    const SelectorAnswer& answer = answers.of(expression);
    asked.push_back({&answer.selector, &*answer.devices});
  }
  return clause_table(answers.fleet(), asked).value();
}

// "SELECTOR TEXT ALONE/AFTER/ONLY seen", a line for each.
std::string say(const std::vector<std::string_view>& expressions) {
  const ClauseTable table = table_of(expressions);
  std::string text;
  for (const ClauseCount& count : table.clauses) {
    text += base::format("{} {} {}/{}/{}", count.selector, count.clause.text, count.alone,
                         count.after, count.only_obstacle);
    for (const SeenInstead& seen : count.seen)
      text += base::format(" [{} {}]", seen.devices, seen.text);
    text += "\n";
  }
  if (table.pair) {
    text +=
        base::format("pair {} {} {}\n", table.pair->first, table.pair->second, table.pair->devices);
  }
  return text;
}

constexpr std::string_view kModel = "device.attributes['gpu.example.com'].model == 'b'";
constexpr std::string_view kMemory =
    "device.capacity['gpu.example.com'].memory.isGreaterThan(quantity('1Gi'))";

struct Row {
  const char* name;
  std::vector<std::string_view> selectors;
  std::string want;
};

TEST_CASE("conditions over all devices") {
  const std::string both = base::format("{} && {}", kMemory, kModel);
  const Row rows[] = {
      {"one condition is the only obstacle of whatever does not match",
       {kModel},
       base::format("0 {} 1/1/3 [2 \"a\"] [1 no such key: model]\n", kModel)},
      {"each for itself, together, and as the only obstacle",
       {both},
       base::format("0 {} 2/2/0 [1 1Gi] [1 no such key: memory]\n"
                    "0 {} 1/1/1 [1 \"a\"]\n",
                    kMemory, kModel)},
      {"several selectors are one conjunction",
       {kMemory, kModel},
       base::format("0 {} 2/2/0 [1 1Gi] [1 no such key: memory]\n"
                    "1 {} 1/1/1 [1 \"a\"]\n",
                    kMemory, kModel)},
      {"without an only obstacle, the two that are most often together",
       {"false", "device.driver == 'x'"},
       "0 false 0/0/0 [4 false]\n1 device.driver == 'x' 0/0/0 [4 \"gpu.example.com\"]\npair 0 1 "
       "4\n"},
      {"a constant", {"true"}, "0 true 4/4/0\n"},
      {"what must not hold",
       {"!(device.driver == 'x' || has(device.attributes['gpu.example.com'].model))"},
       "0 !(device.driver == 'x') 4/4/0\n"
       "0 !(has(device.attributes['gpu.example.com'].model)) 1/1/3 [3 model is there]\n"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(say(row.selectors) == row.want);
  }
}

TEST_CASE("which condition to look at") {
  const std::string both = base::format("{} && {}", kMemory, kModel);
  const ClauseTable table = table_of({both});
  CHECK(table.nearest() == 1);
  CHECK(table.strictest() == 1);
  CHECK_FALSE(table_of({"true"}).nearest().has_value());
  CHECK_FALSE(table_of({"true"}).strictest().has_value());
  CHECK_FALSE(table_of({"false", "1 > 2"}).nearest().has_value());
}

TEST_CASE("a device that cannot be read meets no condition") {
  const auto snapshot =
      scene().slice({.name = "s", .devices = "{name: d, attributes: {v: {version: '1'}}}"}).build();
  const Inventory inventory(snapshot);
  Answers answers = answers_for(inventory, {});
  const SelectorAnswer& answer = answers.of("device.driver == 'gpu.example.com'");
  const Asked asked{&answer.selector, &*answer.devices};
  const auto table = clause_table(answers.fleet(), {&asked, 1});
  REQUIRE(table.has_value());
  CHECK(table->clauses.front().alone == 0);
  CHECK(table->clauses.front().seen.front().text.starts_with("attribute v: parse semantic"));
  CHECK_FALSE(trace_of(answer.selector, answers.fleet()[0]).has_value());
}

}  // namespace
}  // namespace dra::engine::clause_table_test
