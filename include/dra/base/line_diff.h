// include/dra/base/line_diff.h
//
// What differs between two texts, by lines.

#pragma once

#include <string>
#include <string_view>

namespace dra::base {

// A unified diff with three lines around each change; `name` stands for both files. Empty for equal
// texts. Of texts that have nothing in common for very long, the common part may be found shorter
// than it is: the diff is right all the same.
std::string unified_diff(std::string_view name, std::string_view before, std::string_view after);

}  // namespace dra::base
