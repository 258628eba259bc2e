// src/session/no_proxy.h: the servers that are reached without a proxy. See proxy.h for the rules.

#pragma once

#include <string_view>

#include "dra/session/connection.h"

namespace dra::session {

// `list` is the value of NO_PROXY.
bool bypasses_proxy(const ServerAddress& server, std::string_view list);

}  // namespace dra::session
