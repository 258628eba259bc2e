// tests/session/kubeconfig_test.cpp

#include "dra/session/kubeconfig.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "dra/base/text.h"
#include "tests/session/kubeconfig_text.h"
#include "tests/support/temp_dir.h"

namespace dra::session::kubeconfig_test {
namespace {

using Files = std::vector<std::pair<std::string, std::string>>;

// `LS0tLS1CRUdJTiBY` is "-----BEGIN X": all that is looked at before a connection is tried.
constexpr const char* kData = "LS0tLS1CRUdJTiBY";
constexpr const char* kPem = "-----BEGIN X from a file";

const std::string kPlain = config(kServer, "token: secret");

struct Case {
  std::string name;
  Files files;             // DIR/NAME
  ConnectionFlags flags;   // $ stands for DIR/
  std::string kubeconfig;  // the variable; $ stands for DIR/
  std::string want;
};

const ConnectionFlags kNone = {};

const Case kFound[] = {
    {"~/.kube/config is used when nothing is named",
     {{"home/.kube/config", kPlain}},
     kNone,
     "",
     "https://host:6443 ns=default token=secret from kubeconfig $home/.kube/config, context x"},
    {"KUBECONFIG comes before ~/.kube/config",
     {{"home/.kube/config", kPlain}, {"a", config("server: 'https://a'", "token: t")}},
     kNone,
     "$a",
     "https://a:443 ns=default token=t from kubeconfig $a, context x"},
    {"--kubeconfig comes before KUBECONFIG",
     {{"a", kPlain}, {"b", config("server: 'https://b'", "")}},
     {.kubeconfig = "$b"},
     "$a",
     "https://b:443 ns=default from kubeconfig $b, context x"},
    {"missing and empty entries of KUBECONFIG are passed over",
     {{"b", kPlain}, {"empty", ""}},
     kNone,
     "$missing::$empty:$b:$b",
     "https://host:6443 ns=default token=secret from kubeconfig $b, context x"},
    {"the first file that defines a cluster wins whole, without mixing fields",
     {{"a", "clusters: [{name: c, cluster: {server: 'https://first'}}]"},
      {"b", config("server: 'https://second', tls-server-name: other", "")}},
     kNone,
     "$a:$b",
     "https://first:443 ns=default from kubeconfig $b, context x"},
    {"the first current-context that is not empty wins",
     {{"a", "current-context: ''\n"}, {"b", kPlain}, {"c", "current-context: z"}},
     kNone,
     "$a:$b:$c",
     "https://host:6443 ns=default token=secret from kubeconfig $b, context x"},
    {"data in base64 is decoded",
     {{"a",
       config(kServer + ", certificate-authority-data: " + kData,
              std::string("client-certificate-data: ") + kData + ", client-key-data: " + kData)}},
     kNone,
     "$a",
     "https://host:6443 ns=default ca=-----BEGIN X cert=-----BEGIN X key=-----BEGIN X from "
     "kubeconfig "
     "$a, context x"},
    {"relative paths start at the directory of the file that names them",
     {{"d/a", config(kServer + ", certificate-authority: ca.pem", "tokenFile: ../token")},
      {"d/ca.pem", kPem},
      {"token", "  from-file\n"}},
     kNone,
     "$d/a",
     "https://host:6443 ns=default token=from-file ca=-----BEGIN X from a file from kubeconfig "
     "$d/a, "
     "context x"},
    {"a token is used while the token file cannot be read",
     {{"a", config(kServer, "token: t, tokenFile: nowhere")}},
     kNone,
     "$a",
     "https://host:6443 ns=default token=t from kubeconfig $a, context x"},
    {"a token file is preferred to a token",
     {{"a", config(kServer, "token: t, tokenFile: f")}, {"f", "of-the-file"}},
     kNone,
     "$a",
     "https://host:6443 ns=default token=of-the-file from kubeconfig $a, context x"},
    {"--token replaces a token file",
     {{"a", config(kServer, "tokenFile: f")}, {"f", "of-the-file"}},
     {.token = "flag"},
     "$a",
     "https://host:6443 ns=default token=flag from kubeconfig $a, context x"},
    {"a certificate goes with a token file",
     {{"a", config(kServer, std::string("tokenFile: f, client-certificate-data: ") + kData +
                                ", client-key-data: " + kData)},
      {"f", "of-the-file"}},
     kNone,
     "$a",
     "https://host:6443 ns=default token=of-the-file cert=-----BEGIN X key=-----BEGIN X from "
     "kubeconfig $a, context x"},
    {"no credentials are for a server without TLS, and no file with them is read",
     {{"a", config("server: 'http://host'", "token: t, tokenFile: nowhere")}},
     {.client_certificate = "$nowhere", .client_key = "$nowhere"},
     "$a",
     "http://host:80 ns=default from kubeconfig $a, context x"},
    {"--client-certificate and --client-key replace files and data",
     {{"a", config(kServer, std::string("client-certificate: nowhere, client-key-data: ") + kData)},
      {"cert", kPem},
      {"key", kPem}},
     {.client_certificate = "$cert", .client_key = "$key"},
     "$a",
     "https://host:6443 ns=default cert=-----BEGIN X from a file key=-----BEGIN X from a file from "
     "kubeconfig $a, context x"},
    {"--client-certificate alone goes with the kubeconfig's key",
     {{"a", config(kServer, std::string("client-certificate: nowhere, client-key-data: ") + kData)},
      {"cert", kPem}},
     {.client_certificate = "$cert"},
     "$a",
     "https://host:6443 ns=default cert=-----BEGIN X from a file key=-----BEGIN X from kubeconfig "
     "$a, context x"},
    {"the proxy of the cluster is kept",
     {{"a", config(kServer + ", proxy-url: 'socks5://p:1080'", "")}},
     kNone,
     "$a",
     "https://host:6443 ns=default proxy=socks5://p:1080 from kubeconfig $a, context x"},
    {"--proxy-url and --disable-compression come before the cluster's",
     {{"a", config(kServer + ", proxy-url: 'socks5://p:1080'", "")}},
     {.proxy_url = "http://q:80", .disable_compression = true},
     "$a",
     "https://host:6443 ns=default proxy=http://q:80 uncompressed from kubeconfig $a, context x"},
    {"the namespace of the context is used",
     {{"a", config(kServer, "", "cluster: c, user: u, namespace: team")}},
     kNone,
     "$a",
     "https://host:6443 ns=team from kubeconfig $a, context x"},
    {"--namespace comes before the context's",
     {{"a", config(kServer, "", "cluster: c, user: u, namespace: team")}},
     {.namespace_ = "mine"},
     "$a",
     "https://host:6443 ns=mine from kubeconfig $a, context x"},
    {"a context without a user is anonymous",
     {{"a", config(kServer, "token: t", "cluster: c")}},
     kNone,
     "$a",
     "https://host:6443 ns=default from kubeconfig $a, context x"},
    {"the path of the address is kept, its query is not",
     {{"a", config("server: 'https://host/k8s/c-1/?q=1#f'", "")}},
     kNone,
     "$a",
     "https://host:443/k8s/c-1 ns=default from kubeconfig $a, context x"},
    {"an address without a scheme is http, as in client-go",
     {{"a", config("server: '10.0.0.1:8080'", "")}},
     kNone,
     "$a",
     "http://10.0.0.1:8080 ns=default from kubeconfig $a, context x"},
    {"an address without a scheme is http where a CA is given, too",
     {{"a", config(std::string("server: '[::1]:6443', certificate-authority-data: ") + kData, "")}},
     kNone,
     "$a",
     "http://[::1]:6443 ns=default ca=-----BEGIN X from kubeconfig $a, context x"},
    {"--server takes tls-server-name away, --tls-server-name gives another",
     {{"a", config(kServer + ", tls-server-name: old", "")}},
     {.server = "https://other:1", .tls_server_name = "new"},
     "$a",
     "https://other:1 ns=default name=new from kubeconfig $a, context x"},
    {"--insecure-skip-tls-verify takes the CA away",
     {{"a", config(kServer + ", certificate-authority: nowhere", "")}},
     {.insecure_skip_tls_verify = true},
     "$a",
     "https://host:6443 ns=default insecure from kubeconfig $a, context x"},
    {"--certificate-authority takes the kubeconfig's trust away",
     {{"a", config(kServer + ", insecure-skip-tls-verify: true", "")}, {"ca", kPem}},
     {.certificate_authority = "$ca"},
     "$a",
     "https://host:6443 ns=default ca=-----BEGIN X from a file from kubeconfig $a, context x"},
    {"--token replaces an exec plugin",
     {{"a",
       config(kServer, "exec: {command: gke, apiVersion: client.authentication.k8s.io/v1beta1}")}},
     {.token = "flag"},
     "$a",
     "https://host:6443 ns=default token=flag from kubeconfig $a, context x"},
    {"a token of the user is used before an exec plugin",
     {{"a",
       config(kServer,
              "token: t, exec: {command: gke, apiVersion: client.authentication.k8s.io/v1beta1}")}},
     kNone,
     "$a",
     "https://host:6443 ns=default token=t from kubeconfig $a, context x"},
    {"--cluster and --user replace the context's",
     {{"a",
       "users: [{name: v, user: {token: w}}]\nclusters: [{name: d, cluster: {server: "
       "'https://d'}}]"},
      {"b", kPlain}},
     {.cluster = "d", .user = "v"},
     "$b:$a",
     "https://d:443 ns=default token=w from kubeconfig $b, context x"},
    {"--server alone needs no kubeconfig",
     {},
     {.server = "http://localhost:8001"},
     "",
     "http://localhost:8001 ns=default from --server"},
    {"unknown fields and null are ignored",
     {{"a",
       "apiVersion: v1\nkind: Config\npreferences: {colors: true}\nextensions: null\nusers:\n"
       "clusters: [{name: c, cluster: {server: 'https://h', tls-server-name: null, x: 1}}]\n"
       "contexts: [{name: x, context: {cluster: c}}]\ncurrent-context: x\n"}},
     kNone,
     "$a",
     "https://h:443 ns=default from kubeconfig $a, context x"},
    {"--request-timeout takes Go's durations and bare seconds",
     {{"a", kPlain}},
     {.request_timeout = "5"},
     "$a",
     "https://host:6443 ns=default token=secret timeout=5 from kubeconfig $a, context x"},
};

const Case kRefused[] = {
    {"no configuration at all",
     {},
     kNone,
     "",
     "NotConfigured: no cluster is configured: there is no $home/.kube/config | set KUBECONFIG, "
     "name a "
     "file with --kubeconfig, or use --snapshot FILE or --demo to work without a cluster"},
    {"a KUBECONFIG whose files are all missing",
     {{"home/.kube/config", kPlain}},
     kNone,
     "$a:$b",
     "NotConfigured: no cluster is configured: there is no $a, $b | set KUBECONFIG, name a file "
     "with "
     "--kubeconfig, or use --snapshot FILE or --demo to work without a cluster"},
    {"an empty file",
     {{"a", "# nothing\n"}},
     kNone,
     "$a",
     "NotConfigured: no cluster is configured: $a is empty | set KUBECONFIG, name a file with "
     "--kubeconfig, or use --snapshot FILE or --demo to work without a cluster"},
    {"--kubeconfig must name an existing file",
     {},
     {.kubeconfig = "$a"},
     "",
     "NotFound: there is no kubeconfig $a, which --kubeconfig names | name an existing file, or "
     "omit "
     "--kubeconfig to use KUBECONFIG or ~/.kube/config"},
    {"a directory is no kubeconfig",
     {{"d/a", ""}},
     kNone,
     "$d",
     "Io: kubeconfig: cannot read $d: Is a directory"},
    {"broken YAML says where",
     {{"a", "clusters:\n- name: 'x\n"}},
     kNone,
     "$a",
     "BadInput: kubeconfig $a: line 2, column 9: the quoted text that starts here has no closing "
     "quote"},
    {"a manifest is no kubeconfig",
     {{"a", "apiVersion: v1\nkind: Pod\n"}},
     kNone,
     "$a",
     "BadInput: kubeconfig $a: line 2: this is a Pod, not a kubeconfig (kind: Config)"},
    {"another version is unknown",
     {{"a", "apiVersion: v2\nkind: Config\n"}},
     kNone,
     "$a",
     "BadInput: kubeconfig $a: line 1: kubeconfigs have apiVersion v1, not v2"},
    {"text is no kubeconfig",
     {{"a", "hello"}},
     kNone,
     "$a",
     "BadInput: kubeconfig $a: line 1, column 1: a kubeconfig must be an object, not a string"},
    {"a list must be a list",
     {{"a", "users: {}"}},
     kNone,
     "$a",
     "BadInput: kubeconfig $a: line 1, column 8: users must be a list, not an object"},
    {"an entry must be an object",
     {{"a", "users: [u]"}},
     kNone,
     "$a",
     "BadInput: kubeconfig $a: line 1, column 9: an entry of users must be an object with a name, "
     "not a "
     "string"},
    {"a token that YAML takes for a number is not text",
     {{"a", config(kServer, "token: 123")}},
     kNone,
     "$a",
     "BadInput: kubeconfig $a: line 7, column 17: token must be text, not a number"},
    {"a switch must be true or false",
     {{"a", config(kServer + ", insecure-skip-tls-verify: 'true'", "")}},
     kNone,
     "$a",
     "BadInput: kubeconfig $a: line 4, column 68: insecure-skip-tls-verify must be true or false, "
     "not a "
     "string"},
    {"a name twice in one file",
     {{"a", "users:\n- name: u\n- name: u\n"}},
     kNone,
     "$a",
     "BadInput: kubeconfig $a: line 3, column 3: the user u is defined twice"},
    {"current-context that is not set",
     {{"a", "contexts: [{name: prod}, {name: dev}]"}},
     kNone,
     "$a",
     "BadInput: kubeconfig $a: no context is chosen, as current-context is not set | the contexts "
     "are: "
     "dev, prod; choose one with --context NAME or `kubectl config use-context NAME`"},
    {"current-context that is not there",
     {{"a", "current-context: gone\ncontexts: [{name: prod}]"}},
     kNone,
     "$a",
     "BadInput: kubeconfig $a: current-context names the context gone, which is not there | the "
     "contexts are: prod"},
    {"--context that is almost there",
     {{"a", "contexts: [{name: staging}, {name: prod}]"}},
     {.context = "stagng"},
     "$a",
     "BadInput: --context names the context stagng, which is not there | did you mean staging? the "
     "contexts are: prod, staging"},
    {"a context that names an absent cluster",
     {{"a", config(kServer, "", "cluster: gone, user: u")}},
     kNone,
     "$a",
     "BadInput: kubeconfig $a: line 10: the context x names the cluster gone, which is not there | "
     "the "
     "clusters are: c"},
    {"a context that names an absent user",
     {{"a", config(kServer, "", "cluster: c, user: gone")}},
     kNone,
     "$a",
     "BadInput: kubeconfig $a: line 10: the context x names the user gone, which is not there | "
     "the "
     "users are: u"},
    {"a context without a cluster",
     {{"a", config(kServer, "", "user: u")}},
     kNone,
     "$a",
     "BadInput: kubeconfig $a: the context x names no cluster | the clusters are: c; choose one "
     "with "
     "--cluster NAME"},
    {"--user that is not there",
     {{"a", kPlain}},
     {.user = "nobody"},
     "$a",
     "BadInput: --user names the user nobody, which is not there | the users are: u"},
    {"a cluster without a server",
     {{"a", config("tls-server-name: x", "")}},
     kNone,
     "$a",
     "BadInput: kubeconfig $a: the cluster c has no server | add its address as server, or give it "
     "with "
     "--server"},
    {"an address with another scheme",
     {{"a", config("server: 'ftp://host'", "")}},
     kNone,
     "$a",
     "BadInput: kubeconfig $a: line 4: the server address ftp://host cannot be used: it must begin "
     "with "
     "https:// or http:// | an address looks like https://host:6443"},
    {"an address with a password, which is not repeated",
     {{"a", config("server: 'https://me:pw@host'", "")}},
     kNone,
     "$a",
     "BadInput: kubeconfig $a: line 4: the server address https://... cannot be used: it holds a "
     "user "
     "name or a password | an address looks like https://host:6443"},
    {"a port that is no port",
     {},
     {.server = "https://h:70000"},
     "",
     "BadInput: --server: the server address https://h:70000 cannot be used: its port must be a "
     "number "
     "from 1 to 65535 | an address looks like https://host:6443"},
    {"an address with a line break",
     {},
     {.server = "https://h/a\r\nX: y"},
     "",
     "BadInput: --server: the server address https://h/a\\r\\nX: y cannot be used: its path holds "
     "characters that a URL cannot have | an address looks like https://host:6443"},
    {"a CA that is not base64",
     {{"a", config(kServer + ", certificate-authority-data: '%%%'", "")}},
     kNone,
     "$a",
     "BadInput: kubeconfig $a: line 4: certificate-authority-data is not base64 | put the output "
     "of "
     "`base64 -w0 FILE` there, or name the file with certificate-authority"},
    {"data that is base64 of something else",
     {{"a", config(kServer + ", certificate-authority-data: aGVsbG8=", "")}},
     kNone,
     "$a",
     "BadInput: kubeconfig $a: line 4: certificate-authority-data holds no PEM text | PEM text has "
     "a "
     "line that begins with -----BEGIN"},
    {"a CA file that is missing",
     {{"a", config(kServer + ", certificate-authority: ca.pem", "")}},
     kNone,
     "$a",
     "NotFound: kubeconfig $a: line 4: certificate-authority: cannot read $ca.pem: No such file or "
     "directory"},
    {"a CA as data and as file",
     {{"a",
       config(kServer + ", certificate-authority: f, certificate-authority-data: " + kData, "")}},
     kNone,
     "$a",
     "BadInput: kubeconfig $a: line 4: certificate-authority and certificate-authority-data are "
     "both "
     "set | remove one of the two"},
    {"a CA that is not to be used",
     {{"a",
       config(kServer + ", insecure-skip-tls-verify: true, certificate-authority-data: " + kData,
              "")}},
     kNone,
     "$a",
     "BadInput: kubeconfig $a: line 4: the cluster c has a CA, and insecure-skip-tls-verify that "
     "says "
     "not to use it | remove insecure-skip-tls-verify"},
    {"a certificate without its key",
     {{"a", config(kServer, std::string("client-certificate-data: ") + kData)}},
     kNone,
     "$a",
     "BadInput: kubeconfig $a: line 7: the user u has a client-certificate but no client-key | add "
     "client-key or client-key-data"},
    {"a key without its certificate",
     {{"a", config(kServer, std::string("client-key-data: ") + kData)}},
     kNone,
     "$a",
     "BadInput: kubeconfig $a: line 7: the user u has a client-key but no client-certificate | add "
     "client-certificate or client-certificate-data"},
    {"a key that needs a password",
     {{"a", config(kServer, std::string("client-key: key, client-certificate-data: ") + kData)},
      {"key", "-----BEGIN ENCRYPTED PRIVATE KEY-----"}},
     kNone,
     "$a",
     "BadInput: kubeconfig $a: line 7: the client key of the user u is encrypted | decrypt it with "
     "`openssl pkey -in KEY -out PLAIN`"},
    {"a token file that is missing",
     {{"a", config(kServer, "tokenFile: token")}},
     kNone,
     "$a",
     "NotFound: kubeconfig $a: line 7: tokenFile: cannot read $token: No such file or directory"},
    {"a token that would end its header",
     {{"a", config(kServer, "token: \"a\\r\\nX: y\"")}},
     kNone,
     "$a",
     "BadInput: kubeconfig $a: line 7: the token holds a space, a line break or another character "
     "that "
     "tokens cannot have | check that nothing but the token was copied"},
    {"flags for a client certificate that is not there",
     {{"a", kPlain}},
     {.client_certificate = "$cert", .client_key = "$key"},
     "$a",
     "NotFound: --client-certificate: cannot read $cert: No such file or directory"},
    {"--client-certificate without a key",
     {{"a", kPlain}, {"cert", kPem}},
     {.client_certificate = "$cert"},
     "$a",
     "BadInput: --client-certificate: the user u has a client-certificate but no client-key | add "
     "client-key or client-key-data"},
    {"--certificate-authority that is not there",
     {{"a", kPlain}},
     {.certificate_authority = "$ca"},
     "$a",
     "NotFound: --certificate-authority: cannot read $ca: No such file or directory"},
    {"a token by flag that would end its header",
     {{"a", kPlain}},
     {.token = "a\nb"},
     "$a",
     "BadInput: --token: the token holds a space, a line break or another character that tokens "
     "cannot have | check that nothing but the token was copied"},
    {"a proxy of an unknown kind",
     {{"a", config(kServer + ", proxy-url: 'socks4://me:pw@p'", "")}},
     kNone,
     "$a",
     "BadInput: the proxy that proxy-url in kubeconfig $a, context x gives has the scheme socks4, "
     "but must be http, https or socks5 | it looks like http://host:3128, https://host:3128 or "
     "socks5://host:1080"},
    {"flags that contradict each other",
     {{"a", kPlain}},
     {.certificate_authority = "$a", .insecure_skip_tls_verify = true},
     "$a",
     "BadInput: --certificate-authority and --insecure-skip-tls-verify contradict each other | "
     "leave one "
     "of the two away"},
    {"a name of the certificate that would change the URL",
     {{"a", config(kServer + ", tls-server-name: 'a/b'", "")}},
     kNone,
     "$a",
     "BadInput: kubeconfig $a: line 4: tls-server-name is not a host name | it is a name that the "
     "server's certificate is made out to"},
};

const char* name_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::BadInput:
      return "BadInput";
    case ErrorKind::NotConfigured:
      return "NotConfigured";
    case ErrorKind::NotFound:
      return "NotFound";
    case ErrorKind::Io:
      return "Io";
    default:
      return "?";
  }
}

