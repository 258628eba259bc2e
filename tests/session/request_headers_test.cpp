// tests/session/request_headers_test.cpp

#include "src/session/request_headers.h"

#include <doctest/doctest.h>

#include "dra/base/text.h"

namespace dra::session::request_headers_test {
namespace {

std::string lines(const Connection& connection, const Credentials& credentials) {
  const auto headers = request_headers(connection, credentials);
  return headers.ok() ? base::join(headers.value(), "\n") : headers.error().message;
}

TEST_CASE("who we are is told over TLS only, whom we act as everywhere") {
  Connection connection;
  connection.server = {.host = "api.test", .port = 6443};
  CHECK(lines(connection, {}) == "Accept: application/json");
  CHECK(lines(connection, {"t"}) == "Accept: application/json\nAuthorization: Bearer t");
  connection.impersonate.user = "root";
  connection.server.tls = false;
  CHECK(lines(connection, {"t"}) == "Accept: application/json\nImpersonate-User: root");
}

TEST_CASE("impersonation: keys are escaped, groups and values repeated") {
  Connection connection;
  connection.server.tls = false;
  connection.impersonate = {
      .user = "system:serviceaccount:a:b",
      .uid = "u-1",
      .groups = {"g1", "g 2"},
      .extra = {{"Scopes", "one"}, {"scopes", "two"}, {"example.com/50%", "v"}, {"\xc3\xa4", ""}}};
  CHECK(lines(connection, {}) ==
        "Accept: application/json\n"
        "Impersonate-User: system:serviceaccount:a:b\n"
        "Impersonate-Uid: u-1\n"
        "Impersonate-Group: g1\n"
        "Impersonate-Group: g 2\n"
        "Impersonate-Extra-scopes: one\n"
        "Impersonate-Extra-scopes: two\n"
        "Impersonate-Extra-example.com%2F50%25: v\n"
        "Impersonate-Extra-%C3%A4;");
  // A uid or groups without a user are for nobody.
  connection.impersonate.user = "";
  CHECK(lines(connection, {}) == "Accept: application/json");
}

TEST_CASE("nothing can break out of its header, and no message repeats it") {
  Connection connection;
  connection.server = {.host = "api.test", .port = 6443};
  CHECK(lines(connection, {"t\r\nX: y"}) ==
        "the value for the header Authorization holds control characters");
  connection.impersonate = {.user = "a", .groups = {"g\n"}};
  CHECK(lines(connection, {}) ==
        "the value for the header Impersonate-Group holds control characters");
}

}  // namespace
}  // namespace dra::session::request_headers_test
