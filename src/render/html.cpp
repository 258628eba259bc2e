// src/render/html.cpp: each block becomes the HTML element of its kind. There is no script: the
// facts of a place are inside its element, and CSS shows them when it is pointed at or has the
// focus.

#include <algorithm>
#include <functional>
#include <set>
#include <variant>

#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "dra/render/page.h"
#include "src/render/grid.h"
#include "src/render/markup.h"
#include "src/render/palette.h"

namespace dra::render {
namespace {

// Blocks wider than the window have a scroll bar that stays visible, as far as browsers allow it,
// and a shadow at the right edge while there is more behind it, because in a screenshot nobody can
// scroll. The shadow is fixed; a cover scrolls with the end of the block and hides it there.
constexpr std::string_view kStyleOfWide =
    ".scroll,.plane{overflow-x:auto;background:linear-gradient(to right,transparent,var(--page) "
    "1rem) right/2rem 100% no-repeat local,linear-gradient(to left,var(--line),transparent) "
    "right top/.75rem calc(100% - 1px) no-repeat "
    "scroll}.scroll::-webkit-scrollbar,.plane::-webkit-scrollbar{"
    "height:.5rem}.scroll::-webkit-scrollbar-thumb,.plane::-webkit-scrollbar-thumb{background:"
    "var(--line);border-radius:.25rem}";

constexpr std::string_view kStyle =
    "body{font:14px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;margin:1.5rem;"
    "padding-bottom:40vh}"
    "h1{font-size:1.25rem;margin:0}h2,h3,p{font-size:inherit;margin:0;white-space:pre-wrap;"
    "overflow-wrap:anywhere;padding-left:var(--hang,2ch);text-indent:calc(0ch - var(--hang,2ch))}"
    "h2,h3{font-weight:400}section{margin-top:2rem;padding-top:.75rem;border-top:1px solid "
    "var(--line)}h2.part{font-size:1.1rem;font-weight:600;margin-bottom:.5rem}a.part{color:inherit;"
    "margin-right:"
    "2ch}header{margin-bottom:1rem}.strong,th,dt{font-"
    "weight:600}.gap{height:1rem}pre{margin:0;white-space:pre-wrap;overflow-wrap:"
    "anywhere}pre.scroll{white-space:pre}"
    "table{border-collapse:collapse}th,td{text-align:left;vertical-align:top;padding:.1rem 1.5rem "
    ".1rem 0}dl{display:grid;grid-template-columns:max-content 1fr;gap:0 "
    "1rem;margin:0}dd{margin:0;overflow-wrap:anywhere}"
    "figure{margin:.5rem 0;display:flex;flex-wrap:wrap;gap:1rem 1.75rem}"
    ".plane{min-width:min(100%,var(--title))}"
    ".cells{display:grid;grid-template-columns:var(--columns);justify-content:start}.row{display:"
    "flex;flex-wrap:"
    "wrap;margin:.25rem 0}.at{padding:2px;border:0 solid}.at.n{padding-top:4px;border-top-"
    "width:1px}.at.w{padding-left:4px;border-left-width:1px}.at.s{padding-bottom:4px;border-bottom-"
    "width:1px}.at.e{padding-right:4px;border-right-width:1px}"
    ".place{display:flex;box-sizing:border-box;height:2rem;padding:0 .15rem;"
    "min-width:max(2rem,calc(var(--mark,0ch) + .75rem));align-items:center;"
    "justify-content:center;border:1px solid;border-radius:3px;font-weight:600}"
    ".place.bad,.place.warn{background-clip:padding-box}.place.bad{border-style:dashed}.place.warn{"
    "border:2px dashed}.place.asked{border-width:3px}"
    ".place:hover,.place:focus{outline:3px solid;outline-offset:1px}.beside{align-self:center;"
    "padding-left:1ch;line-height:1.2;white-space:pre-wrap;overflow-wrap:anywhere}.row "
    ".at{display:flex;align-items:center}.name{padding:0 "
    ".4rem}.side{display:flex;align-items:center;justify-content:center;min-width:"
    "1.5rem}.tip{display:none;position:fixed;left:0;right:0;bottom:0;max-height:38vh;overflow-y:"
    "auto;padding:.75rem 1.5rem;border-top:3px solid;"
    "font-weight:400}.place:focus-within .tip{display:grid}.place:hover "
    ".tip{display:grid;z-index:1}body:has(.place:hover) .place:not(:hover) .tip{display:none}"
    ".plane{padding:.2rem}";

// On paper nothing scrolls: wide blocks wrap.
constexpr std::string_view kStyleOfPaper =
    "@media print{body{margin:0;padding:0;font-size:11px}.tip{display:none!important}"
    ".scroll,.plane{overflow:visible;background:none}pre.scroll{white-space:pre-wrap}"
    "th,td{overflow-wrap:anywhere;padding-right:.75rem}}";

constexpr std::size_t kFewLetters = 8;  // minimum width of the text beside a row

// The width of the longest text, in letters.
template <class Things, class Text>
std::size_t widest(const Things& things, Text text) {
  std::size_t letters = 0;
  for (const auto& one : things)
    letters = std::max(letters, base::width(base::printable(text(one))));
  return letters;
}

class Html {
 public:
  void block(const view::Block& block) {
    std::visit([this](const auto& one) { write(one); }, block);
  }
  void link(std::size_t section, std::string_view title) {
    body_ += base::format("<a class=\"part\" href=\"#s{}\">{}</a>\n", section, markup(title));
  }
  // Headings of its blocks are below its own.
  void begin_section(std::size_t section, std::string_view title) {
    heading_ = "h3";
    body_ +=
        base::format("<section id=\"s{}\"><h2 class=\"part\">{}</h2>\n", section, markup(title));
  }
  void end_section() { body_ += "</section>\n"; }
  const std::string& body() const { return body_; }

