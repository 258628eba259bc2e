// tests/session/watch_test.cpp
//
// Watches of a server in this process, whose answers the tests write: what it sends at each
// attempt, and what it is asked for.

#include "dra/session/watch.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "dra/base/text.h"
#include "tests/support/scripted_server.h"

namespace dra::session::watch_test {
namespace {

using support::answer;
using support::ScriptedAnswer;
using support::ScriptedRequest;
using support::ScriptedServer;

using Words = std::vector<std::string>;

const std::string kClaims = "/apis/resource.k8s.io/v1/resourceclaims";
const std::string kSlices = "/apis/resource.k8s.io/v1/resourceslices";

std::string event(const std::string& type, const std::string& name, int version) {
  return base::format(R"({{"type":"{}","object":{{"kind":"ResourceClaim","metadata":{{"name":"{}",)"
                      R"("namespace":"ml","resourceVersion":"{}"}}}}}})"
                      "\n",
                      type, name, version);
}

std::string bookmark(int version) {
  return base::format(R"({{"type":"BOOKMARK","object":{{"metadata":{{"resourceVersion":"{}"}}}}}})"
                      "\n",
                      version);
}

std::string failure(int code, const std::string& reason) {
  return base::format(
      R"({{"kind":"Status","apiVersion":"v1","status":"Failure","message":"it is {1}",)"
      R"("reason":"{1}","code":{0}}})",
      code, reason);
}

// A body whose end is that of the connection, in chunks of so many bytes.
ScriptedAnswer streamed(const std::string& body, std::size_t chunk = 1000) {
  std::string bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (std::size_t at = 0; at < body.size(); at += chunk) {
    const std::string part = body.substr(at, chunk);
    bytes += base::format("{:x}\r\n{}\r\n", part.size(), part);
  }
  return {bytes + "0\r\n\r\n"};
}

// Gives the answers of a path one after another, then watches that end at once.
class Script {
 public:
  explicit Script(std::map<std::string, std::vector<ScriptedAnswer>> answers)
      : answers_(std::move(answers)),
        server_([this](const ScriptedRequest& request) { return next(request); }) {}

  Connection connection() const {
    Connection connection;
    connection.server = {.tls = false, .host = "127.0.0.1", .port = server_.port()};
    return connection;
  }

  // The versions that were asked for, of one path, in order.
  Words versions(const std::string& path) const {
    Words versions;
    for (const ScriptedRequest& request : server_.requests()) {
      if (!request.target.starts_with(path + "?")) continue;
      CHECK(request.target.find("watch=1&allowWatchBookmarks=true") != std::string::npos);
      CHECK(request.target.find("timeoutSeconds=") != std::string::npos);
      constexpr std::string_view key = "resourceVersion=";
      const std::size_t at = request.target.find(key);
      if (at == std::string::npos) {
        versions.emplace_back();
        continue;
      }
      const std::string rest = request.target.substr(at + key.size());
      versions.push_back(rest.substr(0, rest.find('&')));
    }
    return versions;
  }

 private:
  ScriptedAnswer next(const ScriptedRequest& request) {
    const std::string path = request.target.substr(0, request.target.find('?'));
    const std::lock_guard lock(mutex_);
    std::vector<ScriptedAnswer>& left = answers_[path];
    if (left.empty()) return streamed("");
    ScriptedAnswer first = left.front();
    left.erase(left.begin());
    return first;
  }

