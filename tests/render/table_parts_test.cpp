// tests/render/table_parts_test.cpp: a table that is printed bit by bit.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/render/text.h"

namespace dra::render::table_parts_test {
namespace {

view::Document rows(const std::vector<std::vector<std::string>>& texts) {
  view::Table table{.columns = {{"NAME"}, {"NODE", true}, {"STATE"}}};
  for (const auto& row : texts) {
    auto& cells = table.rows.emplace_back();
    for (const std::string& text : row)
      cells.push_back({text});
  }
  view::Document document;
  document.add(std::move(table));
  return document;
}

TEST_CASE("columns keep the width of the parts before, and only grow") {
  std::vector<std::size_t> widths;
  TextOptions options{.widths = &widths};
  CHECK(render_text(rows({{"gpu-claim", "n", "pending"}}), options) ==
        "NAME        STATE\n"
        "gpu-claim   pending\n");
  options.headers = false;
  CHECK(render_text(rows({{"a", "n", "allocated"}}), options) == "a           allocated\n");
  CHECK(render_text(rows({{"a-longer-name", "n", "x"}}), options) == "a-longer-name   x\n");
  CHECK(render_text(rows({{"b", "n", "x"}}), options) == "b               x\n");
  options.wide = true;
  CHECK(render_text(rows({{"b", "n", "x"}}), options) == "b               n   x\n");
}

}  // namespace
}  // namespace dra::render::table_parts_test
