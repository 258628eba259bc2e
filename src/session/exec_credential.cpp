// src/session/exec_credential.cpp: see exec_credential.h.

#include "src/session/exec_credential.h"

#include <utility>
#include <vector>

#include "dra/base/text.h"
#include "dra/json/parse.h"
#include "dra/json/write.h"
#include "dra/json/yaml.h"
#include "src/session/base64.h"
#include "src/session/credentials.h"

namespace dra::session {
namespace {

constexpr std::string_view kKind = "ExecCredential";

Error bad_answer(std::string problem) {
  return {ErrorKind::BadAnswer, std::move(problem),
          "its output is not shown, as it may hold a secret"};
}

json::Value cluster_value(const ExecCluster& cluster) {
  json::Value value = json::Value::object();
  value.set("server", cluster.server);
  const auto set_unless_empty = [&value](const char* key, const std::string& text) {
    if (!text.empty()) value.set(key, text);
  };
  set_unless_empty("tls-server-name", cluster.tls_server_name);
  if (cluster.insecure) value.set("insecure-skip-tls-verify", true);
  set_unless_empty("certificate-authority-data", encode_base64(cluster.ca_pem));
  set_unless_empty("proxy-url", cluster.proxy_url);
  if (cluster.disable_compression) value.set("disable-compression", true);
  json::sort_keys(value.set("config", cluster.config));
  return value;
}

// Compact JSON has these characters in strings only; Go's encoder escapes them.
std::string escaped_as_go(std::string_view json) {
  std::string escaped;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string_view rest = json.substr(i);
    if (rest.starts_with("\u2028") || rest.starts_with("\u2029")) {
      escaped += rest.starts_with("\u2028") ? "\\u2028" : "\\u2029";
      i += 2;
    } else if (rest.front() == '<' || rest.front() == '>' || rest.front() == '&') {
      escaped += base::format("\\u{:04x}", static_cast<unsigned>(rest.front()));
    } else {
      escaped += rest.front();
    }
  }
  return escaped;
}

Result<json::Value> parse(std::string_view output) {
  Result<json::Value> parsed = json::parse_json(output);
  if (parsed.ok()) return parsed;
  Result<std::vector<json::Value>> documents = json::parse_yaml(output);
  const bool one_object = documents.ok() && documents.value().size() == 1 &&
                          documents.value().front().is(json::Kind::Object);
  if (one_object) return std::move(documents.value().front());
  return bad_answer(output.empty() ? "it printed nothing" : "it printed neither JSON nor YAML");
}

// A member that is text or absent; null counts as absent.
Result<std::string> text_in(const json::Value& object, std::string_view key) {
  const json::Value* value = object.find(key);
  if (value == nullptr || value->is(json::Kind::Null)) return std::string();
  if (value->is(json::Kind::String)) return value->text();
  return bad_answer(
      base::format("{} in its answer must be text, not {}", key, json::name_of(value->kind())));
}

Result<Done> check_type(const json::Value& root, const std::string& api_version) {
  const std::string version = DRA_TRY(text_in(root, "apiVersion"));
  const std::string kind = DRA_TRY(text_in(root, "kind"));
  if (!kind.empty() && kind != kKind) return bad_answer("its answer is not an ExecCredential");
  if (version == api_version) return Done{};
  // Only a version is quoted: other text could be a secret.
  const bool known = version.starts_with("client.authentication.k8s.io/v") && version.size() < 64;
  return bad_answer(base::format("it is configured to speak apiVersion {}, but answered {}",
                                 api_version,
                                 known             ? "in " + version
                                 : version.empty() ? std::string("without an apiVersion")
                                                   : std::string("in another one")));
}

Result<Credentials> read_credentials(const json::Value& status) {
  Credentials credentials;
  const std::string token = DRA_TRY(text_in(status, "token"));
  credentials.client_certificate_pem = DRA_TRY(text_in(status, "clientCertificateData"));
  credentials.client_key_pem = DRA_TRY(text_in(status, "clientKeyData"));
  const bool certificate = !credentials.client_certificate_pem.empty();
  if (certificate == credentials.client_key_pem.empty()) {
    return bad_answer(certificate ? "it answered with a certificate but no key"
                                  : "it answered with a key but no certificate");
  }
  if (token.empty() && !certificate) {
    return bad_answer("it answered with neither a token nor a certificate");
  }
  for (const std::string* pem :
       {&credentials.client_certificate_pem, &credentials.client_key_pem}) {
    if (certificate && pem->find("-----BEGIN ") == std::string::npos) {
      return bad_answer("its certificate or key is not PEM text");
    }
  }
  if (!token.empty()) credentials.token = DRA_TRY(checked_token(token));
  return credentials;
}

}  // namespace

std::string write_exec_request(const std::string& api_version, bool interactive,
                               const std::optional<ExecCluster>& cluster) {
  json::Value spec = json::Value::object();
  if (cluster) spec.set("cluster", cluster_value(*cluster));
  spec.set("interactive", interactive);
  json::Value root = json::Value::object();
  root.set("kind", std::string(kKind));
  root.set("apiVersion", api_version);
  root.set("spec", std::move(spec));
  return escaped_as_go(json::write_json(root, json::Style::Compact)) + "\n";
}

Result<ExecAnswer> read_exec_answer(std::string_view output, const std::string& api_version) {
  const json::Value root = DRA_TRY(parse(output));
  if (!root.is(json::Kind::Object)) return bad_answer("its answer is not an object");
  DRA_TRY(check_type(root, api_version));
  const json::Value* status = root.find("status");
  if (status == nullptr || !status->is(json::Kind::Object)) {
    return bad_answer("its answer has no status");
  }
  ExecAnswer answer;
  answer.credentials = DRA_TRY(read_credentials(*status));
  const std::string expires = DRA_TRY(text_in(*status, "expirationTimestamp"));
  if (expires.empty()) return answer;
  const Result<base::Instant> instant = base::parse_rfc3339(expires);
  if (!instant.ok()) return bad_answer("its expirationTimestamp is not an RFC 3339 time");
  answer.expires = instant.value();
  return answer;
}

}  // namespace dra::session
