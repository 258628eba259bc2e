// include/dra/api/decoded_fields.h
//
// Reduces an object to what the program reads of it, for files that are passed on to others. What
// is left out are fields, and not values: a name or a message that is read stays, whatever it says.

#pragma once

#include <string_view>

#include "dra/json/value.h"

namespace dra::api {

// Removes every field that is never decoded, and of two members with one name the one that does not
// count. Values that only their owner understands, such as a driver's parameters, become an empty
// object. An object of a kind that the program does not read keeps its metadata only. The object
// may be in an older version. Of containers, names and sources of variables stay, and values.
void keep_decoded_fields(json::Value& object, std::string_view api_version, std::string_view kind);

}  // namespace dra::api
