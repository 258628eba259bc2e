// tests/cel/hints/changes_test.cpp

#include "dra/cel/hints/changes.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/compile_cel.h"
#include "tests/support/device_value.h"

namespace dra::cel::changes_test {
namespace {

struct Case {
  const char* name;
  const char* expression;
  const char* want;
};

const Case kOperators[] = {
    {"words of other languages", "a and b OR not c", "a && b || ! c"},
    {"half operators", "a = 1 & b = 2 | c", "a == 1 && b == 2 || c"},
    {"both", "a = 'x' and b[0] = \"é\" or (c)", "a == 'x' && b[0] == \"é\" || (c)"},
    {"names that stand where a value does are names", "and == or && x.not", "and == or && x.not"},
    {"what is right stays", "a == 1 && b", "a == 1 && b"},
    {"within texts nothing is an operator", "a = 'b and c = d'", "a == 'b and c = d'"},
    {"other characters are no operators", "a # b = c", "a # b = c"},
};

TEST_CASE("operators") {
  for (const Case& row : kOperators) {
    const std::string name = row.name;
    CAPTURE(name);
    const Source source(row.expression);
    CHECK(changed(source, operator_changes(source)) == std::string(row.want));
  }
}

// The expressions that each change makes.
std::string spellings(const std::string& expression) {
  const Source source(expression);
  std::vector<std::string> out;
  for (const Change& change : spelling_changes(source))
    out.push_back(changed(source, {change}));
  return base::join(out, " | ");
}

const Case kSpellings[] = {
    {"nothing is wrong", "a == 80 && has(b.c)", ""},
    {"amounts without quotes", "a >= 80Gi", "a >= quantity(\"80Gi\")"},
    {"units of other spellings", "a >= 1.5gb",
     "a >= quantity(\"1.5Gi\") | a >= quantity(\"1.5G\")"},
    {"units that there are not", "a >= 80zz", ""},
    {"has() of a key", "has(a['b'][\"c\"])", "\"c\" in a['b']"},
    {"and not", "!has(a[b]) && c", "!(b in a) && c"},
    {"brackets that are not closed", "has(a[b]", ""},
};

TEST_CASE("spellings") {
  for (const Case& row : kSpellings) {
    const std::string name = row.name;
    CAPTURE(name);
    CHECK(spellings(row.expression) == std::string(row.want));
  }
}

TEST_CASE("quantities that a text may mean") {
  using Texts = std::vector<std::string>;
  CHECK(near_quantities("80Gi") == Texts{"80Gi"});
  CHECK(near_quantities("80 GiB") == Texts{"80Gi"});
  CHECK(near_quantities("80GB") == Texts{"80Gi", "80G"});
  CHECK(near_quantities("80K") == Texts{"80Ki", "80k"});
  CHECK(near_quantities("81,920 mb") == Texts{"81920Mi", "81920M"});
  CHECK(near_quantities("80B") == Texts{"80"});
  CHECK(near_quantities("Hopper").empty());
  CHECK(near_quantities("8G8").empty());
  CHECK(near_quantities("").empty());
}

const std::vector<KnownName> kKnown = {{"attributes", "gpu.io", "type"},
                                       {"attributes", "gpu.io", "driverVersion"},
                                       {"attributes", "k8s.io", "pcieRoot"},
                                       {"capacity", "gpu.io", "memory"}};

const test::DeviceFacts kDevice{
    .driver = "gpu.io",
    .attributes = {{"gpu.io",
                    {{"type", std::string("gpu")}, {"driverVersion", test::Version{"9.0.0"}}}},
                   {"k8s.io", {{"pcieRoot", std::string("pci0")}}}},
    .capacity = {{"gpu.io", {{"memory", "81152Mi"}}}}};

// The expressions that each change makes.
std::string changes(const std::string& expression) {
  const Source source(expression);
  const Environment& environment = test::device_environment();
  Parsed parsed = parse(source, environment.macros());
  REQUIRE(parsed.ok());
  const Checked checked = check(parsed.ast, environment);
  Scratch scratch;
  const Value device = test::device_value(kDevice, scratch);
  std::optional<Trace> seen;
  if (const auto program = test::try_compile(expression)) seen = trace(*program, {&device, 1});
  std::vector<std::string> out;
  for (const Change& change : changes_of(checked, source, seen ? &*seen : nullptr, kKnown))
    out.push_back(changed(source, {change}));
  return base::join(out, " | ");
}

const Case kCases[] = {
    {"nothing is wrong", R"(device.attributes["gpu.io"].type == "gpu")", ""},
    {"a text beside a version", R"(device.attributes["gpu.io"].driverVersion == "9.0.0")",
     R"(device.attributes["gpu.io"].driverVersion == semver("9.0.0"))"},
    {"a version that is not complete", R"("9.0" != device.attributes["gpu.io"].driverVersion)",
     R"(semver("9.0", true) != device.attributes["gpu.io"].driverVersion)"},
    {"versions have no order of their own",
     R"(!(device.attributes["gpu.io"].driverVersion >= "9.0.0"))",
     R"(!(device.attributes["gpu.io"].driverVersion.compareTo(semver("9.0.0")) >= 0))"},
    {"and numbers are none", R"(device.attributes["gpu.io"].driverVersion > 8.5)",
     R"(device.attributes["gpu.io"].driverVersion.compareTo(semver("8.5.0")) > 0)"},
    {"a version that begins with a text",
     R"x(!device.attributes["gpu.io"].driverVersion.startsWith("9.0"))x",
     R"x(!(device.attributes["gpu.io"].driverVersion.major() == 9 && )x"
     R"x(device.attributes["gpu.io"].driverVersion.minor() == 0))x"},
    {"a text in a version", R"("9" in device.attributes["gpu.io"].driverVersion)",
     R"x(device.attributes["gpu.io"].driverVersion.major() == 9)x"},
    {"nor have quantities", R"(device.capacity["gpu.io"].memory >= quantity("80Gi"))",
     R"(device.capacity["gpu.io"].memory.compareTo(quantity("80Gi")) >= 0)"},
    {"nor with texts and numbers, on either side", R"(80 < device.capacity["gpu.io"].memory)",
     R"(quantity("80").compareTo(device.capacity["gpu.io"].memory) < 0)"},
    {"a text beside a quantity", R"(device.capacity["gpu.io"].memory == "80Gi")",
     R"(device.capacity["gpu.io"].memory == quantity("80Gi"))"},
    {"the kind of a value, as in YAML", R"(device.attributes["gpu.io"].type.string == "gpu")",
     R"(device.attributes["gpu.io"].type == "gpu")"},
    {"also where it is looked for", R"(has(device.attributes["gpu.io"].type.string))",
     R"(has(device.attributes["gpu.io"].type))"},
    {"and of a capacity", R"(device.capacity["gpu.io"].memory.value == quantity("80Gi"))",
     R"(device.capacity["gpu.io"].memory == quantity("80Gi"))"},
    {"a name with its domain", R"(device.attributes["gpu.io/type"] == "gpu")",
     R"(device.attributes["gpu.io"].type == "gpu")"},
    {"a name with a domain that is no word", R"(device.attributes["gpu.io/a-b"] == "gpu")",
     R"(device.attributes["gpu.io"]["a-b"] == "gpu")"},
    {"a name without its domain", R"(device.attributes["type"] == "gpu")",
     R"(device.attributes["gpu.io"].type == "gpu")"},
    {"and with the kind of its value, which is the next change",
     R"(device.attributes["type"].string == "gpu")",
     R"(device.attributes["gpu.io"].type.string == "gpu")"},
    {"a name of another domain", R"(device.attributes["gpu.io"].pcieRoot == "pci0")",
     R"(device.attributes["k8s.io"].pcieRoot == "pci0")"},
    {"an optional one", R"(device.attributes["gpu.io"].?pcieRoot.orValue("") == "pci0")",
     R"(device.attributes["k8s.io"].?pcieRoot.orValue("") == "pci0")"},
    {"a capacity that is no attribute", R"(device.attributes["gpu.io"].memory == 1)",
     R"(device.capacity["gpu.io"].memory == 1)"},
    {"a name in other letters", R"(device.attributes["gpu.io"].driverversion == semver("9.0.0"))",
     R"(device.attributes["gpu.io"].driverVersion == semver("9.0.0"))"},
    {"a name unlike all others", R"(has(device.attributes["gpu.io"].kind))", ""},
    {"a name nearly right", R"(has(device.attributes["gpu.io"].driverVersions))",
     R"(has(device.attributes["gpu.io"].driverVersion))"},
    {"letters that changed places", R"(has(device.attributes["gpu.io"].tpye))",
     R"(has(device.attributes["gpu.io"].type))"},
    {"part of a name", R"(has(device.attributes["gpu.io"].driver))",
     R"(has(device.attributes["gpu.io"].driverVersion))"},
    {"a capacity without its domain among the attributes", R"(device.attributes["memory"] == 1)",
     R"(device.capacity["gpu.io"].memory == 1)"},
    {"a domain nearly right", R"(device.attributes["gpu.com.io"].type == "gpu" || true)",
     R"(device.attributes["gpu.io"].type == "gpu" || true)"},
};

TEST_CASE("changes") {
  for (const Case& row : kCases) {
    const std::string name = row.name;
    CAPTURE(name);
    CHECK(changes(row.expression) == std::string(row.want));
  }
}

}  // namespace
}  // namespace dra::cel::changes_test
