// tests/session/dry_run_test.cpp
//
// Faults and words of a server that tests write; tests/cluster/validate asks real ones.

#include "dra/session/dry_run.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "dra/base/text.h"
#include "dra/json/parse.h"
#include "tests/support/scripted_server.h"

namespace dra::session::dry_run_test {
namespace {

using support::answer;
using support::ScriptedAnswer;
using support::ScriptedRequest;
using support::ScriptedServer;

constexpr const char* kPods = "/api/v1/namespaces/ml/pods";

Proposal pod(std::string_view name, std::string_view metadata = R"({"name":"p"})") {
  auto object = json::parse_json(base::format(R"({{"kind":"Pod","metadata":{}}})", metadata));
  REQUIRE(object.ok());
  return {kPods, std::string(name), std::move(object).take()};
}

std::string refusal(int code, std::string_view reason, std::string_view message) {
  return base::format(
      R"({{"kind":"Status","status":"Failure","message":"{}","reason":"{}","code":{}}})", message,
      reason, code);
}

// What a server that knows no such object says of one proposal, in a line.
std::string asked(const ScriptedAnswer& said, ScriptedRequest* write = nullptr,
                  const ScriptedAnswer& known = answer(404, refusal(404, "NotFound", "no p"))) {
  const ScriptedServer server(
      [&](const ScriptedRequest& request) { return request.method == "GET" ? known : said; });
  Connection connection;
  connection.server = {.tls = false, .host = "127.0.0.1", .port = server.port()};
  connection.token = "secret-token";
  Client client(connection, {.http = {.retries = {.most = 0}}});
  const auto verdicts = dry_run(client, {pod("p")});
  if (write != nullptr) *write = server.requests().back();
  if (!verdicts.front().ok()) return "error: " + verdicts.front().error().message;
  const Verdict& verdict = verdicts.front().value();
  std::string line = verdict.update ? "update" : "create";
  if (!verdict.refusal) return line + ": taken";
  line += base::format(": {}: {}", verdict.refusal->reason, verdict.refusal->message);
  for (const RefusalCause& cause : verdict.refusal->causes)
    line += base::format(" [{} {} {}]", cause.type, cause.field, cause.message);
  return line;
}

TEST_CASE("what does not exist is created, what exists is replaced in the state that it is at") {
  ScriptedRequest write;
  CHECK(asked(answer(201, "{}"), &write) == "create: taken");
  CHECK(write.method == "POST");
  CHECK(write.target ==
        base::format("{}?dryRun=All&fieldValidation=Strict&fieldManager=kubectl-dra", kPods));
  CHECK(write.body == R"({"kind":"Pod","metadata":{"name":"p"}})");
  CHECK(write.headers["content-type"] == "application/json");
  CHECK(asked(answer(200, "{}"), &write, answer(200, R"({"metadata":{"resourceVersion":"7"}})")) ==
        "update: taken");
  CHECK(write.method == "PUT");
  CHECK(write.target.starts_with(base::format("{}/p?dryRun=All&", kPods)));
  CHECK(write.body == R"({"kind":"Pod","metadata":{"name":"p","resourceVersion":"7"}})");
}

TEST_CASE("a refusal is an answer, in the server's words") {
  CHECK(asked(answer(422, R"({"kind":"Status","status":"Failure","reason":"Invalid","message":"m",
          "details":{"causes":[{"reason":"FieldValueRequired","field":"spec","message":"Required value"},
          {"reason":"InternalError","field":"a","message":"b"}]}})")) ==
        "create: Invalid: m [Required spec Required value] [InternalError a b]");
  CHECK(asked(answer(403, refusal(403, "Forbidden", "exceeded quota: q"))) ==
        "create: Forbidden: exceeded quota: q");
  CHECK(asked(answer(500, refusal(500, "InternalError", "failed calling webhook"))) ==
        "create: InternalError: failed calling webhook");
  CHECK(asked(answer(404, "404 page not found\n", "")) ==
        "create: NotFound: the server does not serve this version of the kind");
  CHECK(asked(answer(403, refusal(403, "Forbidden", "no secret-token here"))) ==
        "create: Forbidden: no <masked> here");
}

TEST_CASE("what says nothing of the object is an error") {
  CHECK(asked(answer(401, refusal(401, "Unauthorized", "Unauthorized"))) ==
        "error: You must be logged in to the server (Unauthorized)");
  const std::string rights =
      R"(pods is forbidden: User \"u\" cannot create resource \"pods\" in API group \"\")";
  CHECK(asked(answer(403, refusal(403, "Forbidden", rights))) ==
        R"(error: pods is forbidden: User "u" cannot create resource "pods" in API group "")");
  CHECK(asked(answer(503, "", "")) ==
        "error: the server is currently unable to handle the request (post pods)");
  CHECK(asked(answer(200, "<html>")).starts_with("error: the answer to "));
  CHECK(asked({"", true}).starts_with("error: "));
}

TEST_CASE("who may not look is told by the server whether it exists") {
  const ScriptedAnswer denied = answer(403, refusal(403, "Forbidden", "no"));
  CHECK(asked(answer(409, refusal(409, "AlreadyExists", "pods p already exists")), nullptr,
              denied) == "create: AlreadyExists: pods p already exists");
  CHECK(asked(answer(201, "{}"), nullptr, answer(200, "{}")).starts_with("error: the answer to "));
}

TEST_CASE("objects without a name are not looked for; answers are in the order of the proposals") {
  const ScriptedServer server([](const ScriptedRequest& request) {
    if (request.method == "GET") return answer(404, refusal(404, "NotFound", "no"));
    const bool second = request.body.find("second") != std::string::npos;
    return second ? answer(403, refusal(403, "Forbidden", "second")) : answer(201, "{}");
  });
  Connection connection;
  connection.server = {.tls = false, .host = "127.0.0.1", .port = server.port()};
  Client client(connection);
  const auto verdicts = dry_run(client, {pod("", R"({"generateName":"a-"})"),
                                         pod("second", R"({"name":"second"})"), pod("p")});
  REQUIRE(verdicts.size() == 3);
  CHECK_FALSE(verdicts[0].value().refusal);
  CHECK(verdicts[1].value().refusal->message == "second");
  CHECK_FALSE(verdicts[2].value().refusal);
  const auto requests = server.requests();
  CHECK(std::ranges::count(requests, "GET", &ScriptedRequest::method) == 2);
}

}  // namespace
}  // namespace dra::session::dry_run_test
