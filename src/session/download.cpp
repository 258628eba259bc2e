// src/session/download.cpp: see download.h.

#include "dra/session/download.h"

#include <algorithm>
#include <chrono>

#include "dra/base/text.h"
#include "dra/session/proxy.h"
#include "dra/session/redact.h"

namespace dra::session {
namespace {

constexpr int kMaxRedirects = 10;
constexpr std::size_t kMaxBytes = std::size_t{16} << 20U;                // of a manifest
constexpr std::chrono::nanoseconds kWithin = std::chrono::seconds(120);  // redirects included

// A URL, split where the path begins.
struct Url {
  std::string_view server;  // "https://host:port"
  std::string path;         // with a slash, and the query
};

Url split_url(std::string_view url) {
  const std::size_t host = url.find("//") + 2;
  const std::size_t end = std::min(url.find_first_of("/?#", host), url.size());
  std::string path(url.substr(end, url.find('#', end) - end));
  if (!path.starts_with('/')) path.insert(0, "/");
  return {url.substr(0, end), std::move(path)};
}

// The target of a redirect: a path on the same server, or another URL.
std::string redirected(std::string_view url, const std::string& location) {
  if (is_url(location)) return location;
  return std::string(split_url(url).server) + (location.starts_with('/') ? "" : "/") + location;
}

Result<Response> get(std::string_view url, base::Duration within, const HttpOptions& options,
                     const Environment& environment) {
  const Url parts = split_url(url);
  Connection connection;
  connection.server = DRA_TRY(parse_server(parts.server, true));
  connection.origin = "--filename";
  DRA_TRY(choose_proxy(connection, environment));
  Http http(std::move(connection), options);
  http.start(parts.path, {.max_body = kMaxBytes, .within = within});
  return http.wait()->response;
}

}  // namespace

bool is_url(std::string_view name) {
  return name.starts_with("http://") || name.starts_with("https://");
}

Result<std::string> download(std::string_view url, const HttpOptions& options,
                             const Environment& environment) {
  const std::string shown = without_query(url);
  std::string at(url);
  const auto end = std::chrono::steady_clock::now() + kWithin;
  for (int redirects = 0; redirects <= kMaxRedirects; ++redirects) {
    const std::chrono::nanoseconds left = end - std::chrono::steady_clock::now();
    const base::Duration within{std::max<std::int64_t>(left.count(), 1)};
    Response response = DRA_TRY(get(at, within, options, environment).context(shown));
    if (response.status == 200) return std::string(response.body.text());
    const bool moved =
        response.status >= 300 && response.status < 400 && !response.location.empty();
    if (!moved) {
      const bool gone = response.status == 404 || response.status == 410;
      return Error{gone ? ErrorKind::NotFound : ErrorKind::BadAnswer,
                   base::format("{}: the server answered {} {}", shown, response.status,
                                status_text(response.status)),
                   {}};
    }
    const std::string next = redirected(at, response.location);
    if (at.starts_with("https://") && !next.starts_with("https://"))
      return Error{
          ErrorKind::BadAnswer,
          base::format("{}: the server leads away from https; that is not followed", shown),
          {}};
    at = next;
  }
  return Error{
      ErrorKind::BadAnswer, base::format("{}: more than {} redirects", shown, kMaxRedirects), {}};
}

}  // namespace dra::session
