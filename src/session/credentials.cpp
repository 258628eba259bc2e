// src/session/credentials.cpp: PEM text from data or files, and clientcmd's rules about users.

#include "src/session/credentials.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "dra/base/files.h"
#include "dra/base/text.h"
#include "src/session/base64.h"
#include "src/session/exec_plugin.h"

namespace dra::session {
namespace {

constexpr std::size_t kMaxCertificateFile = std::size_t{4} << 20U;

// The advice for ways of authentication that no longer exist.
constexpr const char* kUseInstead =
    "use a token (token, tokenFile, --token), a client certificate or a credential plugin (exec)";

Error bad_field(const std::string& place, const std::string& problem, std::string hint) {
  return {ErrorKind::BadInput, place + ": " + problem, std::move(hint)};
}

// A value that is in one of two fields of a kubeconfig.
struct DataOrFile {
  std::string_view key;  // of the field that names a file; the other one is `key`-data
  const Text& data;
  const Text& path;
};

std::string place_of(const std::string& file, const DataOrFile& value) {
  return place_of(file, value.data.empty() ? value.path : value.data, value.key);
}

Result<std::string> read_pem_file(const std::string& file, const DataOrFile& value) {
  const bool by_flag = value.path.line == 0;
  const std::string place = place_of(file, value);
  if (by_flag) return base::read_input(value.path.text, kMaxCertificateFile).context(place);
  return base::read_file(base::join_path(base::directory_of(file), value.path.text),
                         kMaxCertificateFile)
      .context(base::format("{}: {}", place, value.key));
}

// The PEM text, or none if neither field is set. Both at once are an error in clientcmd as well.
Result<std::string> read_pem(const std::string& file, const DataOrFile& value) {
  if (!value.data.empty() && !value.path.empty()) {
    return bad_field(place_of(file, value.path, value.key),
                     base::format("{0} and {0}-data are both set", value.key),
                     "remove one of the two");
  }
  if (value.data.empty() && value.path.empty()) return std::string();
  std::string pem;
  if (value.data.empty()) {
    pem = DRA_TRY(read_pem_file(file, value));
  } else {
    std::optional<std::string> decoded = decode_base64(value.data.text);
    if (!decoded) {
      return bad_field(place_of(file, value), base::format("{}-data is not base64", value.key),
                       base::format("put the output of `base64 -w0 FILE` there, or name the file "
                                    "with {}",
                                    value.key));
    }
    pem = *std::move(decoded);
  }
  if (pem.find("-----BEGIN ") != std::string::npos) return pem;
  return bad_field(
      place_of(file, value),
      base::format("{}{} holds no PEM text", value.key, value.data.empty() ? "" : "-data"),
      "PEM text has a line that begins with -----BEGIN");
}

// "the user NAME", or words for a user that only flags describe.
std::string user_words(const UserEntry& user) {
  return user.name.empty() ? std::string("the user") : "the user " + user.name;
}

// API servers dropped basic authentication in Kubernetes v1.19; kubectl still sends it.
Result<Done> refuse_password(const UserEntry& user) {
  if (user.username.empty() && user.password.empty()) return Done{};
  const bool named = !user.username.empty();
  return bad_field(
      place_of(user.file, named ? user.username : user.password, named ? "username" : "password"),
      user_words(user) +
          " has a user name or a password, which API servers no longer take since "
          "Kubernetes v1.19",
      kUseInstead);
}

// kubectl knows oidc, and says the same of the others (client-go's plugin/pkg/client/auth).
Result<Done> refuse_auth_provider(const UserEntry& user) {
  const Text& provider = user.auth_provider;
  if (provider.line == 0) return Done{};
  const std::string place = place_of(user.file, provider, {});
  if (user.exec.line != 0) {
    return bad_field(place, user_words(user) + " has both an auth-provider and exec",
                     "remove the auth-provider");
  }
  // A token takes precedence over a provider.
  if (!user.token.empty() || !user.token_file.empty()) return Done{};
  struct Row {
    std::string_view name;
    const char* state;
    const char* hint;
  };
  constexpr std::array<Row, 3> rows = {{
      {"gcp", "which is gone from Kubernetes",
       "install the credential plugin gke-gcloud-auth-plugin and run `gcloud container clusters "
       "get-credentials` again"},
      {"azure", "which is gone from Kubernetes",
       "install the credential plugin kubelogin (Azure) and run `kubelogin convert-kubeconfig`"},
      {"oidc", "which this program does not have built in",
       "use a credential plugin instead, such as `kubectl oidc-login get-token` (kubelogin) in "
       "exec, or give a token with --token"},
  }};
  for (const Row& row : rows) {
    if (row.name != provider.text) continue;
    return bad_field(
        place,
        base::format("{} uses the auth-provider {}, {}", user_words(user), row.name, row.state),
        row.hint);
  }
  return bad_field(place,
                   base::format("{} uses the auth-provider {}, which is unknown", user_words(user),
                                provider.text),
                   kUseInstead);
}

// A header can carry the text; Go's net/http would refuse the same texts.
bool fits_header(std::string_view text) {
  return std::ranges::none_of(
      text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; });
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
    return bad_field(place_of(cluster.file, field, "certificate-authority"),
                     base::format("the cluster {} has a CA, and insecure-skip-tls-verify that says "
                                  "not to use it",
                                  cluster.name),
                     "remove insecure-skip-tls-verify");
  }
  return Done{};
}

Result<Done> check_user(const UserEntry& user) {
  DRA_TRY(refuse_password(user));
  DRA_TRY(refuse_auth_provider(user));
  if (user.exec.line != 0) DRA_TRY(plan_exec(user));
  return Done{};
}

Result<Done> add_static_credentials(const UserEntry& user, Connection& connection) {
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
        place_of(user.file, present),
        base::format("{} has a {} but no {}", user_words(user), present.key, absent.key),
        base::format("add {0} or {0}-data", absent.key));
  }
  if (connection.client_key_pem.find("ENCRYPTED") != std::string::npos) {
    return bad_field(place_of(user.file, key),
                     base::format("the client key of {} is encrypted", user_words(user)),
                     "decrypt it with `openssl pkey -in KEY -out PLAIN`");
  }
  if (user.token.empty()) return Done{};
  connection.token =
      DRA_TRY(checked_token(user.token.text).context(place_of(user.file, user.token, "token")));
  return Done{};
}

// Rules of clientcmd's validateAuthInfo.
Result<Impersonation> impersonation_of(const UserEntry& user) {
  const ActAs& act_as = user.act_as;
  const std::string place = place_of(user.file, act_as.first, act_as.first.text);
  const bool more = !act_as.uid.empty() || !act_as.groups.empty() || !act_as.extra.empty();
  if (act_as.user.empty() && more) {
    return bad_field(place,
                     base::format("requesting uid, groups or user-extra for {} without "
                                  "impersonating a user",
                                  user_words(user)),
                     "name the user to act as with --as, or `as` in the kubeconfig");
  }
  Impersonation result{act_as.user.text, act_as.uid.text, act_as.groups, {}};
  for (const auto& [key, values] : act_as.extra) {
    for (const std::string& value : values)
      result.extra.emplace_back(key, value);
  }
  bool fits = fits_header(result.user) && fits_header(result.uid);
  fits = fits && std::ranges::all_of(result.groups, fits_header);
  for (const auto& [key, value] : result.extra)
    fits = fits && !key.empty() && fits_header(value);
  if (fits) return result;
  return bad_field(place, "the user to act as holds a line break or another control character",
                   "a header cannot carry that: check that nothing else was copied");
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

}  // namespace dra::session
