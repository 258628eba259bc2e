// src/session/credentials.h
//
// Turns the entries of a kubeconfig or a pod into credentials: base64 is decoded, files are read,
// and values that cannot work are refused before a connection is tried. Flags have been applied to
// the entries before (overrides.h).

#pragma once

#include <string>

#include "dra/base/result.h"
#include "dra/session/connection.h"
#include "dra/session/kubeconfig.h"
#include "src/session/kubeconfig_file.h"

namespace dra::session {

// Sets the CA of the connection, or turns its check off.
Result<Done> add_cluster_trust(const ClusterEntry& cluster, Connection& connection);

// Refuses user entries with basic authentication, an auth-provider, or an exec that cannot run,
// even if the credentials are not needed (clientcmd's validateAuthInfo).
Result<Done> check_user(const UserEntry& user);

// Sets certificate and key, and the token if the entry has one.
Result<Done> add_static_credentials(const UserEntry& user, Connection& connection);

// The user to act as. Values that could end their header are refused.
Result<Impersonation> impersonation_of(const UserEntry& user);

// The token in a text, from a file or a flag: without white space around it, and without characters
// that could end its header.
Result<std::string> checked_token(std::string_view text);

}  // namespace dra::session
