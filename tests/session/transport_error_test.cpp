// tests/session/transport_error_test.cpp
//
// The failures that no test can bring about without a network or time; the others are in
// client_test and tls_test.

#include "src/session/transport_error.h"

#include <doctest/doctest.h>

#include <cerrno>

namespace dra::session::transport_error_test {
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
     "timed out: api.test:6443 sent nothing or next to nothing for 75 seconds"},
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
    {"a server of another time",
     {.failure = Failure::Handshake, .words = "tlsv1 alert protocol version"},
     ErrorKind::Unreachable,
     "api.test:6443 speaks no TLS that is safe: version 1.2 or newer is needed"},
    {"any other failure, without the query",
     {.failure = Failure::Other, .path = "/x?token=t", .words = "odd\n"},
     ErrorKind::Unreachable,
     "GET https://api.test:6443/x failed: odd\\n"},
};

TEST_CASE("what to tell when there was no answer") {
  Connection connection;
  connection.server = {.host = "api.test", .port = 6443};
  connection.origin = "kubeconfig F, context x";
  for (const Case& row : kCases) {
    CAPTURE(row.name);
    const Error error = transport_error(connection, row.failure);
    CHECK(error.kind == row.kind);
    CHECK(error.message == row.want);
  }
}

const Case kProxyCases[] = {
    {"a proxy without an address",
     {.failure = Failure::ProxyResolve},
     ErrorKind::Unreachable,
     "could not resolve the host of the proxy http://proxy.test:3128 (HTTPS_PROXY)"},
    {"a proxy that is not there",
     {.failure = Failure::ProxyConnect, .system_error = ECONNREFUSED},
     ErrorKind::Unreachable,
     "could not connect to the proxy http://proxy.test:3128 (HTTPS_PROXY): Connection refused"},
    {"a proxy that wants to know us",
     {.failure = Failure::ProxyRefused, .proxy_status = 407},
     ErrorKind::Unreachable,
     "the proxy http://proxy.test:3128 (HTTPS_PROXY) does not accept our user name and password "
     "(407)"},
    {"a proxy that does not let us through",
     {.failure = Failure::ProxyRefused, .proxy_status = 503},
     ErrorKind::Unreachable,
     "the proxy http://proxy.test:3128 (HTTPS_PROXY) does not let us through to api.test:6443: it "
     "answers 503 Service Unavailable"},
    {"a proxy that says no in another way",
     {.failure = Failure::ProxyRefused, .words = "Can't complete SOCKS5 connection"},
     ErrorKind::Unreachable,
     "the proxy http://proxy.test:3128 (HTTPS_PROXY) does not lead to api.test:6443: Can't "
     "complete "
     "SOCKS5 connection"},
    {"a proxy or a server that does not answer",
     {.failure = Failure::TimedOut, .milliseconds = 10'000},
     ErrorKind::Unreachable,
     "timed out while connecting to api.test:6443 through the proxy http://proxy.test:3128 "
     "(HTTPS_PROXY)"},
};

TEST_CASE("what to tell about a proxy: which one, and where it is configured") {
  Connection connection;
  connection.server = {.host = "api.test", .port = 6443};
  connection.proxy_url = "http://me:pa55@proxy.test:3128";
  connection.proxy_origin = "HTTPS_PROXY";
  for (const Case& row : kProxyCases) {
    CAPTURE(row.name);
    const Error error = transport_error(connection, row.failure);
    CHECK(error.kind == row.kind);
    CHECK(error.message == row.want);
    CHECK((error.hint.empty() || error.hint.find("HTTPS_PROXY") != std::string::npos ||
           row.failure.failure == Failure::TimedOut));
  }
}

}  // namespace
}  // namespace dra::session::transport_error_test
