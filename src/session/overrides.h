// src/session/overrides.h
//
// Flags of the command line replace what the kubeconfig's entries say, and what would contradict
// them (client-go's tools/clientcmd: getCluster, getAuthInfo). A value that came from a flag has
// line 0, and its path starts at the working directory.

#pragma once

#include "dra/base/result.h"
#include "dra/session/kubeconfig.h"
#include "src/session/kubeconfig_file.h"

namespace dra::session {

// Another server has another name, and a flag about trust replaces all that the kubeconfig says
// about trust. Fails for flags that contradict each other.
Result<Done> apply_cluster_flags(const ConnectionFlags& flags, ClusterEntry& cluster);

// A token replaces what else would fetch one: a token file, a plugin, an auth-provider. Groups
// replace groups, values of an extra key those of the same key. Fails for extras without a value.
Result<Done> apply_user_flags(const ConnectionFlags& flags, UserEntry& user);

}  // namespace dra::session
