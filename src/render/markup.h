// src/render/markup.h: foreign text inside of XML and HTML.

#pragma once

#include <string>
#include <string_view>

namespace dra::render {

// Printable, with entities instead of what would be markup; also for values of attributes in double
// quotes. XML has no way to write most control characters.
std::string markup(std::string_view untrusted);

}  // namespace dra::render
