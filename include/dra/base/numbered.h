// include/dra/base/numbered.h
//
// Whole numbers as texts, and at the end of names: "memory-slice-3".

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dra::base {

// The text as a whole number from 0. No value: it is none, or has other characters.
std::optional<std::int64_t> number_in(std::string_view text);

// "memory-slice-3" is "memory-slice-" and 3. No number: the name has no digits at its end, or too
// many.
struct NumberedName {
  std::string_view name;
  std::optional<std::int64_t> number;
};
NumberedName split_number(std::string_view name);

}  // namespace dra::base
