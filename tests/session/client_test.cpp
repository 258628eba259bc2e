// tests/session/client_test.cpp
//
// Against a server in this process whose answers the tests write byte by byte.

#include "dra/session/client.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "dra/base/text.h"
#include "dra/base/wire.h"
#include "dra/json/parse.h"
#include "tests/support/gzip.h"
#include "tests/support/scripted_server.h"
#include "tests/support/wire.h"

namespace dra::session::client_test {
namespace {

using support::answer;
using support::ScriptedAnswer;
using support::ScriptedRequest;
using support::ScriptedServer;

constexpr const char* kSlices = "/apis/resource.k8s.io/v1/resourceslices";

Connection to(const ScriptedServer& server) {
  Connection connection;
  connection.server = {.tls = false, .host = "127.0.0.1", .port = server.port()};
  connection.context = "x";
  connection.origin = "kubeconfig F, context x";
  return connection;
}

std::string status(int code, const std::string& reason, const std::string& message,
                   const std::string& name = {}) {
  return base::format(
      R"({{"kind":"Status","apiVersion":"v1","status":"Failure","message":"{}","reason":"{}",)"
      R"("details":{{"name":"{}"}},"code":{}}})",
      message, reason, name, code);
}

std::string page(const std::string& item, const std::string& continue_token = {}) {
  return base::format(
      R"({{"kind":"List","metadata":{{"resourceVersion":"7","continue":"{}"}},"items":["{}"]}})",
      continue_token, item);
}

const char* name_of(ErrorKind kind) {
  static constexpr const char* names[] = {"BadInput",  "NotConfigured", "NotFound", "Unauthorized",
                                          "Denied",    "NotServed",     "Gone",     "Unreachable",
                                          "BadAnswer", "Server",        "Io",       "Interrupted"};
  return names[static_cast<int>(kind)];
}

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += by.size()) {
    text.replace(at, old.size(), by);
  }
  return text;
}

std::string to_line(const Error& error) {
  std::string line = base::format("{}: ", name_of(error.kind));
  if (!error.title.empty()) line += base::format("{}: ", error.title);
  line += error.message;
  if (!error.hint.empty()) line += " | " + error.hint;
  return line;
}

// The answer to one get(), or the error with the server's port as PORT.
std::string get_line(const ScriptedServer& server, Client& client, const char* path = kSlices) {
  const Result<base::Page> result = client.get(path);
  if (result.ok()) return std::string(result.value().text());
  return replaced(to_line(result.error()), std::to_string(server.port()), "PORT");
}

// What a test's lists have received: items of each list, with commas between.
struct Collected {
  std::vector<std::string> items;
  std::vector<Result<ListPage>> results = {};

  Result<ListPage> take(std::size_t list, const base::Page& received) {
    const json::Value root = DRA_TRY(json::parse_json(received.text()));
    for (const json::Value& item : root.find("items")->items()) {
      if (!items[list].empty()) items[list] += ",";
      items[list] += item.text();
    }
    return ListPage{root.at({"metadata", "continue"})->text(),
                    root.at({"metadata", "resourceVersion"})->text(),
                    root.find("items")->items().size()};
  }
};

Collected list_all(Client& client, const std::vector<std::string>& paths) {
  Collected collected{std::vector<std::string>(paths.size())};
  const auto on_page = [&](std::size_t list, const base::Page& received) {
    return collected.take(list, received);
  };
  const auto on_restart = [&](std::size_t list) { collected.items[list] = "restarted"; };
  std::vector<ListTarget> lists;
  for (const std::string& path : paths)
    lists.push_back({path});
  collected.results = client.list(lists, on_page, on_restart);
  return collected;
}

struct Case {
  std::string name;
  ScriptedAnswer answer;
  std::string want;
};

const std::string kIsIt =
    " | is http://127.0.0.1:PORT the address of a Kubernetes API server? It comes from kubeconfig "
    "F, "
    "context x";
const std::string kRights = " | `kubectl dra rbac` shows which rights are needed";
const std::string kNothingAt =
    " | there is nothing at /apis/resource.k8s.io/v1/resourceslices; `kubectl api-versions` lists "
    "what is served";
const std::string kUrl = std::string("GET http://127.0.0.1:PORT") + kSlices;

