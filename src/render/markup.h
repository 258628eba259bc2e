// src/render/markup.h: untrusted text inside XML and HTML.

#pragma once

#include <string>
#include <string_view>

namespace dra::render {

// Printable text with entities for characters of markup; also for attribute values in double
// quotes. XML cannot express most control characters.
std::string markup(std::string_view untrusted);

}  // namespace dra::render
