// src/session/exec_credential.h
//
// The ExecCredential object, which client.authentication.k8s.io defines for credential plugins: the
// request in an environment variable, and the answer on standard output.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dra/base/result.h"
#include "dra/base/time.h"
#include "dra/json/value.h"
#include "dra/session/authenticator.h"

namespace dra::session {

// The cluster that credentials are for. Only plugins that ask for it get it (provideClusterInfo).
struct ExecCluster {
  std::string server = {};  // as configured, without query and fragment
  std::string tls_server_name = {};
  bool insecure = false;
  std::string ca_pem = {};
  std::string proxy_url = {};
  bool disable_compression = false;
  json::Value config = {};  // the cluster's extension for plugins, or null
};

// Byte for byte what client-go writes, its line break included (rest.ConfigToExecCluster, then
// apimachinery's JSON serializer).
std::string write_exec_request(const std::string& api_version, bool interactive,
                               const std::optional<ExecCluster>& cluster);

struct ExecAnswer {
  Credentials credentials = {};
  std::optional<base::Instant> expires = {};  // no value: never
};

// Reads JSON or YAML, as client-go does. Fails with BadAnswer if it is no ExecCredential of that
// version, or if it has neither a token nor a certificate with its key. The error never quotes the
// answer.
Result<ExecAnswer> read_exec_answer(std::string_view output, const std::string& api_version);

}  // namespace dra::session
