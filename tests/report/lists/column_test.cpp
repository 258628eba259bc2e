// tests/report/lists/column_test.cpp

#include "src/report/lists/column.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/json/write.h"
#include "tests/support/document_text.h"

namespace dra::report::column_test {
namespace {

struct Chip {
  std::string name;
  std::optional<std::int64_t> free = {};
  std::string problem = {};
};

json::Value problem_json(const Chip& chip) {
  return chip.problem.empty() ? json::Value() : json::Value(chip.problem);
}

Columns<Chip> chip_columns(const ListOptions& options) {
  return {
      namespace_column<Chip>(options, [](const Chip&) { return "ns"; }),
      {.title = "NAME", .key = "name", .schema = kText, .value = &Chip::name},
      {.title = "STATE", .cell = [](const Chip&) { return cell("good"); }},
      {.title = "FREE", .key = "free", .schema = kCountIfKnown, .value = if_known(&Chip::free)},
      {.key = "problem", .schema = kText, .optional = true, .value = problem_json},
  };
}

const std::vector<Chip> kChips = {{.name = "a", .free = 3}, {.name = "b", .problem = "hot"}};

std::string compact(const json::Value& value) { return write_json(value, json::Style::Compact); }

TEST_CASE("a table has the columns with a title that are not hidden") {
  CHECK(support::rows_of(list_view(chip_columns({}), kChips)) ==
        "a | good | 3\n"
        "b | good | <unknown>\n");
  CHECK(support::rows_of(list_view(chip_columns({.all_namespaces = true}), kChips)) ==
        "ns | a | good | 3\n"
        "ns | b | good | <unknown>\n");
}

TEST_CASE("JSON has the columns with a key, and no optional field without a value") {
  CHECK(compact(list_json("ChipList", chip_columns({}), kChips)) ==
        R"({"apiVersion":"dra.kubectl/v1","kind":"ChipList","items":[)"
        R"({"name":"a","free":3},{"name":"b","free":null,"problem":"hot"}]})");
}

TEST_CASE("a schema requires each field but optional ones") {
  CHECK(compact(row_schema("A chip.", chip_columns({}))) ==
        R"({"description":"A chip.","type":"object","properties":{"name":{"type":"string"},)"
        R"("free":{"$ref":"#/$defs/countIfKnown"},"problem":{"type":"string"}},)"
        R"("required":["name","free"],"additionalProperties":false})");
}

TEST_CASE("cells read as their values") {
  CHECK(cell_of({}).text == "<unknown>");
  CHECK(cell_of(7).text == "7");
  CHECK(cell_of(json::Value::array()).text == "<none>");
  CHECK(cell_of(json::Value::array({"a", "b"})).text == "a,b");
}

}  // namespace
}  // namespace dra::report::column_test
