// include/dra/json/parse.h
//
// Strict JSON from received bytes. A document is read through a Cursor; scalars are views into the
// page unless they held an escape. Errors: trailing data, a truncated document, invalid UTF-8,
// numbers outside JSON's grammar, nesting deeper than kMaxDepth.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/base/memory.h"
#include "dra/base/result.h"
#include "dra/json/cursor.h"

namespace dra::json {

// Kubernetes objects nest about 20 deep; deeper nesting than this is an attack on the stack.
inline constexpr int kMaxDepth = 100;

// Calls `read` with the document's root. The page must be sealed. Fails with BadAnswer.
Result<Done> read_json(const base::Page& page, base::Arena& arena,
                       base::FunctionRef<void(Cursor&)> read);

// The whole document as a tree. Positions are not kept.
Result<Value> parse_json(std::string_view text);

// The JSON documents that follow each other in a text. They are only separated, not parsed: text
// whose brackets do not match is one document.
std::vector<std::string_view> split_documents(std::string_view text);

bool is_utf8(std::string_view text);
// Replaces bytes that are not UTF-8 by U+FFFD, as Go's encoders do.
std::string repaired_utf8(std::string_view text);

}  // namespace dra::json
