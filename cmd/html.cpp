// cmd/html.cpp: makes the head of the document, and renders HTML or SVG.

#include "cmd/html.h"

#include "cmd/report_source.h"
#include "dra/base/text.h"
#include "dra/render/page.h"

namespace dra::cmd {

bool is_html_or_svg(std::string_view format) { return format == "html" || format == "svg"; }

Result<Done> print_html_or_svg(const Context& context, const view::Document& document,
                               std::string_view format, std::string_view command,
                               base::Instant now) {
  const report::OverviewSource source = DRA_TRY(report_source(context));
  render::PageHead head{.title = base::format("kubectl dra {}", command), .about = {}};
  for (const std::string& word : context.args())
    head.title += " " + word;
  head.about = base::format("{} {}, {}", source.kind, source.name, base::format_rfc3339(now));
  context.print_text(format == "svg" ? render::render_svg(document, head)
                                     : render::render_html(document, head));
  return Done{};
}

}  // namespace dra::cmd
