// src/json/go_text.h: how Go prints values that kubectl decoded from JSON. See also go_text() in
// path.h.

#pragma once

#include <string>
#include <vector>

#include "dra/json/path.h"
#include "dra/json/value.h"
#include "dra/json/write.h"

namespace dra::json {

// The members that a Go map has, the last one of each name, in the object's order.
std::vector<const Member*> effective_members(const Value& object);
// The same in the order of their names, as encoding/json and fmt print a map.
std::vector<const Member*> sorted_members(const Value& object);

}  // namespace dra::json
