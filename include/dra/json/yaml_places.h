// include/dra/json/yaml_places.h
//
// Where a part of a value is in the YAML text that it was read from: within quotes, blocks and
// folded lines the parts of a value have other offsets than in the text.

#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "dra/json/value.h"

namespace dra::json {

// The position of value[offset], which is no white space. `scalar` is the position of the value. No
// position: the text does not have the value there, as behind an alias.
std::optional<Position> position_within(std::string_view text, Position scalar,
                                        std::string_view value, std::size_t offset);

// `text` begins with a quote: the offset behind the quote that closes it; npos: there is none.
std::size_t end_of_quoted(std::string_view text);

}  // namespace dra::json
