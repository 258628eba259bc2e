// src/cel/values/url_escape.h
//
// Percent signs in the parts of a URL. Upstream: net/url, escape and unescape.

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dra::cel {

// Each part leaves other characters as they are.
enum class UrlPart { Path, Host, Zone, User, Query, Fragment };

std::string escape_url(std::string_view text, UrlPart part);

// Where there is none, `problem` says which escape or character is wrong.
std::optional<std::string> unescape_url(std::string_view text, UrlPart part, std::string& problem);

// Whether a text may already be escaped.
bool is_escaped_url(std::string_view text, UrlPart part);

}  // namespace dra::cel