const Case kCases[] = {
    {"a JSON document is handed over as it came", answer(200, " {\"a\": 1}\n"), " {\"a\": 1}\n"},
    {"chunks are put together",
     {"HTTP/1.1 200 OK\r\nTransfer-Encoding: "
      "chunked\r\n\r\n2\r\n{\"\r\n4\r\na\":1\r\n1\r\n}\r\n0\r\n\r\n"},
     "{\"a\":1}"},
    {"warnings of the server do not disturb",
     answer(200, "{}", "Warning: 299 - \"resource.k8s.io/v1beta1 is deprecated\"\r\n"), "{}"},
    {"401 asks for credentials", answer(401, status(401, "Unauthorized", "Unauthorized")),
     "Unauthorized: You must be logged in to the server (Unauthorized) | check the credentials of "
     "context x"},
    {"401 of a proxy", answer(401, "<html>", ""),
     "Unauthorized: You must be logged in to the server (the server has asked for the client to "
     "provide credentials (get resourceslices.resource.k8s.io)) | check the credentials of context "
     "x"},
    {"403 says what the server says",
     answer(403, status(403, "Forbidden", "alice cannot list slices")),
     "Denied: Error from server (Forbidden): alice cannot list slices" + kRights},
    {"403 without a Status", answer(403, "no\x1b[31m entry"),
     "Denied: Error from server (Forbidden): \"no^[[31m entry\" (get "
     "resourceslices.resource.k8s.io)" +
         kRights},
    {"404 with the name of an object",
     answer(404, status(404, "NotFound", "pods x not found", "x")),
     "NotFound: Error from server (NotFound): pods x not found"},
    {"404 without one",
     answer(404, status(404, "NotFound", "the server could not find the requested resource")),
     "NotServed: Error from server (NotFound): the server could not find the requested resource" +
         kNothingAt},
    {"404 in plain text, as for an unknown group", answer(404, "404 page not found\n", ""),
     "NotServed: Error from server (NotFound): the server could not find the requested resource "
     "(get resourceslices.resource.k8s.io)" +
         kNothingAt},
    {"404 of a web server", answer(404, "<html>", ""),
     "BadAnswer: the answer to " + kUrl + " is not JSON: 404 Not Found, beginning with \"<html>\"" +
         kIsIt},
    {"410", answer(410, status(410, "Expired", "too old")),
     "Gone: Error from server (Expired): too old | ask again from the start"},
    {"429", answer(429, status(429, "TooManyRequests", "slow down")),
     "Server: Error from server (TooManyRequests): slow down | try again later"},
    {"429 without a Status", answer(429, "slow down", ""),
     "Server: Error from server (TooManyRequests): the server has received too many requests and "
     "has asked us to try again later (get resourceslices.resource.k8s.io) | try again later"},
    {"500 without a Status", answer(500, "oops", ""),
     "Server: Error from server (InternalError): an error on the server (\"oops\") has prevented "
     "the request from succeeding (get resourceslices.resource.k8s.io) | try again later"},
    {"503 of a load balancer", answer(503, "<html>", ""),
     "Server: Error from server (ServiceUnavailable): the server is currently unable to handle the "
     "request (get resourceslices.resource.k8s.io) | try again later"},
    {"504 of a load balancer", answer(504, "", ""),
     "Server: Error from server (Timeout): the server was unable to return a response in the time "
     "allotted, but may still be processing the request (get resourceslices.resource.k8s.io) | try "
     "again later"},
    {"another refusal with a Status", answer(400, status(400, "BadRequest", "no such selector")),
     "Server: Error from server (BadRequest): no such selector"},
    {"a refusal without a reason", answer(400, status(400, "", "no")),
     "Server: Error from server: no"},
    {"a Status with the code of a success", answer(200, status(403, "Forbidden", "not you")),
     "Denied: Error from server (Forbidden): not you" + kRights},
    {"a Status of a success is a document", answer(200, R"({"kind":"Status","status":"Success"})"),
     R"({"kind":"Status","status":"Success"})"},
    {"what breaks rules: each cause once",
     answer(422, R"({"kind":"Status","status":"Failure","reason":"Invalid","details":{"kind":"Pod",
         "name":"p","causes":[{"field":"a","message":"bad"},{"field":"a","message":"bad"},
         {"field":"b","message":"worse"}]}})"),
     "Server: The Pod \"p\" is invalid: a: bad; b: worse"},
    {"what breaks rules, without more", answer(422, status(422, "Invalid", "no good")),
     "Server: The request is invalid: no good"},
    {"a web page is quoted, cut and without control characters",
     answer(200,
            "\n<!DOCTYPE html>\x1b]0;title\x07<title>Please log in to the company portal</title>"),
     "BadAnswer: the answer to " + kUrl +
         " is not JSON: 200 OK, beginning with \"<!DOCTYPE html>^[]0;title^G<title>Please log in "
         "to the "
         "company...\"" +
         kIsIt},
    {"nothing at all is no JSON", answer(200, ""),
     "BadAnswer: the answer to " + kUrl + " is not JSON: 200 OK, beginning with nothing" + kIsIt},
    {"a redirect is not followed", answer(302, "", "Location: https://login.test/?token=t\r\n"),
     "BadAnswer: the server redirects " + kUrl + " to https://login.test/, which is not followed" +
         kIsIt},
    {"a server that wants TLS",
     answer(400, "Client sent an HTTP request to an HTTPS server.\n", ""),
     "BadAnswer: the answer to " + kUrl +
         " is not JSON: 400 Bad Request, beginning with \"Client sent an "
         "HTTP request to an HTTPS server.\" | the address in kubeconfig F, context x must begin "
         "with "
         "https://"},
    {"a body shorter than announced",
     {"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"a\":", true},
     "BadAnswer: the server closed the connection in the middle of the answer to " + kUrl +
         " (truncated) | try again; a proxy between may limit the size of answers"},
    {"chunks without an end",
     {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"a\":\r\n", true},
     "BadAnswer: the server closed the connection in the middle of the answer to " + kUrl +
         " (truncated) | try again; a proxy between may limit the size of answers"},
    {"a connection closed without a word",
     {"", true},
     "Unreachable: 127.0.0.1:PORT closed the connection without an answer | is the address in "
     "kubeconfig F, context x that of a Kubernetes API server?"},
    {"no HTTP",
     {"SSH-2.0-OpenSSH_9.2\r\n", true},
     "BadAnswer: the answer to " + kUrl +
         " breaks the HTTP protocol: Received HTTP/0.9 when not allowed "
         "| is the address in kubeconfig F, context x that of a Kubernetes API server?"},
};

