// cmd/page.cpp: see page.h.

#include "cmd/page.h"

#include "dra/base/text.h"
#include "dra/render/page.h"

namespace dra::cmd {

Result<SourceName> source_name(const Context& context) {
  const GlobalFlags& globals = context.globals();
  if (globals.demo) return SourceName{"demo", context.source().demo};
  if (!globals.snapshot.empty()) return SourceName{"snapshot", base::join(globals.snapshot, ", ")};
  const auto connection = DRA_TRY(context.source().connection());
  if (!connection.context.empty()) return SourceName{"context", connection.context};
  return SourceName{"server", connection.server.host_and_port()};
}

bool is_page(std::string_view format) { return format == "html" || format == "svg"; }

Result<Done> print_page(const Context& context, const view::Document& document,
                        std::string_view format, std::string_view command, base::Instant now) {
  const SourceName source = DRA_TRY(source_name(context));
  render::PageHead head{.title = base::format("kubectl dra {}", command), .about = {}};
  for (const std::string& word : context.args())
    head.title += " " + word;
  head.about = base::format("{} {}, {}", source.kind, source.name, base::format_rfc3339(now));
  context.print_text(format == "svg" ? render::render_svg(document, head)
                                     : render::render_html(document, head));
  return Done{};
}

}  // namespace dra::cmd
