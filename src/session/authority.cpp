// src/session/authority.cpp: see authority.h.

#include "src/session/authority.h"

#include <charconv>

namespace dra::session {

HostPort split_authority(std::string_view authority) {
  if (authority.starts_with('[')) {
    const std::size_t end = authority.find(']');
    if (end == std::string_view::npos) return {};
    const std::string_view rest = authority.substr(end + 1);
    if (!rest.empty() && rest.front() != ':') return {};
    return {authority.substr(1, end - 1), rest.empty() ? rest : rest.substr(1)};
  }
  const std::size_t colon = authority.find(':');
  if (colon == std::string_view::npos) return {authority, {}};
  return {authority.substr(0, colon), authority.substr(colon + 1)};
}

std::optional<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, port);
  if (parsed.ec != std::errc() || parsed.ptr != end || port == 0) return std::nullopt;
  return port;
}

}  // namespace dra::session