TEST_CASE("what comes of an answer") {
  for (const Case& row : kCases) {
    CAPTURE(row.name);
    const ScriptedServer server([&](const ScriptedRequest&) { return row.answer; });
    Client client(to(server), {.http = {.retries = {.second = {}}}});
    CHECK(get_line(server, client) == row.want);
  }
}

TEST_CASE("messages do not show the query") {
  const ScriptedServer server([](const ScriptedRequest&) { return answer(500, "oops"); });
  Client client(to(server));
  CHECK(get_line(server, client, "/api/v1/pods?continue=abc").find("abc") == std::string::npos);
}

// {"gitVersion":"v1.37.1"}
constexpr char kZippedBytes[] =
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xab\x56\x4a\xcf\x2c\x09\x4b\x2d\x2a\xce\xcc"
    "\xcf\x53\xb2\x52\x2a\x33\xd4\x33\x36\xd7\x33\x54\xaa\x05\x00\x44\x96\xe1\xdf\x18\x00"
    "\x00\x00";
constexpr std::string_view kZipped(kZippedBytes, sizeof(kZippedBytes) - 1);

TEST_CASE("a compressed body is decompressed, and asked for only from another machine") {
  const ScriptedServer server(
      [&](const ScriptedRequest&) { return answer(200, kZipped, "Content-Encoding: gzip\r\n"); });
  Client near(to(server));
  CHECK(near.server_version().value() == "v1.37.1");
  Connection connection = to(server);
  connection.server.host = "0.0.0.0";  // reaches the loopback, too, but is not called so
  Client far(connection);
  CHECK(far.server_version().value() == "v1.37.1");
  connection.compression = false;
  Client plain(connection);
  CHECK(plain.server_version().value() == "v1.37.1");
  const std::vector<ScriptedRequest> requests = server.requests();
  CHECK(requests[0].headers.at("accept-encoding") == "identity");
  CHECK(requests[1].headers.at("accept-encoding") == "gzip");
  CHECK(requests[2].headers.at("accept-encoding") == "identity");
}

