// src/cel/values/url.cpp: a parser with net/url's errors, and the parts of a URL as Go returns
// them.

#include "dra/cel/values/url.h"

#include <algorithm>

#include "dra/base/ascii.h"
#include "dra/base/text.h"
#include "dra/cel/values/go_text.h"
#include "dra/cel/values/ip_address.h"

namespace dra::cel {
namespace {

// The error; no value if there is none.
using Problem = std::optional<std::string>;

constexpr std::size_t kMostParameters = 10'000;

bool has_control_character(std::string_view text) {
  return std::ranges::any_of(text, [](char c) {
    const auto code = static_cast<unsigned char>(c);
    return code < ' ' || code == 0x7F;
  });
}

// The text before and after the first separator, as strings.Cut.
std::pair<std::string_view, std::string_view> cut(std::string_view text, char separator) {
  const std::size_t at = text.find(separator);
  if (at == std::string_view::npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + 1)};
}

// ":80", ":" or nothing.
bool is_port(std::string_view text) {
  return text.empty() || (text[0] == ':' && std::ranges::all_of(text.substr(1), base::is_digit));
}

// The parts of a host, as Hostname and Port return them.
std::pair<std::string_view, std::string_view> split_port(std::string_view host) {
  std::string_view port;
  const std::size_t colon = host.rfind(':');
  if (colon != std::string_view::npos && is_port(host.substr(colon))) {
    port = host.substr(colon + 1);
    host = host.substr(0, colon);
  }
  const bool in_brackets = host.starts_with('[') && host.ends_with(']');
  return {in_brackets ? host.substr(1, host.size() - 2) : host, port};
}

// Parses the parts of one URL.
class UrlParser {
 public:
  UrlParser(bool via_request, Url& out) : via_request_(via_request), out_(out) {}

  Problem parse(std::string_view text) {
    if (has_control_character(text)) return "net/url: invalid control character in URL";
    if (text.empty() && via_request_) return "empty url";
    if (text == "*") {
      out_.path = "*";
      return std::nullopt;
    }
    if (text.starts_with(':')) return "missing protocol scheme";
    std::string_view rest = after_query(after_scheme(text));
    if (!rest.starts_with('/')) {
      if (!out_.scheme.empty()) {
        out_.opaque = rest;
        return std::nullopt;
      }
      if (via_request_) return "invalid URI for request";
      if (cut(rest, '/').first.find(':') != std::string_view::npos) {
        return "first path segment in URL cannot contain colon";
      }
    }
    const bool may_have_authority =
        !out_.scheme.empty() || (!via_request_ && !rest.starts_with("///"));
    if (may_have_authority && rest.starts_with("//")) {
      const std::size_t slash = std::min(rest.find('/', 2), rest.size());
      if (Problem problem = parse_authority(rest.substr(2, slash - 2))) return problem;
      rest.remove_prefix(slash);
    } else {
      out_.omit_host = !out_.scheme.empty() && rest.starts_with('/');
    }
    return unescape_part(rest, UrlPart::Path, out_.path, out_.raw_path);
  }

  // Decodes a part, and keeps its text if encoding it again gives another one.
  static Problem unescape_part(std::string_view text, UrlPart part, std::string& decoded,
                               std::string& raw) {
    std::string problem;
    std::optional<std::string> plain = unescape_url(text, part, problem);
    if (!plain) return problem;
    decoded = *std::move(plain);
    if (escape_url(decoded, part) != text) raw = text;
    return std::nullopt;
  }

 private:
  std::string_view after_scheme(std::string_view text) {
    const auto* const end = std::ranges::find_if_not(text, [](char c) {
      return base::is_letter(c) || base::is_digit(c) || c == '+' || c == '-' || c == '.';
    });
    const auto length = static_cast<std::size_t>(end - text.begin());
    if (end == text.end() || *end != ':' || !base::is_letter(text[0])) return text;
    out_.scheme = base::lower(text.substr(0, length));
    return text.substr(length + 1);
  }

  std::string_view after_query(std::string_view text) {
    if (text.ends_with('?') && std::ranges::count(text, '?') == 1) {
      out_.force_query = true;
      return text.substr(0, text.size() - 1);
    }
    const auto [before, query] = cut(text, '?');
    out_.query = query;
    return before;
  }

  Problem parse_authority(std::string_view authority) {
    const std::size_t at = authority.rfind('@');
    if (at == std::string_view::npos) return parse_host(authority);
    if (Problem problem = parse_host(authority.substr(at + 1))) return problem;
    const std::string_view user = authority.substr(0, at);
    const bool valid = std::ranges::all_of(user, [](char c) {
      return base::is_letter(c) || base::is_digit(c) ||
             std::string_view("-._:~!$&'()*+,;=%@").find(c) != std::string_view::npos;
    });
    if (!valid) return "net/url: invalid userinfo";
    out_.has_user = true;
    const auto [name, password] = cut(user, ':');
    if (Problem problem = add_user(name)) return problem;
    if (user.find(':') == std::string_view::npos) return std::nullopt;
    out_.user += ':';
    return add_user(password);
  }

  Problem add_user(std::string_view text) {
    std::string problem;
    const std::optional<std::string> plain = unescape_url(text, UrlPart::User, problem);
    if (!plain) return problem;
    out_.user += escape_url(*plain, UrlPart::User);
    return std::nullopt;
  }

