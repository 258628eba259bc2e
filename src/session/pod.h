// src/session/pod.h
//
// The configuration of a program that runs in a pod: the API server's address in its environment,
// and a token, a CA and a namespace in files that Kubernetes mounts (client-go's
// rest.InClusterConfig).

#pragma once

#include <string>

#include "dra/base/result.h"
#include "dra/session/connection.h"
#include "dra/session/kubeconfig.h"
#include "src/session/token_file.h"

namespace dra::session {

// The process runs in a pod with a service account.
bool runs_in_pod(const Environment& environment);

// The namespace of the pod, else "default".
std::string pod_namespace(const Environment& environment);

// Server, CA and namespace. Without a CA file the system's store decides, as in client-go.
Result<Connection> pod_connection(const Environment& environment);

TokenFile pod_token(const Environment& environment);

}  // namespace dra::session
