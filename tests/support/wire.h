// tests/support/wire.h: messages of protobuf, field by field, and Kubernetes' envelope around them.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dra::support {

class WireMessage {
 public:
  WireMessage& number(std::uint32_t field, std::uint64_t value) {
    varint(std::uint64_t{field} << 3U);
    varint(value);
    return *this;
  }
  WireMessage& bytes(std::uint32_t field, std::string_view content) {
    varint(std::uint64_t{field} << 3U | 2U);
    varint(content.size());
    text_ += content;
    return *this;
  }
  WireMessage& message(std::uint32_t field, const WireMessage& content) {
    return bytes(field, content.text_);
  }
  const std::string& text() const { return text_; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U)
      text_ += static_cast<char>(0x80U | (value & 0x7fU));
    text_ += static_cast<char>(value);
  }

  std::string text_;
};

// runtime.Unknown around a message.
inline std::string in_envelope(std::string_view kind, const WireMessage& message) {
  const auto type = WireMessage().bytes(1, "v1").bytes(2, kind);
  return std::string("k8s\0", 4) + WireMessage().message(1, type).message(2, message).text();
}

}  // namespace dra::support
