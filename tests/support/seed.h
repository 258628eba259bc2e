// tests/support/seed.h
//
// The seed of generated cases, which .ci/test takes from what is committed, and how many there are:
// `make soak` makes more of them.

#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

namespace dra::support {

inline std::uint64_t number_of(const char* variable, std::uint64_t otherwise) {
  const char* value = std::getenv(variable);
  return value == nullptr || *value == '\0' ? otherwise : std::stoull(value);
}

inline std::mt19937_64 seeded() { return std::mt19937_64(number_of("KUBECTL_DRA_SEED", 1)); }

inline std::uint64_t cases(std::uint64_t usual) { return usual * number_of("KUBECTL_DRA_SOAK", 1); }

// A number below `bound`.
inline std::uint64_t pick(std::mt19937_64& random, std::uint64_t bound) { return random() % bound; }

}  // namespace dra::support
