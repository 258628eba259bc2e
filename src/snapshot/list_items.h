// src/snapshot/list_items.h: a page of a server's list, as JSON.

#pragma once

#include <optional>
#include <string_view>

#include "dra/json/cursor.h"
#include "dra/session/list_page.h"

namespace dra::snapshot {

inline constexpr std::string_view kNoList = "the answer is JSON, but not a Kubernetes list";

// Calls `on_item` for each item of a list. No value if the object is none.
std::optional<session::ListPage> read_list(json::Cursor& root, json::Cursor::OnItem on_item);

}  // namespace dra::snapshot
