// tests/report/phrases/height_test.cpp: what is counted is what the renderer writes.

#include "dra/report/phrases/height.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "dra/render/text.h"

namespace dra::report {
namespace {

std::size_t rendered(const view::Document& document) {
  const std::string text = render::render_text(document, {.width = kScreenWidth});
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

std::string words(std::size_t count, std::size_t length) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text += std::string(length, 'x') + " ";
  return text;
}

TEST_CASE("paragraphs of every length are as high as they are written") {
  for (const std::size_t length : {1U, 3U, 9U, 40U, 77U, 78U, 79U, 80U, 81U, 200U}) {
    for (std::size_t count = 0; count < 50; ++count) {
      for (const int indent : {0, 2, 6}) {
        CAPTURE(length);
        CAPTURE(count);
        view::Document document;
        document.add(view::Paragraph{.spans = {{words(count, length)}}, .indent = indent});
        CHECK(height_of(document) == rendered(document));
      }
    }
  }
}

TEST_CASE("blocks of every kind, with blank lines between them") {
  view::Document document;
  CHECK(height_of(document) == 0);
  document.add(view::Blank{});
  document.add(view::Paragraph{.spans = {{"first"}}});
  document.add(view::Blank{});
  document.add(view::Blank{});
  document.add(view::Fields{.fields = {{"name", {{words(20, 9)}}}, {"longer name", {{"value"}}}},
                            .indent = 2});
  document.add(view::Blank{});
  document.add(view::Table{.columns = {{.title = "A"}}, .rows = {{{"1"}}, {{"2"}}}});
  document.add(view::Verbatim{.lines = {{{"a"}}, {{"b"}}}});
  document.add(view::Blank{});
  CHECK(height_of(document) == rendered(document));
  CHECK(height_of(document) == 13);
}

TEST_CASE("a block that would be too high is not added") {
  view::Document document;
  CHECK(add_if_room(document, view::Paragraph{.spans = {{"one"}}}, 1));
  CHECK_FALSE(add_if_room(document, view::Paragraph{.spans = {{"two"}}}, 1));
  CHECK(document.blocks.size() == 1);
}

}  // namespace
}  // namespace dra::report