  Problem parse_host(std::string_view host) {
    const std::size_t bracket = host.rfind('[');
    if (bracket == 0) return parse_literal(host);
    if (bracket != std::string_view::npos) return "invalid IP-literal";
    std::size_t colon = host.find(':');
    if (colon != std::string_view::npos) {
      // Several colons are invalid, but some databases list hosts so.
      const bool strict = out_.scheme == "http" || out_.scheme == "https";
      if (!strict) colon = host.rfind(':');
      const std::string_view port = host.substr(colon);
      if (!is_port(port)) return invalid_port(port);
    }
    return add_host(host, UrlPart::Host);
  }

  static Problem invalid_port(std::string_view port) {
    return base::format("invalid port {} after host", go_quoted(port));
  }

  Problem add_host(std::string_view text, UrlPart part) {
    std::string problem;
    const std::optional<std::string> plain = unescape_url(text, part, problem);
    if (!plain) return problem;
    out_.host += *plain;
    return std::nullopt;
  }

  // "[fe80::1%25eth0]:80": an IPv6 address, with any escapes in its zone.
  Problem parse_literal(std::string_view host) {
    const std::size_t end = host.rfind(']');
    if (end == std::string_view::npos) return "missing ']' in host";
    const std::string_view port = host.substr(end + 1);
    if (!is_port(port)) return invalid_port(port);
    const std::string_view name = host.substr(1, end - 1);
    const std::size_t zone = std::min(name.find("%25"), name.size());
    if (Problem problem = add_host(name.substr(0, zone), UrlPart::Host)) return problem;
    if (Problem problem = add_host(name.substr(zone), UrlPart::Zone)) return problem;
    std::string problem;
    const std::optional<Address> address = parse_address(out_.host, problem);
    if (!address) return "invalid host: " + problem;
    if (address->is_v4) return "invalid IP-literal";
    out_.host = base::format("[{}]{}", out_.host, port);
    return std::nullopt;
  }

  bool via_request_;
  Url& out_;
};

std::string parse_error(std::string_view text, std::string_view problem) {
  return base::format("parse {}: {}", go_quoted(text), problem);
}

std::string encoded(const std::string& decoded, const std::string& raw, UrlPart part) {
  if (!raw.empty() && is_escaped_url(raw, part)) return raw;
  return escape_url(decoded, part);
}

}  // namespace

std::string Url::hostname() const { return std::string(split_port(host).first); }

std::string Url::port() const { return std::string(split_port(host).second); }

std::string Url::escaped_path() const {
  return path == "*" && raw_path.empty() ? "*" : encoded(path, raw_path, UrlPart::Path);
}

std::string Url::to_string() const {
  std::string out = scheme.empty() ? "" : scheme + ":";
  if (!opaque.empty()) {
    out += opaque;
  } else {
    const bool has_authority = !host.empty() || has_user;
    const bool shown = has_authority || (!scheme.empty() && !omit_host && !path.empty());
    if (shown) out += "//";
    if (has_user) out += user + "@";
    out += escape_url(host, UrlPart::Host);
    const std::string shown_path = escaped_path();
    if (!shown_path.empty() && shown_path[0] != '/' && !host.empty()) out += "/";
    const bool looks_like_scheme = cut(shown_path, '/').first.find(':') != std::string_view::npos;
    if (out.empty() && looks_like_scheme) out += "./";
    out += shown_path;
  }
  if (force_query || !query.empty()) out += "?" + query;
  if (!fragment.empty()) out += "#" + encoded(fragment, raw_fragment, UrlPart::Fragment);
  return out;
}

std::vector<std::pair<std::string, std::vector<std::string>>> Url::parameters() const {
  std::vector<std::pair<std::string, std::vector<std::string>>> out;
  const std::vector<std::string_view> parts = base::split(query, '&');
  if (parts.size() > kMostParameters) return out;
  for (const std::string_view part : parts) {
    if (part.empty() || part.find(';') != std::string_view::npos) continue;
    std::string problem;
    const auto [name, content] = cut(part, '=');
    const std::optional<std::string> key = unescape_url(name, UrlPart::Query, problem);
    const std::optional<std::string> value = unescape_url(content, UrlPart::Query, problem);
    if (!key || !value) continue;
    auto entry = std::ranges::find(out, *key, [](const auto& one) { return one.first; });
    if (entry == out.end()) entry = out.insert(entry, {*key, {}});
    entry->second.push_back(*value);
  }
  return out;
}

std::optional<std::string> problem_of_request_uri(std::string_view text) {
  Url url;
  const Problem problem = UrlParser(true, url).parse(text);
  return problem ? Problem(parse_error(text, *problem)) : std::nullopt;
}

std::optional<Url> parse_url(std::string_view text, std::string& problem) {
  const auto [before, fragment] = cut(text, '#');
  Url url;
  if (const Problem wrong = UrlParser(false, url).parse(before)) {
    problem = parse_error(before, *wrong);
    return std::nullopt;
  }
  const Problem wrong =
      UrlParser::unescape_part(fragment, UrlPart::Fragment, url.fragment, url.raw_fragment);
  if (!wrong) return url;
  problem = parse_error(text, *wrong);
  return std::nullopt;
}

}  // namespace dra::cel
