// tests/report/lists/sort_by_test.cpp

#include "dra/report/lists/sort_by.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/json/parse.h"

namespace dra::report::sort_by_test {
namespace {

// The `n` of each item in order, or the error.
std::string sorted(const std::string& list, std::string_view path, Ties ties = Ties::AsKubectl) {
  json::Value items = json::parse_json(list).value();
  const auto order = sort_by(items.items(), path, ties);
  if (!order.ok()) return "error: " + order.error().message;
  reorder(items.items(), order.value());
  std::string names;
  for (const json::Value& item : items.items())
    names += item.find("n")->text();
  return names;
}

TEST_CASE("items are sorted as kubectl sorts them") {
  struct Case {
    std::string name;
    std::string list;
    std::string path;
    std::string want;
  };
  const std::vector<Case> cases = {
      {"text", R"([{"n":"b"},{"n":"a"},{"n":"c"}])", "{.n}", "abc"},
      {"a path without braces", R"([{"n":"b"},{"n":"a"}])", ".n", "ab"},
      {"a path without a dot", R"([{"n":"b"},{"n":"a"}])", "n", "ab"},
      {"numbers", R"([{"n":"b","k":10},{"n":"a","k":9}])", ".k", "ab"},
      {"times", R"([{"n":"b","k":"2026-02-01T00:00:00Z"},{"n":"a","k":"2025-03-01T00:00:00Z"}])",
       ".k", "ab"},
      {"quantities", R"([{"n":"b","k":"80Gi"},{"n":"a","k":"9Gi"},{"n":"c","k":"1Ti"}])", ".k",
       "abc"},
      {"text that is no quantity is text", R"([{"n":"b","k":"9x"},{"n":"a","k":"10x"}])", ".k",
       "ab"},
      {"deep", R"([{"n":"b","k":{"l":["z"]}},{"n":"a","k":{"l":["y"]}}])", ".k.l[0]", "ab"},
      {"what has no value comes first", R"([{"n":"b","k":1},{"n":"a"}])", ".k", "ab"},
      {"several without a value are reversed", R"([{"n":"c","k":1},{"n":"b"},{"n":"a"}])", ".k",
       "abc"},
      {"null before values", R"([{"n":"b","k":"x"},{"n":"a","k":null}])", ".k", "ab"},
      {"equal ones keep their order", R"([{"n":"a","k":1},{"n":"b","k":1},{"n":"c","k":0}])", ".k",
       "cab"},
      {"nothing to sort", "[]", ".k", ""},
      {"one item, whatever it has", R"([{"n":"a","k":{}}])", ".k", "a"},
      {"nowhere there", R"([{"n":"a"}])", ".k",
       "error: couldn't find any field with path \"{.k}\" in the list of objects"},
      {"objects have no order", R"([{"n":"b","k":{}},{"n":"a","k":{}}])", ".k",
       "error: --sort-by: {.k} cannot be sorted by: it is an object"},
      {"text and numbers have no order", R"([{"n":"b","k":1},{"n":"a","k":"1"}])", ".k",
       "error: --sort-by: {.k} cannot be sorted by: it is text here and a number there"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    CHECK(sorted(c.list, c.path) == c.want);
  }
}

TEST_CASE("equal items of a long list keep their order, or have that of kubectl") {
  std::string list;
  for (int i = 40; i > 0; --i) {
    const std::string key = i % 3 == 0 ? "" : ",\"k\":" + std::to_string(i % 2);
    list += (list.empty() ? "[" : ",") + std::string("{\"n\":\"") + std::to_string(i) + " \"" +
            key + "}";
  }
  CHECK(sorted(list + "]", ".k") ==
        "21 30 18 15 33 27 9 36 6 3 39 24 12 20 14 2 28 38 22 4 40 8 10 34 16 "
        "32 26 7 17 11 31 35 19 13 37 5 29 23 25 1 ");
  CHECK(sorted(list + "]", ".k", Ties::KeepOrder) ==
        "39 36 33 30 27 24 21 18 15 12 9 6 3 40 38 34 32 28 26 22 20 16 14 10 8 4 2 37 35 31 29 25 "
        "23 19 17 13 11 7 5 1 ");
}

TEST_CASE("a path that cannot be read is an error") {
  CHECK(sorted(R"([{"n":"a"}])", "{.n").starts_with("error: --sort-by: "));
}

}  // namespace
}  // namespace dra::report::sort_by_test
