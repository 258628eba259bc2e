// tests/session/feature_gates_test.cpp: gates are read from metrics, in whatever pieces these come,
// and no fault of the server makes a gate of what is none, or costs more than a little time.

#include "src/session/feature_gates.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/scripted_server.h"

namespace dra::session::feature_gates_test {
namespace {

using support::answer;
using support::ScriptedAnswer;
using support::ScriptedRequest;
using support::ScriptedServer;

const std::string kBefore =
    "# HELP apiserver_x [ALPHA] What x=\"kubernetes_feature_enabled{\" is.\n"
    "apiserver_x{name=\"DRAAdminAccess\"} 1\n"
    "# HELP kubernetes_feature_enabled [BETA] This metric records the data.\n"
    "# TYPE kubernetes_feature_enabled gauge\n";
const std::string kGates =
    "kubernetes_feature_enabled{name=\"AllAlpha\",stage=\"ALPHA\"} 0\n"
    "kubernetes_feature_enabled{name=\"DRAAdminAccess\",stage=\"\"} 1\n"
    "kubernetes_feature_enabled{name=\"DRADeviceTaints\",stage=\"BETA\"} 0\n"
    "kubernetes_feature_enabled{name=\"DynamicResourceAllocation\",stage=\"\"} 1\n";
const std::string kAfter = "process_cpu_seconds_total 1.5\n";
const std::string kWant = "DRAAdminAccess=1 DRADeviceTaints=0 DynamicResourceAllocation=1";

std::string to_line(const FeatureGates& gates) {
  std::vector<std::string> words;
  words.reserve(gates.size());
  for (const auto& [name, on] : gates)
    words.push_back(base::format("{}={}", name, on ? 1 : 0));
  return base::join(words, " ");
}

// What is read of a text that comes in pieces of that size; "..." behind it if more is wanted.
std::string read(std::string_view text, std::size_t piece) {
  FeatureGateReader reader;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    if (!reader.read(text.substr(at, piece))) return to_line(reader.take());
  }
  return to_line(reader.take()) + "...";
}

TEST_CASE("gates come in any pieces, and what follows them is not read") {
  const std::string text = kBefore + kGates + kAfter;
  for (const std::size_t piece : {1, 2, 7, 64, 1000, 100'000})
    CHECK(read(text, piece) == kWant);
  CHECK(read(kBefore + kGates, 10) == kWant + "...");
}

struct Case {
  const char* name;
  std::string lines;
  const char* want;
};

TEST_CASE("what is no gate of DRA is omitted") {
  const auto metric = [](const std::string& rest) { return "kubernetes_feature_enabled{" + rest; };
  const Case rows[] = {
      {"labels in another order", metric("stage=\"\",name=\"DRAx\"} 1\n"), "DRAx=1..."},
      {"a gate of somebody else", metric("name=\"NodeSwap\",stage=\"\"} 1\n"), "..."},
      {"neither on nor off", metric("name=\"DRAx\",stage=\"\"} 2\n"), "..."},
      {"no value", metric("name=\"DRAx\",stage=\"\"}\n"), "..."},
      {"no name", metric("stage=\"\"} 1\n"), "..."},
      {"cut off", metric("name=\"DRAx\n"), "..."},
      {"a name that is none", metric("name=\"DRA\x1b[2J\",stage=\"\"} 1\n"), "..."},
      {"a line without an end", metric("name=\"DRAx\",stage=\"\"} 1"), "..."},
      {"a line that is too long",
       metric("name=\"DRA" + std::string(2000, 'x') + "\"} 1\n") +
           metric("name=\"DRAy\",stage=\"\"} 0\n"),
       "DRAy=0..."},
      {"no lines at all", std::string(100'000, 'x'), "..."},
  };
  for (const Case& row : rows) {
    CAPTURE(row.name);
    CHECK(read(row.lines, 50) == row.want);
  }
  std::string many;
  for (int i = 0; i < 5000; ++i)
    many += metric(base::format("name=\"DRAx{}\",stage=\"\"}} 1\n", i));
  FeatureGateReader reader;
  CHECK(reader.read(many));
  CHECK(reader.take().size() == 500);
}

// The gates that a server tells, or "error"; how often it was asked.
std::string ask(const ScriptedServer::Handler& handler, base::Duration timeout = {}) {
  const ScriptedServer server(handler);
  Connection connection;
  connection.server = {.tls = false, .host = "127.0.0.1", .port = server.port()};
  connection.request_timeout = timeout;
  Client client(connection);
  const auto gates = client.feature_gates();
  // Whatever came of it, the client goes on.
  const bool alive = client.get("/next").ok();
  std::size_t asked = 0;
  for (const ScriptedRequest& request : server.requests())
    asked += request.target == "/metrics" ? 1 : 0;
  return base::format("{}{}{}", gates.ok() ? to_line(gates.value()) : "error",
                      asked == 1 ? "" : base::format(", asked {} times", asked),
                      alive ? "" : ", and no more");
}

ScriptedServer::Handler metrics(ScriptedAnswer scripted) {
  return [scripted = std::move(scripted)](const ScriptedRequest& request) {
    return request.target == "/metrics" ? scripted : answer(200, "{}");
  };
}

TEST_CASE("a server tells its gates, or does not") {
  const std::string text = "Content-Type: text/plain; version=0.0.4\r\n";
  CHECK(ask(metrics(answer(200, kBefore + kGates + kAfter, text))) == kWant);
  // Most of it is never read.
  CHECK(ask(metrics(answer(200, kBefore + kGates + kAfter + std::string(20'000'000, 'x'), text))) ==
        kWant);
  CHECK(ask(metrics(answer(200, kBefore + kGates, text))) == kWant);
  CHECK(ask(metrics(answer(200, kBefore + kAfter, text))) == "error");
  CHECK(ask(metrics(answer(200, "", text))) == "error");
  CHECK(ask(metrics(answer(403, R"({"kind":"Status","code":403})"))) == "error");
  CHECK(ask(metrics(answer(404, kGates, text))) == "error");
  // It is not asked a second time, however politely it asks for patience.
  CHECK(ask(metrics(answer(429, "", "Retry-After: 1\r\n"))) == "error");
  CHECK(ask(metrics(answer(503, "", "Retry-After: 1\r\n"))) == "error");
  CHECK(ask(metrics({"", true})) == "error");
  CHECK(ask(metrics({"garbage\r\n\r\n", true})) == "error");
  // Half of an answer is none.
  CHECK(ask(metrics({"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n" + kBefore + kGates,
                     true})) == "error");
}

}  // namespace
}  // namespace dra::session::feature_gates_test
