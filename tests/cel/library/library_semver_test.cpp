// tests/cel/library/library_semver_test.cpp

#include <doctest/doctest.h>

#include "dra/cel/library/kubernetes.h"
#include "tests/support/evaluate_cel.h"

namespace dra::cel::library_semver_test {
namespace {

using test::evaluated;
using test::expect;
using test::Row;

TEST_CASE("versions are read strictly, unless normalization is asked for") {
  expect({
      Row{"three parts", "semver('1.2.3').minor()", "2"},
      Row{"two parts", "semver('1.2')", "error No Major.Minor.Patch elements found"},
      Row{"nothing", "semver('')", "error Version string empty"},
      Row{"a leading v", "semver('v1.2.3')",
          R"(error Invalid character(s) found in major number "v1")"},
      Row{"a leading zero", "semver('1.02.3')",
          R"(error Minor number must not contain leading zeroes "02")"},
      Row{"an empty part", "semver('1..3')",
          R"(error strconv.ParseUint: parsing "": invalid syntax)"},
      Row{"a number that is too large", "semver('18446744073709551616.0.0')",
          R"(error strconv.ParseUint: parsing "18446744073709551616": value out of range)"},
      Row{"a number beyond int64 wraps", "semver('18446744073709551615.0.0').major()", "-1"},
      Row{"an empty prerelease", "semver('1.2.3-')", "error Prerelease is empty"},
      Row{"a number in it with a leading zero", "semver('1.2.3-01')",
          R"(error Numeric PreRelease version must not contain leading zeroes "01")"},
      Row{"what is no prerelease", "semver('1.2.3-é')",
          R"(error Invalid character(s) found in prerelease "é")"},
      Row{"what is no build", "semver('1.2.3+a_b')",
          R"(error Invalid character(s) found in build meta data "a_b")"},
      Row{"an empty build", "semver('1.2.3+')", "error Build meta data is empty"},
      Row{"all of that, normalized", "semver('v01.02', true) == semver('1.2.0')", "true"},
      Row{"zeros before a prerelease", "isSemver('1.2.00-a', true)", "true"},
      Row{"a short version with more than numbers", "semver('1.2-a', true)",
          "error short version cannot contain PreRelease/Build meta data"},
      Row{"only one small v", "isSemver('V1.2.3', true)", "false"},
  });
}

TEST_CASE("versions have the order of the specification") {
  const std::vector<std::string> ascending = {"1.0.0-1",
                                              "1.0.0-2",
                                              "1.0.0-10",
                                              "1.0.0-alpha",
                                              "1.0.0-alpha.1",
                                              "1.0.0-alpha.beta",
                                              "1.0.0-alpha.beta.1",
                                              "1.0.0-beta",
                                              "1.0.0",
                                              "1.0.1",
                                              "1.1.0",
                                              "1.10.0",
                                              "2.0.0-rc.1",
                                              "2.0.0"};
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    for (std::size_t j = 0; j < ascending.size(); ++j) {
      CAPTURE(ascending[i]);
      CAPTURE(ascending[j]);
      const std::string want = i < j ? "-1" : i > j ? "1" : "0";
      CHECK(evaluated("semver('" + ascending[i] + "').compareTo(semver('" + ascending[j] + "'))") ==
            want);
    }
  }
}

TEST_CASE("what stands behind a plus says nothing, and text is no version") {
  expect({
      Row{"equal", "semver('1.2.3+a') == semver('1.2.3+b')", "true"},
      Row{"not greater", "semver('1.2.3+b').isGreaterThan(semver('1.2.3+a'))", "false"},
      Row{"compared with text, fails", "dyn(semver('1.2.3')) == dyn('1.2.3')",
          "error no such overload"},
      Row{"but is not equal to it", "dyn(semver('1.2.3')) != dyn('1.2.3')", "true"},
      Row{"a method told its types", "dyn(semver('1.2.3')).isLessThan(dyn('1.2.4'))",
          "error no such overload: isLessThan(kubernetes.Semver, string)"},
  });
}

TEST_CASE("a version attribute is a value of CEL") {
  Scratch scratch;
  const Value version = parse_semver("1.2.3-rc.1", scratch);
  CHECK(type_name(version) == "kubernetes.Semver");
  CHECK(version.as_opaque().text() == "1.2.3-rc.1");
  CHECK(parse_semver("1.2", scratch).text() == "No Major.Minor.Patch elements found");
}

}  // namespace
}  // namespace dra::cel::library_semver_test
