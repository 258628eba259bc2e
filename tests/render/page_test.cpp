// tests/render/page_test.cpp: how pages are laid out. What a browser makes of them stands in
// tests/pages.

#include "dra/render/page.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/render/text.h"

namespace dra::render::page_test {
namespace {

template <class Block>
std::string page_of(Block block) {
  view::Document document;
  document.add(std::move(block));
  return render_html(document, {.title = "t", .about = ""});
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("lines go on below, unless something points at their columns") {
  struct Case {
    std::string name;
    std::vector<std::string> lines;
    bool scrolls;
  };
  const std::vector<Case> cases = {
      {"a command", {"kubectl dra explain pod a -n b"}, false},
      {"commands below each other", {"why:   kubectl a", "where: kubectl b"}, false},
      {"a caret under a value", {"7 | count: x", "  |        ^"}, true},
      {"marks under an expression", {"device.driver == \"a\"", "              ^~~~~~"}, true},
      {"a power in an expression", {"2 ^ 3"}, false},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    view::Verbatim block;
    for (const std::string& line : c.lines)
      block.lines.push_back({{line}});
    CHECK(contains(page_of(block), "<pre class=\"scroll\"") == c.scrolls);
  }
}

TEST_CASE("lines of text that go on hang as far as on a terminal") {
  const view::Paragraph usual{.spans = {{"a"}}, .indent = 2};
  const view::Paragraph more{.spans = {{"a"}}, .indent = 2, .hang = 3};
  CHECK(contains(page_of(usual), "<p style=\"margin-left:2ch\">a"));
  CHECK(contains(page_of(more), "<p style=\"margin-left:2ch;--hang:3ch\">a"));
}

TEST_CASE("planes are as wide as each other, whatever stands in and beside them") {
  const view::Place place = {.mark = {"A+"}, .about = "a"};
  view::Place asked = place;
  asked.asked = true;
  const std::string page = page_of(view::Grid{.name = "g",
                                              .columns = 1,
                                              .planes = 2,
                                              .places = {place, asked},
                                              .titles = {"z0", "z1 w1 a"},
                                              .beside = {"w0 0000  w1 0001", "w2 2"}});
  CHECK(contains(page, "--mark:4ch"));
  CHECK(contains(page, "--title:7ch"));
  CHECK(contains(page, "repeat(1,max-content) minmax(9ch,17ch)"));
}

TEST_CASE("a page of several parts begins with links to them, and its headings are below theirs") {
  view::Document problems;
  problems.add(view::Paragraph{.spans = {{"error", view::Tone::Bad}, {" <b>"}}});
  const std::string page =
      render_html({{"Problems", problems}, {"Topology & more", {}}}, {.title = "t", .about = ""});
  CHECK(contains(page,
                 "<a class=\"part\" href=\"#s0\">Problems</a>\n"
                 "<a class=\"part\" href=\"#s1\">Topology &amp; more</a>\n"));
  CHECK(contains(page, "<section id=\"s0\"><h2 class=\"part\">Problems</h2>\n<h3>"));
  CHECK(contains(page, "</span> &lt;b&gt;</h3>\n</section>\n<section id=\"s1\">"));
}

TEST_CASE("numbers at the head: what is none has no length, text has neither") {
  const view::Summary summary{
      .tiles = {{.name = "missing", .value = "5", .tone = view::Tone::Bad}},
      .bars = {{.name = "<tpu>",
                .parts = {{.name = "in use", .number = 11},
                          {.name = "missing", .number = 5, .tone = view::Tone::Bad}}}}};
  const std::string page = page_of(summary);
  CHECK(contains(page, "<li class=\"tile\"><b><span class=\"bad\">5</span></b>missing</li>"));
  CHECK(contains(page, "<div>&lt;tpu&gt;</div>"));
  CHECK(contains(page, "<span class=\"share bad\" style=\"flex-grow:5\"></span>"));
  view::Document document;
  document.add(summary);
  CHECK(render_text(document, {.width = 80}).empty());
}

TEST_CASE("an edge is drawn around the blocks of one matter, wherever its card was added") {
  view::Document card;
  card.add(view::Paragraph{.spans = {{"a"}}});
  card.add(view::Verbatim{.lines = {{{"kubectl a", view::Tone::Dim}}}, .command = true});
  view::Document part;
  part.add(view::Paragraph{.spans = {{"before"}}});
  part.add_card(card, view::Tone::Bad);
  view::Document document;
  document.add(view::Blank{});
  document.append(part);
  document.add_card(card, view::Tone::Warn);
  const std::string page = render_html(document, {.title = "t", .about = ""});
  CHECK(contains(page,
                 "<p>before</p>\n<article class=\"card edge bad\">\n<p>a</p>\n"
                 "<pre class=\"command\">kubectl a\n</pre>\n</article>\n"
                 "<article class=\"card edge warn\">\n<p>a</p>"));
}

TEST_CASE("a column for completeness is left out where it has nothing") {
  const view::Table table{.columns = {{.title = "A"}, {.title = "B", .wide = true}},
                          .rows = {{{.text = "a"}, {.text = "0"}}}};
  CHECK_FALSE(contains(page_of(table), ">B</th>"));
  view::Table other = table;
  other.rows.push_back({{.text = "b"}, {.text = "1"}});
  CHECK(contains(page_of(other), ">B</th>"));
}

TEST_CASE("a picture alone has its name for readers who cannot see it, and no head") {
  view::Document document;
  document.add(view::Row{.title = "r", .places = {{.mark = {"A"}, .about = "a"}}});
  const PageHead head{.title = "the title", .about = "the time", .shown = false};
  CHECK_FALSE(contains(render_html(document, head), "<header>"));
  const std::string picture = render_svg(document, head);
  CHECK(contains(picture, "<title>the title</title>"));
  CHECK_FALSE(contains(picture, "the time"));
}

}  // namespace
}  // namespace dra::render::page_test
