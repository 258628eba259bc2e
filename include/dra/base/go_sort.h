// include/dra/base/go_sort.h
//
// The order in which Go's sort.Sort leaves items. It is no stable sort: where items are equal, it
// is this order that users of kubectl know of --sort-by.

#pragma once

#include <cstddef>
#include <vector>

#include "dra/base/function_ref.h"

namespace dra::base {

// Positions of `count` items, sorted. `less` compares two items by their positions before; it may
// contradict itself, as kubectl's does.
std::vector<std::size_t> go_sorted(std::size_t count,
                                   FunctionRef<bool(std::size_t, std::size_t)> less);

}  // namespace dra::base
