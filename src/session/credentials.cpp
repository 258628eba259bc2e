// src/session/credentials.cpp: see credentials.h.

#include "src/session/credentials.h"

#include <array>
#include <optional>
#include <utility>

#include "dra/base/files.h"
#include "dra/base/text.h"
#include "src/session/base64.h"

namespace dra::session {
namespace {

constexpr std::size_t kMaxFile = std::size_t{4} << 20U;
constexpr const char* kPodOrigin = "service account of this pod";
constexpr const char* kUseToken =
    "use a token instead (--token, or token in the kubeconfig), for example from `kubectl create "
    "token NAME`, or a client certificate";

std::string place_of(const std::string& file, const Text& field) {
  return base::format("kubeconfig {}: line {}", file, field.line);
}

Error bad_field(const std::string& file, const Text& field, const std::string& problem,
                std::string hint) {
  return {ErrorKind::BadInput, place_of(file, field) + ": " + problem, std::move(hint)};
}

// A value that a kubeconfig gives in one of two fields.
struct DataOrFile {
  std::string_view key;  // of the field that names a file; the other one is `key`-data
  const Text& data;
  const Text& path;
};

// The PEM text, or none if neither field is set. Both at once are an error in clientcmd as well.
Result<std::string> read_pem(const std::string& file, const DataOrFile& value) {
  if (!value.data.empty() && !value.path.empty()) {
    return bad_field(file, value.path, base::format("{0} and {0}-data are both set", value.key),
                     "remove one of the two");
  }
  if (value.data.empty() && value.path.empty()) return std::string();
  std::string pem;
  if (value.data.empty()) {
    const std::string path = base::join_path(base::directory_of(file), value.path.text);
    Result<std::string> read =
        base::read_file(path, kMaxFile)
            .context(base::format("{}: {}", place_of(file, value.path), value.key));
    pem = DRA_TRY(std::move(read));
  } else {
    std::optional<std::string> decoded = decode_base64(value.data.text);
    if (!decoded) {
      return bad_field(file, value.data, base::format("{}-data is not base64", value.key),
                       base::format("put the output of `base64 -w0 FILE` there, or name the file "
                                    "with {}",
                                    value.key));
    }
    pem = *std::move(decoded);
  }
  if (pem.find("-----BEGIN ") != std::string::npos) return pem;
  const Text& used = value.data.empty() ? value.path : value.data;
  return bad_field(
      file, used,
      base::format("{}{} holds no PEM text", value.key, value.data.empty() ? "" : "-data"),
      "PEM text has a line that begins with -----BEGIN");
}

// What we cannot do yet, or servers no longer do. To go on without would be to act as somebody
// else.
Result<Done> refuse_unsupported(const UserEntry& user) {
  struct Row {
    const Text& field;
    std::string problem;
  };
  const std::array<Row, 5> rows = {{
      {user.impersonate, base::format("impersonates {}", user.impersonate.text)},
      {user.exec_command,
       base::format("takes its credentials from the program {} (exec)", user.exec_command.text)},
      {user.auth_provider, base::format("uses the auth-provider {}", user.auth_provider.text)},
      {user.username, "has a user name and a password, which API servers no longer accept"},
      {user.password, "has a password, which API servers no longer accept"},
  }};
  for (const Row& row : rows) {
    if (row.field.line == 0) continue;
    // A token is used before a program is asked for one (client-go's exec authenticator).
    if (&row.field == &user.exec_command && !user.token.empty()) continue;
    return bad_field(
        user.file, row.field,
        base::format("the user {} {}: this version does not support that", user.name, row.problem),
        kUseToken);
  }
  return Done{};
}

std::string trimmed_file(const std::string& path) {
  const Result<std::string> text = base::read_file(path, kMaxFile);
  return text.ok() ? std::string(base::trim(text.value())) : std::string();
}

}  // namespace

Result<Done> add_cluster_trust(const ClusterEntry& cluster, Connection& connection) {
  connection.ca_pem =
      DRA_TRY(read_pem(cluster.file, {"certificate-authority", cluster.certificate_authority_data,
                                      cluster.certificate_authority}));
  connection.insecure = cluster.insecure_skip_tls_verify;
  if (connection.insecure && !connection.ca_pem.empty()) {
    const Text& field = cluster.certificate_authority.empty() ? cluster.certificate_authority_data
                                                              : cluster.certificate_authority;
    return bad_field(cluster.file, field,
                     base::format("the cluster {} has a CA, and insecure-skip-tls-verify that says "
                                  "not to use it",
                                  cluster.name),
                     "remove insecure-skip-tls-verify");
  }
  return Done{};
}

Result<Done> add_user_credentials(const UserEntry& user, Connection& connection) {
  DRA_TRY(refuse_unsupported(user));
  const DataOrFile certificate{"client-certificate", user.client_certificate_data,
                               user.client_certificate};
  const DataOrFile key{"client-key", user.client_key_data, user.client_key};
  connection.client_certificate_pem = DRA_TRY(read_pem(user.file, certificate));
  connection.client_key_pem = DRA_TRY(read_pem(user.file, key));
  const bool has_certificate = !connection.client_certificate_pem.empty();
  if (has_certificate != !connection.client_key_pem.empty()) {
    const DataOrFile& present = has_certificate ? certificate : key;
    const DataOrFile& absent = has_certificate ? key : certificate;
    return bad_field(
        user.file, present.data.empty() ? present.path : present.data,
        base::format("the user {} has a {} but no {}", user.name, present.key, absent.key),
        base::format("add {0} or {0}-data", absent.key));
  }
  if (connection.client_key_pem.find("ENCRYPTED") != std::string::npos) {
    return bad_field(user.file, user.client_key.empty() ? user.client_key_data : user.client_key,
                     base::format("the client key of user {} is encrypted", user.name),
                     "decrypt it with `openssl pkey -in KEY -out PLAIN`");
  }
  // clientcmd takes the token if both are set, and only re-reads the file later.
  if (!user.token.empty()) {
    connection.token =
        DRA_TRY(checked_token(user.token.text).context(place_of(user.file, user.token)));
  } else if (!user.token_file.empty()) {
    const std::string place = place_of(user.file, user.token_file) + ": tokenFile";
    const std::string path = base::join_path(base::directory_of(user.file), user.token_file.text);
    const std::string text = DRA_TRY(base::read_file(path, kMaxFile).context(place));
    connection.token = DRA_TRY(checked_token(text).context(place));
  }
  return Done{};
}

Result<std::string> checked_token(std::string_view text) {
  const std::string_view token = base::trim(text);
  for (const char c : token) {
    if (static_cast<unsigned char>(c) > ' ' && static_cast<unsigned char>(c) < 0x7f) continue;
    return Error{ErrorKind::BadInput,
                 "the token holds a space, a line break or another character "
                 "that tokens cannot have",
                 "check that nothing but the token was copied"};
  }
  if (token.empty()) return Error{ErrorKind::BadInput, "the token is empty", {}};
  return std::string(token);
}

Result<std::string> read_certificates(const std::string& path) {
  std::string pem = DRA_TRY(base::read_file(path, kMaxFile));
  if (pem.find("-----BEGIN ") == std::string::npos) {
    return Error{ErrorKind::BadInput, path + " holds no PEM text",
                 "PEM text has a line that begins with -----BEGIN"};
  }
  return pem;
}

bool runs_in_pod(const Environment& environment) {
  return !environment.get("KUBERNETES_SERVICE_HOST").empty() &&
         !environment.get("KUBERNETES_SERVICE_PORT").empty() &&
         base::exists(base::join_path(environment.service_account, "token"));
}

// client-go's rest.InClusterConfig; the namespace as clientcmd's inClusterClientConfig finds it.
Result<Connection> pod_connection(const Environment& environment) {
  const std::string_view host = environment.get("KUBERNETES_SERVICE_HOST");
  const bool v6 = host.find(':') != std::string_view::npos;
  const std::string address =
      base::format(v6 ? "[{}]:{}" : "{}:{}", host, environment.get("KUBERNETES_SERVICE_PORT"));
  Connection connection;
  connection.server = DRA_TRY(parse_server(address, true).context(kPodOrigin));
  const std::string token_path = base::join_path(environment.service_account, "token");
  const std::string token = DRA_TRY(base::read_file(token_path, kMaxFile).context(kPodOrigin));
  connection.token = DRA_TRY(checked_token(token).context(token_path));
  connection.ca_pem =
      DRA_TRY(read_certificates(base::join_path(environment.service_account, "ca.crt"))
                  .context(kPodOrigin));
  connection.namespace_ = environment.get("POD_NAMESPACE");
  if (connection.namespace_.empty()) {
    connection.namespace_ = trimmed_file(base::join_path(environment.service_account, "namespace"));
  }
  if (connection.namespace_.empty()) connection.namespace_ = "default";
  connection.origin = kPodOrigin;
  return connection;
}

}  // namespace dra::session
