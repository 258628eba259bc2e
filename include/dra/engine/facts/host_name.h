// include/dra/engine/facts/host_name.h: the label that differs between nodes that are alike
// otherwise.

#pragma once

#include <string_view>

namespace dra::engine {

inline constexpr std::string_view kHostNameLabel = "kubernetes.io/hostname";

}  // namespace dra::engine