std::string to_line(const Error& error) {
  std::string line = base::format("{}: {}", name_of(error.kind), error.message);
  if (!error.hint.empty()) line += " | " + error.hint;
  return line;
}

std::string to_line(const Result<Connection>& result) {
  if (!result.ok()) return to_line(result.error());
  Connection found = result.value();
  if (found.authenticator) {
    const Result<Credentials> credentials = found.authenticator->current();
    if (!credentials.ok()) return to_line(credentials.error());
    found.token = credentials.value().token;
    found.client_certificate_pem = credentials.value().client_certificate_pem;
    found.client_key_pem = credentials.value().client_key_pem;
  }
  std::string line = base::format("{} ns={}", found.server.url(), found.namespace_);
  const std::pair<const char*, const std::string&> texts[] = {
      {"token", found.token},
      {"ca", found.ca_pem},
      {"cert", found.client_certificate_pem},
      {"key", found.client_key_pem},
      {"name", found.tls_server_name},
      {"proxy", found.proxy_url}};
  for (const auto& [name, text] : texts) {
    if (!text.empty()) line += base::format(" {}={}", name, text);
  }
  if (found.insecure) line += " insecure";
  if (!found.compression) line += " uncompressed";
  if (found.request_timeout.nanos != 0) {
    line += base::format(" timeout={}", found.request_timeout.nanos / 1'000'000'000);
  }
  return line + " from " + found.origin;
}

void check(const Case& row) {
  CAPTURE(row.name);
  const support::TempDir directory;
  const std::string root = directory.path("");
  for (const auto& [name, text] : row.files)
    directory.write(name, text);
  ConnectionFlags flags = row.flags;
  for (std::string* path : {&flags.kubeconfig, &flags.certificate_authority,
                            &flags.client_certificate, &flags.client_key}) {
    *path = replaced(*path, "$", root);
  }
  Environment environment;
  environment.variables = {{"HOME", directory.path("home")},
                           {"KUBECONFIG", replaced(row.kubeconfig, "$", root)}};
  CHECK(replaced(to_line(resolve_connection(flags, environment)), root, "$") == row.want);
}

TEST_CASE("what a kubeconfig and flags say") {
  for (const Case& row : kFound)
    check(row);
}

TEST_CASE("what is refused, and in which words") {
  for (const Case& row : kRefused)
    check(row);
}

class PodTest {
 public:
  PodTest() {
    pod_.write("token", "pod-token\n");
    pod_.write("ca.crt", kPem);
    pod_.write("namespace", "team");
    environment.service_account = pod_.path();
    environment.variables = {{"KUBERNETES_SERVICE_HOST", "fd00::1"},
                             {"KUBERNETES_SERVICE_PORT", "443"}};
  }

  std::string line(const ConnectionFlags& flags = {}) const {
    return replaced(to_line(resolve_connection(flags, environment)), pod_.path(), "$");
  }
  const support::TempDir& files() const { return pod_; }

  Environment environment;

 private:
  support::TempDir pod_;
};

TEST_CASE("a pod's service account is used when nothing is configured") {
  PodTest pod;
  CHECK(pod.line() ==
        "https://[fd00::1]:443 ns=team token=pod-token ca=-----BEGIN X from a file from service "
        "account of this pod");
  CHECK(pod.line({.namespace_ = "n", .token = "t", .insecure_skip_tls_verify = true}) ==
        "https://[fd00::1]:443 ns=n token=t insecure from service account of this pod");
  pod.environment.variables["POD_NAMESPACE"] = "mine";
  CHECK(pod.line().find("ns=mine ") != std::string::npos);
  CHECK(pod.line({.context = "x"}) ==
        "BadInput: --context names the context x, which is not there | the kubeconfig has no "
        "contexts");
  pod.environment.variables.erase("KUBERNETES_SERVICE_PORT");
  CHECK(pod.line().starts_with("NotConfigured: "));
}

TEST_CASE("flags count in a pod, too") {
  const PodTest pod;
  const std::string pem = pod.files().write("pem", "-----BEGIN Y");
  CHECK(pod.line({.client_certificate = pem, .client_key = pem}) ==
        "https://[fd00::1]:443 ns=team ca=-----BEGIN X from a file cert=-----BEGIN Y "
        "key=-----BEGIN Y from service account of this pod");
  CHECK(pod.line({.certificate_authority = pem, .tls_server_name = "n"}) ==
        "https://[fd00::1]:443 ns=team token=pod-token ca=-----BEGIN Y name=n from service account "
        "of this pod");
}

TEST_CASE("a kubeconfig that chooses nothing leaves a pod with its service account") {
  PodTest pod;
  pod.environment.variables["KUBECONFIG"] = pod.files().write("kc", "users: [{name: u}]");
  CHECK(pod.line().starts_with("https://[fd00::1]:443 ns=team token=pod-token "));
}

TEST_CASE("a context without a namespace means the pod's, where there is one") {
  PodTest pod;
  pod.environment.variables["KUBECONFIG"] = pod.files().write("kc", kPlain);
  CHECK(pod.line() == "https://host:6443 ns=team token=secret from kubeconfig $/kc, context x");
  const std::string named = config(kServer, "", "cluster: c, namespace: default");
  pod.environment.variables["KUBECONFIG"] = pod.files().write("kc", named);
  CHECK(pod.line() == "https://host:6443 ns=default from kubeconfig $/kc, context x");
}

TEST_CASE("a pod without a CA file trusts the system's store, without a token it has nothing") {
  PodTest pod;
  std::filesystem::remove(pod.files().path("ca.crt"));
  CHECK(pod.line() ==
        "https://[fd00::1]:443 ns=team token=pod-token from service account of this pod");
  std::filesystem::remove(pod.files().path("token"));
  CHECK(pod.line().starts_with("NotConfigured: "));
}

}  // namespace
}  // namespace dra::session::kubeconfig_test
