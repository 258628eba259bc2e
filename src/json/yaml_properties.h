// src/json/yaml_properties.h
//
// Anchors and tags as the library behind kubectl takes them. libyaml takes and drops some that it
// does not.

#pragma once

#include <string_view>

namespace dra::json {

// The & or ! at the front that begins no valid anchor or tag; 0 if there is none. `in_flow`:
// between brackets or braces.
char wrong_property(std::string_view text, bool in_flow);

// The text begins with a tag, or with an anchor and a tag.
bool has_tag(std::string_view text);

// The value: the parser's mark of it is that of its anchor or tag.
std::string_view behind_properties(std::string_view text);

// The parser accepts a quoted scalar that the end of the text cuts off.
bool quote_closes(std::string_view from_quote);

}  // namespace dra::json
