// src/session/kubeconfig.cpp: see kubeconfig.h. Reading the files is in kubeconfig_file, reading
// what they name in credentials; here entries are chosen and flags are applied.

#include "dra/session/kubeconfig.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "dra/base/text.h"
#include "src/session/credentials.h"
#include "src/session/kubeconfig_file.h"

namespace dra::session {
namespace {

// Names listed in a message; more are only counted.
constexpr std::size_t kMaxNames = 12;

// The entries that make the connection. Where none was chosen, one without a name and without
// values.
struct Choice {
  ContextEntry context = {};
  ClusterEntry cluster = {};
  UserEntry user = {};
};

std::string joined_files(const Kubeconfig& config) {
  return "kubeconfig " + base::join(config.files, ":");
}

template <class Entry>
std::string names_of(const std::vector<Entry>& entries) {
  std::vector<std::string> names;
  for (const Entry& entry : entries) {
    if (names.size() < kMaxNames) names.push_back(entry.name);
  }
  std::sort(names.begin(), names.end());
  std::string text = base::join(names, ", ");
  if (entries.size() > kMaxNames) text += base::format(", and {} more", entries.size() - kMaxNames);
  return text;
}

// "did you mean prod? the contexts are: dev, prod"
template <class Entry>
std::string name_hint(std::string_view kind, std::string_view name,
                      const std::vector<Entry>& entries) {
  if (entries.empty()) return base::format("the kubeconfig has no {}s", kind);
  std::vector<std::string_view> candidates;
  candidates.reserve(entries.size());
  for (const Entry& entry : entries)
    candidates.emplace_back(entry.name);
  const std::string_view nearest =
      name.empty() ? std::string_view() : base::nearest(name, candidates);
  const std::string question =
      nearest.empty() ? std::string() : base::format("did you mean {}? ", nearest);
  return base::format("{}the {}s are: {}", question, kind, names_of(entries));
}

template <class Entry>
Result<Entry> entry_named(const std::string& name, std::string_view kind,
                          const std::vector<Entry>& entries, const std::string& asker) {
  for (const Entry& entry : entries) {
    if (entry.name == name) return entry;
  }
  return Error{ErrorKind::BadInput,
               base::format("{} names the {} {}, which is not there", asker, kind, name),
               name_hint(kind, name, entries)};
}

Error nothing_configured(const Kubeconfig& config) {
  std::string message = "no cluster is configured";
  if (!config.missing.empty()) {
    message += base::format(": there is no {}", base::join(config.missing, ", "));
  } else if (!config.files.empty()) {
    message += base::format(": {} is empty", base::join(config.files, ":"));
  }
  return {ErrorKind::NotConfigured, message,
          "set KUBECONFIG, name a file with --kubeconfig, or use --snapshot FILE or --demo to work "
          "without a cluster"};
}

Result<ContextEntry> choose_context(const Kubeconfig& config, const ConnectionFlags& flags) {
  if (!flags.context.empty()) {
    return entry_named(flags.context, "context", config.contexts, "--context");
  }
  if (!config.current_context.empty()) {
    return entry_named(config.current_context, "context", config.contexts,
                       joined_files(config) + ": current-context");
  }
  // Flags that name a cluster make a context unnecessary.
  if (!flags.cluster.empty() || !flags.server.empty()) return ContextEntry{};
  return Error{ErrorKind::BadInput,
               joined_files(config) + ": no context is chosen, as current-context is not set",
               name_hint("context", {}, config.contexts) +
                   "; choose one with --context NAME or `kubectl config use-context NAME`"};
}

std::string asker_of(const ContextEntry& context, const Text& field) {
  return base::format("kubeconfig {}: line {}: the context {}", context.file, field.line,
                      context.name);
}

Result<Choice> choose(const Kubeconfig& config, const ConnectionFlags& flags) {
  Choice choice;
  choice.context = DRA_TRY(choose_context(config, flags));
  const ContextEntry& context = choice.context;
  if (!flags.cluster.empty()) {
    choice.cluster = DRA_TRY(entry_named(flags.cluster, "cluster", config.clusters, "--cluster"));
  } else if (!context.cluster.empty()) {
    choice.cluster = DRA_TRY(entry_named(context.cluster.text, "cluster", config.clusters,
                                         asker_of(context, context.cluster)));
  } else if (flags.server.empty()) {
    return Error{
        ErrorKind::BadInput,
        base::format("kubeconfig {}: the context {} names no cluster", context.file, context.name),
        name_hint("cluster", {}, config.clusters) + "; choose one with --cluster NAME"};
  }
  if (!flags.user.empty()) {
    choice.user = DRA_TRY(entry_named(flags.user, "user", config.users, "--user"));
  } else if (!context.user.empty()) {
    choice.user = DRA_TRY(
        entry_named(context.user.text, "user", config.users, asker_of(context, context.user)));
  }
  return choice;
}

// Flags replace what they name and what would contradict them (clientcmd's getCluster): another
// server has another name, and a flag about trust replaces all that the kubeconfig says about
// trust.
void apply_cluster_flags(const ConnectionFlags& flags, ClusterEntry& cluster) {
  if (!flags.server.empty()) {
    cluster.server = Text{flags.server, 0};
    cluster.tls_server_name = {};
  }
  if (!flags.tls_server_name.empty()) cluster.tls_server_name = Text{flags.tls_server_name, 0};
  if (flags.insecure_skip_tls_verify || !flags.certificate_authority.empty()) {
    cluster.certificate_authority = {};
    cluster.certificate_authority_data = {};
    cluster.insecure_skip_tls_verify = flags.insecure_skip_tls_verify;
  }
}

Result<Done> apply_trust_flags(const ConnectionFlags& flags, Connection& connection) {
  if (!flags.certificate_authority.empty()) {
    if (flags.insecure_skip_tls_verify) {
      return Error{ErrorKind::BadInput,
                   "--certificate-authority and --insecure-skip-tls-verify contradict each other",
                   "leave one of the two away"};
    }
    connection.ca_pem =
        DRA_TRY(read_certificates(flags.certificate_authority).context("--certificate-authority"));
    connection.insecure = false;
  }
  return Done{};
}

Result<Done> add_server(const ClusterEntry& cluster, const UserEntry& user,
                        const ConnectionFlags& flags, Connection& connection) {
  const Text& server = cluster.server;
  const std::string place = server.line == 0
                                ? std::string("--server")
                                : base::format("kubeconfig {}: line {}", cluster.file, server.line);
  if (server.empty()) {
    return Error{
        ErrorKind::BadInput,
        base::format("kubeconfig {}: the cluster {} has no server", cluster.file, cluster.name),
        "add its address as server, or give it with --server"};
  }
  if (!cluster.proxy_url.empty()) {
    return Error{ErrorKind::BadInput,
                 base::format("kubeconfig {}: line {}: the cluster {} is behind a proxy "
                              "(proxy-url): this version does not support that",
                              cluster.file, cluster.proxy_url.line, cluster.name),
                 "use a cluster entry that reaches the server directly"};
  }
  const Text& name = cluster.tls_server_name;
  if (!name.empty() && (!is_host(name.text) || name.text.find(':') != std::string::npos)) {
    const std::string named_by = name.line == 0 ? std::string("--tls-server-name")
                                                : base::format(
                                                      "kubeconfig {}: line {}: "
                                                      "tls-server-name",
                                                      cluster.file, name.line);
    return Error{ErrorKind::BadInput, named_by + " is not a host name",
                 "it is a name that the server's certificate is made out to"};
  }
  // An address without a scheme is https where TLS is configured (rest.defaultServerUrlFor).
  const bool default_tls =
      !cluster.certificate_authority.empty() || !cluster.certificate_authority_data.empty() ||
      !flags.certificate_authority.empty() || cluster.insecure_skip_tls_verify ||
      !user.client_certificate.empty() || !user.client_certificate_data.empty();
  connection.server = DRA_TRY(parse_server(server.text, default_tls).context(place));
  return Done{};
}

std::string origin_of(const Kubeconfig& config, const Choice& choice) {
  if (!choice.context.name.empty()) {
    return base::format("kubeconfig {}, context {}", choice.context.file, choice.context.name);
  }
  if (!choice.cluster.name.empty()) {
    return base::format("kubeconfig {}, cluster {}", choice.cluster.file, choice.cluster.name);
  }
  return config.files.empty() ? "--server" : "--server and " + joined_files(config);
}

Result<Connection> connect(const Kubeconfig& config, const ConnectionFlags& flags) {
  Choice choice = DRA_TRY(choose(config, flags));
  apply_cluster_flags(flags, choice.cluster);
  if (!flags.token.empty()) {
    // What else the user could say to be somebody; certificates are still used, as in clientcmd.
    for (Text* other : {&choice.user.token, &choice.user.token_file, &choice.user.exec_command,
                        &choice.user.auth_provider, &choice.user.username, &choice.user.password}) {
      *other = {};
    }
  }
  Connection connection;
  DRA_TRY(add_server(choice.cluster, choice.user, flags, connection));
  DRA_TRY(add_cluster_trust(choice.cluster, connection));
  DRA_TRY(add_user_credentials(choice.user, connection));
  connection.tls_server_name = choice.cluster.tls_server_name.text;
  connection.compression = !choice.cluster.disable_compression;
  connection.context = choice.context.name;
  connection.origin = origin_of(config, choice);
  if (!choice.context.namespace_.empty()) connection.namespace_ = choice.context.namespace_.text;
  return connection;
}

// The cluster that a pod runs in, with the flags that make sense there.
Result<Connection> connect_in_pod(const ConnectionFlags& flags, const Environment& environment) {
  Connection connection = DRA_TRY(pod_connection(environment));
  connection.insecure = flags.insecure_skip_tls_verify;
  if (connection.insecure) connection.ca_pem.clear();
  connection.tls_server_name = flags.tls_server_name;
  return connection;
}

}  // namespace

std::string_view Environment::get(std::string_view name) const {
  const auto found = variables.find(name);
  return found == variables.end() ? std::string_view() : std::string_view(found->second);
}

Result<Connection> resolve_connection(const ConnectionFlags& flags,
                                      const Environment& environment) {
  const Kubeconfig config = DRA_TRY(load_kubeconfig(flags.kubeconfig, environment));
  const bool names_entry = !flags.context.empty() || !flags.cluster.empty() || !flags.user.empty();
  const bool nothing_chosen = config.empty() && flags.server.empty();
  if (nothing_chosen && !runs_in_pod(environment)) return nothing_configured(config);
  const bool in_pod = nothing_chosen && !names_entry;
  Connection connection =
      DRA_TRY(in_pod ? connect_in_pod(flags, environment) : connect(config, flags));
  DRA_TRY(apply_trust_flags(flags, connection));
  if (!flags.token.empty()) {
    connection.token = DRA_TRY(checked_token(flags.token).context("--token"));
  }
  if (!flags.namespace_.empty()) connection.namespace_ = flags.namespace_;
  if (!flags.request_timeout.empty()) {
    connection.request_timeout =
        DRA_TRY(base::parse_duration(flags.request_timeout).context("--request-timeout"));
    if (connection.request_timeout < base::Duration{}) {
      return Error{ErrorKind::BadInput, "--request-timeout must not be negative",
                   "0 means no time-out"};
    }
  }
  return connection;
}

}  // namespace dra::session
