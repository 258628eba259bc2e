// src/topology/labels.h
//
// What labels and names of objects say.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "dra/api/meta.h"

namespace dra::topology {

// Empty: there is no such label.
std::string_view label_of(const api::ObjectMeta& meta, std::string_view key);

// A whole number from 0, and nothing else in the text.
std::optional<std::int64_t> number_in(std::string_view text);

}  // namespace dra::topology
