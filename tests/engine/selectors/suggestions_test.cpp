// tests/engine/selectors/suggestions_test.cpp

#include "dra/engine/selectors/suggestions.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "dra/engine/selectors/selection.h"
#include "dra/engine/selectors/value_changes.h"
#include "tests/support/builders.h"
#include "tests/support/random_cel.h"

namespace dra::engine::suggestions_test {
namespace {

using support::scene;

// Three GPUs of one driver, and a CPU and a NIC of others that have none of their names.
snapshot::Snapshot gpus() {
  return scene()
      .slice({.name = "gpus",
              .driver = "gpu.io",
              .pool = "gpus",
              .devices =
                  "{name: d1, attributes: {type: {string: gpu}, model: {string: NVIDIA H100}, "
                  "driverVersion: {version: 9.1.0}, k8s.io/pcieRoot: {string: pci0}, index: {int: "
                  "1}, ecc: {bool: true}}, capacity: {memory: {value: 81152Mi}}}, "
                  "{name: d2, attributes: {type: {string: gpu}, model: {string: NVIDIA A100}, "
                  "driverVersion: {version: 9.0.0}, k8s.io/pcieRoot: {string: pci1}, index: {int: "
                  "2}, ecc: {bool: true}}, capacity: {memory: {value: 40Gi}}}, "
                  "{name: d3, attributes: {type: {string: gpu}, model: {string: NVIDIA A100}, "
                  "driverVersion: {version: 9.0.0}, k8s.io/pcieRoot: {string: pci1}, index: {int: "
                  "3}, ecc: {bool: true}, nvlink: {bool: true}}, capacity: {memory: {value: "
                  "40Gi}}}"})
      .slice({.name = "others",
              .driver = "cpu.io",
              .pool = "cpus",
              .devices = "{name: c1, attributes: {cores: {int: 8}}}"})
      .slice({.name = "nics",
              .driver = "nic.io",
              .pool = "nics",
              .devices = "{name: n1, attributes: {speed: {int: 100}}}"})
      .build();
}

std::string shown(const Suggestion& one) {
  return base::format("{}: {}", one.matches, one.expression);
}

std::vector<Suggestion> suggestions(const std::vector<std::string_view>& selectors,
                                    std::size_t wanted) {
  const auto snapshot = gpus();
  const Inventory inventory(snapshot);
  const Answers answers = answers_for(inventory, snapshot.server());
  return suggestions_for(answers.fleet(), selectors, snapshot.server(), wanted);
}

constexpr std::string_view kClass = "device.driver == \"gpu.io\"";

struct Case {
  const char* name;
  const char* expression;         // below a class that selects the driver
  std::vector<std::string> want;  // "MATCHES: EXPRESSION"; not all, but the first
  std::size_t wanted = 1;
};

const Case kCases[] = {
    {"nothing is wrong", R"(device.attributes["gpu.io"].type == "gpu")", {}},
    {"the kind of a value, without the domain, in other letters",
     R"(device.attributes["type"].string == "GPU")",
     {R"(3: device.attributes["gpu.io"].type == "gpu")"}},
    {"single quotes stay",
     R"(device.attributes['type'].string == 'GPU')",
     {R"(3: device.attributes["gpu.io"].type == 'gpu')"}},
    {"a capacity that is looked for among the attributes, without its domain",
     R"(device.attributes["memory"].compareTo(quantity("40Gi")) >= 0)",
     {R"(3: device.capacity["gpu.io"].memory.compareTo(quantity("40Gi")) >= 0)"}},
    {"an attribute that is a capacity",
     R"(device.attributes["gpu.io"].memory >= "40Gi")",
     {R"(3: device.capacity["gpu.io"].memory.compareTo(quantity("40Gi")) >= 0)"}},
    {"a unit that is none",
     R"(device.capacity["gpu.io"].memory.compareTo(quantity("40g")) >= 0)",
     {R"(3: device.capacity["gpu.io"].memory.compareTo(quantity("40Gi")) >= 0)"}},
    {"an amount without quotes",
     R"(device.capacity["gpu.io"].memory >= 40Gi)",
     {R"(3: device.capacity["gpu.io"].memory.compareTo(quantity("40Gi")) >= 0)"}},
    {"a text where a quantity is needed",
     R"(device.capacity["gpu.io"].memory.isGreaterThan("10Gi"))",
     {R"(3: device.capacity["gpu.io"].memory.isGreaterThan(quantity("10Gi")))"}},
    {"words of other languages",
     R"(device.attributes["gpu.io"].type == "gpu" and device.attributes["gpu.io"].ecc)",
     {R"(3: device.attributes["gpu.io"].type == "gpu" && device.attributes["gpu.io"].ecc)"}},
    {"without the variable",
     R"(attributes["gpu.io"].type == "gpu" && attributes["gpu.io"].ecc)",
     {R"(3: device.attributes["gpu.io"].type == "gpu" && device.attributes["gpu.io"].ecc)"}},
    {"a field that there is not",
     R"(device.attribute["gpu.io"].type == "gpu")",
     {R"(3: device.attributes["gpu.io"].type == "gpu")"}},
    {"a name instead of a field",
     R"(device.model == "NVIDIA H100")",
     {R"(1: device.attributes["gpu.io"].model == "NVIDIA H100")"}},
    {"a text without quotes",
     R"(device.attributes["gpu.io"].type == gpu)",
     {R"(3: device.attributes["gpu.io"].type == "gpu")"}},
    {"has() of what is no field",
     R"(has(device.attributes["gpu.io"]["type"]))",
     {R"(3: "type" in device.attributes["gpu.io"])"}},
    {"the domain within the name",
     R"(device.attributes["gpu.io/type"] == "gpu")",
     {R"(3: device.attributes["gpu.io"].type == "gpu")"}},
    {"a name of another domain",
     R"(device.attributes["gpu.io"].pcieRoot == "pci0")",
     {R"(1: device.attributes["k8s.io"].pcieRoot == "pci0")"}},
    {"a name nearly right",
     R"(device.attributes["gpu.io"].modle == "NVIDIA H100")",
     {R"(1: device.attributes["gpu.io"].model == "NVIDIA H100")"}},
    {"a name like no other, with the value of one",
     R"(device.attributes["gpu.io"].sku == "NVIDIA H100")",
     {R"(1: device.attributes["gpu.io"].model == "NVIDIA H100")"}},
    {"a number is the same by chance", R"(device.attributes["gpu.io"].slot == 1)", {}},
    {"an amount that one capacity has",
     R"(device.capacity["gpu.io"].vram.compareTo(quantity("60Gi")) >= 0)",
     {R"(1: device.capacity["gpu.io"].memory.compareTo(quantity("60Gi")) >= 0)"}},
    {"a text beside a version",
     R"(device.attributes["gpu.io"].driverVersion == "9.1.0")",
     {R"(1: device.attributes["gpu.io"].driverVersion == semver("9.1.0"))"}},
    {"a value in part and in other letters",
     R"(device.attributes["gpu.io"].model == "h100")",
     {R"(1: device.attributes["gpu.io"].model == "NVIDIA H100")"}},
    {"part of a text in other letters",
     R"(device.attributes["gpu.io"].model.contains("h100"))",
     {R"(1: device.attributes["gpu.io"].model.contains("H100"))"}},
    {"a pattern in other letters",
     R"(device.attributes["gpu.io"].model.matches("h[0-9]+"))",
     {R"(1: device.attributes["gpu.io"].model.matches("(?i)h[0-9]+"))"}},
    {"one of several in other letters",
     R"(device.attributes["gpu.io"].type in ["cpu", "GPU"])",
     {R"(3: device.attributes["gpu.io"].type in ["cpu", "gpu"])"}},
    {"one of several more",
     R"(device.attributes["gpu.io"].index in [7, 8])",
     {R"(1: device.attributes["gpu.io"].index in [7, 8, 3])"}},
    {"a bound just above what is published, in its unit",
     R"(device.capacity["gpu.io"].memory.compareTo(quantity("80Gi")) >= 0)",
     {R"(1: device.capacity["gpu.io"].memory.compareTo(quantity("79Gi")) >= 0)"}},
    {"a bound for as many as are wanted",
     R"(device.capacity["gpu.io"].memory.compareTo(quantity("80Gi")) >= 0)",
     {R"(3: device.capacity["gpu.io"].memory.compareTo(quantity("40Gi")) >= 0)",
      R"(1: device.capacity["gpu.io"].memory.compareTo(quantity("81152Mi")) >= 0)"},
     2},
    {"a bound that leaves out the value itself",
     R"(device.capacity["gpu.io"].memory.isGreaterThan(quantity("81152Mi")))",
     {R"(1: device.capacity["gpu.io"].memory.compareTo(quantity("81152Mi")) >= 0)"}},
    {"a bound of versions",
     R"(device.attributes["gpu.io"].driverVersion.isGreaterThan(semver("10.0.0")))",
     {R"(1: device.attributes["gpu.io"].driverVersion.compareTo(semver("9.1.0")) >= 0)"}},
    {"a bound of numbers, from the other side",
     R"(5 <= device.attributes["gpu.io"].index)",
     {R"(1: 3 <= device.attributes["gpu.io"].index)"}},
    {"a bound that must not be passed",
     R"(!(device.attributes["gpu.io"].index >= 1))",
     {R"(1: !(device.attributes["gpu.io"].index > 1))"}},
    {"what some devices have",
     R"(device.attributes["gpu.io"].nvlink)",
     {
         R"(1: has(device.attributes["gpu.io"].nvlink) && device.attributes["gpu.io"].nvlink)",
     }},
    {"a value that stands in for none is not seen",
     R"(device.attributes["gpu.io"].?nothing.orValue(0) == 1)",
     {}},
    {"an optional name nearly right, and its value",
     R"(device.attributes["gpu.io"].?indx.orValue(7) == 8)",
     {R"(1: device.attributes["gpu.io"].?index.orValue(7) == 3)"}},
    {"a condition that nothing else helps",
     R"(device.attributes["gpu.io"].ecc && !device.attributes["gpu.io"].ecc)",
     {R"(3: device.attributes["gpu.io"].ecc)"}},
    {"two conditions, each with its own",
     R"(device.attributes["gpu.io"].type == "GPU" && device.attributes["gpu.io"].index > 3)",
     {R"(1: device.attributes["gpu.io"].type == "gpu" && device.attributes["gpu.io"].index >= 3)"}},
};

TEST_CASE("what was meant") {
  for (const Case& row : kCases) {
    const std::string name = row.name;
    CAPTURE(name);
    std::vector<std::string> got;
    for (const Suggestion& one : suggestions({kClass, row.expression}, row.wanted)) {
      CHECK(one.selector == 1);
      got.push_back(shown(one));
    }
    const std::string all = base::join(got, "\n");
    if (got.size() > row.want.size() && !row.want.empty()) got.resize(row.want.size());
    INFO(all);
    CHECK(base::join(got, "\n") == base::join(row.want, "\n"));
  }
}

TEST_CASE("without a class, other drivers' devices must not make it fail") {
  const std::string_view type = R"(device.attributes["gpu.io"].type == "gpu")";
  const auto found = suggestions({type}, 1);
  REQUIRE(found.size() == 1);
  CHECK(shown(found[0]) == base::format("3: {} && {}", kClass, type));
  CHECK(found[0].before == 3);

  const auto many = suggestions({R"(device.attributes["type"].string == "GPU")"}, 1);
  REQUIRE(!many.empty());
  CHECK(shown(many[0]) == base::format("3: {} && {}", kClass, type));
}

TEST_CASE("what is reported about a suggestion") {
  const auto snapshot = gpus();
  const Inventory inventory(snapshot);
  const Answers answers = answers_for(inventory, snapshot.server());
  const std::string_view text = R"(device.attributes["type"].string == "GPU")";
  const std::string_view both[] = {kClass, text};
  const auto found = suggestions_for(answers.fleet(), both, snapshot.server());
  REQUIRE(found.size() == 1);
  CHECK(found[0].changes.size() == 2);
  CHECK(cel::changed(cel::Source(std::string(text)), found[0].changes) == found[0].expression);
  CHECK(found[0].kinds == std::vector{cel::ChangeKind::AddDomain, cel::ChangeKind::KindOfValue,
                                      cel::ChangeKind::Letters});
}

TEST_CASE("one that compiles may match nothing") {
  const auto found = suggestions({kClass, R"(device.driver = "x" and device.driver == "y")"}, 1);
  REQUIRE(!found.empty());
  CHECK(found.back().matches == 0);
  CHECK(found.back().expression == R"(device.driver == "x" && device.driver == "y")");
}

TEST_CASE("without devices, what compiles") {
  const Fleet none;
  const std::string_view broken[] = {R"(device.driver = "x")"};
  const auto found = suggestions_for(none, broken, {});
  REQUIRE(found.size() == 1);
  CHECK(found[0].expression == R"(device.driver == "x")");
  const std::string_view fine[] = {R"(device.driver == "x")"};
  CHECK(suggestions_for(none, fine, {}).empty());
}

// --- by chance

std::string yaml_of(const test::AttributeValue& value) {
  struct Write {
    std::string operator()(std::int64_t v) const { return base::format("int: {}", v); }
    std::string operator()(bool v) const { return v ? "bool: true" : "bool: false"; }
    std::string operator()(const std::string& v) const { return base::format("string: {}", v); }
    std::string operator()(const test::Version& v) const {
      return base::format("version: {}", v.text);
    }
  };
  return std::visit(Write(), value);
}

support::SliceWords slice_of(const test::DeviceFacts& facts, std::size_t number) {
  std::string attributes;
  std::string capacity;
  for (const auto& [domain, ids] : facts.attributes)
    for (const auto& [id, value] : ids)
      attributes += base::format("{}/{}: {{{}}}, ", domain, id, yaml_of(value));
  for (const auto& [domain, ids] : facts.capacity)
    for (const auto& [id, value] : ids)
      capacity += base::format("{}/{}: {{value: {}}}, ", domain, id, value);
  const std::string name = base::format("s{}", number);
  return {.name = name,
          .driver = facts.driver,
          .pool = name,
          .devices = base::format("{{name: d, attributes: {{{}}}, capacity: {{{}}}}}", attributes,
                                  capacity)};
}

// Now and then with a mistake.
std::string expression_of(test::RandomCel& random) {
  std::string text = random.condition(2);
  if (random.chance(3)) text = random.condition(0) + " and " + text;
  if (random.chance(4)) text[random.below(text.size())] = "pqP.\"= "[random.below(7)];
  return text;
}

void check_suggestions(Answers& answers, const std::vector<std::string>& texts, std::size_t& seen) {
  std::vector<std::string_view> selectors(texts.begin(), texts.end());
  const Selection before = choose(answers, selectors);
  const auto found = suggestions_for(answers.fleet(), selectors, {});
  CHECK(found.size() <= kMaxSuggestions);
  if (before.compiles() && before.failed == 0 && before.chosen > 0) CHECK(found.empty());
  for (const Suggestion& one : found) {
    ++seen;
    CAPTURE(one.expression);
    CHECK_FALSE(Selector(one.expression, language_of({}, Expressions::New)).failure());
    const std::string& old = texts[one.selector];
    CHECK(cel::changed(cel::Source(old), one.changes) == one.expression);
    auto changed = selectors;
    changed[one.selector] = one.expression;
    const Selection after = choose(answers, changed);
    CHECK(after.compiles());
    CHECK(after.failed == 0);
    CHECK(after.chosen == one.matches);
    if (before.compiles()) CHECK(before.chosen == one.before);
    if (before.compiles()) CHECK(after.chosen > 0);
    if (before.failed == 0) CHECK((after.chosen > before.chosen || !before.compiles()));
  }
}

TEST_CASE("whatever is suggested is true") {
  std::size_t seen = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    test::RandomCel random(seed);
    support::Scene made = scene();
    for (std::size_t i = 0; i < 6; ++i)
      made.slice(slice_of(random.device(), i));
    const auto snapshot = made.build();
    const Inventory inventory(snapshot);
    Answers answers = answers_for(inventory, {});
    for (int i = 0; i < 4; ++i) {
      std::vector<std::string> texts{expression_of(random)};
      if (random.chance(2)) texts.insert(texts.begin(), "device.driver == 'a.io'");
      CAPTURE(texts.back());
      check_suggestions(answers, texts, seen);
    }
  }
  CHECK(seen > 40);
}

TEST_CASE("another text that is not like the old one asks for other devices") {
  const auto other = [](const char* old, const char* instead) {
    const ValueInstead value{old, instead};
    return asks_for_others({&value, 1});
  };
  CHECK(other("'Hopper'", "'Ampere'"));
  CHECK_FALSE(other("'ampere'", "'Ampere'"));
  CHECK_FALSE(other("\"GPU\"", "\"gpu\""));
  CHECK_FALSE(other("80", "40"));
}

TEST_CASE("nothing where two do not compile, or there is no selector") {
  CHECK(suggestions({"a and", "device.driver = 'x'"}, 1).empty());
  CHECK(suggestions({}, 1).empty());
}

}  // namespace
}  // namespace dra::engine::suggestions_test
