// include/dra/session/download.h
//
// Downloads a file by its URL, for `-f https://…`: without credentials, through the proxy that the
// environment names.

#pragma once

#include <string>
#include <string_view>

#include "dra/base/result.h"
#include "dra/session/http.h"
#include "dra/session/kubeconfig.h"

namespace dra::session {

// "http://…" or "https://…".
bool is_url(std::string_view name);

// Follows up to ten redirects, never from https to http. NotFound for 404 and 410, BadAnswer for
// other statuses than 200; other failures as with any server.
Result<std::string> download(std::string_view url, const HttpOptions& options,
                             const Environment& environment);

}  // namespace dra::session
