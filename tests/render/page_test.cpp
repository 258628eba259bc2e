// tests/render/page_test.cpp: how pages are laid out. What a browser makes of them stands in
// tests/pages.

#include "dra/render/page.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

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

}  // namespace
}  // namespace dra::render::page_test
