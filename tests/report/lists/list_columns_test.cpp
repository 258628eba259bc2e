// tests/report/lists/list_columns_test.cpp

#include "dra/report/lists/list_columns.h"

#include <doctest/doctest.h>

#include <string>

namespace dra::report::list_columns_test {
namespace {

// Titles, then the rows, cells parted by bars.
std::string text_of(const view::Table& table) {
  std::string text;
  for (const view::Column& column : table.columns)
    text += column.title + "|";
  for (const auto& row : table.rows) {
    text += "\n";
    for (const view::Cell& cell : row)
      text += cell.text + "|";
  }
  return text;
}

view::Table two_rows() {
  return {.columns = {{.title = "NAMESPACE"}, {.title = "NAME"}},
          .rows = {{{"ml"}, {"a"}}, {{"ml"}, {"b"}}}};
}

TEST_CASE("labels become columns, under what stands after the last slash") {
  api::ObjectMeta a;
  a.labels = {{"tier", "web"}, {"app.kubernetes.io/name", "x"}};
  const api::ObjectMeta b;
  const std::vector<const api::ObjectMeta*> objects{&a, &b};
  view::Table table = two_rows();
  add_label_columns(table, objects, {"app.kubernetes.io/name", "tier", "none"}, true);
  CHECK(text_of(table) ==
        "NAMESPACE|NAME|NAME|TIER|NONE|LABELS|\n"
        "ml|a|x|web||app.kubernetes.io/name=x,tier=web|\n"
        "ml|b||||<none>|");
}

TEST_CASE("no labels asked for, no columns") {
  const api::ObjectMeta meta;
  view::Table table = two_rows();
  add_label_columns(table, std::vector<const api::ObjectMeta*>{&meta, &meta}, {}, false);
  CHECK(text_of(table) == text_of(two_rows()));
}

TEST_CASE("the kind stands before the name, with its group") {
  view::Table claims = two_rows();
  add_kind(claims, api::Kind::Claim);
  CHECK(
      text_of(claims) ==
      "NAMESPACE|NAME|\nml|resourceclaim.resource.k8s.io/a|\nml|resourceclaim.resource.k8s.io/b|");
  CHECK(kind_prefix(api::Kind::Pod) == "pod");
}

}  // namespace
}  // namespace dra::report::list_columns_test
