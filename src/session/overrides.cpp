// src/session/overrides.cpp: flag by flag, in clientcmd's order.

#include "src/session/overrides.h"

#include <algorithm>
#include <utility>

#include "dra/base/text.h"

namespace dra::session {
namespace {

void replace(const std::string& flag, Text& field) {
  if (!flag.empty()) field = Text{flag, 0};
}

// A file given by a flag replaces the kubeconfig's file and data.
void replace_file(const std::string& flag, Text& path, Text& data) {
  if (flag.empty()) return;
  path = Text{flag, 0};
  data = {};
}

Result<Done> apply_act_as_flags(const ConnectionFlags& flags, ActAs& act_as) {
  replace(flags.as, act_as.user);
  replace(flags.as_uid, act_as.uid);
  if (!flags.as_group.empty()) act_as.groups = flags.as_group;
  std::vector<ActAs::Extra> extra;
  for (const std::string& word : flags.as_user_extra) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) {
      return Error{ErrorKind::BadInput,
                   base::format("--as-user-extra needs a key and a value, not \"{}\"", word),
                   "write --as-user-extra=KEY=VALUE"};
    }
    const std::string key = word.substr(0, equals);
    auto found = std::ranges::find(extra, key, &ActAs::Extra::first);
    if (found == extra.end()) found = extra.insert(found, {key, {}});
    found->second.push_back(word.substr(equals + 1));
  }
  std::erase_if(act_as.extra, [&extra](const ActAs::Extra& old) {
    return std::ranges::find(extra, old.first, &ActAs::Extra::first) != extra.end();
  });
  std::ranges::move(extra, std::back_inserter(act_as.extra));
  for (const auto& [given, name] :
       {std::pair(!flags.as_user_extra.empty(), "as-user-extra"),
        std::pair(!flags.as_group.empty(), "as-group"), std::pair(!flags.as_uid.empty(), "as-uid"),
        std::pair(!flags.as.empty(), "as")}) {
    if (given) act_as.first = Text{name, 0};
  }
  return Done{};
}

}  // namespace

Result<Done> apply_cluster_flags(const ConnectionFlags& flags, ClusterEntry& cluster) {
  if (!flags.server.empty()) {
    cluster.server = Text{flags.server, 0};
    cluster.tls_server_name = {};
  }
  replace(flags.tls_server_name, cluster.tls_server_name);
  replace(flags.proxy_url, cluster.proxy_url);
  cluster.disable_compression |= flags.disable_compression;
  if (!flags.insecure_skip_tls_verify && flags.certificate_authority.empty()) return Done{};
  if (flags.insecure_skip_tls_verify && !flags.certificate_authority.empty()) {
    return Error{ErrorKind::BadInput,
                 "--certificate-authority and --insecure-skip-tls-verify contradict each other",
                 "leave one of the two away"};
  }
  cluster.certificate_authority = Text{flags.certificate_authority, 0};
  cluster.certificate_authority_data = {};
  cluster.insecure_skip_tls_verify = flags.insecure_skip_tls_verify;
  return Done{};
}

Result<Done> apply_user_flags(const ConnectionFlags& flags, UserEntry& user) {
  replace_file(flags.client_certificate, user.client_certificate, user.client_certificate_data);
  replace_file(flags.client_key, user.client_key, user.client_key_data);
  replace(flags.username, user.username);
  replace(flags.password, user.password);
  if (!flags.token.empty()) {
    user.token = Text{flags.token, 0};
    user.token_file = {};
    user.exec = {};
    user.auth_provider = {};
  }
  return apply_act_as_flags(flags, user.act_as);
}

}  // namespace dra::session
