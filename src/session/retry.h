// src/session/retry.h
//
// Whether a request is sent again, and when: client-go's rest/with_retry.go as a function.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "dra/base/time.h"
#include "dra/session/http.h"

namespace dra::session {

// How an attempt at a GET ended.
struct Attempt {
  int status = 0;                     // 0: there was no answer
  std::string_view retry_after = {};  // the header's value
  bool lost = false;                  // the connection ended before a byte of the answer
};

// What has been tried of a request so far.
struct Tried {
  int retries = 0;
  std::int64_t seconds = 0;  // of all pauses
};

// Seconds to wait before the request is sent again; none if it is not. A server asks for it with
// 429 or 500 and above and a Retry-After in whole seconds; a date there is not understood, as by
// client-go. One whose pauses would grow too long gets no more: its answer is the outcome.
std::optional<std::int64_t> seconds_to_retry(const Attempt& attempt, const Tried& tried,
                                             const Retries& retries);

}  // namespace dra::session
