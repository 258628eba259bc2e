// include/dra/engine/cluster/missing_device.h
//
// A device that is not published: a claim holds it from the time when it was, or the shape of its
// machine or slice says that it is there. Placing devices in shapes is up to the layer topology,
// which finds them (dra/topology/missing_devices.h); counts and lists are told.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "dra/engine/cluster/usage.h"

namespace dra::engine {

struct MissingDevice {
  std::string_view driver;
  std::string_view pool = {};  // empty: there is no node for it
  std::string device = {};     // empty: its name is not known
  std::string_view node = {};  // that had it; empty: there is none, or it is not known
  Holders holders = {};        // admin access included; in the order of claims
  // Of Inventory::devices(): a published device of the same pool, else of the same slice of chips.
  // No value: there is none.
  std::optional<std::size_t> like = {};
};

}  // namespace dra::engine
