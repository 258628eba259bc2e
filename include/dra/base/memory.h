// include/dra/base/memory.h
//
// The owners of the text that a snapshot's objects point into: a Page holds bytes as they were
// received, an Arena the few strings that had to be rewritten (escapes, YAML). Their views stay
// valid as long as the owner lives, even if it is moved.

#pragma once

#include <memory>
#include <memory_resource>
#include <string>
#include <string_view>

namespace dra::base {

// Received bytes, followed by kPadding readable bytes as the JSON parser demands. The invariant is
// that the text lies on the heap even when it is short, so that moving a Page never moves its
// bytes.
class Page {
 public:
  static constexpr std::size_t kPadding = 64;

  Page() { bytes_.reserve(kPadding); }
  explicit Page(std::string_view text) {
    bytes_.reserve(text.size() + kPadding);
    bytes_.append(text);
  }

  void append(std::string_view more) { bytes_.append(more); }
  // Call once after the last append, before any view is taken: appending moves the bytes.
  void seal() { bytes_.reserve(bytes_.size() + kPadding); }
  std::string_view text() const { return bytes_; }
  std::size_t capacity() const { return bytes_.capacity(); }

 private:
  std::string bytes_;
};

// Grow-only storage for text.
class Arena {
 public:
  Arena() : memory_(std::make_unique<std::pmr::monotonic_buffer_resource>()) {}

  std::string_view copy(std::string_view text) {
    if (text.empty()) return {};
    auto* bytes = static_cast<char*>(memory_->allocate(text.size(), 1));
    text.copy(bytes, text.size());
    return {bytes, text.size()};
  }

 private:
  std::unique_ptr<std::pmr::monotonic_buffer_resource> memory_;
};

}  // namespace dra::base
