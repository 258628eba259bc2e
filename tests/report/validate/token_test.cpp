// tests/report/validate/token_test.cpp: which part of a line is underlined.

#include "src/report/validate/token.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace dra::report::token_test {
namespace {

struct Row {
  std::string_view line;
  std::string_view token;  // its first place in the line
};

TEST_CASE("the whole key or value") {
  const Row rows[] = {
      {"      - name: gpu", "gpu"},
      {"      - name: gpu  # the fast one", "gpu"},
      {"    deviceClassName: gpu.example.com", "deviceClassName"},
      {"    deviceClassName : x", "deviceClassName"},
      {"    count: \"one, two\"", "\"one, two\""},
      {"    count: 'it''s'  # so", "'it''s'"},
      {"  - {requests: [gpu, nic], matchAttribute: x/y}",
       "{requests: [gpu, nic], matchAttribute: x/y}"},
      {"  - {requests: [gpu, nic], matchAttribute: x/y}", "[gpu, nic]"},
      {"  - {requests: [gpu, nic], matchAttribute: x/y}", "x/y"},
      {"  - {requests: [gpu, nic], matchAttribute: x/y}", "nic"},
      {"  - {name: \"a}b\", x: 1}", "{name: \"a}b\", x: 1}"},
      {"  text: one, two: three", "text"},
      {"  text: so, it is", "so, it is"},
      {"    \"count\": 4,", "4"},
      {"    \"count\": 4,", "\"count\""},
      {"    expression: |", "|"},
      {"  url: http://example.com/a#b", "http://example.com/a#b"},
      {"  text: \"open", "\"open"},
      {"  list: [a,", "[a"},
      {"  name: x\r", "x"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.line);
    const std::size_t begin = row.line.find(row.token);
    CHECK(row.line.substr(begin, yaml_token_size(row.line, begin)) == row.token);
  }
}

TEST_CASE("a place that the line does not have") {
  CHECK(yaml_token_size("", 0) == 1);
  CHECK(yaml_token_size("a: b", 9) == 1);
  CHECK(cel_token_size("a", 9) == 1);
}

TEST_CASE("one token of an expression") {
  const Row rows[] = {
      {"expression: device.attributes['x'].model == 'A100'", "model"},
      {"expression: device.attributes['x'].model == 'A100'", "'A100'"},
      {"expression: device.attributes['x'].model == 'A100'", "=="},
      {"expression: a > 12", "12"},
      {"expression: a + b", "+"},
      {"expression: a == 'open", "'open"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.line);
    const std::size_t begin = row.line.find(row.token);
    CHECK(row.line.substr(begin, cel_token_size(row.line, begin)) == row.token);
  }
}

}  // namespace
}  // namespace dra::report::token_test
