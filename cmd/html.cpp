// cmd/html.cpp: makes the head of the document, and renders HTML or SVG.

#include "cmd/html.h"

#include <utility>
#include <variant>

#include "cmd/name_cluster.h"
#include "cmd/report_source.h"
#include "dra/base/text.h"
#include "dra/render/page.h"

namespace dra::cmd {
namespace {

view::Document pictures_of(const view::Document& document) {
  view::Document pictures;
  for (const view::Block& block : document.blocks) {
    if (std::holds_alternative<view::Grid>(block) || std::holds_alternative<view::Row>(block))
      pictures.add(block);
  }
  return pictures;
}

std::string text_of(const view::Paragraph& paragraph) {
  std::string text;
  for (const view::Span& span : paragraph.spans)
    text += span.text;
  return text;
}

// The first line of a report is its answer; with what is supposed before, "If node-1 were gone:".
// Empty: it does not begin with a line of text.
std::string first_line(const view::Document& document) {
  std::string line;
  for (const view::Block& block : document.blocks) {
    const auto* paragraph = std::get_if<view::Paragraph>(&block);
    if (paragraph == nullptr) break;
    line += (line.empty() ? "" : " ") + text_of(*paragraph);
    if (!line.ends_with(':')) break;
  }
  return line;
}

}  // namespace

bool is_html_or_svg(std::string_view format) { return format == "html" || format == "svg"; }

std::string title_of_page(const view::Document& document) {
  std::string title = document.title.empty() ? first_line(document) : document.title;
  while (title.ends_with('.') || title.ends_with(':'))
    title.pop_back();
  return title;
}

Result<Done> print_html_or_svg(const Context& context, const view::Document& written,
                               std::string_view format, const PageSource& from) {
  const auto named = naming_cluster(written, context.globals());
  const view::Document& document = named ? *named : written;
  const report::OverviewSource source = DRA_TRY(report_source(context));
  std::string words = base::format("kubectl dra {}", from.command);
  for (const std::string& word : context.args())
    words += " " + word;
  render::PageHead head{.title = words, .about = {}};
  head.about = base::format("{} {}, {}", source.kind, source.name, base::format_rfc3339(from.now));
  if (std::string title = title_of_page(document); !title.empty()) {
    head.title = std::move(title);
    head.about = base::format("{}: {}", words, head.about);
  }
  head.shown = from.parts == PageParts::All;
  const view::Document shown = head.shown ? document : pictures_of(document);
  context.print_text(format == "svg" ? render::render_svg(shown, head)
                                     : render::render_html(shown, head));
  return Done{};
}

}  // namespace dra::cmd
