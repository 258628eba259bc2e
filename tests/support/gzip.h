// tests/support/gzip.h: bodies that grow when they are unpacked.

#pragma once

#include <cstddef>
#include <string>

namespace dra::support {

// The begin of a gzip stream that unpacks to more than `size` bytes, a thousandth of that long. Its
// end is missing: whoever waits for it has taken in too much.
std::string gzip_bomb(std::size_t size);

}  // namespace dra::support
