// src/render/go_template/literals.h: what stands for itself in a Go template.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "src/render/go_template/nodes.h"

namespace dra::render::go_template {

// A number as Go writes it: 1, 0x1F, 0b11, 017, 1_000, 1.5e3. No value: it is malformed, or an
// integer beyond 64 bits.
std::optional<NumberLiteral> number_literal(std::string_view text);

// 'a', with quotes: the number of the character. No value: it is malformed.
std::optional<NumberLiteral> character_literal(std::string_view text);

// "a" or `a`, with quotes. No value: it is malformed.
std::optional<std::string> string_literal(std::string_view text);

}  // namespace dra::render::go_template
