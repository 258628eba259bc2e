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
  CHECK(shown_url("/a?limit=1&TOKEN=s&dryRun=All&X-Amz-Signature=t") ==
        "/a?limit=1&TOKEN=<masked>&dryRun=All&X-Amz-Signature=<masked>");
  CHECK(shown_url("/a?") == "/a?");
  CHECK(shown_url("/a?token") == "/a?token");
}

TEST_CASE("the URL of a file loses all of its query") {
  CHECK(without_query("https://me:pw@h/a?sig=x#y") == "https://h/a?<masked>");
  CHECK(without_query("https://h/a#y") == "https://h/a");
}

struct Repeated {
  const char* name;
  const char* text;
  const char* want;
};

// What a server may make of Tok/en+0123456789-abcdef.
const Repeated kRepeated[] = {
    {"as it is", "bad Tok/en+0123456789-abcdef!", "bad <masked>!"},
    {"twice", "Tok/en+0123456789-abcdefTok/en+0123456789-abcdef", "<masked>"},
    {"in other case", "bad TOK/EN+0123456789-ABCDEF", "bad <masked>"},
    {"escaped as in URLs", "bad Tok%2Fen%2b0123456789-abcdef", "bad <masked>"},
    {"escaped as in URLs, all of it",
     "%54%6f%6b%2f%65%6e%2b%30%31%32%33%34%35%36%37%38%39%2d%61%62%63%64%65%66", "<masked>"},
    {"escaped twice", "Tok%252Fen%252B0123456789-abcdef", "<masked>"},
    {"escaped as in JSON", "bad Tok\\/en\\u002b0123456789-abcdef", "bad <masked>"},
    {"in base64", "bad VG9rL2VuKzAxMjM0NTY3ODktYWJjZGVm", "bad <masked>"},
    {"in base64 with something in front", "eFRvay9lbiswMTIzNDU2Nzg5LWFiY2RlZg==", "eF<masked>g=="},
    {"the first half", "bad Tok/en+01234", "bad <masked>"},
    {"the second half", "56789-abcdef is bad", "<masked> is bad"},
    {"in halves", "Tok/en+01234 and 56789-abcdef", "<masked> and <masked>"},
    {"words that only look like it", "token 0123456789", "token 0123456789"},
};

TEST_CASE("a secret is found in what others make of it") {
  Secrets secrets;
  secrets.add("Tok/en+0123456789-abcdef");
  for (const Repeated& row : kRepeated) {
    CAPTURE(row.name);
    CHECK(secrets.masked(row.text) == row.want);
  }
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
