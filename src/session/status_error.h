// src/session/status_error.h
//
// What to tell people when a server refused: from the status code and the Status object in the
// body, in the words of kubectl (pkg/cmd/util.StandardErrorMessage). Where there is no Status, as
// from a load balancer, the words are those that client-go makes of the code
// (apimachinery's errors.NewGenericServerResponse).

#pragma once

#include <string_view>

#include "dra/base/result.h"
#include "dra/session/connection.h"
#include "dra/session/http.h"

namespace dra::session {

// The response must not be a success.
Error status_error(const Connection& connection, const Secrets& secrets,
                   std::string_view path_and_query, const Response& response,
                   std::string_view method = "GET");

// An answer that no API server gives: says which, how it begins and what to check.
Error not_kubernetes(const Connection& connection, const Secrets& secrets,
                     std::string_view path_and_query, const Response& response);

}  // namespace dra::session
