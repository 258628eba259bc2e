// include/dra/base/fold_names.h
//
// Many names in little room: runs of numbers, and what long names have in common.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dra::base {

// "gpu-0", "gpu-1", "gpu-2" -> "gpu-0…2"; runs of three or more, the rest joined by commas.
std::string fold_names(const std::vector<std::string_view>& names);

// The same, shorter where names are long: "gpu-0-mig-1g10gb-19-{0…3,6}".
std::string fold_devices(const std::vector<std::string_view>& names);

// As many of them as fit into `width` cells, at least one, then ",+2".
std::string fold_devices_within(const std::vector<std::string_view>& names, std::size_t width);

// The same within a sentence: "devices 0…3" where drivers call them by numbers alone.
std::string name_devices_within(const std::vector<std::string_view>& names, std::size_t width);

// Names of nodes, by what they have in common: "pool-a-{cg6n,t5wd}"; at most `limit`, then "+2".
std::string fold_nodes(const std::vector<std::string_view>& names, std::size_t limit);

}  // namespace dra::base
