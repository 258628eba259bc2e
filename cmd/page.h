// cmd/page.h: answers as pages and pictures, to keep or to attach to a ticket.

#pragma once

#include <string>
#include <string_view>

#include "cmd/command.h"
#include "dra/view/document.h"

namespace dra::cmd {

// Whether this value of --output is one of a page: html, svg.
bool is_page(std::string_view format);

// Above the document stand the command with its words, the source, and the time.
Result<Done> print_page(const Context& context, const view::Document& document,
                        std::string_view format, std::string_view command, base::Instant now);

}  // namespace dra::cmd
