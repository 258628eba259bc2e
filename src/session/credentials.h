// src/session/credentials.h
//
// From what a kubeconfig or a pod says about credentials to the credentials themselves: base64 is
// decoded, files are read, and what cannot work is refused before a connection is tried. Flags have
// been applied to the entries before (overrides.h).

#pragma once

#include <string>

#include "dra/base/result.h"
#include "dra/session/connection.h"
#include "dra/session/kubeconfig.h"
#include "src/session/kubeconfig_file.h"

namespace dra::session {

// Sets the CA of the connection, and whether it is used.
Result<Done> add_cluster_trust(const ClusterEntry& cluster, Connection& connection);

// What a user entry must not say, whether or not it is needed: basic authentication, an
// auth-provider, exec that cannot be run (clientcmd's validateAuthInfo).
Result<Done> check_user(const UserEntry& user);

// Sets certificate and key, and the token if it is written down.
Result<Done> add_static_credentials(const UserEntry& user, Connection& connection);

// Whom to act as; values that could end their header are refused.
Result<Impersonation> impersonation_of(const UserEntry& user);

// The text of a token, from a file or a flag: without white space around it, and nothing that could
// end the header it is sent in.
Result<std::string> checked_token(std::string_view text);

}  // namespace dra::session