TEST_CASE("a compressed body that is cut off is no document") {
  for (std::size_t size = 12; size < kZipped.size(); ++size) {
    CAPTURE(size);
    const ScriptedServer server([&](const ScriptedRequest&) {
      return answer(200, kZipped.substr(0, size), "Content-Encoding: gzip\r\n");
    });
    Client client(to(server));
    const Result<std::string> version = client.server_version();
    // Only a check sum may be missing.
    if (version.ok()) {
      CHECK(version.value() == "v1.37.1");
    } else {
      CHECK(version.error().kind == ErrorKind::BadAnswer);
    }
  }
}

TEST_CASE("a damaged compressed body is an error") {
  const ScriptedServer server(
      [](const ScriptedRequest&) { return answer(200, "no gzip", "Content-Encoding: gzip\r\n"); });
  Client client(to(server));
  CHECK(get_line(server, client).starts_with("BadAnswer: the answer to " + kUrl + " breaks"));
}

constexpr const char* kTooLong =
    "BadAnswer: the answers of 127.0.0.1:PORT are longer than 2 MiB together | ask for less, as "
    "with -n NAMESPACE, or set KUBECTL_DRA_MAX_READ=8Mi if the cluster is that large and there is "
    "memory for it";

TEST_CASE("answers may not be longer together than the limit") {
  const ScriptedServer server(
      [](const ScriptedRequest&) { return answer(200, "{" + std::string(1U << 20U, ' ') + "}"); });
  Client client(to(server), {.http = {.max_bytes = std::size_t{2} << 20U}});
  CHECK(client.get("/a").ok());
  CHECK(get_line(server, client) == kTooLong);
}

TEST_CASE("pages that are passed on do not count together") {
  const ScriptedServer server([](const ScriptedRequest& request) {
    const bool last = request.target.find("continue=t3") != std::string::npos;
    const std::size_t at = request.target.find("continue=t");
    const int number = at == std::string::npos ? 1 : request.target[at + 10] - '0' + 1;
    const std::string token = last ? "" : base::format("t{}", number);
    return answer(200, page(std::string(1U << 20U, 'x'), token));
  });
  Client client(to(server), {.http = {.max_bytes = std::size_t{5} << 19U}});
  int pages = 0;
  const auto on_page = [&pages](std::size_t, const base::Page& received) -> Result<ListPage> {
    ++pages;
    const json::Value root = DRA_TRY(json::parse_json(received.text()));
    return ListPage{.continue_token = root.at({"metadata", "continue"})->text(), .objects = 500};
  };
  const std::vector<ListTarget> lists = {{.path = "/s", .passed_on = true}};
  const auto results = client.list(lists, on_page, [](std::size_t) {});
  if (!results.front().ok()) FAIL(to_line(results.front().error()));
  CHECK(pages == 4);
}

TEST_CASE("objects count for the memory that they take") {
  std::string items = "\"\"";
  for (int i = 0; i < 999; ++i)
    items += ",\"\"";
  std::atomic<int> pages = 0;
  const ScriptedServer server([&](const ScriptedRequest&) {
    return answer(200, base::format(R"({{"metadata":{{"resourceVersion":"7","continue":"{}"}},)"
                                    R"("items":[{}]}})",
                                    ++pages, items));
  });
  Client client(to(server), {.http = {.max_bytes = std::size_t{2} << 20U}});
  const Collected got = list_all(client, {"/s"});
  CHECK(replaced(to_line(got.results[0].error()), std::to_string(server.port()), "PORT") ==
        kTooLong);
  CHECK(pages.load() <= 4);  // one is asked for ahead
}

TEST_CASE("a list whose pages are all but empty is given up") {
  std::atomic<int> pages = 0;
  const ScriptedServer server(
      [&](const ScriptedRequest&) { return answer(200, page("a", base::format("t{}", ++pages))); });
  Client client(to(server));
  const Collected got = list_all(client, {"/s"});
  CHECK(got.results[0].error().message.ends_with("/s: the server's list does not end"));
  CHECK(pages.load() <= 22);
}

