// cmd/repeat_flags.cpp: quotes the flags of the snapshot, the demo and the connection.

#include "cmd/repeat_flags.h"

#include "dra/base/text.h"

namespace dra::cmd {

std::string repeat_flags(const GlobalFlags& globals) {
  std::string flags;
  const auto add = [&flags](std::string_view name, std::string_view value) {
    // A value like a flag stays a value behind "=".
    const char between = value.starts_with('-') ? '=' : ' ';
    if (!value.empty()) flags += base::format(" {}{}{}", name, between, base::shell_word(value));
  };
  if (!globals.snapshot_of_environment) {
    for (const std::string& file : globals.snapshot)
      add("--snapshot", file == "-" ? "FILE" : file);
  }
  if (globals.demo)
    flags += globals.demo->empty() ? " --demo" : " --demo=" + base::shell_word(*globals.demo);
  const session::ConnectionFlags& connection = globals.connection;
  add("--kubeconfig", connection.kubeconfig);
  add("--context", connection.context);
  add("--cluster", connection.cluster);
  add("--user", connection.user);
  add("--server", connection.server);
  add("--certificate-authority", connection.certificate_authority);
  add("--tls-server-name", connection.tls_server_name);
  if (connection.insecure_skip_tls_verify) flags += " --insecure-skip-tls-verify";
  return flags;
}

}  // namespace dra::cmd
