// src/session/retry.cpp: see retry.h.

#include "src/session/retry.h"

#include <algorithm>
#include <charconv>

namespace dra::session {
namespace {

// client-go's pause after a connection that was lost.
constexpr std::int64_t kAfterLoss = 1;

// Go's strconv.Atoi: a sign is allowed, white space is not.
std::optional<std::int64_t> parse_seconds(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  std::int64_t seconds = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, seconds);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return std::max<std::int64_t>(seconds, 0);
}

std::optional<std::int64_t> pause_asked_for(const Attempt& attempt) {
  if (attempt.lost) return kAfterLoss;
  if (attempt.status != 429 && attempt.status < 500) return std::nullopt;
  return parse_seconds(attempt.retry_after);
}

}  // namespace

std::optional<std::int64_t> seconds_to_retry(const Attempt& attempt, const Tried& tried,
                                             const Retries& retries) {
  const auto seconds = pause_asked_for(attempt);
  if (!seconds || tried.retries >= retries.most) return std::nullopt;
  if (*seconds > retries.most_seconds - tried.seconds) return std::nullopt;
  return seconds;
}

}  // namespace dra::session
