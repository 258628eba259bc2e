// include/dra/json/go_quote.h: Go's string literals.

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dra::json {

// The text of a literal in Go's quotes, single or double, both with the escapes of Go
// (client-go/util/jsonpath, UnquoteExtend). No value if it is malformed.
std::optional<std::string> go_unquote(std::string_view quoted);

}  // namespace dra::json
