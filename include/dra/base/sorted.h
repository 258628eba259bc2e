// include/dra/base/sorted.h
//
// Look-ups in vectors that are sorted by a key. The standard's ranges::equal_range does the same,
// but its result does not compile with clang 14, which builds the fuzzers.

#pragma once

#include <algorithm>
#include <span>
#include <vector>

namespace dra::base {

// The elements whose key equals `key`; `key_of` is a member pointer or a function of an element.
template <class T, class Key, class KeyOf>
std::span<const T> equal_range(const std::vector<T>& sorted, const Key& key, KeyOf key_of) {
  const auto first = std::ranges::lower_bound(sorted, key, {}, key_of);
  const auto last = std::ranges::upper_bound(sorted, key, {}, key_of);
  return {first, last};
}

}  // namespace dra::base
