// include/dra/session/redact.h
//
// Keeps credentials out of logs and messages. kubectl has printed tokens at high verbosity
// (CVE-2019-11250, CVE-2020-8565), so every description of a request passes through here, at every
// level.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dra::session {

// The value of a header in a form that may be shown. Credentials keep at most their scheme: `Bearer
// <masked>`. Others are made safe for a terminal.
std::string shown_header(std::string_view name, std::string_view value);

// A URL in a form that may be shown: without user name and password, and with the values only of
// those query parameters that Kubernetes knows.
std::string shown_url(std::string_view url);

// The same without any of its query.
std::string without_query(std::string_view url);

// Texts that must never be shown. Servers and proxies quote the credentials that they refuse, also
// in escapes, in base64, in other case, or in parts.
class Secrets {
 public:
  void add(std::string_view secret);  // an empty one is none
  // The text with all secrets masked. Call it before text is cut or escaped: half a token is not
  // found any more.
  std::string masked(std::string text) const;

 private:
  std::vector<std::string> added_;
  std::vector<std::string> forms_;  // in which they are looked for
};

}  // namespace dra::session
