// src/session/base64.cpp: see base64.h.

#include "src/session/base64.h"

#include <cstdint>

namespace dra::session {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::optional<std::string> decode_base64(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t group = 0;
  std::size_t digits = 0;  // of the group of four, padding included
  std::size_t padding = 0;
  for (const char c : text) {
    if (c == '\n' || c == '\r') continue;
    if (padding > 0 && (c != '=' || digits == 0)) return std::nullopt;
    const std::size_t value = c == '=' ? 0 : kAlphabet.find(c);
    if (value == std::string_view::npos) return std::nullopt;
    if (c == '=' && (digits < 2 || ++padding > 2)) return std::nullopt;
    group = group << 6U | static_cast<std::uint32_t>(value);
    if (++digits < 4) continue;
    for (std::size_t i = 0; i < 3 - padding; ++i) {
      bytes += static_cast<char>(group >> (16U - 8U * i) & 0xffU);
    }
    group = 0;
    digits = 0;
  }
  if (digits != 0) return std::nullopt;
  return bytes;
}

std::string encode_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view part = bytes.substr(i, 3);
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      group = group << 8U | (j < part.size() ? static_cast<unsigned char>(part[j]) : 0U);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      text += j <= part.size() ? kAlphabet[group >> (18U - 6U * j) & 0x3fU] : '=';
    }
  }
  return text;
}

}  // namespace dra::session
