// cmd/name_hints.h
//
// What was probably meant by a name that nothing has: a similar name, the same one in another
// namespace, or of another kind; and by a namespace that does not exist. Only what the snapshot
// holds is suggested.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/api/kinds.h"
#include "dra/base/result.h"
#include "dra/snapshot/snapshot.h"

namespace dra::cmd {

// "did you mean a, b or c?" with the names similar to `word`; empty if there are none.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& names);

// The hint for an object that is not there; empty if nothing in the snapshot is like it. `ns` is
// empty for objects of no namespace.
std::string near_object(const snapshot::Snapshot& snapshot, api::Kind kind, const std::string& ns,
                        const std::string& name);

// The same, or else the namespace in which it was looked for.
std::string hint_about(const snapshot::Snapshot& snapshot, api::Kind kind, const std::string& ns,
                       const std::string& name);

// The hint for a namespace in which nothing is; empty if something is in it, or none is like it.
std::string near_namespace(const snapshot::Snapshot& snapshot, const std::string& ns);

// NotFound where none of the states has the namespace or an object in it: otherwise a misspelt name
// would look like a namespace without problems. Done if `ns` is empty, or if a state cannot tell
// whether the namespace exists. `otherwise`: the hint where no namespace has a similar name.
Result<Done> check_namespace(std::string_view command, const std::string& ns,
                             const std::vector<const snapshot::Snapshot*>& states,
                             std::string_view otherwise = "without -n it is about all namespaces");

}  // namespace dra::cmd
