// tests/cmd/faults_test.cpp
//
// Bad servers, as a user meets them: whatever a server does, a command either works or ends with
// exactly one error, exit code 1 and nothing on standard output. And no secret is shown, at any
// verbosity. Faults of the network below HTTP are in tests/session.

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>

#include "cmd/cli.h"
#include "dra/base/text.h"
#include "tests/support/certificates.h"
#include "tests/support/fake_console.h"
#include "tests/support/scripted_proxy.h"
#include "tests/support/scripted_server.h"
#include "tests/support/temp_dir.h"

namespace dra::cmd::faults_test {
namespace {

using support::answer;
using support::FakeConsole;
using support::Identity;
using support::ScriptedAnswer;
using support::ScriptedProxy;
using support::ScriptedRequest;
using support::ScriptedServer;
using support::TempDir;
using support::TestCa;
using Words = std::vector<std::string>;

constexpr std::string_view kClaims = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
constexpr const char* kToken = "t0ken-0123456789";
constexpr const char* kPassword = "pa55word";

const TestCa& test_ca() {
  static const TestCa ca;
  return ca;
}

// How the server answers the list of claims; all else it answers as it should.
using Claims = std::function<ScriptedAnswer(const ScriptedRequest&)>;

ScriptedAnswer answer_as(const Claims& claims, const ScriptedRequest& request) {
  const std::string path = request.target.substr(0, request.target.find('?'));
  if (path.starts_with(kClaims)) return claims(request);
  if (path == "/version") return answer(200, R"({"gitVersion":"v1.37.1"})");
  if (path == "/apis/resource.k8s.io") return answer(200, R"({"versions":[{"version":"v1"}]})");
  return answer(200, R"({"metadata":{"resourceVersion":"1"},"items":[]})");
}

std::string list_of(const std::string& items, const std::string& continue_token = {}) {
  return base::format(R"({{"kind":"ResourceClaimList","apiVersion":"resource.k8s.io/v1",)"
                      R"("metadata":{{"resourceVersion":"7","continue":"{}"}},"items":[{}]}})",
                      continue_token, items);
}

std::string claim(const std::string& name, const std::string& extra = {}) {
  return base::format(R"({{"metadata":{{"name":"{}","namespace":"default"{}}},"spec":{{}}}})", name,
                      extra);
}

std::string status(int code, const std::string& reason, const std::string& message) {
  return base::format(R"({{"kind":"Status","apiVersion":"v1","status":"Failure","message":"{}",)"
                      R"("reason":"{}","code":{}}})",
                      message, reason, code);
}

struct Outcome {
  ExitCode exit = ExitCode::Done;
  std::string out;
  std::string err;
};

// A server, and a kubeconfig with all kinds of secrets that leads to it through a proxy.
class World {
 public:
  explicit World(Claims claims, const std::string& names = "DNS:api.test", long seconds = 3600)
      : server_([claims](const ScriptedRequest& request) { return answer_as(claims, request); },
                {test_ca().issue(names, seconds)}),
        proxy_({.target = server_.port()}),
        identity_(test_ca().issue("DNS:user")) {
    dir_.write("ca.crt", test_ca().certificate_pem());
    dir_.write("user.crt", identity_.certificate_pem);
    dir_.write("user.key", identity_.key_pem);
    kubeconfig_ = dir_.write(
        "config",
        base::format("clusters: [{{name: c, cluster: {{server: 'https://api.test:6443', "
                     "certificate-authority: ca.crt, proxy-url: 'http://me:{}@127.0.0.1:{}'}}}}]\n"
                     "users: [{{name: u, user: {{token: {}, client-certificate: user.crt, "
                     "client-key: user.key}}}}]\n"
                     "contexts: [{{name: x, context: {{cluster: c, user: u}}}}]\n"
                     "current-context: x\n",
                     kPassword, proxy_.port(), kToken));
  }

  Outcome run(Words words) const {
    FakeConsole console({.environment = {{"KUBECONFIG", kubeconfig_}}});
    Console streams = console.streams();
    streams.retries.second = {};
    const ExitCode exit = run_cli(words, streams);
    return {exit, console.out(), console.err()};
  }

  std::vector<ScriptedRequest> requests() const { return server_.requests(); }

  std::string shown_secret(const Outcome& outcome) const {
    const std::string key = identity_.key_pem.substr(40, 40);
    for (const std::string& secret : {std::string(kToken), std::string(kPassword), key}) {
      if ((outcome.out + outcome.err).find(secret) != std::string::npos) return secret;
    }
    return {};
  }

