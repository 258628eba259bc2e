// include/dra/base/fetch.h
//
// Fetches memory that is read soon. The texts of objects lie where they were received, far from
// what points to them and from one another; while some items are looked at, the text of a later one
// is on its way.

#pragma once

#include <cstddef>
#include <functional>

namespace dra::base {

// To look at so many items takes at least as long as to fetch one, also from a slow memory.
inline constexpr std::size_t kAhead = 32;

// Any address will do, also one that nothing may be read from. GCC takes a function that only
// fetches for one without effects, and drops the calls of it; the empty assembly is an effect.
inline void fetch(const void* address) {
  __builtin_prefetch(address);
  asm volatile("" : : "r"(address));
}

// The text of the item that comes kAhead places after `place`, if there is one.
template <class Items, class TextOf>
void fetch_text(const Items& items, std::size_t place, TextOf text_of) {
  if (place + kAhead < items.size()) fetch(std::invoke(text_of, items[place + kAhead]).data());
}

}  // namespace dra::base
