// src/render/visible_json.h: JSON that is safe to print on a terminal.

#pragma once

#include <string>
#include <string_view>

namespace dra::render {

// Equivalent JSON with characters that act on a terminal, or hide, as escapes.
std::string visible_json(std::string_view json);

}  // namespace dra::render