 private:
  static std::string indent_of(int indent) {
    return indent > 0 ? base::format(" style=\"margin-left:{}ch\"", indent) : "";
  }

  // The default hang is two letters.
  static std::string style_of(const view::Paragraph& paragraph) {
    constexpr int usual = 2;
    if (paragraph.hang == usual) return indent_of(paragraph.indent);
    return base::format(" style=\"margin-left:{}ch;--hang:{}ch\"", std::max(paragraph.indent, 0),
                        std::max(paragraph.hang, 0));
  }

  void spans(const std::vector<view::Span>& spans) {
    for (const view::Span& span : spans)
      toned(span.text, span.tone);
  }

  void toned(std::string_view text, view::Tone tone) {
    const std::string_view name = class_of(tone);
    if (text.empty()) return;
    body_ += name.empty() ? markup(text)
                          : base::format("<span class=\"{}\">{}</span>", name, markup(text));
  }

  // A paragraph at the left that begins with a tone is a heading.
  void write(const view::Paragraph& paragraph) {
    const bool heading = paragraph.indent == 0 && !paragraph.spans.empty() &&
                         paragraph.spans.front().tone != view::Tone::Plain &&
                         paragraph.spans.front().tone != view::Tone::Dim;
    const std::string_view tag = heading ? heading_ : "p";
    body_ += base::format("<{}{}>", tag, style_of(paragraph));
    spans(paragraph.spans);
    body_ += base::format("</{}>\n", tag);
  }

  void write(const view::Table& table) {
    if (table.rows.empty()) return;
    body_ += base::format("<div class=\"scroll\"{}><table>\n<thead><tr>", indent_of(table.indent));
    for (const view::Column& column : table.columns)
      body_ += base::format("<th scope=\"col\">{}</th>", markup(column.title));
    body_ += "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
      body_ += "<tr>";
      for (const view::Cell& cell : row) {
        body_ += "<td>";
        toned(cell.text, cell.tone);
        body_ += "</td>";
      }
      body_ += "</tr>\n";
    }
    body_ += "</tbody></table></div>\n";
  }

