// tests/session/proxy_test.cpp
//
// Which proxy is used, and that requests go through it. Rows about NO_PROXY follow those of
// golang.org/x/net/http/httpproxy's UseProxyTests and proxyForURLTests.

#include "dra/session/proxy.h"

#include <doctest/doctest.h>

#include "dra/base/text.h"
#include "dra/session/client.h"
#include "tests/support/certificates.h"
#include "tests/support/scripted_proxy.h"
#include "tests/support/scripted_server.h"

namespace dra::session::proxy_test {
namespace {

using support::answer;
using support::ScriptedProxy;
using support::ScriptedRequest;
using support::ScriptedServer;
using support::TestCa;
using Variables = std::map<std::string, std::string, std::less<>>;

struct Case {
  std::string name;
  std::string server;
  std::string configured;
  Variables environment;
  std::string want;  // the proxy's URL, or the message of an error
};

const std::string kServer = "https://api.test:6443";
const std::string kProxy = "http://p.test:80";

const Case kCases[] = {
    {"nothing is set", kServer, "", {}, ""},
    {"proxy-url", kServer, "http://p.test:3128", {}, "http://p.test:3128"},
    {"proxy-url wins over the environment and NO_PROXY",
     kServer,
     "socks5://p.test",
     {{"HTTPS_PROXY", "http://other"}, {"NO_PROXY", "*"}},
     "socks5://p.test:1080"},
    {"proxy-url is used for the loopback, too",
     "https://127.0.0.1:6443",
     "https://p.test",
     {},
     "https://p.test:443"},
    {"user and password",
     kServer,
     "http://me%40x:p%2Fw@[::1]/path",
     {},
     "http://me%40x:p%2Fw@[::1]:80"},
    {"a scheme in capitals", kServer, "HTTP://p.test", {}, kProxy},
    {"a scheme that clientcmd refuses",
     kServer,
     "socks5h://p.test",
     {},
     "the proxy that proxy-url gives has the scheme socks5h, but must be http, https or socks5"},
    {"no scheme",
     kServer,
     "p.test:3128",
     {},
     "the proxy that proxy-url gives cannot be used: it is not a URL with a host"},
    {"no host",
     kServer,
     "http://me:pw@:80",
     {},
     "the proxy that proxy-url gives cannot be used: it is not a URL with a host"},
    {"a port that is none",
     kServer,
     "http://p.test:x",
     {},
     "the proxy that proxy-url gives cannot be used: it is not a URL with a host"},
    {"a broken escape",
     kServer,
     "http://a%zz:b@p.test",
     {},
     "the proxy that proxy-url gives cannot be used: it is not a URL with a host"},
    {"a name that SOCKS cannot tell",
     "https://" + std::string(256, 'a'),
     "socks5://p.test",
     {},
     "the server's host name has 256 characters, and a SOCKS proxy can be told 255"},
    {"the longest name that it can",
     "https://" + std::string(255, 'a'),
     "socks5://p.test",
     {},
     "socks5://p.test:1080"},

    {"HTTPS_PROXY", kServer, "", {{"HTTPS_PROXY", "http://p.test"}}, kProxy},
    {"https_proxy", kServer, "", {{"https_proxy", "http://p.test"}}, kProxy},
    {"capitals win", kServer, "", {{"https_proxy", "q"}, {"HTTPS_PROXY", "p.test"}}, kProxy},
    {"an empty one does not",
     kServer,
     "",
     {{"https_proxy", "p.test"}, {"HTTPS_PROXY", ""}},
     kProxy},
    {"without a scheme", kServer, "", {{"HTTPS_PROXY", "p.test:8080"}}, "http://p.test:8080"},
    {"an address without a scheme",
     kServer,
     "",
     {{"HTTPS_PROXY", "10.0.0.1"}},
     "http://10.0.0.1:80"},
    {"socks5h", kServer, "", {{"HTTPS_PROXY", "socks5h://p.test"}}, "socks5h://p.test:1080"},
    {"another scheme",
     kServer,
     "",
     {{"https_proxy", "ftp://me:pw@p.test"}},
     "the proxy that https_proxy gives has the scheme ftp, but must be http, https or socks5"},
    {"nonsense is ignored, as by Go", kServer, "", {{"HTTPS_PROXY", "[::1"}}, ""},
    {"HTTP_PROXY is not for TLS", kServer, "", {{"HTTP_PROXY", "p.test"}}, ""},
    {"ALL_PROXY is not Go's", kServer, "", {{"ALL_PROXY", "p.test"}}, ""},
    {"HTTP_PROXY", "http://api.test", "", {{"HTTP_PROXY", "p.test"}}, kProxy},
    {"HTTPS_PROXY is for TLS only", "http://api.test", "", {{"HTTPS_PROXY", "p.test"}}, ""},
    {"HTTP_PROXY in a CGI program",
     "http://api.test",
     "",
     {{"HTTP_PROXY", "p.test"}, {"REQUEST_METHOD", "GET"}},
     "HTTP_PROXY is not used where REQUEST_METHOD is set: in a CGI program, a client could have "
     "set "
     "it"},
    {"HTTPS_PROXY in a CGI program",
     kServer,
     "",
     {{"HTTPS_PROXY", "p.test"}, {"REQUEST_METHOD", "GET"}},
     kProxy},
    {"no_proxy counts, too",
     kServer,
     "",
     {{"HTTPS_PROXY", "p.test"}, {"no_proxy", "api.test"}},
     ""},
};

TEST_CASE("which proxy is used") {
  for (const Case& row : kCases) {
    CAPTURE(row.name);
    const ServerAddress server = parse_server(row.server, true).value();
    const auto proxy = proxy_for(server, row.configured, {.variables = row.environment});
    CHECK((proxy.ok() ? proxy.value() : proxy.error().message) == row.want);
    CHECK((proxy.ok() || proxy.error().hint.find("pw") == std::string::npos));
  }
}

struct Bypass {
  std::string server;  // host, or URL
  std::string no_proxy;
  bool direct;
};

const Bypass kBypasses[] = {
    {"localhost", "", true},
    {"127.0.0.1", "", true},
    {"127.0.0.2", "", true},
    {"[::1]", "", true},
    {"[::ffff:127.0.0.1]", "", true},
    {"[::2]", "", false},
    {"LOCALHOST", "", false},
    {"localhost.net", "", false},
    {"192.168.1.1", "192.168.1.1", true},
    {"192.168.1.2", "192.168.1.1", false},
    {"[::ffff:192.168.1.1]", "192.168.1.1", true},
    {"192.168.1.1", "192.168.1.1:443", true},
    {"https://192.168.1.1:6443", "192.168.1.1:443", false},
    {"https://192.168.1.1:6443", "192.168.1.1:6443", true},
    {"192.168.1.1", "192.168.0.0/16", true},
    {"192.169.1.1", "192.168.0.0/16", false},
    {"192.168.1.1", "192.168.77.1/16", true},
    {"192.168.1.1", "0.0.0.0/0", true},
    {"192.168.1.1", "::/0", false},
    {"192.168.1.1", "192.168.1.0/33", false},
    {"192.168.1.1", "192.168.1.0/", false},
    {"[2001:db8::52:0:1]", "2001:db8::52:0:1", true},
    {"[2001:db8::52:0:2]", "2001:db8::52:0:1", false},
    {"[2001:db8::52:0:2]", "2001:db8::52:0:0/32", true},
    {"[2001:db8::52:0:1]", "[2001:db8::52:0:1]:443", true},
    {"[2001:db8::52:0:1]", "[2001:db8::52:0:1]:80", false},
    {"[fe80::1%25eth0]", "fe80::/10", true},
    {"[::1]", "0.0.0.0/0", true},
    {"[::2]", "0.0.0.0/0", false},
    {"barbaz.net", "", false},
    {"www.barbaz.net", "barbaz.net", true},
    {"barbaz.net", "barbaz.net", true},
    {"foobarbaz.net", "barbaz.net", false},
    {"barbaz.net", ".barbaz.net", false},
    {"www.barbaz.net", ".barbaz.net", true},
    {"www.barbaz.net", "*.barbaz.net", true},
    {"barbaz.net", "*.barbaz.net", false},
    {"BarBaz.net", "barbaz.net", true},
    {"barbaz.net", "BARBAZ.NET", true},
    {"barbaz.net", " barbaz.net , x", true},
    {"barbaz.net", "x,,barbaz.net", true},
    {"barbaz.net", "barbaz.net:443", true},
    {"barbaz.net", "barbaz.net:80", false},
    {"barbaz.net", "barbaz.net:", true},
    {"barbaz.net", ":443", false},
    {"barbaz.net", ":", false},
    {"barbaz.net", ",", false},
    {"barbaz.net", "*", true},
    {"barbaz.net", "x, *", true},
    {"192.168.1.1", "*", true},
    {"barbaz.net", "*x", false},
    {"1.2.3.4", "3.4", false},
    {"barbaz.net", "net", true},
};

TEST_CASE("which servers are reached without the proxy of the environment") {
  for (const Bypass& row : kBypasses) {
    CAPTURE(row.server);
    CAPTURE(row.no_proxy);
    const ServerAddress server = parse_server(row.server, true).value();
    const auto proxy = proxy_for(
        server, "", {.variables = {{"HTTPS_PROXY", "p.test"}, {"NO_PROXY", row.no_proxy}}});
    CHECK(proxy.value() == (row.direct ? "" : kProxy));
  }
}

TEST_CASE("the connection says where its proxy is configured") {
  Connection connection;
  connection.server = parse_server(kServer, true).value();
  connection.origin = "kubeconfig F, context x";
  const Environment environment{.variables = {{"https_proxy", "p.test"}}};
  CHECK(choose_proxy(connection, environment).ok());
  CHECK(connection.proxy_url == kProxy);
  CHECK(connection.proxy_origin == "https_proxy");
  connection.proxy_url = "http://q.test";
  CHECK(choose_proxy(connection, environment).ok());
  CHECK(connection.proxy_url == "http://q.test:80");
  CHECK(connection.proxy_origin == "proxy-url in kubeconfig F, context x");
  connection.proxy_url = "";
  CHECK(choose_proxy(connection, {}).ok());
  CHECK(connection.proxy_origin.empty());
}

// A server with TLS that only a proxy leads to: no resolver knows its name.
struct Hidden {
  TestCa ca = TestCa();
  ScriptedServer server{
      [](const ScriptedRequest&) { return answer(200, R"({"gitVersion":"v1.37.1"})"); },
      {ca.issue("DNS:hidden.test")}};
  std::string logged = {};

