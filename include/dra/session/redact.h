// include/dra/session/redact.h
//
// What never reaches a log or a message: credentials. kubectl has printed tokens at high verbosity
// (CVE-2019-11250, CVE-2020-8565), so whatever describes a request passes through here, at every
// level.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dra::session {

// The value of a header as it may be shown. Credentials keep at most their scheme:
// `Bearer <masked>`. Others are made safe for a terminal.
std::string shown_header(std::string_view name, std::string_view value);

// A URL as it may be shown: without user name and password, and without the values of query
// parameters that carry credentials.
std::string shown_url(std::string_view url);

// What must not be repeated, however it came back: servers and proxies quote what they refuse.
class Secrets {
 public:
  void add(std::string_view secret);  // an empty one is none
  // The text of others with the secrets in it masked. Call it before text is cut or escaped: half a
  // token is not found any more.
  std::string masked(std::string text) const;

 private:
  std::vector<std::string> secrets_;
};

}  // namespace dra::session
