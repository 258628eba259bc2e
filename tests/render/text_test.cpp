// tests/render/text_test.cpp

#include "dra/render/text.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace dra::render::text_test {
namespace {

using view::Tone;

struct Case {
  std::string name;
  view::Document document;
  TextOptions options;
  std::string want;
};

template <class... Blocks>
view::Document document(Blocks... blocks) {
  view::Document doc;
  (doc.add(std::move(blocks)), ...);
  return doc;
}

view::Paragraph paragraph(std::string text, int indent = 0, int hang = 2) {
  return {.spans = {{std::move(text)}}, .indent = indent, .hang = hang};
}

view::Table table(std::vector<view::Column> columns,
                  const std::vector<std::vector<std::string>>& rows) {
  view::Table out{.columns = std::move(columns)};
  for (const auto& row : rows) {
    auto& cells = out.rows.emplace_back();
    for (const std::string& text : row)
      cells.push_back({text});
  }
  return out;
}

view::Table pools() {
  return table({{"POOL"}, {"NODE", true}, {"FREE"}},
               {{"node-1", "n1", "0"}, {"a-longer-name", "n2", ""}});
}

view::Table explanation(std::string first, std::string second) {
  view::Table out = table({{"NODE", false, true}, {"CLAIM", false, true}, {"WHY"}},
                          {{std::move(first), std::move(second), "in use"}});
  out.fits_width = true;
  return out;
}

void check(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    CAPTURE(c.name);
    CHECK(render_text(c.document, c.options) == c.want);
  }
}

TEST_CASE("tables look like kubectl's") {
  check({
      {"columns stand three spaces apart, and no line ends in a space",
       document(pools()),
       {},
       "POOL            FREE\n"
       "node-1          0\n"
       "a-longer-name\n"},
      {"wide columns are shown when asked for",
       document(pools()),
       {.wide = true},
       "POOL            NODE   FREE\n"
       "node-1          n1     0\n"
       "a-longer-name   n2\n"},
      {"without titles their width does not count",
       document(table({{"DEVICES"}, {"B"}}, {{"1", "x"}})),
       {.headers = false},
       "1   x\n"},
      {"a table without rows is nothing, not even titles", document(table({{"A"}}, {})), {}, ""},
      {"an empty row of cells is an empty line, so rows can be counted",
       document(table({{"A"}, {"B"}}, {{"", ""}})),
       {},
       "A   B\n\n"},
      {"a list is never shortened, however narrow the terminal",
       document(table({{"NAME", false, true}}, {{"a-name-of-thirty-two-characters."}})),
       {.width = 20},
       "NAME\na-name-of-thirty-two-characters.\n"},
      {"wide characters take two cells",
       document(table({{"A"}, {"B"}}, {{"日本", "x"}, {"abc", "y"}})),
       {},
       "A      B\n日本   x\nabc    y\n"},
  });
}

TEST_CASE("tables that must fit lose the middle of their longest names") {
  check({
      {"a table that fits stays as it is",
       document(explanation("node-1", "claim")),
       {.width = 40},
       "NODE     CLAIM   WHY\n"
       "node-1   claim   in use\n"},
      {"the longer of two elastic columns gives way first",
       document(explanation("gke-gpu-a100-80gb-pool-cg6n", "claim-of-node-1")),
       {.width = 44},
       "NODE                CLAIM             WHY\n"
       "gke-gpu-…ool-cg6n   claim-of-node-1   in use\n"},
      {"a column is never narrower than a name can be told by",
       document(explanation("gke-gpu-a100-80gb-pool-cg6n", "gke-gpu-a100-80gb-pool-t5wd")),
       {.width = 20},
       "NODE           CLAIM          WHY\n"
       "gke-g…l-cg6n   gke-g…l-t5wd   in use\n"},
      {"who asks for everything gets whole names",
       document(explanation("gke-gpu-a100-80gb-pool-cg6n", "claim")),
       {.width = 20, .wide = true},
       "NODE                          CLAIM   WHY\n"
       "gke-gpu-a100-80gb-pool-cg6n   claim   in use\n"},
  });
}

view::Table verdicts(std::string reason) {
  view::Table out = table(
      {{""}, {.title = "NODE", .elastic = true}, {"FOR gpu"}, {.title = "REASON", .prose = true}},
      {{view::kYes, "node-a", "8 of 8 match, free", ""},
       {view::kNo, "node-b", "no devices", std::move(reason)}});
  out.indent = 2;
  out.fits_width = true;
  return out;
}

