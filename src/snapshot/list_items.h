// src/snapshot/list_items.h: a page of a server's list, as JSON.

#pragma once

#include "dra/base/memory.h"
#include "dra/base/result.h"
#include "dra/json/cursor.h"
#include "dra/session/list_page.h"

namespace dra::snapshot {

// Calls `on_item` for each item of the page. BadAnswer if it is no list.
Result<session::ListPage> read_list_page(const base::Page& page, base::Arena& arena,
                                         json::Cursor::OnItem on_item);

// False, with a failure, if the value is no object.
bool expect_object(json::Cursor& value);

}  // namespace dra::snapshot
