// tests/session/http_test.cpp
//
// Credentials that change, requests that are sent again, and warnings. Answers are in client_test.

#include "dra/session/http.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "dra/base/text.h"
#include "tests/support/certificates.h"
#include "tests/support/scripted_server.h"

namespace dra::session::http_test {
namespace {

using support::answer;
using support::Identity;
using support::ScriptedAnswer;
using support::ScriptedRequest;
using support::ScriptedServer;
using support::TestCa;

// Gives the credentials of a list, one after the other.
class FakeAuthenticator : public Authenticator {
 public:
  explicit FakeAuthenticator(std::vector<Credentials> credentials)
      : credentials_(std::move(credentials)) {}

  Result<Credentials> current() override {
    ++asked;
    if (credentials_.empty()) return Error{ErrorKind::Unauthorized, "the plugin failed", {}};
    return credentials_.front();
  }

  bool refused(const Credentials& used) override {
    refusals.push_back(used.token);
    if (!renews) return false;
    credentials_.erase(credentials_.begin());
    return true;
  }

  bool renews = true;
  int asked = 0;
  std::vector<std::string> refusals = {};

 private:
  std::vector<Credentials> credentials_;
};

// A server with TLS and a client whose credentials the test decides on.
struct Scene {
  Scene(std::vector<Credentials> credentials, ScriptedServer::Handler handler)
      : authenticator(std::make_shared<FakeAuthenticator>(std::move(credentials))),
        server(std::move(handler), {ca.issue("IP:127.0.0.1")}) {}

  Connection connection() const {
    Connection connection;
    connection.server = {.host = "127.0.0.1", .port = server.port()};
    connection.ca_pem = ca.certificate_pem();
    connection.authenticator = authenticator;
    return connection;
  }

  // The status of each answer in the order of arrival, or the message of an error.
  std::string ask(int requests) const {
    Http http(connection(), {.retries = {.second = {}}});
    for (int i = 0; i < requests; ++i)
      http.start(base::format("/{}", i));
    std::string outcomes;
    while (const auto finished = http.wait()) {
      const Result<Response>& response = finished->response;
      outcomes += response.ok() ? base::format("{} ", response.value().status)
                                : response.error().message + " ";
    }
    return outcomes;
  }

