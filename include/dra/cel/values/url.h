// include/dra/cel/values/url.h
//
// URLs as Go parses and prints them. Upstream: net/url of Go 1.26, which is strict about colons for
// http.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dra::cel {

struct Url {
  std::string scheme;  // in lower case
  std::string opaque;  // of "mailto:a@b"
  std::string user;    // escaped, with the password
  bool has_user = false;
  bool omit_host = false;    // "file:/a"
  std::string host;          // with the port, unescaped
  std::string path;          // unescaped
  std::string raw_path;      // as written, if it differs from the escaped path
  bool force_query = false;  // a question mark and an empty query
  std::string query;         // as written
  std::string fragment;      // unescaped
  std::string raw_fragment;  // like raw_path

  std::string hostname() const;
  std::string port() const;
  std::string escaped_path() const;
  std::string to_string() const;
  // Values by key, in the order of each key's first value. Invalid parts are left out.
  std::vector<std::pair<std::string, std::vector<std::string>>> parameters() const;
};

// ParseRequestURI: an absolute URL or a path. Returns the error, such as `parse "x": invalid URI
// for request`; no value if the text is valid.
std::optional<std::string> problem_of_request_uri(std::string_view text);

// Parse: also relative URLs, and fragments.
std::optional<Url> parse_url(std::string_view text, std::string& problem);

// Percent-encoding in the parts of a URL; each part leaves other characters as they are. Upstream:
// net/url, escape and unescape.
enum class UrlPart { Path, Host, Zone, User, Query, Fragment };

std::string escape_url(std::string_view text, UrlPart part);

// No value if an escape or a character is wrong, which `problem` names.
std::optional<std::string> unescape_url(std::string_view text, UrlPart part, std::string& problem);

// True if the text may be escaped already.
bool is_escaped_url(std::string_view text, UrlPart part);

}  // namespace dra::cel
