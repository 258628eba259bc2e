// src/topology/labels.h
//
// What labels and names of objects say.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "dra/engine/nodes.h"

namespace dra::topology {

using engine::label_of;

// A whole number from 0, and nothing else in the text.
std::optional<std::int64_t> number_in(std::string_view text);

}  // namespace dra::topology
