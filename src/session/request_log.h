// src/session/request_log.h
//
// The lines of -v about requests, by kubectl's levels (http.h). Everything passes through
// session/redact, and all known credentials are masked.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dra/session/http.h"

namespace dra::session {

struct LoggedRequest {
  std::string_view method = {};
  std::string url = {};
  std::string proxy = {};  // without credentials; empty: none
  std::string_view user_agent = {};
  const std::vector<std::string>& sent;
  const std::vector<std::string>& received;
  int status = 0;  // 0: it failed
  std::int64_t milliseconds = 0;
};

void log_request(const Log& log, const Secrets& secrets, const LoggedRequest& request);

// A request will be sent again after a pause, with the reason.
void log_retry(const Log& log, const Secrets& secrets, std::string_view method,
               std::string_view url, std::string_view reason);

}  // namespace dra::session
