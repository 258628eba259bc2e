// tests/support/gzip.cpp: see gzip.h. One block of RFC 1951 with fixed codes.

#include "tests/support/gzip.h"

#include <string_view>

namespace dra::support {

std::string gzip_bomb(std::size_t size) {
  constexpr std::size_t longest_match = 258;
  std::string bytes("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", 10);
  unsigned pending = 0;
  unsigned count = 0;
  // Codes are written with their first bit first, as they stand here.
  const auto write = [&](std::string_view bits) {
    for (const char bit : bits) {
      pending |= (bit == '1' ? 1U : 0U) << count;
      if (++count < 8) continue;
      bytes += static_cast<char>(pending);
      pending = count = 0;
    }
  };
  write("110");       // the last block, fixed codes
  write("00110000");  // a byte, 0
  for (std::size_t unpacked = 0; unpacked <= size + longest_match; unpacked += longest_match) {
    write("11000101");  // a match of 258 bytes,
    write("00000");     // one byte back
  }
  return bytes;
}

}  // namespace dra::support