  std::map<std::string, std::vector<ScriptedAnswer>> answers_;
  std::mutex mutex_;
  ScriptedServer server_;
};

WatchOptions quick() {
  WatchOptions options;
  options.first_pause = {1'000'000};
  options.longest_pause = {4'000'000};
  return options;
}

std::string to_word(const WatchEvent& one) {
  static constexpr const char* types[] = {"+", "~", "-"};
  return base::format("{}{}/{}@{}", types[static_cast<int>(one.type)], one.namespace_, one.name,
                      one.version);
}

// Waits until so many events, expired watches and refusals have come; "" at the end: it failed.
Words collect(Watches& watches, std::size_t count) {
  Words words;
  while (words.size() < count) {
    const Result<WatchRound> round = watches.wait(base::Duration::seconds(60));
    if (!round.ok()) {
      words.push_back(round.error().message);
      return words;
    }
    for (const WatchEvent& one : round.value().events)
      words.push_back(to_word(one));
    for (const std::size_t watch : round.value().expired)
      words.push_back(base::format("expired {}", watch));
    for (const WatchRefusal& refusal : round.value().refused)
      words.push_back(base::format("refused {}: {}", refusal.watch, refusal.error.message));
  }
  return words;
}

TEST_CASE("events come in order, in whatever pieces, with the object's own text") {
  const std::string body = event("ADDED", "a", 5) + event("MODIFIED", "a", 6) +
                           event("DELETED", "a", 7) + bookmark(9) + event("ADDED", "b", 10);
  for (const std::size_t chunk : {1U, 13U, 4000U}) {
    const Script script({{kClaims, {streamed(body, chunk)}}});
    Watches watches(script.connection(), quick());
    CHECK(watches.add({kClaims, "4"}) == 0);
    CHECK(collect(watches, 4) == Words{"+ml/a@5", "~ml/a@6", "-ml/a@7", "+ml/b@10"});
  }
  const Script script({{kClaims, {streamed(event("ADDED", "a", 5))}}});
  Watches watches(script.connection(), quick());
  watches.add({kClaims, "4"});
  const auto round = watches.wait(base::Duration::seconds(60));
  REQUIRE(round.ok());
  REQUIRE(round.value().events.size() == 1);
  CHECK(round.value().events.front().object.text() ==
        R"({"kind":"ResourceClaim","metadata":{"name":"a","namespace":"ml",)"
        R"("resourceVersion":"5"}})");
}

TEST_CASE("a watch goes on from the last version, also of a bookmark, and after half an event") {
  ScriptedAnswer cut{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", true};
  const std::string half = event("ADDED", "b", 8) + event("ADDED", "c", 9).substr(0, 40);
  cut.bytes += base::format("{:x}\r\n{}\r\n", half.size(), half);
  const Script script({{kClaims,
                        {streamed(event("ADDED", "a", 5) + bookmark(7)),
                         cut,
                         answer(500, ""),
                         answer(429, failure(429, "TooManyRequests")),
                         {"", true},
                         streamed(event("ADDED", "c", 9)),
                         streamed(event("DELETED", "c", 11))}}});
  Watches watches(script.connection(), quick());
  watches.add({kClaims, "4"});
  CHECK(collect(watches, 4) == Words{"+ml/a@5", "+ml/b@8", "+ml/c@9", "-ml/c@11"});
  CHECK(script.versions(kClaims) == Words{"4", "7", "8", "8", "8", "8", "9"});
}

TEST_CASE("a version that the server has forgotten is expired, as an answer and as an event") {
  const std::string gone = R"({"type":"ERROR","object":)" + failure(410, "Expired") + "}\n";
  const Script script(
      {{kClaims, {answer(410, failure(410, "Gone")), streamed(event("ADDED", "b", 31))}},
       {kSlices,
        {streamed(event("ADDED", "a", 5) + gone + event("ADDED", "never", 6)),
         streamed(event("ADDED", "c", 51))}}});
  Watches watches(script.connection(), quick());
  watches.add({kClaims, "4"});
  watches.add({kSlices, "4"});
  Words words = collect(watches, 3);
  std::ranges::sort(words);
  CHECK(words == Words{"+ml/a@5", "expired 0", "expired 1"});
  watches.restart(0, "30");
  watches.restart(1, "50");
  words = collect(watches, 2);
  std::ranges::sort(words);
  CHECK(words == Words{"+ml/b@31", "+ml/c@51"});
  CHECK(script.versions(kClaims).front() == "4");
  CHECK(script.versions(kClaims).at(1) == "30");
  CHECK(script.versions(kSlices).at(1) == "50");
}

TEST_CASE("another failure in place of an event is a reason to ask again") {
  const std::string failed = R"({"type":"ERROR","object":)" + failure(500, "InternalError") + "}\n";
  const Script script(
      {{kClaims, {streamed(event("ADDED", "a", 5) + failed), streamed(event("ADDED", "b", 6))}}});
  Watches watches(script.connection(), quick());
  watches.add({kClaims, "4"});
  CHECK(collect(watches, 2) == Words{"+ml/a@5", "+ml/b@6"});
  CHECK(script.versions(kClaims).at(1) == "5");
}

TEST_CASE("a refusal ends a watch, but not what it allowed before") {
  const auto forbidden = answer(403, failure(403, "Forbidden"));
  const Script script({{kClaims, {forbidden}},
                       {kSlices,
                        {streamed(event("ADDED", "a", 5)), forbidden, forbidden,
                         streamed(event("ADDED", "b", 6))}}});
  Watches watches(script.connection(), quick());
  watches.add({kClaims, "4"});
  watches.add({kSlices, "4"});
  Words words = collect(watches, 3);
  std::ranges::sort(words);
  CHECK(words == Words{"+ml/a@5", "+ml/b@6", "refused 0: it is Forbidden"});

  WatchOptions impatient = quick();
  impatient.patience = {};
  const Script again({{kClaims, {streamed(event("ADDED", "a", 5)), forbidden}}});
  Watches ended(again.connection(), impatient);
  ended.add({kClaims, "4"});
  CHECK(collect(ended, 2) == Words{"+ml/a@5", "refused 0: it is Forbidden"});
}

TEST_CASE("what no API server sends is an error that says so") {
  const std::string where = "the watch GET http://127.0.0.1:";
  const std::map<std::string, std::string> cases = {
      {"<html>login</html>", "expected an event, which is a JSON object, found: <html>"},
      {R"({"type":"TOLD","object":{}})", "\"TOLD\" is not a type of an event"},
      {R"({"type":"ADDED","object":{"metadata":{"name":"a"}}})", "no metadata.resourceVersion"},
      {R"({"type":"ADDED","object":[]})", "no metadata.resourceVersion"},
      {R"({"type":"ADDED" "object"})", ""},
      {"{\"type\":\"ADDED\",\"object\":\"\xff\"}", ""},
  };
  for (const auto& [body, want] : cases) {
    CAPTURE(body);
    const Script script({{kClaims, {streamed(body)}}});
    Watches watches(script.connection(), quick());
    watches.add({kClaims, "4"});
    const Result<WatchRound> round = watches.wait(base::Duration::seconds(60));
    REQUIRE_FALSE(round.ok());
    CHECK(round.error().kind == ErrorKind::BadAnswer);
    CHECK(round.error().message.starts_with(where));
    CHECK(round.error().message.find(want) != std::string::npos);
  }
}

TEST_CASE("an event has a limit") {
  WatchOptions small = quick();
  small.max_event = std::size_t{1} << 20U;
  const Script script({{kClaims, {streamed("{\"a\":\"" + std::string(2U << 20U, 'x'), 100'000)}}});
  Watches watches(script.connection(), small);
  watches.add({kClaims, "4"});
  CHECK(collect(watches, 1).back().ends_with("an event is longer than 1 MiB"));
}

TEST_CASE("an outage is known, with its beginning and its reason, and ends") {
  Connection nowhere;
  {
    const Script gone({});
    nowhere = gone.connection();
  }
  Watches watches(nowhere, quick());
  watches.add({kClaims, "4"});
  CHECK_FALSE(watches.outage().has_value());
  CHECK(watches.wait({50'000'000}).value().events.empty());
  REQUIRE(watches.outage().has_value());
  CHECK(watches.outage()->why.kind == ErrorKind::Unreachable);

  const Script script({{kClaims, {answer(503, ""), streamed(event("ADDED", "a", 5))}}});
  Watches back(script.connection(), quick());
  back.add({kClaims, "4"});
  CHECK(collect(back, 1) == Words{"+ml/a@5"});
}

TEST_CASE("time passes where nothing happens") {
  Watches none(Connection{.server = {.tls = false, .host = "127.0.0.1", .port = 1}}, quick());
  const auto begin = std::chrono::steady_clock::now();
  CHECK(none.wait({20'000'000}).value().events.empty());
  CHECK(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(20));
}

}  // namespace
}  // namespace dra::session::watch_test