 private:
  TempDir dir_;
  ScriptedServer server_;
  ScriptedProxy proxy_;
  Identity identity_;
  std::string kubeconfig_;
};

// Answers in a row; the last one again and again.
Claims in_turn(std::vector<ScriptedAnswer> answers) {
  return [answers = std::move(answers), next = std::make_shared<std::atomic<std::size_t>>(0)](
             const ScriptedRequest&) { return answers[std::min((*next)++, answers.size() - 1)]; };
}

Claims always(const ScriptedAnswer& one) { return in_turn({one}); }

std::string times(std::size_t count, std::string_view text) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i)
    all += text;
  return all;
}

struct Fault {
  std::string name;
  Claims claims;
  std::string want;  // the first line of standard error; empty if the command works
  std::string shows = {};
};

const std::string kUrl =
    "GET https://api.test:6443/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
const std::string kAnswer = "error: the answer to " + kUrl;
const std::string kCutOff =
    "error: the server closed the connection in the middle of the answer to " + kUrl +
    " (truncated)";
const std::string kSubject = " (get resourceclaims.resource.k8s.io)";

const Fault kFaults[] = {
    {"401, always", always(answer(401, status(401, "Unauthorized", "Unauthorized"))),
     "error: You must be logged in to the server (Unauthorized)"},
    {"403", always(answer(403, status(403, "Forbidden", "claims is forbidden"))),
     "Error from server (Forbidden): claims is forbidden"},
    {"404 of the list", always(answer(404, "404 page not found\n", "")),
     "Error from server (NotFound): the server could not find the requested resource" + kSubject},
    {"410 of a continue token",
     [](const ScriptedRequest& request) {
       if (request.target.find("limit=") == std::string::npos) {
         return answer(200, list_of(claim("all")));
       }
       if (request.target.find("continue=") == std::string::npos) {
         return answer(200, list_of(claim("half"), "token"));
       }
       return answer(410, status(410, "Expired", "too old"));
     },
     "", "all"},
    {"410 of everything", always(answer(410, status(410, "Expired", "too old"))),
     "Error from server (Expired): too old"},
    {"429 without a time", always(answer(429, status(429, "TooManyRequests", "slow"))),
     "Error from server (TooManyRequests): slow"},
    {"429 with a time",
     in_turn({answer(429, "", "Retry-After: 1\r\n"), answer(200, list_of(claim("late")))}), "",
     "late"},
    {"500", always(answer(500, "oops", "")),
     "Error from server (InternalError): an error on the server (\"oops\") has prevented the "
     "request from succeeding" +
         kSubject},
    {"503", always(answer(503, "")),
     "Error from server (ServiceUnavailable): the server is currently unable to handle the "
     "request" +
         kSubject},
    {"504, and then all is well",
     in_turn({answer(504, "", "Retry-After: 0\r\n"), answer(200, list_of(claim("late")))}), "",
     "late"},
    {"a connection that is lost", in_turn({{"", true}, answer(200, list_of(claim("late")))}), "",
     "late"},
    {"connections that are always lost", always({"", true}),
     "error: api.test:6443 closed the connection without an answer"},
    {"a chunk without an end",
     always({"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{\"ite\r\n", true}),
     kCutOff},
    {"a body shorter than announced",
     always({"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{\"items\":[]}", true}), kCutOff},
    {"a body longer than announced",
     always({"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{\"items\":[]}", true}),
     kAnswer + ": the JSON text ends too early"},
    {"a length that is none",
     always({"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n{\"items\":[]}", true}),
     kAnswer + " breaks the HTTP protocol: Invalid Content-Length: value"},
    {"no gzip", always(answer(200, list_of(""), "Content-Encoding: gzip\r\n")),
     kAnswer + " breaks the HTTP protocol: Error while processing content unencoding: incorrect "
               "header check"},
    {"a compression that nobody asked for",
     always(answer(200, list_of(""), "Content-Encoding: br\r\n")),
     kAnswer + " breaks the HTTP protocol: Unrecognized or bad HTTP Content or Transfer-Encoding"},
    {"HTML", always(answer(200, "<html>", "Content-Type: text/html\r\n")),
     kAnswer + " is not JSON: 200 OK, beginning with \"<html>\""},
    {"HTML with a code of failure", always(answer(404, "<html>", "")),
     kAnswer + " is not JSON: 404 Not Found, beginning with \"<html>\""},
    {"a Status with the code of success", always(answer(200, status(403, "Forbidden", "no"))),
     "Error from server (Forbidden): no"},
    {"a redirect", always(answer(302, "", "Location: https://evil.test/\r\n")),
     "error: the server redirects " + kUrl + " to https://evil.test/, which is not followed"},
    {"an empty body", always(answer(200, "")),
     kAnswer + " is not JSON: 200 OK, beginning with nothing"},
    {"nothing to say", always(answer(204, "")),
     kAnswer + " is not JSON: 204, beginning with nothing"},
    {"another kind of document", always(answer(200, R"({"kind":"PodList"})")),
     kAnswer + ": the answer is JSON, but not a Kubernetes list"},
    {"an array", always(answer(200, "[]")),
     kAnswer + " is not JSON: 200 OK, beginning with \"[]\""},
    {"items that are no list", always(answer(200, R"({"items":{}})")),
     kAnswer + ": the answer is JSON, but not a Kubernetes list"},
    {"items that are no objects", always(answer(200, list_of("1"))),
     kAnswer + ": byte 120: expected an object, found a number"},
    {"two documents", always(answer(200, list_of("") + "{}")),
     kAnswer + ": more text follows the JSON document"},
    {"versions mixed in a list",
     always(answer(200,
                   list_of(R"({"apiVersion":"resource.k8s.io/v1beta1",)" + claim("m").substr(1)))),
     "", "m"},
    {"a string of 1 MB",
     always(answer(200, list_of(claim("long", R"(,"annotations":{"a":")" +
                                                  std::string(1U << 20U, 'x') + "\"}")))),
     "", "long"},
    {"a year in the future",
     always(answer(200, list_of(claim("young", R"(,"creationTimestamp":"2027-11-20T09:30:00Z")")))),
     "", "<invalid>"},
    {"a year ago",
     always(answer(200, list_of(claim("old", R"(,"creationTimestamp":"2025-11-20T09:30:00Z")")))),
     "", "365d"},
    {"a time that is none",
     always(answer(200, list_of(claim("odd", R"(,"creationTimestamp":"yesterday")")))),
     kAnswer + ": byte 188: metadata.creationTimestamp: \"yesterday\" is not a time such as "
               "2026-11-20T08:30:00Z"},
    {"bytes that are not UTF-8", always(answer(200, list_of(claim("\xff")))),
     kAnswer + ": the JSON text holds bytes that are not UTF-8"},
    {"NUL bytes", always(answer(200, list_of(claim(std::string("a\0b", 3))))),
     kAnswer + ": the JSON text holds a control character inside a string"},
    {"escaped NUL bytes", always(answer(200, list_of(claim("a\\u0000b")))), "", "a^@b"},
    {"deep nesting", always(answer(200, times(100'000, "{\"a\":"))),
     kAnswer + ": the JSON text ends too early"},
    {"deep nesting in what is skipped",
     always(answer(200, list_of(claim("deep", ",\"x\":" + times(5'000, "[") + times(5'000, "]"))))),
     "", "deep"},
    {"keys that are there twice", always(answer(200, list_of(claim("a", ",\"name\":\"b\"")))), "",
     "b"},
    {"a list without an end", always(answer(200, list_of("", "same"))),
     "error: " + kUrl + ": the server's list does not end"},
};

TEST_CASE("a command survives a bad server, or says in one line what is wrong with it") {
  for (const Fault& fault : kFaults) {
    CAPTURE(fault.name);
    const World world(fault.claims);
    const Outcome got = world.run({"claims"});
    const std::string first = got.err.substr(0, got.err.find('\n'));
    if (fault.want.empty()) {
      CHECK(got.err == "");
      CHECK(got.exit == ExitCode::Done);
      CHECK(got.out.find(fault.shows) != std::string::npos);
      continue;
    }
    CHECK(first == fault.want);
    CHECK(got.out == "");
    CHECK(got.exit == ExitCode::Failed);
    CHECK(std::ranges::count(got.err, '\n') <= 2);  // the error and a hint
  }
}

TEST_CASE("certificates that must not be trusted") {
  struct Case {
    std::string name;
    std::string names;
    long seconds;
    std::string want;
  };
  for (const Case& row : {
           Case{"expired", "DNS:api.test", -60,
                "error: the certificate of the server api.test:6443 has expired"},
           Case{"of somebody else", "DNS:other.test", 3600,
                "error: the certificate of the server api.test:6443 is made out to another name "
                "than api.test"},
       }) {
    CAPTURE(row.name);
    const World world(always(answer(200, list_of(""))), row.names, row.seconds);
    const Outcome got = world.run({"claims"});
    CHECK(got.err.starts_with(row.want + "\n"));
    CHECK(got.out == "");
    CHECK(got.exit == ExitCode::Failed);
    CHECK(world.requests().empty());
  }
}

// Begins to answer and then says nothing until the test is over.
TEST_CASE("--request-timeout ends waiting, before the answer and within it") {
  for (const std::string& begun : {std::string(), std::string("HTTP/1.1 200 OK\r\n"),
                                   std::string("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{")}) {
    CAPTURE(begun);
    std::mutex mutex;
    std::condition_variable changed;
    bool over = false;
    const World world([&](const ScriptedRequest&) {
      if (!begun.empty()) return ScriptedAnswer{begun};
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return over; });
      return answer(200, "{}");
    });
    const Outcome got = world.run({"claims", "--request-timeout", "300ms"});
    CAPTURE(got.err);
    CHECK(
        got.err.starts_with("error: api.test:6443 did not answer within 300 ms, the time that "
                            "--request-timeout gives\n"));
    CHECK(got.out == "");
    CHECK(got.exit == ExitCode::Failed);
    const std::lock_guard lock(mutex);
    over = true;
    changed.notify_all();
  }
}

