// src/cel/go_quote.h
//
// Text as Go quotes it in messages: strconv.Quote, and %q of fmt.

#pragma once

#include <string>
#include <string_view>

namespace dra::cel {

// In double quotes; what is not printable, and bytes that are not UTF-8, as escapes.
std::string go_quote(std::string_view text);

}  // namespace dra::cel
