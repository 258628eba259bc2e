// include/dra/session/redact.h
//
// What never reaches a log or a message: credentials. kubectl has printed tokens at high verbosity
// (CVE-2019-11250, CVE-2020-8565), so whatever describes a request passes through here, at every
// level.

#pragma once

#include <string>
#include <string_view>

namespace dra::session {

// The value of a header as it may be shown. Credentials keep at most their scheme:
// `Bearer <masked>`. Others are made safe for a terminal.
std::string shown_header(std::string_view name, std::string_view value);

// A URL as it may be shown: without user name and password, and without the values of query
// parameters that carry credentials.
std::string shown_url(std::string_view url);

// Text of others, such as a server's message, that could repeat `secret` (which may be empty).
std::string without_secret(std::string text, std::string_view secret);

}  // namespace dra::session
