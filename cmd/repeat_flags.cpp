// cmd/repeat_flags.cpp: quotes the flags of the snapshot, the demo and the connection.

#include "cmd/repeat_flags.h"

#include "dra/base/text.h"

namespace dra::cmd {
namespace {

void add_flag(std::string& flags, std::string_view name, std::string_view value) {
  // A value like a flag stays a value behind "=".
  const char between = value.starts_with('-') ? '=' : ' ';
  if (!value.empty()) flags += base::format(" {}{}{}", name, between, base::shell_word(value));
}

}  // namespace

std::string cluster_flags(const GlobalFlags& globals) {
  std::string flags;
  if (globals.demo || !globals.snapshot.empty()) return flags;
  const session::ConnectionFlags& connection = globals.connection;
  add_flag(flags, "--kubeconfig", connection.kubeconfig);
  add_flag(flags, "--context", connection.context);
  add_flag(flags, "--cluster", connection.cluster);
  add_flag(flags, "--user", connection.user);
  add_flag(flags, "--server", connection.server);
  add_flag(flags, "--certificate-authority", connection.certificate_authority);
  add_flag(flags, "--tls-server-name", connection.tls_server_name);
  if (connection.insecure_skip_tls_verify) flags += " --insecure-skip-tls-verify";
  return flags;
}

std::string repeat_flags(const GlobalFlags& globals) {
  std::string flags;
  if (!globals.snapshot_of_environment) {
    for (const std::string& file : globals.snapshot)
      add_flag(flags, "--snapshot", file == "-" ? "FILE" : file);
  }
  if (globals.demo)
    flags += globals.demo->empty() ? " --demo" : " --demo=" + base::shell_word(*globals.demo);
  flags += cluster_flags(globals);
  add_flag(flags, "--as", globals.connection.as);
  add_flag(flags, "--as-uid", globals.connection.as_uid);
  for (const std::string& group : globals.connection.as_group)
    add_flag(flags, "--as-group", group);
  add_flag(flags, "--assume-server", globals.assume_server);
  for (const std::string& gates : globals.feature_gates)
    add_flag(flags, "--feature-gates", gates);
  return flags;
}

}  // namespace dra::cmd
