// tests/snapshot/watched_test.cpp: what several watched lists report of one object, and what a list
// that is read again reports.

#include "dra/snapshot/watched.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "dra/base/text.h"
#include "dra/snapshot/select.h"
#include "tests/support/scripted_server.h"
#include "tests/support/temp_dir.h"

namespace dra::snapshot::watched_test {
namespace {

using api::Kind;
using session::EventType;
using support::ScriptedAnswer;
using support::ScriptedRequest;
using support::ScriptedServer;
using Words = std::vector<std::string>;

std::string object(const std::string& name, int version) {
  return base::format(R"({{"metadata":{{"name":"{}","namespace":"ml","resourceVersion":"{}"}}}})",
                      name, version);
}

std::string list(const Words& items, int version) {
  return base::format(R"({{"metadata":{{"resourceVersion":"{}"}},"items":[{}]}})", version,
                      base::join(items, ","));
}

std::string event(const std::string& type, const std::string& name, int version) {
  return base::format(R"({{"type":"{}","object":{}}})", type, object(name, version)) + "\n";
}

const std::string kGone =
    R"({"type":"ERROR","object":{"kind":"Status","status":"Failure","code":410}})"
    "\n";

// The answers to lists and to watches, one after another, by a word of the request. The last list
// is given again.
struct Answers {
  Words lists;
  Words watches = {};
};

class Cluster {
 public:
  explicit Cluster(std::map<std::string, Answers> answers)
      : answers_(std::move(answers)),
        server_([this](const ScriptedRequest& request) { return answer_to(request); }) {}

  Result<Watched> open(const std::vector<Need>& needs) const {
    Source source;
    source.flags.kubeconfig = config_;
    source.flags.server = base::format("http://127.0.0.1:{}", server_.port());
    session::WatchOptions options;
    options.first_pause = {1'000'000};
    options.longest_pause = {4'000'000};
    options.patience = {};
    return Watched::open(
        source, needs, [](Snapshot state) -> Result<Snapshot> { return state; }, options);
  }

 private:
  ScriptedAnswer answer_to(const ScriptedRequest& request) {
    if (request.target == "/version") return support::answer(200, R"({"gitVersion":"v1.37.1"})");
    const std::lock_guard lock(mutex_);
    for (auto& [word, answers] : answers_) {
      if (request.target.find(word) == std::string::npos) continue;
      const bool watch = request.target.find("watch=1") != std::string::npos;
      Words& left = watch ? answers.watches : answers.lists;
      if (left.empty()) return support::answer(200, "");
      const std::string first = left.front();
      if (watch || left.size() > 1) left.erase(left.begin());
      return first == "forbidden"
                 ? support::answer(403, R"({"kind":"Status","status":"Failure","code":403,)"
                                        R"("message":"no","reason":"Forbidden"})")
                 : support::answer(200, first);
    }
    return support::answer(404, "");
  }