TEST_CASE("trailers and interim answers without an end are given up") {
  std::string many;
  for (int i = 0; i < 6'000; ++i)
    many += base::format("X-Trailer-{}: {}\r\n", i, std::string(60, 'x'));
  const std::string trailers =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n" + many + "\r\n";
  std::string interim;
  for (int i = 0; i < 12'000; ++i)
    interim += "HTTP/1.1 103 Early Hints\r\n\r\n";
  for (const std::string& bytes : {trailers, interim}) {
    const ScriptedServer server([&](const ScriptedRequest&) {
      return ScriptedAnswer{bytes, true};
    });
    Client client(to(server));
    CAPTURE(bytes.substr(0, 40));
    CHECK(get_line(server, client) ==
          "BadAnswer: the headers of the answer to " + kUrl +
              " are longer than 256 KiB | is the address in kubeconfig F, context x that of a "
              "Kubernetes API server?");
  }
}

TEST_CASE("a small answer that unpacks to a large one is given up at the limit") {
  const std::string bomb = support::gzip_bomb(std::size_t{16} << 20U);
  CHECK(bomb.size() < 200'000);
  const ScriptedServer server(
      [&](const ScriptedRequest&) { return answer(200, bomb, "Content-Encoding: gzip\r\n"); });
  Client client(to(server), {.http = {.max_bytes = std::size_t{2} << 20U}});
  CHECK(get_line(server, client) == kTooLong);
}

TEST_CASE("a server that is not there refuses the connection") {
  std::uint16_t port = 0;
  Connection connection;
  {
    const ScriptedServer server([](const ScriptedRequest&) { return answer(200, "{}"); });
    connection = to(server);
    port = server.port();
  }
  Client client(connection);
  const Result<base::Page> result = client.get("/version");
  REQUIRE_FALSE(result.ok());
  CHECK(to_line(result.error()) ==
        base::format(
            "Unreachable: connection refused at 127.0.0.1:{} | is the server running, and is "
            "its address in kubeconfig F, context x right?",
            port));
}

TEST_CASE("a request gets no more time than it was given") {
  std::mutex mutex;
  std::condition_variable changed;
  bool over = false;
  const ScriptedServer server([&](const ScriptedRequest&) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return over; });
    return answer(200, "{}");
  });
  Connection connection = to(server);
  connection.request_timeout = {20'000'000};
  Client client(connection);
  CHECK(get_line(server, client) ==
        "Unreachable: 127.0.0.1:PORT did not answer within 20 ms, the time that --request-timeout "
        "gives "
        "| give it more time with --request-timeout");
  const std::lock_guard lock(mutex);
  over = true;
  changed.notify_all();
}

TEST_CASE("requests go below the prefix, say who asks, and use one connection one after another") {
  const ScriptedServer server([](const ScriptedRequest&) { return answer(200, "{}"); });
  Connection connection = to(server);
  connection.server.prefix = "/k8s/c-1";
  Client client(connection, {.http = {.user_agent = "kubectl-dra/v0"}});
  CHECK(get_line(server, client, "/version?a=%2F..") == "{}");
  const std::vector<ScriptedRequest> requests = server.requests();
  CHECK(requests[0].target == "/k8s/c-1/version?a=%2F..");
  CHECK(requests[0].headers.at("user-agent") == "kubectl-dra/v0");
  CHECK(requests[0].headers.at("accept") == "application/json");
}

TEST_CASE("a token is never sent over http, and no log shows it") {
  const ScriptedServer server([](const ScriptedRequest& request) {
    if (request.target == "/echo")
      return answer(403, status(403, "Forbidden", "token s3cret is bad"));
    return answer(401, status(401, "Unauthorized", "Unauthorized"),
                  "Set-Cookie: id=c00kie\r\nX-Note: \x1b[31m\r\n");
  });
  Connection connection = to(server);
  connection.token = "s3cret";
  std::string logged;
  const auto write = [&](std::string_view line) { logged += std::string(line) + "\n"; };
  Client client(connection, {.http = {.log = {.verbosity = 10, .write = write}}});
  CHECK(
      get_line(server, client, "/x?token=s3cret") ==
      "Unauthorized: You must be logged in to the server (Unauthorized) | check the credentials of "
      "context x; its token is not sent, as the address is not https");
  CHECK(get_line(server, client, "/echo") ==
        "Denied: Error from server (Forbidden): token <masked> is bad" + kRights);
  for (const ScriptedRequest& request : server.requests()) {
    CHECK(request.headers.count("authorization") == 0);
  }
  CHECK(logged.find("s3cret") == std::string::npos);
  CHECK(logged.find("c00kie") == std::string::npos);
  CHECK(logged.find('\x1b') == std::string::npos);
  CHECK(logged.find("/x?token=<masked> 401 Unauthorized in ") != std::string::npos);
}