  Connection through(const std::string& proxy) const {
    Connection connection;
    connection.server = {.host = "hidden.test", .port = 6443};
    connection.ca_pem = ca.certificate_pem();
    connection.token = "s3cret";
    connection.proxy_url = proxy;
    connection.proxy_origin = "HTTPS_PROXY";
    return connection;
  }

  // The server's version, or the message of the error with the proxy's port as PORT.
  std::string ask(const Connection& connection) {
    const auto write = [this](std::string_view line) { logged += std::string(line) + "\n"; };
    Client client(connection, {.http = {.log = {10, write}, .retries = {.second = {}}}});
    const Result<std::string> version = client.server_version();
    if (version.ok()) return version.value();
    std::string message = version.error().message;
    const std::size_t colon = message.find("127.0.0.1:");
    if (colon == std::string::npos) return message;
    return message.replace(colon + 10, message.find(' ', colon) - colon - 10, "PORT");
  }
};

std::string url(const char* scheme, const ScriptedProxy& proxy, const char* user = "") {
  return base::format("{}://{}127.0.0.1:{}", scheme, user, proxy.port());
}

TEST_CASE("a proxy learns where we want to go and who we are to it, and nothing else") {
  Hidden hidden;
  const ScriptedProxy proxy({.target = hidden.server.port()});
  CHECK(hidden.ask(hidden.through(url("http", proxy, "me:pa%2F55@"))) == "v1.37.1");
  REQUIRE(proxy.asked().size() == 1);
  const std::string head = proxy.asked().front();
  CAPTURE(head);
  CHECK(head.starts_with("CONNECT hidden.test:6443 HTTP/1.1\r\n"));
  CHECK(head.find("Proxy-Authorization: Basic bWU6cGEvNTU=\r\n") != std::string::npos);
  CHECK(head.find("Bearer") == std::string::npos);
  CHECK(head.find("Accept:") == std::string::npos);
  const ScriptedRequest request = hidden.server.requests().front();
  CHECK(request.headers.at("authorization") == "Bearer s3cret");
  CHECK(request.headers.count("proxy-authorization") == 0);
  CHECK(hidden.logged.find(base::format(" through http://127.0.0.1:{} 200 OK", proxy.port())) !=
        std::string::npos);
  for (const std::string_view secret : {"s3cret", "pa/55", "pa%2F55", "bWU6cGEvNTU="}) {
    CHECK(hidden.logged.find(secret) == std::string::npos);
  }
  CHECK(hidden.logged.find("X-From") == std::string::npos);
}

TEST_CASE("a SOCKS proxy is told the name of the server") {
  Hidden hidden;
  const ScriptedProxy proxy(
      {.kind = ScriptedProxy::Kind::Socks5, .target = hidden.server.port(), .wants_user = true});
  CHECK(hidden.ask(hidden.through(url("socks5", proxy, "me:pa55@"))) == "v1.37.1");
  CHECK(proxy.asked() == std::vector<std::string>{"3 hidden.test:6443 me:pa55"});
}

TEST_CASE("an address goes to a proxy as it is, while the certificate has another name") {
  Hidden hidden;
  const ScriptedProxy connect({.target = hidden.server.port()});
  const ScriptedProxy socks({.kind = ScriptedProxy::Kind::Socks5, .target = hidden.server.port()});
  for (const std::string& proxy : {url("http", connect), url("socks5", socks)}) {
    Connection connection = hidden.through(proxy);
    connection.server.host = "192.0.2.7";
    connection.tls_server_name = "hidden.test";
    CHECK(hidden.ask(connection) == "v1.37.1");
  }
  CHECK(connect.asked().front().starts_with("CONNECT 192.0.2.7:6443 "));
  CHECK(socks.asked().front() == "1 :6443");
}

TEST_CASE("without TLS the proxy passes requests on, without credentials") {
  const ScriptedServer proxy([](const ScriptedRequest& request) {
    if (request.target == "http://hidden.test:8080/version") {
      return answer(200, R"({"gitVersion":"v1.37.1"})");
    }
    return answer(407, "<html>", "");
  });
  Hidden hidden;
  Connection connection = hidden.through(base::format("http://me:pa55@127.0.0.1:{}", proxy.port()));
  connection.server = {.tls = false, .host = "hidden.test", .port = 8080};
  CHECK(hidden.ask(connection) == "v1.37.1");
  CHECK(proxy.requests().front().headers.count("authorization") == 0);
  CHECK(proxy.requests().front().headers.at("proxy-authorization") == "Basic bWU6cGE1NQ==");
  connection.server.prefix = "/elsewhere";
  CHECK(hidden.ask(connection) ==
        "the proxy http://127.0.0.1:PORT (HTTPS_PROXY) does not accept our user name and password "
        "(407)");
}

TEST_CASE("a proxy can be reached by TLS, without showing it who we are to the server") {
  const TestCa ca;
  Hidden hidden;
  // It would answer the request itself; what it refuses is the tunnel.
  const ScriptedServer proxy([](const ScriptedRequest&) { return answer(403, ""); },
                             {ca.issue("IP:127.0.0.1")});
  Connection connection = hidden.through(base::format("https://127.0.0.1:{}", proxy.port()));
  connection.ca_pem = ca.certificate_pem();
  CHECK(hidden.ask(connection) ==
        "the proxy https://127.0.0.1:PORT (HTTPS_PROXY) does not let us through to "
        "hidden.test:6443: it answers 403 Forbidden");
  CHECK(proxy.requests().front().target == "hidden.test:6443");
  CHECK(proxy.requests().front().headers.count("authorization") == 0);
  connection.ca_pem = hidden.ca.certificate_pem();
  CHECK(hidden.ask(connection)
            .starts_with("the proxy https://127.0.0.1:PORT (HTTPS_PROXY) does not lead to "
                         "hidden.test:6443: "));
}

TEST_CASE("what goes wrong at a proxy is told as the proxy's") {
  Hidden hidden;
  const ScriptedProxy refusing({.refuse = 503});
  CHECK(hidden.ask(hidden.through(url("http", refusing))) ==
        "the proxy http://127.0.0.1:PORT (HTTPS_PROXY) does not let us through to "
        "hidden.test:6443: it answers 503 Service Unavailable");
  const ScriptedProxy unwilling({.refuse = 407});
  CHECK(hidden.ask(hidden.through(url("http", unwilling, "me:wrong@"))) ==
        "the proxy http://127.0.0.1:PORT (HTTPS_PROXY) does not accept our user name and password "
        "(407)");
  const ScriptedProxy lost({.kind = ScriptedProxy::Kind::Socks5, .refuse = 4});
  CHECK(hidden.ask(hidden.through(url("socks5", lost)))
            .starts_with("the proxy socks5://127.0.0.1:PORT (HTTPS_PROXY) does not lead to "
                         "hidden.test:6443: "));
  std::uint16_t closed = 0;
  {
    const ScriptedProxy gone({});
    closed = gone.port();
  }
  for (const char* scheme : {"http", "socks5"}) {
    CHECK(hidden.ask(hidden.through(base::format("{}://127.0.0.1:{}", scheme, closed))) ==
          base::format("could not connect to the proxy {}://127.0.0.1:PORT (HTTPS_PROXY): "
                       "Connection refused",
                       scheme));
  }
  // Longer than a label of a name may be (RFC 1035), so that no name server is asked.
  const std::string nowhere = base::format("http://{}.invalid:1", std::string(64, 'x'));
  CHECK(hidden.ask(hidden.through(nowhere)) ==
        base::format("could not resolve the host of the proxy {} (HTTPS_PROXY)", nowhere));
}

}  // namespace
}  // namespace dra::session::proxy_test
