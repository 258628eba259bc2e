// src/base/natural.cpp: schoolbook arithmetic, limb by limb.

#include "src/base/natural.h"

#include <algorithm>
#include <cstddef>

#include "dra/base/text.h"

namespace dra::base {
namespace {

constexpr std::size_t kDigitsPerLimb = 9;

std::uint32_t power_of_ten(std::size_t exponent) {  // at most 9
  std::uint32_t power = 1;
  for (; exponent > 0; --exponent)
    power *= 10;
  return power;
}

void trim_zeros(Limbs& limbs) {
  while (!limbs.empty() && limbs.back() == 0)
    limbs.pop_back();
}

}  // namespace

void multiply(Limbs& limbs, std::uint32_t factor) {
  std::uint64_t carry = 0;
  for (std::uint32_t& limb : limbs) {
    carry += std::uint64_t{limb} * factor;
    limb = static_cast<std::uint32_t>(carry % kBase);
    carry /= kBase;
  }
  if (carry > 0) limbs.push_back(static_cast<std::uint32_t>(carry));
}

std::uint32_t divide(Limbs& limbs, std::uint32_t divisor) {
  std::uint64_t remainder = 0;
  for (std::size_t i = limbs.size(); i-- > 0;) {
    remainder = remainder * kBase + limbs[i];
    limbs[i] = static_cast<std::uint32_t>(remainder / divisor);
    remainder %= divisor;
  }
  trim_zeros(limbs);
  return static_cast<std::uint32_t>(remainder);
}

void add_limbs(Limbs& sum, const Limbs& other) {
  if (sum.size() < other.size()) sum.resize(other.size());
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    carry += std::uint64_t{sum[i]} + (i < other.size() ? other[i] : 0);
    sum[i] = static_cast<std::uint32_t>(carry % kBase);
    carry /= kBase;
  }
  if (carry > 0) sum.push_back(static_cast<std::uint32_t>(carry));
}

Limbs difference(Limbs a, const Limbs& b) {
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::uint64_t taken = borrow + (i < b.size() ? b[i] : 0);
    borrow = a[i] < taken ? 1 : 0;
    a[i] = static_cast<std::uint32_t>(a[i] + borrow * kBase - taken);
  }
  trim_zeros(a);
  return a;
}

std::weak_ordering compare(const Limbs& a, const Limbs& b) {
  if (a.size() != b.size()) return a.size() <=> b.size();
  return std::lexicographical_compare_three_way(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

void scale(Limbs& limbs, std::int64_t exponent) {
  if (limbs.empty()) return;
  const auto digits = static_cast<std::size_t>(exponent < 0 ? -exponent : exponent);
  const std::size_t whole = digits / kDigitsPerLimb;
  const std::uint32_t part = power_of_ten(digits % kDigitsPerLimb);
  if (exponent >= 0) {
    multiply(limbs, part);
    limbs.insert(limbs.begin(), whole, 0);
    return;
  }
  const auto dropped = static_cast<std::ptrdiff_t>(std::min(whole, limbs.size()));
  bool exact = std::all_of(limbs.begin(), limbs.begin() + dropped,
                           [](std::uint32_t limb) { return limb == 0; });
  limbs.erase(limbs.begin(), limbs.begin() + dropped);
  exact = divide(limbs, part) == 0 && exact;
  if (!exact) add_limbs(limbs, {1});
}

Limbs from_digits(std::string_view digits) {
  Limbs limbs;
  while (!digits.empty()) {
    const std::size_t start = digits.size() - std::min(digits.size(), kDigitsPerLimb);
    std::uint32_t limb = 0;
    for (const char c : digits.substr(start))
      limb = limb * 10 + static_cast<std::uint32_t>(c - '0');
    limbs.push_back(limb);
    digits.remove_suffix(digits.size() - start);
  }
  trim_zeros(limbs);
  return limbs;
}

std::string to_digits(const Limbs& limbs) {
  std::string digits;
  for (std::size_t i = limbs.size(); i-- > 0;) {
    digits += digits.empty() ? format("{}", limbs[i]) : format("{:09}", limbs[i]);
  }
  return digits;
}

}  // namespace dra::base
