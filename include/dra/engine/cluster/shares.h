// include/dra/engine/cluster/shares.h: what shares of a device have taken of its capacity.

#pragma once

#include <optional>
#include <string_view>

#include "dra/base/quantity.h"
#include "dra/engine/cluster/usage.h"

namespace dra::engine {

// What all holders take together of one capacity; admin access takes nothing. No value: an amount
// cannot be read.
std::optional<base::Quantity> taken_of(Holders holders, std::string_view capacity);

}  // namespace dra::engine
