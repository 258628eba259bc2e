// include/dra/session/raw.h: any path of a server, as `get --raw` reads it.

#pragma once

#include <string>

#include "dra/session/client.h"

namespace dra::session {

// The answer to a GET, which may be any text. The path begins with a slash and may have a query.
Result<base::Page> get_text(Client& client, const std::string& path_and_query);

}  // namespace dra::session
