// tests/session/download_test.cpp: files by their URLs.

#include "dra/session/download.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/scripted_server.h"

namespace dra::session::download_test {
namespace {

using support::ScriptedAnswer;
using support::ScriptedRequest;

ScriptedAnswer serve(const ScriptedRequest& request) {
  if (request.target == "/dir/a.yaml?raw=1") return support::answer(200, "a: 1\n");
  if (request.target == "/moved")
    return support::answer(302, "", "Location: /dir/a.yaml?raw=1\r\n");
  if (request.target == "/round") return support::answer(302, "", "Location: /round\r\n");
  return support::answer(404, "no such file");
}

std::string get(const support::ScriptedServer& server, std::string_view path) {
  const auto text =
      download(base::format("http://127.0.0.1:{}{}", server.port(), path), {}, Environment());
  return text.ok() ? text.value() : text.error().message;
}

TEST_CASE("files by their URLs") {
  const support::ScriptedServer server(serve);
  CHECK(get(server, "/dir/a.yaml?raw=1") == "a: 1\n");
  CHECK(get(server, "/dir/a.yaml?raw=1#part") == "a: 1\n");
  CHECK(get(server, "/moved") == "a: 1\n");
  CHECK(get(server, "/none").find("the server answered 404 Not Found") != std::string::npos);
  CHECK(get(server, "").find("404") != std::string::npos);
  CHECK(get(server, "/round").find("more than 10 redirects") != std::string::npos);
  for (const auto& request : server.requests())
    CHECK(request.headers.find("authorization") == request.headers.end());
}

TEST_CASE("what is a URL") {
  CHECK(is_url("https://example.com/a.yaml"));
  CHECK(is_url("http://example.com"));
  CHECK_FALSE(is_url("httpd.yaml"));
  CHECK_FALSE(is_url("ftp://example.com/a.yaml"));
}

}  // namespace
}  // namespace dra::session::download_test
