// src/render/go_template/escapes.h: text for other formats, and from Base64.

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dra::render::go_template {

std::string escape_html(std::string_view text);   // text/template.HTMLEscapeString
std::string escape_js(std::string_view text);     // text/template.JSEscapeString
std::string escape_query(std::string_view text);  // net/url.QueryEscape

// Base64 with padding; line breaks are skipped. No value: it is malformed.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace dra::render::go_template
