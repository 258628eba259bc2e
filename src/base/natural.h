// src/base/natural.h
//
// Natural numbers of any size, for quantities beyond 64 bits: limbs in base 10^9, the least
// significant first, without leading zeros. Zero has no limbs.

#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dra::base {

using Limbs = std::vector<std::uint32_t>;

inline constexpr std::uint64_t kBase = 1'000'000'000;

void multiply(Limbs& limbs, std::uint32_t factor);
// Divides and returns the remainder.
std::uint32_t divide(Limbs& limbs, std::uint32_t divisor);
void add_limbs(Limbs& sum, const Limbs& other);
// a - b, where a >= b.
Limbs difference(Limbs a, const Limbs& b);
std::weak_ordering compare(const Limbs& a, const Limbs& b);
// Times 10^exponent; a negative exponent divides and rounds up.
void scale(Limbs& limbs, std::int64_t exponent);

Limbs from_digits(std::string_view digits);
std::string to_digits(const Limbs& limbs);

}  // namespace dra::base
