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
#include "src/render/page_style.h"
#include "src/render/palette.h"

namespace dra::render {
namespace {

constexpr std::size_t kLongCell = 24;   // letters; a sentence of more gets as much room
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
  void document(const view::Document& document) {
    auto card = document.cards.begin();
    for (std::size_t i = 0; i < document.blocks.size(); ++i) {
      if (card != document.cards.end() && i == card->begin)
        body_ += base::format("<article class=\"card edge {}\">\n", class_of(card->tone));
      block(document.blocks[i]);
      if (card == document.cards.end() || i + 1 != card->end) continue;
      body_ += "</article>\n";
      ++card;
    }
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
  void block(const view::Block& block) {
    std::visit([this](const auto& one) { write(one); }, block);
  }

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

  // A column for completeness, in which no row has anything.
  static bool says_nothing(const view::Table& table, std::size_t column) {
    return table.columns[column].wide && std::ranges::all_of(table.rows, [column](const auto& row) {
             const std::string& text = row[column].text;
             return text.empty() || text == "0" || text == "<none>";
           });
  }

  void write(const view::Table& table) {
    if (table.rows.empty()) return;
    body_ += base::format("<div class=\"scroll\"{}><table>\n<thead><tr>", indent_of(table.indent));
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (!says_nothing(table, i)) columns.push_back(i);
    }
    for (const std::size_t column : columns)
      body_ += base::format("<th scope=\"col\">{}</th>", markup(table.columns[column].title));
    body_ += "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
      body_ += "<tr>";
      for (const std::size_t column : columns) {
        const view::Cell& cell = row[column];
        const bool is_sentence =
            cell.text.size() > kLongCell && cell.text.find(' ') != cell.text.npos;
        body_ += is_sentence ? "<td class=\"long\">" : "<td>";
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
    const std::string_view name = verbatim.command      ? " class=\"command\""
                                  : points_up(verbatim) ? " class=\"scroll\""
                                                        : "";
    body_ += base::format("<pre{}{}>", name, indent_of(verbatim.indent));
    for (const auto& line : verbatim.lines) {
      if (verbatim.command) {
        for (const view::Span& span : line)
          toned(span.text, view::Tone::Plain);
      } else {
        spans(line);
      }
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

  void write(const view::Summary& summary) {
    body_ += "<ul class=\"tiles\">\n";
    for (const view::Tile& tile : summary.tiles) {
      body_ += "<li class=\"tile\"><b>";
      toned(tile.value, tile.tone);
      body_ += base::format("</b>{}</li>\n", markup(tile.name));
    }
    body_ += "</ul>\n";
    for (const view::Bar& one : summary.bars)
      bar(one);
  }

  static std::string share_class(const view::Amount& amount) {
    return base::format("share {}", class_of(amount.tone));
  }

  // The numbers are below, because a part may be too short for text.
  void bar(const view::Bar& bar) {
    body_ +=
        base::format("<div class=\"bar\"><div>{}</div><div class=\"track\">", markup(bar.name));
    for (const view::Amount& part : bar.parts)
      body_ += base::format("<span class=\"{}\" style=\"flex-grow:{}\"></span>", share_class(part),
                            std::max<std::int64_t>(part.number, 0));
    body_ += "</div><div>";
    for (const view::Amount& part : bar.parts)
      body_ += base::format("<span class=\"amount\"><span class=\"{} swatch\"></span>{} {}</span>",
                            share_class(part), part.number, markup(part.name));
    body_ += "</div></div>\n";
  }

  void write(const view::Blank&) { body_ += "<div class=\"gap\"></div>\n"; }

  std::string body_;
  std::string_view heading_ = "h2";
  int places_ = 0;
};

std::string page_of(std::string_view body, const std::set<int>& groups, const PageHead& head) {
  const std::string title = markup(head.title);
  const std::string header =
      head.shown ? base::format("<header><h1>{}</h1><p class=\"dim\">{}</p></header>\n", title,
                                markup(head.about))
                 : std::string();
  return base::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"
      "style-src 'unsafe-inline';img-src data:\">\n<link rel=\"icon\" href=\"data:,\">\n"
      "<title>{}</title>\n<style>{}{}{}{}{}</style>\n</head>\n<body>\n{}<main>\n{}</main>\n</"
      "body>\n</html>\n",
      title, kStyle, kStyleOfWide, kStyleOfCards, colour_rules(Medium::Page, groups), kStyleOfPaper,
      header, body);
}

}  // namespace

std::string render_html(const view::Document& document, const PageHead& head) {
  Html html;
  html.document(document);
  return page_of(html.body(), groups_of(document), head);
}

std::string render_html(const std::vector<Section>& sections, const PageHead& head) {
  Html html;
  std::set<int> groups;
  for (std::size_t i = 0; i < sections.size(); ++i)
    html.link(i, sections[i].title);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    html.begin_section(i, sections[i].title);
    html.document(sections[i].document);
    html.end_section();
    groups.merge(groups_of(sections[i].document));
  }
  return page_of(html.body(), groups, head);
}

}  // namespace dra::render
