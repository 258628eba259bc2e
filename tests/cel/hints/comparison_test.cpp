// tests/cel/hints/comparison_test.cpp

#include "dra/cel/hints/comparison.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "dra/cel/syntax/parser.h"

namespace dra::cel::comparison_test {
namespace {

std::string told(std::string_view expression) {
  const Source source{std::string(expression)};
  const auto parsed = parse(source);
  REQUIRE(parsed.ok());
  const auto clauses = clauses_of(parsed.ast, source);
  REQUIRE(clauses.size() == 1);
  const auto found = comparison_of(parsed.ast, clauses.front());
  if (!found) return "none";
  constexpr const char* of[] = {"driver", "attribute", "capacity"};
  constexpr const char* is[] = {"==", "!=", "<", "<=", ">", ">="};
  return base::format("{} {}/{} {} {}", of[static_cast<int>(found->of)], found->domain, found->name,
                      is[static_cast<int>(found->is)], found->value);
}

TEST_CASE("conditions that compare a property with a constant") {
  CHECK(told("device.driver == 'a.example'") == "driver / == 'a.example'");
  CHECK(told("device.attributes['d'].model == 'x'") == "attribute d/model == 'x'");
  CHECK(told("device.attributes['d']['model'] != \"x\"") == "attribute d/model != 'x'");
  CHECK(told("8 <= device.attributes['d'].cores") == "attribute d/cores >= 8");
  CHECK(told("!(device.attributes['d'].cores < 8)") == "attribute d/cores >= 8");
  CHECK(told("device.capacity['d'].memory.compareTo(quantity('81Gi')) >= 0") ==
        "capacity d/memory >= 81Gi");
  CHECK(told("device.capacity['d'].memory.isGreaterThan(quantity('81Gi'))") ==
        "capacity d/memory > 81Gi");
  CHECK(told("device.capacity['d'].memory == quantity('80Gi')") == "capacity d/memory == 80Gi");
  CHECK(told("device.attributes['d'].driver.compareTo(semver('1.2.3')) < 0") ==
        "attribute d/driver < 1.2.3");
  CHECK(told("device.attributes['d'].rdma") == "attribute d/rdma == true");
  CHECK(told("!device.attributes['d'].rdma") == "attribute d/rdma != true");
}

TEST_CASE("other conditions have no such form") {
  CHECK(told("device.attributes['d'].model.startsWith('x')") == "none");
  CHECK(told("'model' in device.attributes['d']") == "none");
  CHECK(told("device.attributes['d'].a == device.attributes['d'].b") == "none");
  CHECK(told("device.capacity['d'].memory.compareTo(quantity('81Gi')) >= 1") == "none");
  CHECK(told("has(device.attributes['d'].model)") == "none");
}

}  // namespace
}  // namespace dra::cel::comparison_test
