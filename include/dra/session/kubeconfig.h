// include/dra/session/kubeconfig.h
//
// Which server to talk to, and as whom.
//
// A kubeconfig names clusters (an address and the CA that vouches for it), users (credentials) and
// contexts (a cluster, a user and a namespace). Several files can be merged: of entries with the
// same name the first one counts, whole, and so does the first current-context that is not empty.
// Flags of the command line replace single values. Without any configuration, a program that runs
// in a pod uses the pod's service account. All of it is done as client-go's tools/clientcmd does
// it, with these exceptions, which are errors here instead of something that fails later or
// surprises:
//  * a context that names a cluster or a user that is not there (clientcmd goes on without);
//  * no configuration at all (kubectl tries localhost:8080);
//  * what this version cannot do: exec and auth-provider credentials, impersonation, proxy-url.
//    To ignore these would be to talk to the server as somebody else, or not through the proxy.

#pragma once

#include <map>
#include <string>
#include <string_view>

#include "dra/base/result.h"
#include "dra/session/connection.h"

namespace dra::session {

// The surroundings of the process, which only cmd reads.
struct Environment {
  std::map<std::string, std::string, std::less<>> variables = {};
  // Where Kubernetes mounts a pod's credentials.
  std::string service_account = "/var/run/secrets/kubernetes.io/serviceaccount";
  // Whether a person can answer the questions of a credential plugin: standard input is a terminal.
  bool interactive = false;
  // Whether credential plugins may be run at all; not while a command line is being completed.
  bool run_plugins = true;

  std::string_view get(std::string_view name) const;  // empty if not set
};

// kubectl's flags of the same names; empty = not given.
struct ConnectionFlags {
  std::string kubeconfig = {};
  std::string context = {};
  std::string cluster = {};
  std::string user = {};
  std::string namespace_ = {};
  std::string server = {};
  std::string token = {};
  std::string certificate_authority = {};
  std::string tls_server_name = {};
  std::string request_timeout = {};
  bool insecure_skip_tls_verify = false;
};

// Fails with NotConfigured if no cluster is named anywhere, with BadInput or Io for what is named
// but cannot be used. Messages say which file, which line and what to do.
Result<Connection> resolve_connection(const ConnectionFlags& flags, const Environment& environment);

}  // namespace dra::session
