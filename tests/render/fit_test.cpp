// tests/render/fit_test.cpp: which parts of a document stay on a screen, and what is said of the
// others.

#include "dra/render/fit.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "dra/base/text.h"
#include "dra/render/text.h"

namespace dra::render::fit_test {
namespace {

using view::Document;
using view::kAlways;

view::Paragraph paragraph(std::string text) { return {.spans = {{std::move(text)}}}; }

view::Verbatim verbatim(std::string text) { return {.lines = {{{std::move(text)}}}}; }

view::Rest rest(const std::string& what) {
  return {.one = "and {} " + what, .several = "and {} " + what + "s", .indent = 0};
}

struct Line {
  std::string text;
  view::Rank rank = kAlways;
  std::size_t count = 1;
};

// A fold with a paragraph for each line.
std::size_t add_fold(Document& document, view::FoldWords words, const std::vector<Line>& lines) {
  const std::size_t fold = document.begin_fold(std::move(words));
  for (const Line& line : lines)
    document.add_part(fold, paragraph(line.text), line.rank, line.count);
  document.end_fold(fold);
  return fold;
}

Document fold_of(view::FoldWords words, const std::vector<Line>& lines) {
  Document document;
  add_fold(document, std::move(words), lines);
  return document;
}

// The lower ones of the two are the more important.
Document two_folds() {
  const view::Rest more{.several = "+{}", .indent = 0};
  Document document;
  add_fold(document, {.more = more}, {{"a"}, {"b", 2}, {"bb", 2}});
  document.add(view::Blank{});
  add_fold(document, {.more = more}, {{"c"}, {"d d d d d d", 1}, {"e", 1}});
  return document;
}

// Advice with a head, below a list; the best of it is worth more than the list.
Document with_head() {
  Document document;
  add_fold(document, {.more = rest("reason")}, {{"because", kAlways}, {"and because", 3}});
  const std::size_t advice = document.begin_fold(
      {.more = rest("more"), .none = {.several = "{} would help"}, .none_rank = 1});
  document.add_head(advice, view::Blank{});
  document.add_head(advice, paragraph("would help:"));
  document.add_part(advice, paragraph("- one"), 2);
  document.add_part(advice, paragraph("- two"), 4);
  document.add_part(advice, paragraph("- three"), 4);
  document.end_fold(advice);
  const std::size_t how = document.begin_fold({}, view::PartId{advice, 0});
  document.add_part(how, paragraph("so"), 2);
  document.end_fold(how);
  return document;
}

Document table_of(std::size_t rows) {
  view::Table table{.columns = {{.title = "NAME"}}};
  std::vector<view::RowPart> parts;
  for (std::size_t i = 0; i < rows; ++i) {
    table.rows.push_back({{base::format("n{}", i)}});
    table.rows.push_back({{"  too"}});
    parts.push_back({.rank = i == 0 ? kAlways : 1, .rows = 2, .count = 10});
  }
  Document document;
  document.add_rows(document.begin_fold({.more = rest("node")}), std::move(table), parts);
  return document;
}

Document commands(bool is_command) {
  view::Verbatim command = verbatim("kubectl dra explain");  // 19 cells
  command.command = is_command;
  Document document;
  const std::size_t fold = document.begin_fold({.more = rest("cause")});
  document.add_part(fold, command, kAlways);
  document.add_part(fold, command, 1);
  document.add_part(fold, command, 1);
  document.end_fold(fold);
  return document;
}

Document two_screens() {
  Document document = two_folds();
  document.add(view::Blank{});
  document.append_screen(with_head());
  return document;
}

struct Case {
  std::string name;
  Document document;
  Screen screen;
  std::string want;
};

void check(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    CAPTURE(c.name);
    CHECK(render_text(fit(c.document, c.screen), {.width = c.screen.width}) == c.want);
  }
}

TEST_CASE("as many parts stay as there are lines for") {
  const view::FoldWords more{.more = rest("more")};
  const view::Rest command{.several = "+{}: a b c", .verbatim = true};
  const std::vector<Line> four = {{"a"}, {"b", 1}, {"c", 1, 2}, {"d", 1}};
  const std::vector<Line> wide = {{"a"}, {"b b b b b b", 1}};
  check({
      {"all", fold_of(more, four), {80, 4}, "a\nb\nc\nd\n"},
      {"the others are counted", fold_of(more, four), {80, 3}, "a\nb\nand 3 mores\n"},
      {"one of them", fold_of(more, wide), {10, 2}, "a\nand 1 more\n"},
      {"without words nothing is reported about them", fold_of({}, four), {80, 2}, "a\nb\n"},
      {"what does not count", fold_of(more, {{"a"}, {"b", 1, 0}}), {80, 1}, "a\n"},
      {"words of any number", fold_of({.more = {.several = "{}!"}}, wide), {10, 2}, "a\n  1!\n"},
      {"a command is not wrapped", fold_of({.more = command}, four), {4, 2}, "a\n  +4: a b c\n"},
      {"what is always shown may be more than a screen",
       fold_of(more, {{"a"}, {"b"}, {"c", 1}}),
       {80, 1},
       "a\nb\nand 1 more\n"},
  });
}

TEST_CASE("a lower rank comes first, and nothing comes after what has no room") {
  check({
      {"all", two_folds(), {80, 7}, "a\nb\nbb\n\nc\nd d d d d d\ne\n"},
      {"the more important fold is whole", two_folds(), {80, 6}, "a\n+2\n\nc\nd d d d d d\ne\n"},
      {"no line is left", two_folds(), {80, 5}, "a\n+2\n\nc\n+2\n"},
      {"a part that would fit is not tried", two_folds(), {10, 6}, "a\n+2\n\nc\n+2\n"},
  });
}

TEST_CASE("a head stays with its parts, and words stand in place of all of them") {
  check({
      {"all",
       with_head(),
       {80, 8},
       "because\nand because\n\nwould help:\n- one\n- two\n- three\nso\n"},
      {"one part and what needs it",
       with_head(),
       {80, 7},
       "because\nand because\n\nwould help:\n- one\nand 2 mores\nso\n"},
      {"one part",
       with_head(),
       {80, 6},
       "because\nand 1 reason\n\nwould help:\n- one\nand 2 mores\n"},
      {"the words", with_head(), {80, 5}, "because\nand 1 reason\n  3 would help\n"},
      {"no room for the words", with_head(), {80, 2}, "because\nand 1 reason\n"},
  });
}

TEST_CASE("rows of a table, which has a title") {
  check({
      {"all", table_of(3), {80, 7}, "NAME\nn0\n  too\nn1\n  too\nn2\n  too\n"},
      {"two parts", table_of(3), {80, 6}, "NAME\nn0\n  too\nn1\n  too\nand 10 nodes\n"},
      {"one part", table_of(3), {80, 5}, "NAME\nn0\n  too\nand 20 nodes\n"},
      {"many", table_of(100'000), {80, 5}, "NAME\nn0\n  too\nand 999990 nodes\n"},
  });
}

TEST_CASE("lines that a terminal breaks are as many as it makes of them") {
  const std::string line = "kubectl dra explain\n";
  check({
      {"wide enough", commands(false), {19, 3}, line + line + line},
      {"two for each", commands(false), {18, 5}, line + line + "and 1 cause\n"},
      {"counted as one", commands(true), {18, 3}, line + line + line},
  });
}

TEST_CASE("each screen is fitted by itself") {
  check({
      {"neither has room",
       two_screens(),
       {80, 5},
       "a\n+2\n\nc\n+2\n\nbecause\nand 1 reason\n  3 would help\n"},
      {"both have",
       two_screens(),
       {80, 8},
       "a\nb\nbb\n\nc\nd d d d d d\ne\n\n"
       "because\nand because\n\nwould help:\n- one\n- two\n- three\nso\n"},
  });
}

// Blocks of every kind, each a part.
Document many_blocks() {
  Document document;
  document.add(paragraph("always"));
  const std::size_t fold = document.begin_fold({.more = rest("block")});
  for (std::size_t words = 1; words < 40; words += 7) {
    std::string text;
    for (std::size_t i = 0; i < words; ++i)
      text += std::string(i % 11 + 1, 'x') + " ";
    document.add(view::Blank{});
    document.add_part(fold, view::Paragraph{.spans = {{text}}, .indent = 3}, 1);
    document.add_part(fold, view::Fields{.fields = {{"name", {{text}}}, {"longer", {{text}}}}}, 1);
    document.add_part(fold, view::Row{.title = text, .places = {{.mark = {"A"}, .about = {}}}}, 1);
    document.add_part(fold, verbatim("short"), 1);
    document.add_part(fold, view::Table{.columns = {{.title = "A"}}, .rows = {{{text}}, {{text}}}},
                      1);
  }
  document.end_fold(fold);
  return document;
}

TEST_CASE("what is counted is what is written") {
  const Document document = many_blocks();
  for (const int width : {12, 30, 80}) {
    const auto lines_at = [&](int height) {
      const std::string text =
          render_text(fit(document, {.width = width, .height = height}), {.width = width});
      return static_cast<int>(std::ranges::count(text, '\n'));
    };
    const std::string whole = render_text(document, {.width = width});
    const int all = static_cast<int>(std::ranges::count(whole, '\n'));
    CAPTURE(width);
    CHECK(lines_at(all) == all);
    int before = 0;
    for (int height = 3; height <= all; ++height) {
      const int lines = lines_at(height);
      CHECK(lines <= height);
      CHECK(lines >= before);
      before = lines;
    }
    CHECK(lines_at(all - 1) < all);
  }
}

}  // namespace
TEST_CASE("sentences below rows take their lines") {
  view::Table table{.columns = {{.title = "NODE"}, {.title = "REASON", .prose = true}}};
  table.rows = {{{"node-a"}, {"a taint that is not tolerated"}},
                {{"node-b"}, {"another one"}},
                {{"node-c"}, {""}}};
  table.fits_width = true;
  Document document;
  document.add_rows(document.begin_fold({.more = rest("node")}), std::move(table),
                    {{.rank = kAlways}, {.rank = 1}, {.rank = 1}});
  const auto text = [&document](int height) {
    return render_text(fit(document, {.width = 26, .height = height}), {.width = 26});
  };
  CHECK(text(5) ==
        "NODE\nnode-a\n           a taint that is\n           not tolerated\nand 2 nodes\n");
  CHECK(text(6) == text(5));
  CHECK(text(7) ==
        "NODE\nnode-a\n           a taint that is\n           not tolerated\nnode-b\n"
        "           another one\nnode-c\n");
}

}  // namespace dra::render::fit_test
