// src/session/overrides.h
//
// Flags of the command line replace values of the kubeconfig's entries, and remove values that
// contradict them (client-go's tools/clientcmd: getCluster, getAuthInfo). A value of a flag has
// line 0, and its path starts at the working directory.

#pragma once

#include "dra/base/result.h"
#include "dra/session/kubeconfig.h"
#include "src/session/kubeconfig_file.h"

namespace dra::session {

// Another server has another name, and a flag about trust replaces all of the kubeconfig's values
// about trust. Fails for flags that contradict each other.
Result<Done> apply_cluster_flags(const ConnectionFlags& flags, ClusterEntry& cluster);

// A token replaces other sources of one: a token file, a plugin, an auth-provider. Groups replace
// groups, values of an extra key replace those of the same key. Fails for extras without a value.
Result<Done> apply_user_flags(const ConnectionFlags& flags, UserEntry& user);

}  // namespace dra::session
