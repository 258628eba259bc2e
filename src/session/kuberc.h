// src/session/kuberc.h
//
// The user's policy for credential plugins. A kubeconfig can name any program, so its users run
// what its author wrote. kubectl lets them restrict that in ~/.kube/kuberc (credentialPluginPolicy
// and credentialPluginAllowlist), and a plugin of kubectl that did not obey would be a way around
// it. Everything else in that file is for kubectl's own commands.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/result.h"
#include "dra/session/kubeconfig.h"

namespace dra::session {

enum class PluginRule : std::uint8_t { AllowAll, DenyAll, Allowlist };

struct PluginPolicy {
  PluginRule rule = PluginRule::AllowAll;
  std::vector<std::string> allowlist = {};  // names or paths of programs
  std::string file = {};                    // with the policy; empty: there is none
  std::vector<std::string> warnings = {};   // about the file
};

// The policy that the text of such a file holds.
Result<PluginPolicy> decode_plugin_policy(std::string_view text);

// The file of --kuberc, else of $KUBERC, else ~/.kube/kuberc, as kubectl v1.37 reads it
// (k8s.io/kubectl/pkg/kuberc). $KUBERC=off and $KUBECTL_KUBERC=false turn it off. A file that was
// named must exist and be readable. In the one of the home directory only an invalid policy is an
// error; other mistakes are warnings.
Result<PluginPolicy> load_plugin_policy(const std::string& flag, const Environment& environment);

// Checks that a plugin may run: `command` as configured and cleaned, `found` is its path, if there
// is one (client-go's plugin/pkg/client/auth/exec, checkAllowlistLocked). Fails with BadInput that
// names the file and the rule.
Result<Done> check_plugin(const PluginPolicy& policy, const std::string& command,
                          const Result<std::string>& found, std::string_view search_path);

}  // namespace dra::session
