// src/session/pod.cpp: see pod.h.

#include "src/session/pod.h"

#include "dra/base/files.h"
#include "dra/base/text.h"

namespace dra::session {
namespace {

constexpr std::size_t kMaxPodFile = std::size_t{4} << 20U;
constexpr const char* kOrigin = "service account of this pod";

std::string mounted(const Environment& environment, std::string_view name) {
  return base::join_path(environment.service_account, name);
}

Result<std::string> read_ca(const std::string& path) {
  Result<std::string> pem = base::read_file(path, kMaxPodFile);
  if (!pem.ok() && pem.error().kind == ErrorKind::NotFound) return std::string();
  if (!pem.ok() || pem.value().find("-----BEGIN ") != std::string::npos) return pem;
  return Error{ErrorKind::BadInput, path + " holds no PEM text",
               "PEM text has a line that begins with -----BEGIN"};
}

}  // namespace

bool runs_in_pod(const Environment& environment) {
  const std::string token = mounted(environment, "token");
  return !environment.get("KUBERNETES_SERVICE_HOST").empty() &&
         !environment.get("KUBERNETES_SERVICE_PORT").empty() && base::exists(token) &&
         !base::is_directory(token);
}

std::string pod_namespace(const Environment& environment) {
  if (!environment.get("POD_NAMESPACE").empty()) {
    return std::string(environment.get("POD_NAMESPACE"));
  }
  const Result<std::string> text = base::read_file(mounted(environment, "namespace"), kMaxPodFile);
  const std::string_view name = text.ok() ? base::trim(text.value()) : std::string_view();
  return name.empty() ? "default" : std::string(name);
}

Result<Connection> pod_connection(const Environment& environment) {
  const std::string_view host = environment.get("KUBERNETES_SERVICE_HOST");
  const bool v6 = host.find(':') != std::string_view::npos;
  const std::string address = base::format(v6 ? "https://[{}]:{}" : "https://{}:{}", host,
                                           environment.get("KUBERNETES_SERVICE_PORT"));
  Connection connection;
  connection.server = DRA_TRY(parse_server(address, true).context(kOrigin));
  connection.ca_pem = DRA_TRY(read_ca(mounted(environment, "ca.crt")).context(kOrigin));
  connection.namespace_ = pod_namespace(environment);
  connection.origin = kOrigin;
  return connection;
}

TokenFile pod_token(const Environment& environment) {
  return {mounted(environment, "token"), kOrigin, {}};
}

}  // namespace dra::session
