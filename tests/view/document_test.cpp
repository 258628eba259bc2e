// tests/view/document_test.cpp: folds point to their blocks, also in a document made of others.

#include "dra/view/document.h"

#include <doctest/doctest.h>

#include <string>

namespace dra::view::document_test {
namespace {

Paragraph paragraph(std::string text) { return {.spans = {{std::move(text)}}}; }

std::string text_of(const Document& document, std::size_t block) {
  return std::get<Paragraph>(document.blocks.at(block)).spans.front().text;
}

// A paragraph, a fold with a head and a part of two blocks, and what needs that part.
Document with_folds(const std::string& name) {
  Document document;
  document.add(paragraph("above"));
  const std::size_t fold = document.begin_fold();
  document.add_head(fold, paragraph(name + " head"));
  Document part;
  part.add(paragraph(name + " part"));
  part.add(paragraph("goes on"));
  const PartId id = document.add_part(fold, std::move(part), 3, 2);
  document.end_fold(fold);
  const std::size_t below = document.begin_fold({}, id);
  document.add_rows(below, Table{.columns = {{.title = "A"}}, .rows = {{{"1"}}, {{"2"}}}},
                    {{.rank = 1}, {.rank = 2}});
  return document;
}

TEST_CASE("a document made of others has their folds") {
  Document document = with_folds("a");
  document.append(with_folds("b"));
  document.append_screen(with_folds("c"));
  REQUIRE(document.folds.size() == 6);
  CHECK(document.screens == std::vector<std::size_t>{10});
  for (const std::size_t i : {0U, 1U, 2U}) {
    const std::string name(1, static_cast<char>('a' + i));
    const Fold& fold = document.folds[2 * i];
    CHECK(text_of(document, fold.begin) == name + " head");
    CHECK(fold.head_end == fold.begin + 1);
    CHECK(text_of(document, fold.parts.at(0).begin) == name + " part");
    CHECK(fold.parts[0].end == fold.parts[0].begin + 2);
    CHECK(fold.parts[0].rank == 3);
    CHECK(fold.parts[0].count == 2);
    CHECK(fold.end == fold.parts[0].end);
    const Fold& below = document.folds[2 * i + 1];
    CHECK(below.needs.value().fold == 2 * i);
    CHECK(std::holds_alternative<Table>(document.blocks.at(below.table.value())));
    CHECK(below.parts.at(1).begin == 1);
    CHECK(below.parts[1].end == 2);
    CHECK(below.end == *below.table + 1);
  }
}

}  // namespace
}  // namespace dra::view::document_test