TEST_CASE("the log says as much as it is asked for") {
  const ScriptedServer server([](const ScriptedRequest&) { return answer(200, "{}"); });
  struct Row {
    int verbosity;
    bool request, sent, received;
  };
  for (const Row& row : {Row{5, false, false, false}, Row{6, true, false, false},
                         Row{7, true, true, false}, Row{8, true, true, true}}) {
    CAPTURE(row.verbosity);
    std::string logged;
    const auto write = [&](std::string_view line) { logged += std::string(line) + "\n"; };
    Client client(to(server), {.http = {.log = {.verbosity = row.verbosity, .write = write}}});
    CHECK(get_line(server, client) == "{}");
    CHECK((logged.find(" 200 OK in ") != std::string::npos) == row.request);
    CHECK((logged.find("    Accept: application/json") != std::string::npos) == row.sent);
    CHECK((logged.find("    Content-Length: 2") != std::string::npos) == row.received);
  }
}

TEST_CASE("a list is read page by page, and its token is escaped") {
  const ScriptedServer server([](const ScriptedRequest& request) {
    if (request.target.find("continue=") == std::string::npos)
      return answer(200, page("a", "t/+ 1="));
    return answer(200, page("b"));
  });
  Client client(to(server));
  const Collected got = list_all(client, {"/s?fieldSelector=spec.driver%3Dd"});
  CHECK(got.items[0] == "a,b");
  CHECK(got.results[0].value().resource_version == "7");
  const std::vector<ScriptedRequest> requests = server.requests();
  REQUIRE(requests.size() == 2);
  CHECK(requests[0].target == "/s?fieldSelector=spec.driver%3Dd&limit=500");
  CHECK(requests[1].target == "/s?fieldSelector=spec.driver%3Dd&limit=500&continue=t%2F%2B%201%3D");
}

TEST_CASE("what is asked about the server is answered while lists are read") {
  const std::string gate = "kubernetes_feature_enabled{name=\"DRADeviceTaints\",stage=\"\"} 1\n";
  const ScriptedServer server([&gate](const ScriptedRequest& request) {
    if (request.target == "/metrics") return answer(200, gate, "Content-Type: text/plain\r\n");
    if (request.target == "/version") return answer(200, R"({"gitVersion":"v1.37.1"})");
    const bool last = request.target.find("continue=") != std::string::npos;
    return answer(200, last ? page("b") : page("a", "t"));
  });
  Client client(to(server));
  client.ask_about_server(true);
  client.ask_about_server(true);  // once is enough
  CHECK(client.get("/next").ok());
  CHECK(list_all(client, {"/s"}).items[0] == "a,b");
  const std::vector<Exchange> none;
  CHECK(client.exchange(none).empty());
  CHECK(client.server_version().value() == "v1.37.1");
  CHECK(client.feature_gates().value() == FeatureGates{{"DRADeviceTaints", true}});
  CHECK(server.requests().size() == 5);
  // Later questions are new ones.
  CHECK(client.server_version().value() == "v1.37.1");
  CHECK(client.feature_gates().value().size() == 1);
  CHECK(server.requests().size() == 7);
}

TEST_CASE("a client may go while the server has not answered yet") {
  const ScriptedServer server([](const ScriptedRequest&) { return answer(200, page("a")); });
  Client client(to(server));
  CHECK(client.get("/next").ok());
  client.ask_about_server(true);
}

TEST_CASE("page size 0 asks for whole lists") {
  const ScriptedServer server([](const ScriptedRequest&) { return answer(200, page("a")); });
  Client client(to(server), {.page_size = 0});
  CHECK(list_all(client, {"/s"}).items[0] == "a");
  CHECK(server.requests()[0].target == "/s");
}

TEST_CASE("an expired token starts its list again, once and whole") {
  const ScriptedServer server([](const ScriptedRequest& request) {
    if (request.target == "/s") return answer(200, page("all"));
    if (request.target == "/s?limit=2") return answer(200, page("a", "t"));
    return answer(410, status(410, "Expired", "too old"));
  });
  Client client(to(server), {.page_size = 2});
  const Collected got = list_all(client, {"/s"});
  CHECK(got.results[0].ok());
  CHECK(got.items[0] == "restarted,all");
  CHECK(server.requests().size() == 3);
}

