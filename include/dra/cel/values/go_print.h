// include/dra/cel/values/go_print.h
//
// What Go takes for text that can be seen.

#pragma once

#include <string_view>

namespace dra::cel {

// Whether Go would print each character as it is; a byte that is not UTF-8 is printed as U+FFFD.
// Upstream: unicode.IsPrint of Go 1.26.
bool go_prints(std::string_view text);

}  // namespace dra::cel