  TestCa ca = TestCa();
  std::shared_ptr<FakeAuthenticator> authenticator;
  ScriptedServer server;
};

ScriptedAnswer if_token(const ScriptedRequest& request, const std::string& token) {
  return answer(request.headers.at("authorization") == "Bearer " + token ? 200 : 401, "{}");
}

TEST_CASE("credentials are asked for before each request") {
  const Scene scene({{"a"}}, [](const ScriptedRequest& request) { return if_token(request, "a"); });
  CHECK(scene.ask(2) == "200 200 ");
  CHECK(scene.authenticator->asked == 2);
  CHECK(scene.authenticator->refusals.empty());
}

TEST_CASE("without credentials nothing is sent, and nobody is asked twice") {
  const Scene scene({}, [](const ScriptedRequest&) { return answer(200, "{}"); });
  CHECK(scene.ask(3) == "the plugin failed the plugin failed the plugin failed ");
  CHECK(scene.authenticator->asked == 1);
  CHECK(scene.server.requests().empty());
}

TEST_CASE("credentials that cannot be sent fail their request alone") {
  const Scene scene({{"a\n"}}, [](const ScriptedRequest&) { return answer(200, "{}"); });
  CHECK(scene.ask(1) == "the value for the header Authorization holds control characters ");
  CHECK(scene.server.requests().empty());
}

TEST_CASE("nobody is asked for credentials that would not be sent") {
  const auto authenticator = std::make_shared<FakeAuthenticator>(std::vector<Credentials>{{"a"}});
  const ScriptedServer server([](const ScriptedRequest&) { return answer(401, "{}"); });
  Connection connection;
  connection.server = {.tls = false, .host = "127.0.0.1", .port = server.port()};
  connection.authenticator = authenticator;
  Http http(connection, {});
  http.start("/");
  CHECK(http.wait()->response.value().status == 401);
  CHECK(authenticator->asked == 0);
  CHECK(authenticator->refusals.empty());
  CHECK(server.requests().front().headers.count("authorization") == 0);
}

TEST_CASE("a request that is refused is sent once more, with other credentials") {
  const Scene scene({{"old"}, {"new"}},
                    [](const ScriptedRequest& request) { return if_token(request, "new"); });
  CHECK(scene.ask(1) == "200 ");
  CHECK(scene.authenticator->refusals == std::vector<std::string>{"old"});
  CHECK(scene.server.requests().size() == 2);
}

TEST_CASE("a request that is always refused is not sent for ever") {
  const Scene scene({{"a"}, {"b"}, {"c"}},
                    [](const ScriptedRequest&) { return answer(401, "{}"); });
  CHECK(scene.ask(1) == "401 ");
  CHECK(scene.server.requests().size() == 2);
}

TEST_CASE("a refusal stands where there are no other credentials") {
  const Scene scene({{"a"}}, [](const ScriptedRequest&) { return answer(401, "{}"); });
  scene.authenticator->renews = false;
  CHECK(scene.ask(1) == "401 ");
  CHECK(scene.server.requests().size() == 1);
}

TEST_CASE("a plugin that fails the second time fails the request") {
  const Scene scene({{"a"}}, [](const ScriptedRequest&) { return answer(401, "{}"); });
  CHECK(scene.ask(1) == "the plugin failed ");
}

// All are sent with the old token before any is refused.
TEST_CASE("requests that are refused together renew the credentials once") {
  constexpr std::size_t kTogether = Http::kMaxInFlight;
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t arrived = 0;
  const Scene scene({{"old"}, {"new"}}, [&](const ScriptedRequest& request) {
    std::unique_lock lock(mutex);
    ++arrived;
    changed.notify_all();
    changed.wait_for(lock, std::chrono::seconds(20), [&] { return arrived >= kTogether; });
    return if_token(request, "new");
  });
  CHECK(scene.ask(12) == "200 200 200 200 200 200 200 200 200 200 200 200 ");
  CHECK(scene.authenticator->refusals == std::vector<std::string>{"old"});
}

TEST_CASE("a new certificate is never shown on a connection of the old one") {
  const TestCa ca;
  const Identity first = ca.issue("DNS:first");
  const Identity second = ca.issue("DNS:second");
  const auto authenticator = std::make_shared<FakeAuthenticator>(std::vector<Credentials>{
      {"", first.certificate_pem, first.key_pem}, {"", second.certificate_pem, second.key_pem}});
  const ScriptedServer server(
      [&](const ScriptedRequest& request) {
        const bool renewed = request.client_certificate_pem == second.certificate_pem;
        return answer(request.target == "/old" || renewed ? 200 : 401, "{}");
      },
      {ca.issue("IP:127.0.0.1"), ca.certificate_pem()});
  Connection connection;
  connection.server = {.host = "127.0.0.1", .port = server.port()};
  connection.ca_pem = ca.certificate_pem();
  connection.authenticator = authenticator;
  Http http(connection, {});
  for (const char* path : {"/old", "/new", "/new"}) {
    http.start(path);
    CHECK(http.wait()->response.value().status == 200);
  }
  std::vector<bool> shown;
  for (const ScriptedRequest& request : server.requests())
    shown.push_back(request.client_certificate_pem == second.certificate_pem);
  CHECK(shown == std::vector<bool>{false, false, true, true});
}

TEST_CASE("what a server repeats of credentials is known as a secret") {
  const Scene scene({{"s3cret"}}, [](const ScriptedRequest&) { return answer(200, "{}"); });
  Http http(scene.connection(), {});
  CHECK(http.secrets().masked("s3cret") == "s3cret");
  http.start("/");
  CHECK(http.wait()->response.ok());
  CHECK(http.secrets().masked("s3cret") == "<masked>");
}

// A server without TLS that gives one answer after the other, the last one again and again.
struct Answers {
  explicit Answers(std::vector<ScriptedAnswer> answers)
      : server([this, list = std::move(answers)](const ScriptedRequest&) {
          const std::lock_guard lock(mutex);
          return list[std::min(next++, list.size() - 1)];
        }) {}

  // The status, or the message of the error.
  std::string ask(HttpOptions options = {.retries = {.second = {}}}, base::Duration timeout = {}) {
    Connection connection;
    connection.server = {.tls = false, .host = "127.0.0.1", .port = server.port()};
    connection.request_timeout = timeout;
    Http http(connection, std::move(options));
    http.start("/x");
    const Finished finished = *http.wait();
    if (!finished.response.ok()) return finished.response.error().message;
    return base::format("{}", finished.response.value().status);
  }