TEST_CASE("sentences of rows stand in a column, or below their rows where there is no room") {
  const std::string reason = "taint example.com/tpu:NoSchedule is not tolerated";
  check({
      {"there is room",
       document(verdicts(reason)),
       {.width = 100},
       "      NODE     FOR gpu              REASON\n"
       "  ✓   node-a   8 of 8 match, free\n"
       "  ✗   node-b   no devices           taint example.com/tpu:NoSchedule is not tolerated\n"},
      {"there is none",
       document(verdicts(reason)),
       {.width = 60},
       "      NODE     FOR gpu\n"
       "  ✓   node-a   8 of 8 match, free\n"
       "  ✗   node-b   no devices\n"
       "        taint example.com/tpu:NoSchedule is not tolerated\n"},
      {"a sentence wraps",
       document(verdicts(reason)),
       {.width = 40},
       "      NODE     FOR gpu\n"
       "  ✓   node-a   8 of 8 match, free\n"
       "  ✗   node-b   no devices\n"
       "        taint example.com/tpu:NoSchedule\n"
       "        is not tolerated\n"},
      {"no row has one",
       document(verdicts("")),
       {.width = 60},
       "      NODE     FOR gpu\n"
       "  ✓   node-a   8 of 8 match, free\n"
       "  ✗   node-b   no devices\n"},
      {"a terminal without Unicode",
       document(verdicts("")),
       {.width = 60, .ascii = true},
       "      NODE     FOR gpu\n"
       "  v   node-a   8 of 8 match, free\n"
       "  x   node-b   no devices\n"},
      {"what is left out and what follows, without Unicode",
       document(view::Paragraph{.spans = {{"gpu-0…3: 1 → 2"}}}),
       {.ascii = true},
       "gpu-0~3: 1 > 2\n"},
      {"hostile text",
       document(verdicts("\x1b[2Jtaint")),
       {.width = 40},
       "      NODE     FOR gpu\n"
       "  ✓   node-a   8 of 8 match, free\n"
       "  ✗   node-b   no devices\n"
       "        ^[[2Jtaint\n"},
  });
}

TEST_CASE("several names in one cell lose whole names, and only at the end") {
  check({
      {"a row of numbered names stays whole, and other columns give way",
       document(explanation("gpu-0-mig-1g10gb-19-0…3", "claim-of-a-node-of-a-pool")),
       {.width = 48},
       "NODE                      CLAIM           WHY\n"
       "gpu-0-mig-1g10gb-19-0…3   claim-…a-pool   in use\n"},
      {"a row of numbered names stays whole, however narrow the terminal",
       document(explanation("gpu-0-mig-1g10gb-19-0…3", "claim")),
       {.width = 20},
       "NODE                      CLAIM   WHY\n"
       "gpu-0-mig-1g10gb-19-0…3   claim   in use\n"},
      {"of a list the last names are omitted",
       document(explanation("gpu-0…3,gpu-7,gpu-9,gpu-11", "claim")),
       {.width = 36},
       "NODE                  CLAIM   WHY\n"
       "gpu-0…3,gpu-7,…       claim   in use\n"},
      {"of braces the stem gives way before what is in them",
       document(explanation("gke-v5p-2x2x4-pool-3a7e5c11-{8f2c,d41k}", "claim")),
       {.width = 44},
       "NODE                          CLAIM   WHY\n"
       "gke-v5p…a7e5c11-{8f2c,d41k}   claim   in use\n"},
      {"then the last names in them; the braces are closed",
       document(explanation("pci-0000-{16-00-0,17-00-0,56-00-0}", "claim")),
       {.width = 36},
       "NODE                   CLAIM   WHY\n"
       "pci-0000-{16-00-0,…}   claim   in use\n"},
      {"a sentence with a comma is no list",
       document(explanation("in use, and not shared by others", "claim")),
       {.width = 34},
       "NODE                CLAIM   WHY\n"
       "in use, and not …   claim   in use\n"},
  });
}

TEST_CASE("paragraphs wrap between words") {
  check({
      {"later lines hang",
       document(paragraph("the quick brown fox jumps over the lazy dog")),
       {.width = 20},
       "the quick brown fox\n  jumps over the\n  lazy dog\n"},
      {"an indent is before every line",
       document(paragraph("the quick brown fox jumps", 2, 0)),
       {.width = 22},
       "  the quick brown fox\n  jumps\n"},
      {"a word of exactly the width stays whole",
       document(paragraph("01234567890123456789 x")),
       {.width = 20},
       "01234567890123456789\n  x\n"},
      {"a word wider than the line is broken, as nothing else can be done",
       document(paragraph("see 0123456789012345678901234567")),
       {.width = 20},
       "see\n  012345678901234567\n  8901234567\n"},
      {"spaces that align something stay", document(paragraph("a   b")), {}, "a   b\n"},
      {"spaces at a break and at the end go",
       document(paragraph("01234567890123456   890   ")),
       {.width = 20},
       "01234567890123456\n  890\n"},
      {"a word of several tones is one word",
       document(view::Paragraph{{{"12345678901234 (", Tone::Plain}, {"bad", Tone::Bad}, {")."}}}),
       {.width = 20},
       "12345678901234\n  (bad).\n"},
      {"an empty paragraph is an empty line", document(paragraph("")), {}, "\n"},
  });
}

