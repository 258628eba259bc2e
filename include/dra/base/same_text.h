// include/dra/base/same_text.h
//
// Compares texts that are mostly the same memory: objects that are alike share their texts.

#pragma once

#include <string_view>

namespace dra::base {

// Looks at the memory only if it is not the same.
inline bool same_text(std::string_view a, std::string_view b) {
  return a.size() == b.size() && (a.data() == b.data() || a == b);
}

}  // namespace dra::base
