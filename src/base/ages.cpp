// src/base/ages.cpp: see ages.h.

#include "dra/base/ages.h"

namespace dra::base {

std::string age_of(const std::optional<Instant>& since, Instant now) {
  return since ? human_age(now - *since) : std::string(kUnknown);
}

std::string ago(const std::optional<Instant>& when, Instant now) {
  if (!when) return std::string(kUnknown);
  return *when > now ? "in " + human_age(*when - now) : age_of(when, now) + " ago";
}

}  // namespace dra::base
