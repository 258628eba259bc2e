// tests/cel/hints/near_literals_test.cpp

#include "dra/cel/hints/near_literals.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/device_cel.h"

namespace dra::cel::near_literals_test {
namespace {

using Texts = std::vector<std::string>;

struct Row {
  const char* function;
  const char* text;
  Texts want;
};

TEST_CASE("texts that functions refuse, and what they may mean") {
  const Row rows[] = {
      {"quantity", "80GB", {"80Gi", "80G"}},
      {"quantity", "80Gi", {}},
      {"semver", "v8", {"8.0.0"}},
      {"semver", "8.0-rc.1", {"8.0.0-rc.1"}},
      {"semver", "525.60.13.1", {"525.60.13"}},
      {"semver", "550.054.015", {"550.54.15"}},
      {"semver", "latest", {}},
      {"duration", "5d", {"120h"}},
      {"duration", "5 minutes", {"5m"}},
      {"duration", "1h30", {"1h30m"}},
      {"duration", "90", {"90s"}},
      {"duration", "soon", {}},
      {"timestamp", "2026-01-02", {"2026-01-02T00:00:00Z"}},
      {"timestamp", "2026-01-02 10:00", {"2026-01-02T10:00:00", "2026-01-02T10:00:00Z"}},
      {"ip", "010.0.0.01/8", {"10.0.0.1"}},
      {"cidr", "10.0.0.1", {"10.0.0.1/32"}},
      {"cidr", "::1", {"::1/128"}},
      {"url", "a.example.com/b c", {"https://a.example.com/b%20c"}},
      {"matches", "*gpu", {".*gpu", "\\*gpu"}},
      {"matches", "(gpu", {"\\(gpu"}},
      {"size", "a", {}},
      {"semver", "", {}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.function);
    CAPTURE(std::string(row.text));
    CHECK(near_literals(row.function, row.text) == row.want);
  }
}

TEST_CASE("a version that begins with numbers") {
  CHECK(version_begins_with("v", "580") == "v.major() == 580");
  CHECK(version_begins_with("v", "580.095.") == "v.major() == 580 && v.minor() == 95");
  CHECK(version_begins_with("v", "1.2.3.4").empty());
  CHECK(version_begins_with("v", "").empty());
  CHECK(version_begins_with("v", "x").empty());
}

TEST_CASE("why a constant has no value") {
  const Environment& environment = test::device_environment();
  CHECK(failure_of_constant("1 + 1", environment).empty());
  CHECK(failure_of_constant("quantity('1GB')", environment) ==
        "quantities must match the regular expression "
        "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  CHECK(failure_of_constant("int('x')", environment) ==
        "type conversion error from 'string' to 'int'");
  CHECK(failure_of_constant("1 +", environment) == "it does not compile");
}

}  // namespace
}  // namespace dra::cel::near_literals_test