  std::mutex mutex;
  std::size_t next = 0;
  ScriptedServer server;
};

TEST_CASE("a server that asks for patience gets it, and the log says so") {
  for (const int status : {429, 500, 503, 504}) {
    Answers answers({answer(status, "", "Retry-After: 7\r\n"), answer(200, "{}")});
    std::string logged;
    const auto write = [&](std::string_view line) { logged += std::string(line) + "\n"; };
    CHECK(answers.ask({.log = {4, write}, .retries = {.second = {}}}) == "200");
    CHECK(logged == base::format("GET http://127.0.0.1:{}/x is sent again: the server answered {}, "
                                 "retry 1 of 10 after 7 s\n",
                                 answers.server.port(), status));
  }
}

TEST_CASE("patience ends") {
  Answers busy({answer(503, "", "Retry-After: 1\r\n")});
  CHECK(busy.ask() == "503");
  CHECK(busy.next == 11);
  Answers silent({answer(503, "")});
  CHECK(silent.ask() == "503");
  CHECK(silent.next == 1);
  Answers slow({answer(503, "", "Retry-After: 25\r\n")});
  CHECK(slow.ask() == "503");
  CHECK(slow.next == 3);
  // With the real clock, this would wait longer than the request may take.
  Answers hurried({answer(503, "", "Retry-After: 30\r\n")});
  CHECK(hurried.ask({}, base::Duration::seconds(20)) == "503");
  CHECK(hurried.next == 1);
}

TEST_CASE("a connection that is lost before the answer is made again") {
  Answers once({{"", true}, {"", true}, answer(200, "{}")});
  CHECK(once.ask() == "200");
  CHECK(once.next == 3);
  Answers always({{"", true}});
  CHECK(always.ask().ends_with(" closed the connection without an answer"));
  CHECK(always.next == 11);
  Answers begun({{"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{", true}, answer(200, "{}")});
  CHECK(begun.ask().find("in the middle of the answer") != std::string::npos);
  CHECK(begun.next == 1);
}

// Eight requests pause for a minute, for which eight places are free; the ninth does not wait.
TEST_CASE("who waits does not keep others from being asked") {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  const ScriptedServer server([&](const ScriptedRequest& request) {
    const std::lock_guard lock(mutex);
    if (request.target == "/quick") return answer(200, "{}");
    return done ? answer(200, "{}") : answer(429, "", "Retry-After: 60\r\n");
  });
  Connection connection;
  connection.server = {.tls = false, .host = "127.0.0.1", .port = server.port()};
  // A second lasts 10 ms, so the pauses take 600 ms.
  Http http(connection, {.retries = {.second = {10'000'000}}});
  for (std::size_t i = 0; i < Http::kMaxInFlight; ++i)
    http.start("/busy");
  const RequestId quick = http.start("/quick");
  CHECK(http.wait()->id == quick);
  {
    const std::lock_guard lock(mutex);
    done = true;
  }
  int rest = 0;
  while (const auto finished = http.wait()) {
    CHECK(finished->response.value().status == 200);
    ++rest;
  }
  CHECK(rest == static_cast<int>(Http::kMaxInFlight));
}

TEST_CASE("warnings are handed over, of answers that count only") {
  const auto warning = [](const char* text) {
    return base::format("Warning: 299 - \"{}\"\r\nRetry-After: 0\r\n", text);
  };
  Answers answers({answer(503, "", warning("not yet")),
                   answer(200, "{}", warning("a, b") + "WARNING: 299 - \"c\", 299 - \"d\"\r\n")});
  std::vector<std::string> warnings;
  HttpOptions options{.retries = {.second = {}}};
  options.on_warning = [&](std::string_view text) { warnings.emplace_back(text); };
  CHECK(answers.ask(options) == "200");
  CHECK(warnings == std::vector<std::string>{"a, b", "c", "d"});
}

TEST_CASE("headers of an interim answer do not count") {
  Answers answers({{"HTTP/1.1 103 Early\r\nWarning: 299 - \"early\"\r\n\r\n" +
                    answer(200, "{}", "Warning: 299 - \"late\"\r\n").bytes}});
  std::string warnings;
  HttpOptions options;
  options.on_warning = [&](std::string_view text) { warnings += text; };
  CHECK(answers.ask(options) == "200");
  CHECK(warnings == "late");
}

}  // namespace
}  // namespace dra::session::http_test
