// src/render/go_template/quotes.h: text as Go writes it in its source (strconv.Quote).

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dra::render::go_template {

// A character inside of quotes; `ascii` escapes all others.
std::string quoted_character(std::uint32_t code, char quote, bool ascii);

// The text in double quotes.
std::string quoted_text(std::string_view text, bool ascii);

// The text can stand between backquotes.
bool is_raw(std::string_view text);

}  // namespace dra::render::go_template
