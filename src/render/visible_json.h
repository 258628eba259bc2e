// src/render/visible_json.h

#pragma once

#include <string>
#include <string_view>

namespace dra::render {

// JSON that means the same, with characters that act on a terminal, or hide, as escapes.
std::string visible_json(std::string_view json);

}  // namespace dra::render
