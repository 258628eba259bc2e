// tests/session/tls_test.cpp
//
// Who may be trusted, and who we are, over TLS. Certificates are made here; nothing leaves the
// machine.

#include <doctest/doctest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "dra/base/text.h"
#include "dra/session/client.h"
#include "tests/support/certificates.h"
#include "tests/support/scripted_server.h"

namespace dra::session::tls_test {
namespace {

using support::answer;
using support::Identity;
using support::ScriptedRequest;
using support::ScriptedServer;
using support::TestCa;

constexpr const char* kVersion = R"({"gitVersion":"v1.37.1"})";

Connection to(const ScriptedServer& server, const std::string& ca_pem) {
  Connection connection;
  connection.server = {.tls = true, .host = "127.0.0.1", .port = server.port()};
  connection.ca_pem = ca_pem;
  connection.context = "x";
  connection.origin = "kubeconfig F, context x";
  return connection;
}

// The server's version, or the message of the error with the server's port as PORT.
std::string ask(const ScriptedServer& server, const Connection& connection) {
  Client client(connection, {.http = {.retries = {.second = {}}}});
  const Result<std::string> version = client.server_version();
  if (version.ok()) return version.value();
  std::string message = version.error().message;
  const std::string port = std::to_string(server.port());
  const std::size_t at = message.find(port);
  if (at != std::string::npos) message.replace(at, port.size(), "PORT");
  return message;
}

ScriptedServer::Handler fine() {
  return [](const ScriptedRequest&) { return answer(200, kVersion); };
}

TEST_CASE("a server is trusted if its certificate is signed by the CA that was given") {
  const TestCa ca;
  const TestCa other("another CA");
  const TestCa namesake;
  const ScriptedServer server(fine(), {ca.issue("IP:127.0.0.1")});
  CHECK(ask(server, to(server, ca.certificate_pem())) == "v1.37.1");
  for (const std::string& wrong : {other.certificate_pem(), namesake.certificate_pem()}) {
    CHECK(ask(server, to(server, wrong)) ==
          "the certificate of the server 127.0.0.1:PORT is not signed by the CA given in "
          "kubeconfig F, "
          "context x");
  }
  CHECK(
      ask(server, to(server, "")) ==
      "the certificate of the server 127.0.0.1:PORT is not signed by a CA that this system trusts");
  CHECK(ask(server, to(server, "-----BEGIN nothing")).starts_with("the CA certificates given in "));
  Connection insecure = to(server, "");
  insecure.insecure = true;
  CHECK(ask(server, insecure) == "v1.37.1");
}

TEST_CASE("a certificate counts only while it is valid") {
  const TestCa ca;
  const ScriptedServer server(fine(), {ca.issue("IP:127.0.0.1", -60)});
  CHECK(ask(server, to(server, ca.certificate_pem())) ==
        "the certificate of the server 127.0.0.1:PORT has expired");
}

TEST_CASE("a server that knows only TLS of the past is refused") {
  const TestCa ca;
  const ScriptedServer server(fine(), {.identity = ca.issue("IP:127.0.0.1"), .only_1_1 = true});
  CHECK(ask(server, to(server, ca.certificate_pem())) ==
        "127.0.0.1:PORT speaks no TLS that is safe: version 1.2 or newer is needed");
}

TEST_CASE("a server that vouches for itself is not trusted") {
  const TestCa ca;
  const ScriptedServer server(fine(), {TestCa("127.0.0.1").identity()});
  CHECK(ask(server, to(server, ca.certificate_pem())).find(" is not signed by the CA given in ") !=
        std::string::npos);
}

TEST_CASE("tls-server-name is the name in the certificate, while the address stays") {
  const TestCa ca;
  const ScriptedServer server(fine(), {ca.issue("DNS:server.test")});
  Connection connection = to(server, ca.certificate_pem());
  CHECK(ask(server, connection) ==
        "the certificate of the server 127.0.0.1:PORT is made out to another name than 127.0.0.1");
  connection.tls_server_name = "server.test";
  CHECK(ask(server, connection) == "v1.37.1");
  CHECK(server.requests().front().headers.at("host") == connection.server.host_and_port());
}

TEST_CASE("a token is sent over TLS, and no log shows it") {
  const TestCa ca;
  const ScriptedServer server(fine(), {ca.issue("IP:127.0.0.1")});
  Connection connection = to(server, ca.certificate_pem());
  connection.token = "s3cret";
  std::string logged;
  const auto write = [&](std::string_view line) { logged += std::string(line) + "\n"; };
  Client client(connection, {.http = {.log = {.verbosity = 10, .write = write}}});
  CHECK(client.server_version().ok());
  CHECK(server.requests().front().headers.at("authorization") == "Bearer s3cret");
  CHECK(logged.find("s3cret") == std::string::npos);
  CHECK(logged.find("Authorization: Bearer <masked>") != std::string::npos);
}

TEST_CASE("a client certificate says who we are") {
  const TestCa ca;
  const TestCa other;
  const ScriptedServer server(fine(), {ca.issue("IP:127.0.0.1"), ca.certificate_pem()});
  const auto as = [&](const Identity& identity) {
    Connection connection = to(server, ca.certificate_pem());
    connection.client_certificate_pem = identity.certificate_pem;
    connection.client_key_pem = identity.key_pem;
    return connection;
  };
  const Identity identity = ca.issue("DNS:user");
  CHECK(ask(server, as(identity)) == "v1.37.1");
  CHECK(
      ask(server, as({identity.certificate_pem, other.issue("DNS:user").key_pem}))
          .starts_with("the client certificate and key given in kubeconfig F, context x cannot be "
                       "used: "));
  // A server that refuses may close before its alert is read: either message is true.
  for (const Identity& refused : {Identity{}, other.issue("DNS:user")}) {
    const std::string message = ask(server, as(refused));
    CAPTURE(message);
    CHECK((message.starts_with("127.0.0.1:PORT does not accept our client certificate: ") ||
           message == "127.0.0.1:PORT closed the connection without an answer"));
  }
}

// The server here knows HTTP/1.1 only. Two handlers that wait for each other would never answer if
// the second request waited for the first one's connection.
TEST_CASE("requests are in flight together also where TLS does not agree on HTTP/2") {
  std::mutex mutex;
  std::condition_variable changed;
  int arrived = 0;
  const TestCa ca;
  const auto handler = [&](const ScriptedRequest&) {
    std::unique_lock lock(mutex);
    ++arrived;
    changed.notify_all();
    const auto both = [&] { return arrived >= 2; };
    return answer(changed.wait_for(lock, std::chrono::seconds(60), both) ? 200 : 500, "{}");
  };
  const ScriptedServer server(handler, {ca.issue("IP:127.0.0.1")});
  Http http(to(server, ca.certificate_pem()), {});
  http.start("/a");
  http.start("/b");
  CHECK(http.wait()->response.value().status == 200);
  CHECK(http.wait()->response.value().status == 200);
  CHECK_FALSE(http.wait().has_value());
}

TEST_CASE("a server without TLS is told from one with a bad certificate") {
  const ScriptedServer server([](const ScriptedRequest&) { return answer(400, "no"); });
  Connection connection = to(server, "");
  connection.request_timeout = base::Duration::seconds(20);
  const std::string message = ask(server, connection);
  CAPTURE(message);
  CHECK(message == "127.0.0.1:PORT does not speak TLS");
}

}  // namespace
}  // namespace dra::session::tls_test
