// include/dra/base/line_diff.h
//
// A diff of two texts by lines.

#pragma once

#include <string>
#include <string_view>

namespace dra::base {

// A unified diff with three lines around each change; both files are called `name`. Empty for equal
// texts. The diff of texts that differ over very long stretches is correct, but not the shortest.
std::string unified_diff(std::string_view name, std::string_view before, std::string_view after);

}  // namespace dra::base