  support::TempDir dir_;
  std::string config_ = dir_.write("config", "apiVersion: v1\nkind: Config\n");
  std::mutex mutex_;
  std::map<std::string, Answers> answers_;
  ScriptedServer server_;
};

// Waits for so many events, and applies them.
Words collect(Watched& watched, std::size_t count) {
  static constexpr const char* types[] = {"+", "~", "-"};
  Words words;
  while (words.size() < count) {
    const auto events = watched.wait(base::Duration::seconds(60));
    if (!events.ok()) return {events.error().message};
    for (const ObjectEvent& one : events.value()) {
      words.push_back(base::format("{}{}{}", types[static_cast<int>(one.type)], one.id.name,
                                   one.object.text().empty() ? " as it was" : ""));
      CHECK(watched.state().apply(one).ok());
    }
  }
  return words;
}

std::string names(const Snapshot& snapshot, Kind kind) {
  std::string text;
  for (const ObjectRef& one : objects_of(snapshot, kind))
    text += base::format("{}@{} ", one.meta->name, one.meta->resource_version);
  return text;
}

const std::vector<Need> kPods = {{.kind = Kind::Pod, .essential = true}};

TEST_CASE("a list that is read again is reported as its differences") {
  const Cluster cluster({{"/pods",
                          {{list({object("a", 1), object("b", 2), object("c", 3)}, 5),
                            list({object("a", 1), object("c", 9), object("d", 8)}, 20)},
                           {event("MODIFIED", "a", 6) + kGone,
                            event("ADDED", "e", 21) + event("DELETED", "d", 22)}}}});
  Result<Watched> watched = cluster.open(kPods);
  REQUIRE(watched.ok());
  CHECK(names(watched.value().state().now(), Kind::Pod) == "a@1 b@2 c@3 ");
  // The list is newer than all that was seen before it, whatever its versions are.
  CHECK(collect(watched.value(), 7) == Words{"~a", "-b as it was", "~a", "~c", "+d", "+e", "-d"});
  CHECK(names(watched.value().state().now(), Kind::Pod) == "a@1 c@9 e@21 ");
}

TEST_CASE("what is known already is nothing new") {
  const Cluster cluster({{"/pods",
                          {{list({object("a", 4)}, 5)},
                           {event("ADDED", "a", 4) + event("MODIFIED", "a", 3) +
                                event("DELETED", "nosuch", 6) + event("ADDED", "a", 7),
                            event("MODIFIED", "a", 7) + event("ADDED", "b", 8)}}}});
  Result<Watched> watched = cluster.open(kPods);
  REQUIRE(watched.ok());
  CHECK(collect(watched.value(), 2) == Words{"~a", "+b"});
}

TEST_CASE("an object that two lists have comes once, and goes with the last of them") {
  const Cluster cluster(
      {{"FailedCreate",
        {{list({object("x", 1)}, 5)}, {event("ADDED", "y", 6) + event("DELETED", "x", 9)}}},
       {"%3Dpod",
        {{list({object("x", 1)}, 5)},
         {event("ADDED", "y", 6) + event("DELETED", "x", 9) + event("ADDED", "z", 10)}}}});
  Result<Watched> watched =
      cluster.open({{.kind = Kind::Event, .field_selector = "reason=FailedCreate"},
                    {.kind = Kind::Event, .field_selector = "involvedObject.name=pod"}});
  REQUIRE(watched.ok());
  Words words = collect(watched.value(), 3);
  std::ranges::sort(words);
  CHECK(words == Words{"+y", "+z", "-x"});
}

TEST_CASE("an object that is asked for by its name is watched from a list of its own") {
  const Cluster cluster(
      {{"/pods/p", {{object("p", 3)}}},
       {"metadata.name%3Dp", {{list({object("p", 4)}, 9)}, {event("DELETED", "p", 10)}}}});
  Result<Watched> watched =
      cluster.open({{.kind = Kind::Pod, .namespace_ = "ml", .essential = true, .names = {"p"}}});
  REQUIRE(watched.ok());
  CHECK(collect(watched.value(), 2) == Words{"~p", "-p"});
}

TEST_CASE("a kind that may be listed and not watched is an error, or is named") {
  const std::map<std::string, Answers> answers = {
      {"/pods", {{list({}, 5)}, {"forbidden"}}},
      {"/nodes", {{list({}, 5)}, {event("ADDED", "n", 6)}}}};
  const Cluster cluster(answers);
  Result<Watched> essential = cluster.open(kPods);
  REQUIRE(essential.ok());
  const auto refused = essential.value().wait(base::Duration::seconds(60));
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == ErrorKind::Denied);

  const Cluster other(answers);
  Result<Watched> watched = other.open({{.kind = Kind::Pod}, {.kind = Kind::Node}});
  REQUIRE(watched.ok());
  CHECK(collect(watched.value(), 1) == Words{"+n"});
  std::vector<Unwatched> unwatched;
  while (unwatched.empty()) {
    REQUIRE(watched.value().wait({10'000'000}).ok());
    unwatched = watched.value().take_unwatched();
  }
  CHECK(unwatched.front().kind == Kind::Pod);
}

}  // namespace
}  // namespace dra::snapshot::watched_test
