// cmd/html.h: prints reports as HTML or SVG.

#pragma once

#include <string>
#include <string_view>

#include "cmd/command.h"
#include "dra/view/document.h"

namespace dra::cmd {

// True for these values of --output.
bool is_html_or_svg(std::string_view format);

// What a page is about: the document's title, else its first line, without a full stop. Empty: it
// has neither.
std::string title_of_page(const view::Document& document);

enum class PageParts { All, Pictures };

struct PageSource {
  std::string_view command;
  base::Instant now;  // the time of the state
  PageParts parts = PageParts::All;
};

// The head of the page has its title, the command with its arguments, the source of the state, and
// the time.
Result<Done> print_html_or_svg(const Context& context, const view::Document& document,
                               std::string_view format, const PageSource& from);

}  // namespace dra::cmd