TEST_CASE("a list that is gone from the start is not asked for again") {
  const ScriptedServer server(
      [](const ScriptedRequest&) { return answer(410, status(410, "Expired", "too old")); });
  Client client(to(server));
  const Collected got = list_all(client, {"/s"});
  CHECK(got.results[0].error().kind == ErrorKind::Gone);
  CHECK(server.requests().size() == 1);
}

TEST_CASE("a list whose pages never end is given up") {
  std::atomic<int> pages = 0;
  const ScriptedServer server(
      [&](const ScriptedRequest&) { return answer(200, page("a", base::format("t{}", ++pages))); });
  Client client(to(server), {.max_pages = 20});
  const Collected got = list_all(client, {"/s"});
  REQUIRE_FALSE(got.results[0].ok());
  CHECK(got.results[0].error().message.ends_with("/s: the server's list does not end"));
  CHECK(pages == 21);
}

TEST_CASE("a list without an end is given up") {
  const ScriptedServer server(
      [](const ScriptedRequest&) { return answer(200, page("a", "same")); });
  Client client(to(server));
  const Collected got = list_all(client, {"/s"});
  REQUIRE_FALSE(got.results[0].ok());
  CHECK(replaced(to_line(got.results[0].error()), std::to_string(server.port()), "PORT") ==
        "BadAnswer: GET http://127.0.0.1:PORT/s: the server's list does not end");
}

TEST_CASE("lists fail one by one") {
  const ScriptedServer server([](const ScriptedRequest& request) {
    if (request.target.starts_with("/denied")) return answer(403, status(403, "Forbidden", "no"));
    if (request.target.starts_with("/broken")) return answer(200, "{\"items\": [");
    if (request.target.starts_with("/cut")) {
      return ScriptedAnswer{"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{", true};
    }
    return answer(200, page("a"));
  });
  Client client(to(server));
  const Collected got = list_all(client, {"/denied", "/broken", "/cut", "/fine"});
  CHECK(got.results[0].error().kind == ErrorKind::Denied);
  CHECK(got.results[1].error().kind == ErrorKind::BadAnswer);
  CHECK(got.results[1].error().message.find("/broken: ") != std::string::npos);
  CHECK(got.results[2].error().kind == ErrorKind::BadAnswer);
  CHECK(got.results[3].ok());
  CHECK(got.items[3] == "a");
  CHECK(list_all(client, {}).results.empty());
}

// Eight handlers wait for each other: they can only go on if all eight are asked at the same time.
TEST_CASE("eight lists are in flight at once, and no more") {
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t arrived = 0;
  std::size_t inside = 0;
  std::size_t most = 0;
  const ScriptedServer server([&](const ScriptedRequest& request) {
    std::unique_lock lock(mutex);
    ++arrived;
    most = std::max(most, ++inside);
    changed.notify_all();
    const bool together = changed.wait_for(lock, std::chrono::seconds(20),
                                           [&] { return arrived >= Http::kMaxInFlight; });
    --inside;
    return together ? answer(200, page(request.target)) : answer(500, "alone");
  });
  Client client(to(server), {.page_size = 0});
  std::vector<std::string> paths;
  paths.reserve(12);
  for (int i = 0; i < 12; ++i)
    paths.push_back(base::format("/list-{}", i));
  const Collected got = list_all(client, paths);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    CHECK(got.results[i].ok());
    CHECK(got.items[i] == paths[i]);
  }
  CHECK(most == Http::kMaxInFlight);
}

