// tests/session/transport_error_test.cpp
//
// The failures that no test can bring about without a network or time; the others are in
// client_test and tls_test.

#include "src/session/transport_error.h"

#include <doctest/doctest.h>

#include <cerrno>

namespace dra::session {
namespace {

struct Case {
  std::string name;
  TransportFailure failure;
  ErrorKind kind;
  std::string want;
};

const Case kCases[] = {
    {"a name without an address",
     {.failure = Failure::Resolve},
     ErrorKind::Unreachable,
     "could not resolve host api.test"},
    {"a network without a way there",
     {.failure = Failure::Connect, .system_error = EHOSTUNREACH},
     ErrorKind::Unreachable,
     "could not connect to api.test:6443: No route to host"},
    {"a firewall that drops packets",
     {.failure = Failure::TimedOut, .milliseconds = 10'000},
     ErrorKind::Unreachable,
     "timed out while connecting to api.test:6443"},
    {"a server that stalls",
     {.failure = Failure::TimedOut, .connected = true, .milliseconds = 80'000, .stall_seconds = 75},
     ErrorKind::Unreachable,
     "timed out: api.test:6443 sent nothing for 75 seconds"},
    {"a clock that is behind",
     {.failure = Failure::Certificate, .verify_result = 9},
     ErrorKind::Unreachable,
     "the certificate of the server api.test:6443 is not valid yet"},
    {"any other problem with the certificate, in the library's words",
     {.failure = Failure::Certificate, .verify_result = 26, .words = "unsuitable\npurpose"},
     ErrorKind::Unreachable,
     "the certificate of the server api.test:6443 cannot be trusted: unsuitable\\npurpose"},
    {"an alert about our certificate",
     {.failure = Failure::Handshake, .words = "ssl/tls alert certificate required"},
     ErrorKind::Unauthorized,
     "api.test:6443 does not accept our client certificate: ssl/tls alert certificate required"},
    {"any other failure, without the query and the token",
     {.failure = Failure::Other, .path = "/x?token=t", .words = "s3cret"},
     ErrorKind::Unreachable,
     "GET https://api.test:6443/x failed: <masked>"},
};

TEST_CASE("what to tell when there was no answer") {
  Connection connection;
  connection.server = {.host = "api.test", .port = 6443};
  connection.token = "s3cret";
  connection.origin = "kubeconfig F, context x";
  for (const Case& row : kCases) {
    CAPTURE(row.name);
    const Error error = transport_error(connection, row.failure);
    CHECK(error.kind == row.kind);
    CHECK(error.message == row.want);
  }
}

}  // namespace
}  // namespace dra::session
