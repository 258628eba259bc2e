// src/session/kubeconfig.cpp: chooses entries and combines them. kubeconfig_file reads the files,
// overrides applies flags, credentials reads the files that entries name.

#include "dra/session/kubeconfig.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "dra/base/files.h"
#include "dra/base/quantity.h"
#include "dra/base/text.h"
#include "dra/session/proxy.h"
#include "src/session/credentials.h"
#include "src/session/exec_plugin.h"
#include "src/session/kubeconfig_file.h"
#include "src/session/overrides.h"
#include "src/session/pod.h"
#include "src/session/token_file.h"

namespace dra::session {
namespace {

// Names listed in a message; more are only counted.
constexpr std::size_t kMaxNames = 12;

// The entries of the connection. If none was chosen, an entry without name and values.
struct ChosenContext {
  ContextEntry context = {};
  ClusterEntry cluster = {};
  UserEntry user = {};
};

std::string joined_files(const Kubeconfig& config) {
  return "kubeconfig " + base::join(config.files, ":");
}

template <class Entry>
std::vector<std::string> sorted_names(const std::vector<Entry>& entries) {
  std::vector<std::string> names;
  names.reserve(entries.size());
  for (const Entry& entry : entries)
    names.push_back(entry.name);
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

template <class Entry>
std::string first_names(const std::vector<Entry>& entries) {
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
  return base::format("{}the {}s are: {}", question, kind, first_names(entries));
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

Result<ChosenContext> choose_connection(const Kubeconfig& config, const ConnectionFlags& flags) {
  ChosenContext choice;
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

Result<Done> add_server(const ClusterEntry& cluster, Connection& connection) {
  if (cluster.server.empty()) {
    return Error{
        ErrorKind::BadInput,
        base::format("kubeconfig {}: the cluster {} has no server", cluster.file, cluster.name),
        "add its address as server, or give it with --server"};
  }
  // client-go decides on the scheme of an address without one before it looks at certificates.
  connection.server = DRA_TRY(parse_server(cluster.server.text, false)
                                  .context(place_of(cluster.file, cluster.server, "server")));
  return Done{};
}

// Applies a cluster entry, all but its address.
Result<Done> add_cluster_settings(const ClusterEntry& cluster, Connection& connection) {
  const Text& name = cluster.tls_server_name;
  if (!name.empty() && (!is_host(name.text) || name.text.find(':') != std::string::npos)) {
    const std::string place = place_of(cluster.file, name, "tls-server-name");
    return Error{ErrorKind::BadInput,
                 (name.line == 0 ? place : place + ": tls-server-name") + " is not a host name",
                 "it is a name that the server's certificate is made out to"};
  }
  connection.tls_server_name = name.text;
  connection.compression = !cluster.disable_compression;
  connection.proxy_url = cluster.proxy_url.text;
  return add_cluster_trust(cluster, connection);
}

// The address that plugins receive: clientcmd drops query and fragment if there is a path.
std::string told_server(const std::string& server) {
  const std::size_t scheme = server.find("://");
  if (scheme == std::string::npos) return server;
  const std::size_t path = server.find_first_of("/?#", scheme + 3);
  const std::size_t end = server.find_first_of("?#");
  const bool has_path =
      path != std::string::npos && server[path] == '/' && std::min(end, server.size()) > path + 1;
  return has_path ? server.substr(0, end) : server;
}

// Makes connections from entries, flags and environment.
class Resolver {
 public:
  Resolver(const ConnectionFlags& flags, const Environment& environment, Log log)
      : flags_(flags), environment_(environment), log_(std::move(log)) {}

  Result<Connection> connect(const Kubeconfig& config) const;
  Result<Connection> connect_in_pod() const;

 private:
  Result<Done> add_user(const UserEntry& user, const ClusterEntry& cluster,
                        Connection& connection) const;
  Result<Done> add_plugin(const UserEntry& user, const ClusterEntry& cluster,
                          Connection& connection) const;
  void add_token_file(TokenFile file, Connection& connection) const;

  const ConnectionFlags& flags_;
  const Environment& environment_;
  Log log_;
};

std::string origin_of(const Kubeconfig& config, const ChosenContext& choice) {
  if (!choice.context.name.empty()) {
    return base::format("kubeconfig {}, context {}", choice.context.file, choice.context.name);
  }
  if (!choice.cluster.name.empty()) {
    return base::format("kubeconfig {}, cluster {}", choice.cluster.file, choice.cluster.name);
  }
  return config.files.empty() ? "--server" : "--server and " + joined_files(config);
}

// Moves all credentials to an authenticator.
void Resolver::add_token_file(TokenFile file, Connection& connection) const {
  file.otherwise = {std::exchange(connection.token, {}),
                    std::exchange(connection.client_certificate_pem, {}),
                    std::exchange(connection.client_key_pem, {})};
  connection.authenticator = make_token_file(std::move(file), environment_);
}

Result<Done> Resolver::add_plugin(const UserEntry& user, const ClusterEntry& cluster,
                                  Connection& connection) const {
  ExecPlan plan = DRA_TRY(plan_exec(user));
  plan.kuberc = flags_.kuberc;
  const base::Duration within = DRA_TRY(request_timeout_of(flags_));
  if (within > base::Duration{}) plan.within = within;
  if (user.exec.provide_cluster_info) {
    plan.cluster = ExecCluster{told_server(cluster.server.text),
                               cluster.tls_server_name.text,
                               cluster.insecure_skip_tls_verify,
                               connection.ca_pem,
                               cluster.proxy_url.text,
                               cluster.disable_compression,
                               cluster.exec_config};
  }
  connection.authenticator = make_exec_plugin(std::move(plan), environment_, log_);
  return Done{};
}

Result<Done> Resolver::add_user(const UserEntry& user, const ClusterEntry& cluster,
                                Connection& connection) const {
  DRA_TRY(check_user(user));
  connection.impersonate = DRA_TRY(impersonation_of(user));
  // Credentials are for https only: nothing is read or run for a server that gets none.
  if (!connection.server.tls) return Done{};
  DRA_TRY(add_static_credentials(user, connection));
  if (!user.token_file.empty()) {
    const std::string place = place_of(user.file, user.token_file, "tokenFile") + ": tokenFile";
    add_token_file(
        {base::join_path(base::directory_of(user.file), user.token_file.text), place, {}},
        connection);
    return Done{};
  }
  // A plugin runs only for users without other credentials (client-go's UpdateTransportConfig).
  const bool known = !connection.token.empty() || !connection.client_certificate_pem.empty();
  if (user.exec.line == 0 || known) return Done{};
  return add_plugin(user, cluster, connection);
}

Result<Connection> Resolver::connect(const Kubeconfig& config) const {
  ChosenContext choice = DRA_TRY(choose_connection(config, flags_));
  DRA_TRY(apply_cluster_flags(flags_, choice.cluster));
  DRA_TRY(apply_user_flags(flags_, choice.user));
  Connection connection;
  DRA_TRY(add_server(choice.cluster, connection));
  DRA_TRY(add_cluster_settings(choice.cluster, connection));
  DRA_TRY(add_user(choice.user, choice.cluster, connection));
  connection.context = choice.context.name;
  connection.origin = origin_of(config, choice);
  connection.namespace_ =
      choice.context.namespace_.empty()
          ? (runs_in_pod(environment_) ? pod_namespace(environment_) : "default")
          : choice.context.namespace_.text;
  return connection;
}

// The cluster that a pod runs in. All flags count; client-go drops some of them here.
Result<Connection> Resolver::connect_in_pod() const {
  Connection connection = DRA_TRY(pod_connection(environment_));
  const std::string ca = std::exchange(connection.ca_pem, {});
  ClusterEntry cluster;
  DRA_TRY(apply_cluster_flags(flags_, cluster));
  DRA_TRY(add_cluster_settings(cluster, connection));
  if (!connection.insecure && connection.ca_pem.empty()) connection.ca_pem = ca;
  UserEntry user;
  DRA_TRY(apply_user_flags(flags_, user));
  DRA_TRY(add_user(user, cluster, connection));
  const bool known = !connection.token.empty() || !connection.client_certificate_pem.empty();
  if (!known) add_token_file(pod_token(environment_), connection);
  return connection;
}

}  // namespace

std::string_view Environment::get(std::string_view name) const {
  const auto found = variables.find(name);
  return found == variables.end() ? std::string_view() : std::string_view(found->second);
}

base::Instant Environment::now() const { return clock ? clock() : base::Instant{}; }

Result<base::Duration> request_timeout_of(const ConnectionFlags& flags) {
  if (flags.request_timeout.empty()) return base::Duration{};
  const base::Duration timeout =
      DRA_TRY(base::parse_duration(flags.request_timeout).context("--request-timeout"));
  if (timeout < base::Duration{}) {
    return Error{ErrorKind::BadInput, "--request-timeout must not be negative",
                 "0 means no time-out"};
  }
  return timeout;
}

Result<std::size_t> max_read_of(const Environment& environment, std::size_t usual) {
  const std::string_view text = environment.get("KUBECTL_DRA_MAX_READ");
  if (text.empty()) return usual;
  const Result<base::Quantity> quantity = base::Quantity::parse(text);
  const std::int64_t bytes = quantity.ok() ? quantity.value().value().value_or(0) : 0;
  if (bytes > 0) return static_cast<std::size_t>(bytes);
  return Error{ErrorKind::BadInput,
               base::format("KUBECTL_DRA_MAX_READ: \"{}\" is not a number of bytes", text),
               "write it as in 512Mi or 4Gi"};
}

Result<KubeconfigNames> kubeconfig_names(const ConnectionFlags& flags,
                                         const Environment& environment) {
  const Kubeconfig config = DRA_TRY(load_kubeconfig(flags.kubeconfig, environment));
  return KubeconfigNames{sorted_names(config.contexts), sorted_names(config.clusters),
                         sorted_names(config.users)};
}

Result<std::vector<std::string>> contexts_named(const std::vector<std::string>& values,
                                                const ConnectionFlags& flags,
                                                const Environment& environment) {
  const Kubeconfig config = DRA_TRY(load_kubeconfig(flags.kubeconfig, environment));
  std::vector<std::string> names;
  for (const std::string& value : values) {
    for (const std::string_view word : base::split(value, ',')) {
      std::string name(base::trim(word));
      if (name.empty())
        return Error{ErrorKind::BadInput,
                     base::format("--contexts: \"{}\" has an empty name", value),
                     "write names with commas between, as in --contexts dev,prod"};
      DRA_TRY(entry_named(name, "context", config.contexts, "--contexts"));
      if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
  }
  return names;
}

Result<Connection> resolve_connection(const ConnectionFlags& flags, const Environment& environment,
                                      Log log) {
  const Kubeconfig config = DRA_TRY(load_kubeconfig(flags.kubeconfig, environment));
  const bool names_entry = !flags.context.empty() || !flags.cluster.empty() || !flags.user.empty();
  const bool in_pod = runs_in_pod(environment);
  const bool no_server = flags.server.empty();
  if (config.empty() && no_server && !in_pod) return nothing_configured(config);
  const Resolver resolver(flags, environment, std::move(log));
  // Entries that nothing chooses are no configuration.
  const bool nothing_chosen = config.current_context.empty() && no_server && !names_entry;
  Connection connection =
      DRA_TRY(in_pod && nothing_chosen ? resolver.connect_in_pod() : resolver.connect(config));
  if (!flags.namespace_.empty()) connection.namespace_ = flags.namespace_;
  connection.request_timeout = DRA_TRY(request_timeout_of(flags));
  DRA_TRY(choose_proxy(connection, environment));
  return connection;
}

}  // namespace dra::session