TEST_CASE("in rows that go on below a place stays with its name") {
  view::Row named{.title = "numa 0", .places = {}};
  view::Row parted{.title = "gpu", .places = {}, .parted = true};
  for (const char* name : {"gpu-0", "gpu-1", "gpu-2"}) {
    named.places.push_back({.mark = {"."}, .about = {}, .name = name});
    parted.places.push_back({.mark = {"A"}, .group = 0, .about = {}, .width = 2});
  }
  view::Row wide = named;
  wide.places.front().name = "0123456789012345678901234567";
  check({
      {"two lines", document(named), {.width = 30}, "  numa 0  gpu-0 .   gpu-1 .\n    gpu-2 .\n"},
      {"a name alone would still have room",
       document(named),
       {.width = 27},
       "  numa 0  gpu-0 .\n    gpu-1 .   gpu-2 .\n"},
      {"what is wider than a line is broken",
       document(wide),
       {.width = 24},
       "  numa 0\n    01234567890123456789\n    01234567 .   gpu-1 .\n    gpu-2 .\n"},
      {"lines that part places stand at the start",
       document(parted),
       {.width = 19},
       "  gpu  |A A|A A\n    |A A|\n"},
  });
}

TEST_CASE("fields align their values") {
  check({
      {"two spaces after the longest name",
       document(view::Fields{{{"Name", {{"x"}}}, {"Namespace", {{"y"}}}}}),
       {},
       "Name       x\nNamespace  y\n"},
      {"a long value wraps under itself",
       document(view::Fields{{{"Why", {{"every matching GPU is in use by somebody"}}}}, 2}),
       {.width = 30},
       "  Why  every matching GPU is\n       in use by somebody\n"},
      {"a value that is empty leaves no space behind",
       document(view::Fields{{{"Name", {}}, {"Namespace", {{"y"}}}}}),
       {},
       "Name\nNamespace  y\n"},
  });
}

TEST_CASE("blank lines part blocks") {
  check({
      {"several are one, and none stands at the start or the end",
       document(view::Blank{}, paragraph("a"), view::Blank{}, view::Blank{}, paragraph("b"),
                view::Blank{}),
       {},
       "a\n\nb\n"},
      {"a table without rows does not double them",
       document(paragraph("a"), view::Blank{}, table({{"A"}}, {}), view::Blank{}, paragraph("b")),
       {},
       "a\n\nb\n"},
  });
}

TEST_CASE("verbatim lines keep their columns") {
  check({
      {"nothing wraps, everything is indented",
       document(view::Verbatim{{{{"device.driver == 'gpu'"}}, {{"   ^"}}}, 4}),
       {.width = 10},
       "    device.driver == 'gpu'\n       ^\n"},
  });
}

TEST_CASE("colours say what the words say") {
  const view::Document all = document(view::Paragraph{{{"a", Tone::Strong},
                                                       {"b", Tone::Dim},
                                                       {"c", Tone::Good},
                                                       {"d", Tone::Warn},
                                                       {"e", Tone::Bad},
                                                       {"f"}}});
  view::Table cells = table({{"A"}, {"B"}}, {{"x", "y"}});
  cells.rows[0][0].tone = Tone::Bad;
  check({
      {"each tone is one SGR sequence",
       all,
       {.colour = true},
       "\x1b[1ma\x1b[0m\x1b[2mb\x1b[0m\x1b[32mc\x1b[0m\x1b[33md\x1b[0m\x1b[31me\x1b[0mf\n"},
      {"without colour there is none", all, {}, "abcdef\n"},
      {"the padding of a cell is not coloured",
       document(cells),
       {.colour = true},
       "A   B\n\x1b[31mx\x1b[0m   y\n"},
      {"a phrase of one tone is coloured once, on each of its lines",
       document(view::Paragraph{{{"in use by 123456789012", Tone::Bad}}}),
       {.width = 20, .colour = true},
       "\x1b[31min use by\x1b[0m\n  \x1b[31m123456789012\x1b[0m\n"},
  });
}

// Whoever can create objects chooses these texts.
TEST_CASE("text of a cluster cannot act on the terminal") {
  const std::string evil =
      "\x1b]0;x\x07\r\n\t\xc2\x9b"
      "31m\xe2\x80\xae\xff";
  const std::string shown = "^[]0;x^G\\r\\n\\t\\u{9b}31m\\u{202e}\\xff\n";
  CHECK(render_text(document(paragraph(evil)), {}) == shown);
  CHECK(render_text(document(table({{evil}}, {{evil}})), {}) == shown + shown);
  CHECK(render_text(document(view::Verbatim{{{{evil}}}}), {}) == shown);
  const std::string name = shown.substr(0, shown.size() - 1);
  CHECK(render_text(document(view::Fields{{{evil, {{evil}}}}}), {.width = 200}) ==
        name + "  " + shown);
}

}  // namespace
}  // namespace dra::render::text_test
