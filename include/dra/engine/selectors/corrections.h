// include/dra/engine/selectors/corrections.h
//
// What the author of an expression may have meant that does not compile, found without devices: for
// manifests that are checked before there is a cluster.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/cel/hints/changes.h"
#include "dra/engine/selectors/selector.h"

namespace dra::engine {

// The whole expression, changed in as few places as possible. The API server takes it as a new one.
// `names` are attributes and capacities that devices may have. No value if the expression compiles,
// or if no change makes it compile.
std::optional<std::string> correction_of(std::string_view expression, const Language& language,
                                         std::vector<cel::KnownName> names);

// Words about the first attribute or capacity that is named without its domain, as in
// `device.attributes.model == "x"`; empty if there is none. A name in a domain is compared with a
// value, the names of a domain are not.
std::string missing_domain(const Selector& selector);

}  // namespace dra::engine
