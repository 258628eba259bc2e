// tests/cel/check/estimate_test.cpp
//
// Figures are what the API server of Kubernetes 1.37 estimates; generated expressions are compared
// with it in tests/differential/cel.

#include "dra/cel/check/estimate.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/cel/syntax/parser.h"
#include "tests/support/device_cel.h"

namespace dra::cel::estimate_test {
namespace {

Estimate estimate(const std::string& expression) {
  CAPTURE(expression);
  const Environment& environment = test::device_environment();
  Parsed parsed = parse(Source(expression), environment.macros());
  REQUIRE(parsed.ok());
  const Checked checked = check(std::move(parsed.ast), environment);
  REQUIRE(checked.ok());
  return estimate_cost(checked, test::kDeviceSizes);
}

struct Case {
  const char* name;
  const char* expression;
  std::uint64_t most;
};

const Case kSelectors[] = {
    {"a constant is free", "true", 0},
    {"a name and each step into it cost 1", R"(device.attributes["dra.example.com"].name)", 4},
    {"comparing texts costs a tenth of the shorter one", R"(device.driver == "dra.example.com")",
     4},
    {"comparing with the empty text is free", R"(device.driver == "")", 2},
    {"an attribute compared", R"(device.attributes["dra.example.com"].name == "fish")", 5},
    {"a quantity read and compared",
     R"(device.attributes["no-such-domain"].noSuchAttr.isGreaterThan(quantity("0")))", 6},
    {"has() is free but for what it looks into", R"(has(device.attributes["d"].name))", 3},
    {"whether a domain is there", R"("dra.example.com" in device.attributes)", 3},
    {"binding costs as an empty list",
     R"(cel.bind(dra, device.attributes["dra.example.com"], dra.name))", 15},
    {"both sides of && count",
     R"(device.attributes["d"].a && device.attributes["d"].b && device.attributes["d"].c)", 12},
    {"as many domains as a device can have",
     R"(device.attributes.exists_one(x, x == "dra.example.com"))", 164},
    {"as many attributes as a domain can have",
     R"(device.attributes["dra.example.com"].exists_one(x, x == "services"))", 133},
    {"as many values as an attribute can have",
     R"(device.attributes["dra.example.com"].name.exists(x, x > 0))", 389},
    {"includes() looks at each of them",
     R"(device.attributes["dra.example.com"].name.includes("fish"))", 68},
    {"splitting costs both ways",
     R"(device.attributes["dra.example.com"].services.split("example").size() >= 2)", 19},
    {"a pattern costs by its length",
     R"(device.attributes["dra.example.com"].services.matches("[^a]?sym"))", 18},
    {"a flag has the size 1", "device.allowMultipleAllocations == true", 3},
    {"what an authorizer makes is compared in one step", "dyn(1).path('a') == dyn(1).path('b')", 5},
};

TEST_CASE("estimates of selectors") {
  for (const Case& row : kSelectors) {
    const std::string name = row.name;
    CAPTURE(name);
    CHECK(estimate(row.expression).max == row.most);
  }
}

TEST_CASE("nested folds multiply") {
  const std::string ten = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]";
  std::string expression = "int('1'.find('[0-9]*')) < 100";
  for (const char* variable : {"z5", "z4", "z3", "z2", "z", "y", "x"})
    expression = ten + ".all(" + variable + ", " + expression + ")";
  CHECK(estimate(expression).max == 85'555'551);
}

TEST_CASE("what has no bound costs without bound, and sums stay there") {
  CHECK(estimate("type(device.driver) == string").max == 1'844'674'407'370'955'268);
  CHECK(estimate("lists.range(size(device.attributes)).exists(x, x > 1)").max == kUnbounded);
}

TEST_CASE("the least cost is that of the first term that decides") {
  CHECK(estimate(R"(device.driver == "a" || device.driver == "b")") == Estimate{3, 6});
}

TEST_CASE("sizes of what a fold goes through leak as they do upstream") {
  // k gets the size of values, 64, although names of attributes have 32 characters at most.
  const Estimate both = estimate(R"(device.attributes["d"].all(k, v, k.contains("x")))");
  const Estimate keys = estimate(R"(device.attributes["d"].all(k, k.contains("x")))");
  CHECK(both.max - keys.max == std::uint64_t{32} * (7 - 4));
}

}  // namespace
}  // namespace dra::cel::estimate_test
