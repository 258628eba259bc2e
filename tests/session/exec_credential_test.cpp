// tests/session/exec_credential_test.cpp

#include "src/session/exec_credential.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/json/yaml.h"

namespace dra::session::exec_credential_test {
namespace {

const std::string kV1 = "client.authentication.k8s.io/v1";

// The texts here are what kubectl v1.37.1 put into the variable for the same kubeconfig.
TEST_CASE("a plugin is told what client-go tells it") {
  CHECK(write_exec_request("client.authentication.k8s.io/v1beta1", true, {}) ==
        R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1","spec":)"
        R"({"interactive":true}})"
        "\n");
  ExecCluster cluster{.server = "https://127.0.0.1:1/pre"};
  cluster.insecure = true;
  CHECK(write_exec_request(kV1, false, cluster) ==
        R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":)"
        R"({"cluster":{"server":"https://127.0.0.1:1/pre","insecure-skip-tls-verify":true,)"
        R"("config":null},"interactive":false}})"
        "\n");
}

TEST_CASE("a plugin is told all of the cluster, in client-go's order and escapes") {
  ExecCluster cluster{.server = "https://127.0.0.1:1/pre", .tls_server_name = "sn"};
  cluster.ca_pem = "-----BEGIN X";
  cluster.proxy_url = "http://u:p@127.0.0.1:2";
  cluster.disable_compression = true;
  cluster.config =
      json::parse_yaml(R"({z: "<a&b>", a: 1.50, list: [on, 0o17, 1e3], "é": "\u2028x"})")
          .value()
          .front();
  CHECK(write_exec_request(kV1, false, cluster) ==
        R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":)"
        R"({"cluster":{"server":"https://127.0.0.1:1/pre","tls-server-name":"sn",)"
        R"("certificate-authority-data":"LS0tLS1CRUdJTiBY","proxy-url":"http://u:p@127.0.0.1:2",)"
        R"("disable-compression":true,"config":{"a":1.5,"list":[true,15,1000],)"
        R"("z":"\u003ca\u0026b\u003e","é":"\u2028x"}},"interactive":false}})"
        "\n");
}

std::string answer(const std::string& status) {
  return R"({"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":)" +
         status + "}";
}

TEST_CASE("an answer has a token, a certificate with its key, or both") {
  const auto read = [](const std::string& text) { return read_exec_answer(text, kV1).value(); };
  CHECK(read(answer(R"({"token":"t"})")).credentials == Credentials{"t", "", ""});
  CHECK(!read(answer(R"({"token":"t","expirationTimestamp":null})")).expires);
  CHECK(read(answer(R"({"token":"t","expirationTimestamp":"2026-11-20T08:30:00Z"})")).expires ==
        base::parse_rfc3339("2026-11-20T08:30:00Z").value());
  const std::string both =
      R"({"token":"t","clientCertificateData":"-----BEGIN C","clientKeyData":"-----BEGIN K"})";
  CHECK(read(answer(both)).credentials == Credentials{"t", "-----BEGIN C", "-----BEGIN K"});
  CHECK(read("apiVersion: " + kV1 + "\nkind: ExecCredential\nstatus: {token: t}\n")
            .credentials.token == "t");
  // client-go takes the kind for granted.
  CHECK(read("{\"apiVersion\":\"" + kV1 + R"(","status":{"token":"t"}})").credentials.token == "t");
}

struct BadAnswer {
  const char* name;
  std::string text;
  std::string want;
};

TEST_CASE("what is wrong with an answer is said without quoting it") {
  const BadAnswer rows[] = {
      {"nothing", "", "it printed nothing"},
      {"words", "planted words\n", "it printed neither JSON nor YAML"},
      {"half an object", R"({"token":"planted)", "it printed neither JSON nor YAML"},
      {"an object and more", answer(R"({"token":"planted"})") + " x",
       "it printed neither JSON nor YAML"},
      {"a list", R"(["planted"])", "its answer is not an object"},
      {"another kind", R"({"apiVersion":"v1","kind":"Secret","data":"planted"})",
       "its answer is not an ExecCredential"},
      {"another version",
       R"({"apiVersion":"client.authentication.k8s.io/v1beta1","kind":"ExecCredential"})",
       "it is configured to speak apiVersion client.authentication.k8s.io/v1, but answered in "
       "client.authentication.k8s.io/v1beta1"},
      {"another group", R"({"apiVersion":"planted","kind":"ExecCredential"})",
       "it is configured to speak apiVersion client.authentication.k8s.io/v1, but answered in "
       "another one"},
      {"no version", R"({"kind":"ExecCredential"})",
       "it is configured to speak apiVersion client.authentication.k8s.io/v1, but answered "
       "without an apiVersion"},
      {"no status", R"({"apiVersion":"client.authentication.k8s.io/v1"})",
       "its answer has no status"},
      {"an empty status", answer("{}"), "it answered with neither a token nor a certificate"},
      {"a certificate alone", answer(R"({"token":"planted","clientCertificateData":"planted"})"),
       "it answered with a certificate but no key"},
      {"a key alone", answer(R"({"clientKeyData":"planted"})"),
       "it answered with a key but no certificate"},
      {"a certificate that is none",
       answer(R"({"clientCertificateData":"planted","clientKeyData":"planted"})"),
       "its certificate or key is not PEM text"},
      {"a token that is a number", answer(R"({"token":12345})"),
       "token in its answer must be text, not a number"},
      {"a token that would end its header", answer(R"({"token":"planted\r\nX: y"})"),
       "the token holds a space, a line break or another character that tokens cannot have"},
      {"a time that is none", answer(R"({"token":"planted","expirationTimestamp":"planted"})"),
       "its expirationTimestamp is not an RFC 3339 time"},
  };
  for (const BadAnswer& row : rows) {
    CAPTURE(std::string(row.name));
    const Result<ExecAnswer> result = read_exec_answer(row.text, kV1);
    REQUIRE(!result.ok());
    CHECK(result.error().message == row.want);
    CHECK(result.error().hint.find("planted") == std::string::npos);
  }
}

}  // namespace
}  // namespace dra::session::exec_credential_test