TEST_CASE("warnings of the server are shown once, and can be errors") {
  const ScriptedAnswer warned =
      answer(200, list_of(claim("a")),
             "Warning: 299 - \"old\"\r\nWarning: 299 - \"old\", 299 - \"odd\"\r\n");
  const World world(always(warned));
  const Outcome shown = world.run({"claims"});
  CHECK(shown.err == "Warning: old\nWarning: odd\n");
  CHECK(shown.exit == ExitCode::Done);
  const Outcome failed = world.run({"claims", "--warnings-as-errors"});
  CHECK(failed.err == "Warning: old\nWarning: odd\nerror: 2 warnings received\n");
  CHECK(failed.out == shown.out);
  CHECK(failed.exit == ExitCode::Failed);
  const World silent(always(answer(200, list_of(claim("a")))));
  CHECK(silent.run({"claims", "--warnings-as-errors"}).exit == ExitCode::Done);
}

// Servers and proxies that repeat what they were sent, wherever they can.
TEST_CASE("no secret is shown, whatever happens, at any verbosity") {
  const std::string echo = base::format("{} {} bWU6cGE1NXdvcmQ=", kToken, kPassword);
  const std::string headers = base::format(
      "X-Echo: {0}\r\nSet-Cookie: {0}\r\nWarning: 299 - \"{0}\"\r\nLocation: "
      "https://x.test/{0}?token={0}\r\n",
      echo);
  std::vector<Fault> echoes = {
      {"success", always(answer(200, list_of(""), headers)), ""},
      {"Status", always(answer(403, status(403, echo, echo), headers)), ""},
      {"text", always(answer(500, times(3, ".........") + echo, headers)), ""},
      {"text cut in a secret", always(answer(500, std::string(50, '.') + echo, headers)), ""},
      {"not logged in", always(answer(401, status(401, "Unauthorized", echo), headers)), ""},
      {"redirect", always(answer(302, "", headers)), ""},
      {"no HTTP", always({echo + "\r\n", true}), ""},
      {"an odd length", always({"HTTP/1.1 200 OK\r\nContent-Length: " + echo + "\r\n\r\n", true}),
       ""},
      {"an odd object",
       always(answer(200, list_of(claim("a", base::format(R"(,"creationTimestamp":"{}")", echo))))),
       ""},
      {"retries",
       in_turn({answer(503, echo, "Retry-After: 0\r\n" + headers), answer(200, list_of(""))}), ""},
  };
  echoes.insert(echoes.end(), std::begin(kFaults), std::end(kFaults));
  for (const Fault& fault : echoes) {
    CAPTURE(fault.name);
    const World world(fault.claims);
    for (const std::string level : {"0", "4", "6", "7", "8", "10"}) {
      const Outcome got = world.run({"claims", "-v", level});
      CHECK(world.shown_secret(got) == "");
      CHECK(got.err.find("bWU6cGE1NXdvcmQ=") == std::string::npos);
    }
    for (const ScriptedRequest& request : world.requests())
      CHECK(request.headers.at("authorization") == base::format("Bearer {}", kToken));
  }
}

}  // namespace
}  // namespace dra::cmd::faults_test