  void fields(const std::vector<view::Field>& fields) {
    for (const view::Field& field : fields) {
      body_ += base::format("<dt>{}</dt><dd>", markup(field.name));
      spans(field.value);
      body_ += "</dd>";
    }
  }

  void write(const view::Fields& block) {
    if (block.fields.empty()) return;
    body_ += base::format("<dl{}>", indent_of(block.indent));
    fields(block.fields);
    body_ += "</dl>\n";
  }

  void write(const view::Verbatim& verbatim) {
    body_ += base::format("<pre{}{}>", points_up(verbatim) ? " class=\"scroll\"" : "",
                          indent_of(verbatim.indent));
    for (const auto& line : verbatim.lines) {
      spans(line);
      body_ += '\n';
    }
    body_ += "</pre>\n";
  }

  // A line of nothing but marks points at the line above it, so columns have to be aligned.
  static bool points_up(const view::Verbatim& verbatim) {
    return std::ranges::any_of(verbatim.lines, [](const std::vector<view::Span>& line) {
      std::string text;
      for (const view::Span& span : line)
        text += span.text;
      return text.find('^') != std::string::npos && text.find_first_not_of(" |^~") == text.npos;
    });
  }

  void place(const view::Place& place) {
    ++places_;
    body_ += base::format("<div class=\"{}\" tabindex=\"0\" role=\"img\" aria-label=\"{}\"",
                          classes_of(place), markup(place.about));
    if (place.width > 1) body_ += base::format(" style=\"width:{}rem\"", 2 * place.width);
    if (!place.facts.empty()) body_ += base::format(" aria-describedby=\"p{}\"", places_);
    body_ += base::format(">{}", markup(text_of(place)));
    if (!place.facts.empty()) {
      body_ += base::format("<dl class=\"tip\" id=\"p{}\">", places_);
      fields(place.facts);
      body_ += "</dl>";
    }
    body_ += "</div>";
  }

  // The sides of a place that are sides of its box.
  static std::string sides(const view::Grid& grid, int column, int row) {
    std::string out = "at";
    if (!has_boxes(grid)) return out;
    if (column % grid.box_columns == 0) out += " w";
    if (row % grid.box_rows == 0) out += " n";
    if ((column + 1) % grid.box_columns == 0 || column + 1 == grid.columns) out += " e";
    if ((row + 1) % grid.box_rows == 0 || row + 1 == grid.rows) out += " s";
    return out;
  }

  void side(std::string_view text) {
    body_ += base::format("<span class=\"side dim\" aria-hidden=\"true\">{}</span>", text);
  }

  // A line of texts above or below columns.
  template <class Text>
  void edge(const view::Grid& grid, Text text) {
    if (grid.numbered) side("");
    if (grid.wraps_columns) side("");
    for (int column = 0; column < grid.columns; ++column)
      side(text(column));
    if (grid.wraps_columns) side("");
    if (!grid.beside.empty()) side("");
    body_ += '\n';
  }

  // The widths of the columns of each plane. The text beside a row has one width in all planes; in
  // a narrow window it wraps into about two lines, which fit into the height of a row.
  static std::string columns_of(const view::Grid& grid) {
    const int places = grid.columns + (grid.numbered ? 1 : 0) + (grid.wraps_columns ? 2 : 0);
    std::string columns = base::format("repeat({},max-content)", places);
    const std::size_t letters = widest(grid.beside, std::identity());
    if (!grid.beside.empty())
      columns +=
          base::format(" minmax({}ch,{}ch)",
                       std::min(letters, std::max(kFewLetters, letters / 2)) + 1, letters + 1);
    return columns;
  }

