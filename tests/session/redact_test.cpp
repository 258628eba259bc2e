// tests/session/redact_test.cpp

#include "dra/session/redact.h"

#include <doctest/doctest.h>

namespace dra::session::redact_test {
namespace {

TEST_CASE("headers that carry credentials keep at most their scheme") {
  CHECK(shown_header("Authorization", "Bearer abc") == "Bearer <masked>");
  CHECK(shown_header("AUTHORIZATION", "abc") == "<masked>");
  CHECK(shown_header("Proxy-Authorization", "Basic dXNlcjpwdw==") == "Basic <masked>");
  CHECK(shown_header("Cookie", "session=1 2") == "<masked>");
  CHECK(shown_header("Set-Cookie", "session=1; Path=/") == "<masked>");
  CHECK(shown_header("Impersonate-User", "root") == "<masked>");
  CHECK(shown_header("Impersonate-Extra-Scopes", "all") == "<masked>");
}

TEST_CASE("other headers are shown, but cannot move the cursor") {
  CHECK(shown_header("Accept", "application/json") == "application/json");
  CHECK(shown_header("Warning", "299 - \"\x1b[31mred\"") == "299 - \"^[[31mred\"");
}

TEST_CASE("URLs lose user names, passwords and credentials in their query") {
  CHECK(shown_url("https://h:1/a?limit=500&continue=x") == "https://h:1/a?limit=500&continue=x");
  CHECK(shown_url("https://me:pw@h/a") == "https://h/a");
  CHECK(shown_url("https://h/a@b") == "https://h/a@b");
  CHECK(shown_url("/a?x=1&TOKEN=s&y=2&access_token=t") ==
        "/a?x=1&TOKEN=<masked>&y=2&access_token=<masked>");
  CHECK(shown_url("/a?") == "/a?");
  CHECK(shown_url("/a?token") == "/a?token");
}

TEST_CASE("secrets that others repeat are masked") {
  Secrets secrets;
  CHECK(secrets.masked("nothing") == "nothing");
  for (const std::string_view secret : {"", "abc", "abcdef", "abc"})
    secrets.add(secret);
  CHECK(secrets.masked("token abc, abcdef") == "token <masked>, <masked>");
}

}  // namespace
}  // namespace dra::session::redact_test
