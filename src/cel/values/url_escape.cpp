// src/cel/values/url_escape.cpp: percent-encoding, see url.h.

#include "dra/cel/values/url.h"

#include <algorithm>

#include "dra/base/ascii.h"
#include "dra/base/text.h"
#include "dra/cel/values/go_text.h"

namespace dra::cel {
namespace {

std::string_view kept_in(UrlPart part) {
  switch (part) {
    case UrlPart::Path:
      return "$&+,/:;=@";
    case UrlPart::Host:
    case UrlPart::Zone:
      return "!\"$&'()*+,:;<=>[]";
    case UrlPart::User:
      return "$&+,;=";
    case UrlPart::Fragment:
      return "!$&()*+,/:;=?@";
    case UrlPart::Query:
      break;
  }
  return "";
}

bool contains(std::string_view set, char c) { return set.find(c) != std::string_view::npos; }

bool is_kept(char c, UrlPart part) {
  const bool alphanumeric = base::is_letter_or_digit(c);
  return alphanumeric || contains("-._~", c) || contains(kept_in(part), c);
}

// The character of an escape at the beginning of a text, if it is allowed.
std::optional<char> unescape_one(std::string_view text, UrlPart part) {
  if (text.size() < 3) return std::nullopt;
  const std::optional<unsigned> high = base::hex_digit(text[1]);
  const std::optional<unsigned> low = base::hex_digit(text[2]);
  if (!high || !low) return std::nullopt;
  const char c = static_cast<char>(*high * 16 + *low);
  if (text.substr(0, 3) == "%25") return c;
  // Hosts may only escape what is not ASCII, zones only what needs no escape.
  if (part == UrlPart::Host && *high < 8) return std::nullopt;
  if (part == UrlPart::Zone && c != ' ' && !is_kept(c, UrlPart::Host)) return std::nullopt;
  return c;
}

}  // namespace

std::string escape_url(std::string_view text, UrlPart part) {
  std::string out;
  for (const char c : text) {
    if (is_kept(c, part)) {
      out += c;
    } else {
      out += base::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
  }
  return out;
}

std::optional<std::string> unescape_url(std::string_view text, UrlPart part, std::string& problem) {
  const bool in_host = part == UrlPart::Host || part == UrlPart::Zone;
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '%') {
      const std::optional<char> meant = unescape_one(text.substr(i), part);
      if (!meant) {
        problem = "invalid URL escape " + go_quoted(text.substr(i, 3));
        return std::nullopt;
      }
      out += *meant;
      i += 2;
      continue;
    }
    const bool ascii = static_cast<unsigned char>(c) < 0x80;
    if (in_host && ascii && !is_kept(c, part)) {
      problem = base::format("invalid character {} in host name", go_quoted(text.substr(i, 1)));
      return std::nullopt;
    }
    out += c == '+' && part == UrlPart::Query ? ' ' : c;
  }
  return out;
}

bool is_escaped_url(std::string_view text, UrlPart part) {
  return std::ranges::all_of(
      text, [part](char c) { return contains("!$&'()*+,;=:@[]%", c) || is_kept(c, part); });
}

}  // namespace dra::cel
