// include/dra/session/kubeconfig.h
//
// Chooses the server to talk to, and the user.
//
// A kubeconfig names clusters (an address and the CA that vouches for it), users (credentials) and
// contexts (a cluster, a user and a namespace). Several files can be merged: the first one of
// several entries with one name counts, as a whole, and so does the first current-context that is
// not empty. Flags of the command line replace single values. Without any configuration, a program
// that runs in a pod uses the pod's service account. All of this follows client-go's
// tools/clientcmd. Some inputs are errors here, because there they fail later or with a surprise:
//  * a context that names a cluster or a user that is not there (clientcmd goes on without);
//  * no configuration at all (kubectl tries localhost:8080);
//  * user names with passwords, which API servers no longer take (kubectl sends them), and the
//    oidc auth-provider, for which programs exist (kubectl has it built in);
//  * --as-user-extra without a value (kubectl ignores it).
// And --token replaces a token file, which kubectl prefers to the flag.
//
// Nothing is run and no token file is read here: connection.authenticator does that for the first
// request.

#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/result.h"
#include "dra/base/time.h"
#include "dra/session/connection.h"
#include "dra/session/http.h"

namespace dra::session {

// The environment of the process. Only cmd reads it.
struct Environment {
  std::map<std::string, std::string, std::less<>> variables = {};
  // The directory where Kubernetes mounts a pod's credentials.
  std::string service_account = "/var/run/secrets/kubernetes.io/serviceaccount";
  // A person can answer the questions of a credential plugin: standard input is a terminal.
  bool interactive = false;
  // Credential plugins may run. False while a command line is being completed.
  bool run_plugins = true;
  // The current time, for credentials that expire. Without a clock time stands still.
  std::function<base::Instant()> clock = {};

  std::string_view get(std::string_view name) const;  // empty if not set
  base::Instant now() const;
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
  std::string username = {};  // with password: accepted only to refuse them in words
  std::string password = {};
  std::string client_certificate = {};
  std::string client_key = {};
  std::string certificate_authority = {};
  std::string tls_server_name = {};
  std::string proxy_url = {};
  std::string request_timeout = {};
  bool insecure_skip_tls_verify = false;
  bool disable_compression = false;

  std::string as = {};
  std::string as_uid = {};
  std::vector<std::string> as_group = {};
  std::vector<std::string> as_user_extra = {};  // `key=value`

  std::string kuberc = {};  // which credential plugins may run; see src/session/kuberc.h
};

// The value of --request-timeout; 0 for none if it is not given. Fails with BadInput, even for
// commands that need no server.
Result<base::Duration> request_timeout_of(const ConnectionFlags& flags);

// The value of KUBECTL_DRA_MAX_READ, a number of bytes as a quantity; `usual` if it is not set.
Result<std::size_t> max_read_of(const Environment& environment, std::size_t usual);

// What the kubeconfig has names for; each sorted, and without doubles.
struct KubeconfigNames {
  std::vector<std::string> contexts = {};
  std::vector<std::string> clusters = {};
  std::vector<std::string> users = {};
};
Result<KubeconfigNames> kubeconfig_names(const ConnectionFlags& flags,
                                         const Environment& environment);

// The contexts that --contexts names, in its order and each once; each value may be several with
// commas between. Fails with BadInput for one that the kubeconfig does not have.
Result<std::vector<std::string>> contexts_named(const std::vector<std::string>& values,
                                                const ConnectionFlags& flags,
                                                const Environment& environment);

// Fails with NotConfigured if no cluster is named anywhere, with BadInput or Io if one is named but
// cannot be used. Messages name the file and the line, and say what to do. Later `log` receives the
// credential plugin that runs (level 1) and, at every level, mistakes in a kuberc.
Result<Connection> resolve_connection(const ConnectionFlags& flags, const Environment& environment,
                                      Log log = {});

}  // namespace dra::session
