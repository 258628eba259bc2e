// tests/base/names_test.cpp: the forms of names, at their limits.

#include "dra/base/names.h"

#include <doctest/doctest.h>

#include <string>

namespace dra::base::names_test {
namespace {

const std::string k63(63, 'a');
const std::string k64(64, 'a');
const std::string k253 = k63 + "." + k63 + "." + k63 + "." + std::string(61, 'a');

struct Row {
  std::string text;
  bool label;
  bool subdomain;
  bool label_key;
  bool label_value;
  bool identifier;
};

TEST_CASE("names") {
  const Row rows[] = {
      {"", false, false, false, true, false},
      {"a", true, true, true, true, true},
      {"0", true, true, true, true, false},
      {"gpu-0", true, true, true, true, false},
      {"gpu_0", false, false, true, true, true},
      {"_", false, false, false, false, true},
      {"-a", false, false, false, false, false},
      {"a-", false, false, false, false, false},
      {"A", false, false, true, true, true},
      {"a.b", false, true, true, true, false},
      {"a..b", false, false, true, true, false},
      {"a.b.", false, false, false, false, false},
      {"example.com/a", false, false, true, false, false},
      {"Example.com/a", false, false, false, false, false},
      {"/a", false, false, false, false, false},
      {"a/", false, false, false, false, false},
      {"a/b/c", false, false, false, false, false},
      {"ä", false, false, false, false, false},
      {k63, true, true, true, true, true},
      {k64, false, true, false, false, true},
      {k253, false, true, false, false, false},
      {k253 + "a", false, false, false, false, false},
      {k253 + "/a", false, false, true, false, false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(is_dns_label(row.text) == row.label);
    CHECK(is_dns_subdomain(row.text) == row.subdomain);
    CHECK(is_label_key(row.text) == row.label_key);
    CHECK(is_label_value(row.text) == row.label_value);
    CHECK(is_c_identifier(row.text) == row.identifier);
  }
}

TEST_CASE("what stands in a URL and means itself") {
  CHECK(is_path_segment("a b:c"));
  for (const char* text : {"", ".", "..", "a/b", "50%"})
    CHECK_FALSE(is_path_segment(text));
}

}  // namespace
}  // namespace dra::base::names_test
