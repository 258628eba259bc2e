// include/dra/engine/cluster/shares.h: how much of a device's capacity its shares take.

#pragma once

#include <optional>
#include <string_view>

#include "dra/base/quantity.h"
#include "dra/engine/cluster/usage.h"

namespace dra::engine {

// The sum that all holders take of one capacity; admin access takes nothing. No value: an amount
// cannot be read.
std::optional<base::Quantity> taken_of(Holders holders, std::string_view capacity);

}  // namespace dra::engine
