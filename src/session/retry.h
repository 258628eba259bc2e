// src/session/retry.h
//
// Decides if and when a request is sent again: client-go's rest/with_retry.go as a function.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "dra/base/time.h"
#include "dra/session/http.h"

namespace dra::session {

// The end of an attempt at a GET.
struct Attempt {
  int status = 0;                     // 0: there was no answer
  std::string_view retry_after = {};  // the header's value
  bool lost = false;                  // the connection ended before a byte of the answer
};

// The attempts at a request so far.
struct Tried {
  int retries = 0;
  std::int64_t seconds = 0;  // of all pauses
};

// Seconds to wait before the request is sent again. No value: it is not. A server asks for it with
// 429 or 500 and above and a Retry-After in whole seconds; a date there is ignored, as by
// client-go. If the pauses would become too long, the answer is final.
std::optional<std::int64_t> seconds_to_retry(const Attempt& attempt, const Tried& tried,
                                             const Retries& retries);

}  // namespace dra::session