  void plane(const view::Grid& grid, int plane) {
    const auto wrap = [](int) { return std::string("~"); };
    body_ += "<div class=\"plane\">";
    if (!grid.titles.empty())
      body_ += base::format("<p class=\"dim\">{}</p>",
                            markup(grid.titles[static_cast<std::size_t>(plane)]));
    body_ += "<div class=\"cells\">\n";
    if (grid.numbered)
      edge(grid, [&](int column) { return base::format("{}{}", grid.axes[0], column); });
    if (grid.wraps_rows) edge(grid, wrap);
    for (int row = 0; row < grid.rows; ++row) {
      if (grid.numbered) side(base::format("{}{}", grid.axes[1], row));
      if (grid.wraps_columns) side("~");
      for (int column = 0; column < grid.columns; ++column) {
        body_ += base::format("<div class=\"{}\">", sides(grid, column, row));
        place(place_at(grid, plane, row, column));
        body_ += "</div>";
      }
      if (grid.wraps_columns) side("~");
      if (!grid.beside.empty())
        body_ +=
            base::format("<span class=\"beside dim\">{}</span>", markup(beside(grid, plane, row)));
      body_ += '\n';
    }
    if (grid.wraps_rows) edge(grid, wrap);
    body_ += "</div></div>\n";
  }

  void write(const view::Grid& grid) {
    // All planes have one width, so that planes of the next line are below those of this one.
    body_ += base::format(
        "<figure aria-label=\"{}\" "
        "style=\"margin-left:{}ch;--mark:{}ch;--title:{}ch;--columns:{}\">\n",
        markup(grid.name), std::max(grid.indent, 0), widest(grid.places, text_of),
        widest(grid.titles, std::identity()), columns_of(grid));
    for (int number = 0; number < grid.planes; ++number)
      plane(grid, number);
    body_ += "</figure>\n";
  }

  void write(const view::Row& row) {
    body_ += base::format("<p{}>{}</p>\n<div class=\"row\" role=\"group\" aria-label=\"{}\"{}>",
                          indent_of(row.indent), markup(row.title), markup(row.title),
                          indent_of(row.indent));
    for (const view::Place& one : row.places) {
      body_ += "<div class=\"at\">";
      if (!one.name.empty())
        body_ += base::format("<span class=\"name dim\">{}</span>", markup(one.name));
      place(one);
      body_ += "</div>\n";
    }
    body_ += "</div>\n";
  }

  void write(const view::Blank&) { body_ += "<div class=\"gap\"></div>\n"; }

  std::string body_;
  std::string_view heading_ = "h2";
  int places_ = 0;
};

std::string page_of(std::string_view body, const std::set<int>& groups, const PageHead& head) {
  const std::string title = markup(head.title);
  return base::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"
      "style-src 'unsafe-inline';img-src data:\">\n<link rel=\"icon\" href=\"data:,\">\n"
      "<title>{}</title>\n<style>{}{}{}{}</style>\n</head>\n<body>\n<header><h1>{}</h1>"
      "<p class=\"dim\">{}</p></header>\n<main>\n{}</main>\n</body>\n</html>\n",
      title, kStyle, kStyleOfWide, colour_rules(Medium::Page, groups), kStyleOfPaper, title,
      markup(head.about), body);
}

}  // namespace

std::string render_html(const view::Document& document, const PageHead& head) {
  Html html;
  for (const view::Block& block : document.blocks)
    html.block(block);
  return page_of(html.body(), groups_of(document), head);
}

std::string render_html(const std::vector<Section>& sections, const PageHead& head) {
  Html html;
  std::set<int> groups;
  for (std::size_t i = 0; i < sections.size(); ++i)
    html.link(i, sections[i].title);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    html.begin_section(i, sections[i].title);
    for (const view::Block& block : sections[i].document.blocks)
      html.block(block);
    html.end_section();
    groups.merge(groups_of(sections[i].document));
  }
  return page_of(html.body(), groups, head);
}

}  // namespace dra::render
