// src/session/request_headers.h
//
// The headers of a request: accepted formats, credentials, and impersonation.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/base/result.h"
#include "dra/session/connection.h"

namespace dra::session {

// Lines `Name: value`. Credentials only if the server is reached by TLS, impersonation always, as
// in client-go (transport.NewImpersonatingRoundTripper). A value that would not stay within its
// line is BadInput, and the error does not repeat it.
// `accept` has the media types that are understood.
Result<std::vector<std::string>> request_headers(const Connection& connection,
                                                 const Credentials& credentials,
                                                 std::string_view accept = "application/json");

}  // namespace dra::session