TEST_CASE("discovery") {
  const ScriptedServer server([](const ScriptedRequest& request) {
    if (request.target == "/apis/resource.k8s.io") {
      return answer(200, R"({"kind":"APIGroup","versions":[{"groupVersion":"resource.k8s.io/v1",
          "version":"v1"},{"version":"v1beta2"}],"preferredVersion":{"version":"v1"}})");
    }
    if (request.target == "/apis/resource.k8s.io/v1" || request.target == "/api/v1") {
      return answer(200, R"({"kind":"APIResourceList","resources":[{"name":"resourceclaims","kind":
          "ResourceClaim"},{"name":"resourceclaims/status"},{"name":"deviceclasses"}]})");
    }
    if (request.target == "/version") return answer(200, R"({"major":"1"})");
    return answer(404, "404 page not found\n", "");
  });
  Client client(to(server));
  CHECK(client.served_versions("resource.k8s.io").value().versions ==
        std::vector<std::string>{"v1", "v1beta2"});
  CHECK(client.served_versions("nothing.test").value().versions.empty());
  const std::set<std::string> names = {"deviceclasses", "resourceclaims"};
  CHECK(client.resources("resource.k8s.io/v1").value() == names);
  CHECK(client.resources("v1").value() == names);
  CHECK(client.resources("resource.k8s.io/v9").error().kind == ErrorKind::NotServed);
  CHECK(client.server_version().error().kind == ErrorKind::BadAnswer);
}

using support::WireMessage;

std::string wire_page(const std::string& continue_token = {}) {
  const auto meta = WireMessage().bytes(2, "7").bytes(3, continue_token);
  return support::in_envelope("NodeList", WireMessage().message(1, meta));
}

// The first page names a second one, which is the last.
ScriptedAnswer wire_pages(const ScriptedRequest& request) {
  const bool second = request.target.find("continue=") != std::string::npos;
  return answer(200, wire_page(second ? "" : "t"));
}

TEST_CASE("the page after one of protobuf is asked for before that is decoded") {
  std::mutex mutex;
  std::condition_variable asked;
  int requests = 0;
  const ScriptedServer server([&](const ScriptedRequest& request) {
    const std::lock_guard lock(mutex);
    ++requests;
    asked.notify_all();
    return wire_pages(request);
  });
  Client client(to(server));
  const std::vector<ListTarget> lists = {{.path = "/n", .wire = true}};
  int pages = 0;
  const auto on_page = [&](std::size_t, const base::Page& received) -> Result<ListPage> {
    std::unique_lock lock(mutex);
    asked.wait(lock, [&] { return requests == 2; });  // without end if it came later
    ++pages;
    const auto object = base::open_wire(received.text());
    const auto meta = base::wire_list_meta(object->message);
    return ListPage{.continue_token = std::string(meta->continue_token), .objects = 500};
  };
  const auto results = client.list(lists, on_page, [](std::size_t) {});
  REQUIRE(results.front().ok());
  CHECK(pages == 2);
  for (const ScriptedRequest& request : server.requests())
    CHECK(request.headers.at("accept") == "application/vnd.kubernetes.protobuf, application/json");
  CHECK(server.requests().back().target == "/n?limit=500&continue=t");
}

TEST_CASE("a page that cannot be decoded ends its list, though the next one is on its way") {
  const ScriptedServer server(wire_pages);
  Client client(to(server));
  const std::vector<ListTarget> lists = {{.path = "/n", .wire = true}};
  int pages = 0;
  const auto on_page = [&](std::size_t, const base::Page&) -> Result<ListPage> {
    ++pages;
    return Error{ErrorKind::BadAnswer, "odd", {}};
  };
  const auto results = client.list(lists, on_page, [](std::size_t) {});
  REQUIRE(!results.front().ok());
  CHECK(results.front().error().message.ends_with("odd"));
  CHECK(pages == 1);
}

TEST_CASE("a refusal in protobuf reads as one in JSON") {
  const auto cause = WireMessage().bytes(1, "FieldValueInvalid").bytes(2, "bad").bytes(3, "spec");
  const auto details = WireMessage().bytes(1, "n").bytes(3, "nodes").message(4, cause);
  const auto refusal = WireMessage()
                           .bytes(2, "Failure")
                           .bytes(3, "nodes is forbidden")
                           .bytes(4, "Forbidden")
                           .message(5, details)
                           .number(6, 403);
  const std::string as_json = status(403, "Forbidden", "nodes is forbidden", "n");
  std::atomic<int> requests = 0;
  const ScriptedServer server([&](const ScriptedRequest&) {
    return answer(403, ++requests == 1 ? support::in_envelope("Status", refusal) : as_json);
  });
  Client client(to(server));
  const std::string first = get_line(server, client);
  CHECK(first == get_line(server, client));
  CHECK(first.find("nodes is forbidden") != std::string::npos);
}

}  // namespace
}  // namespace dra::session::client_test
