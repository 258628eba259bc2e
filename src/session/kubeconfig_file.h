// src/session/kubeconfig_file.h
//
// Kubeconfig files as they are written: read, checked for form, merged. Nothing is resolved yet:
// files that they name are not read, and entries may name others that do not exist. Every field
// keeps its line, because mistakes are found later. Unknown fields are ignored, as by kubectl.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/base/result.h"
#include "dra/json/value.h"
#include "dra/session/kubeconfig.h"

namespace dra::session {

struct Text {
  std::string text = {};
  std::uint32_t line = 0;  // 0 if the field is not there, or a flag was given instead

  bool empty() const { return text.empty(); }
};

// "kubeconfig FILE: line 7" for a field that was written, "--FLAG" for one that a flag replaced.
std::string place_of(const std::string& file, const Text& field, std::string_view flag);

struct ClusterEntry {
  std::string name = {};
  std::string file = {};  // that defines it: relative paths start at its directory
  Text server = {};
  Text certificate_authority = {};
  Text certificate_authority_data = {};
  Text tls_server_name = {};
  Text proxy_url = {};
  bool insecure_skip_tls_verify = false;
  bool disable_compression = false;
  // The extension client.authentication.k8s.io/exec, which is for credential plugins; else null.
  json::Value exec_config = {};
};

// A credential plugin and its settings.
struct ExecEntry {
  std::uint32_t line = 0;  // of `exec`; 0 if there is none
  Text api_version = {};
  Text command = {};
  std::vector<std::string> args = {};
  std::vector<std::pair<std::string, std::string>> env = {};
  Text install_hint = {};
  Text interactive_mode = {};
  bool provide_cluster_info = false;
};

// The user to act as. The lines are those of the fields.
struct ActAs {
  using Extra = std::pair<std::string, std::vector<std::string>>;

  Text user = {};
  Text uid = {};
  std::vector<std::string> groups = {};
  std::vector<Extra> extra = {};
  Text first = {};  // the first of the fields that is set, for messages
};

struct UserEntry {
  std::string name = {};
  std::string file = {};
  Text client_certificate = {};
  Text client_certificate_data = {};
  Text client_key = {};
  Text client_key_data = {};
  Text token = {};
  Text token_file = {};
  ExecEntry exec = {};
  ActAs act_as = {};
  // Read only to refuse them in words; see kubeconfig.h.
  Text username = {};
  Text password = {};
  Text auth_provider = {};  // its name
};

struct ContextEntry {
  std::string name = {};
  std::string file = {};
  Text cluster = {};
  Text user = {};
  Text namespace_ = {};
};

struct Kubeconfig {
  std::vector<std::string> files = {};    // that were read, in order
  std::vector<std::string> missing = {};  // that were named in KUBECONFIG, or are the default
  std::string current_context = {};
  std::vector<ClusterEntry> clusters = {};
  std::vector<UserEntry> users = {};
  std::vector<ContextEntry> contexts = {};

  bool empty() const {
    return current_context.empty() && clusters.empty() && users.empty() && contexts.empty();
  }
};

// `path` is the file of the text. Fails with "line L, column C: ...".
Result<Kubeconfig> decode_kubeconfig(std::string_view text, const std::string& path);

// The file given by flag, which must exist; else those of $KUBECONFIG, else ~/.kube/config, which
// need not exist.
Result<Kubeconfig> load_kubeconfig(const std::string& flag, const Environment& environment);

}  // namespace dra::session
