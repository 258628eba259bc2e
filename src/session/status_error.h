// src/session/status_error.h
//
// The message for a refusal of the server: from the status code and the Status object in the body,
// in kubectl's words (pkg/cmd/util.StandardErrorMessage). Without a Status, as from a load
// balancer, the words are those of client-go for the code (apimachinery's
// errors.NewGenericServerResponse).

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

// The error for an answer that no API server gives: it quotes its beginning and says what to check.
Error not_kubernetes(const Connection& connection, const Secrets& secrets,
                     std::string_view path_and_query, const Response& response);

}  // namespace dra::session
