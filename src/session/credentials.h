// src/session/credentials.h
//
// From what a kubeconfig or a pod says about credentials to the credentials themselves: base64 is
// decoded, files are read, and what cannot work is refused before a connection is tried.

#pragma once

#include <string>

#include "dra/base/result.h"
#include "dra/session/connection.h"
#include "dra/session/kubeconfig.h"
#include "src/session/kubeconfig_file.h"

namespace dra::session {

// Sets the CA of the connection, and whether it is used.
Result<Done> add_cluster_trust(const ClusterEntry& cluster, Connection& connection);

// Sets certificate, key and token of the connection.
Result<Done> add_user_credentials(const UserEntry& user, Connection& connection);

// The text of a token, from a file or a flag: without white space around it, and nothing that could
// end the header it is sent in.
Result<std::string> checked_token(std::string_view text);

// PEM text with certificates in it, from a file.
Result<std::string> read_certificates(const std::string& path);

// Whether the process runs in a pod with a service account, and the connection that it gives.
bool runs_in_pod(const Environment& environment);
Result<Connection> pod_connection(const Environment& environment);

}  // namespace dra::session
