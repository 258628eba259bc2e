// src/session/proxy.cpp: parses proxy addresses, and chooses between configuration and environment.

#include "dra/session/proxy.h"

#include <charconv>
#include <optional>
#include <string_view>

#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "src/session/authority.h"
#include "src/session/no_proxy.h"
#include "src/session/proxy_address.h"

namespace dra::session {
namespace {

// A SOCKS request has one byte for the length of a name. Debian's libcurl checks this itself since
// CVE-2023-38545.
constexpr std::size_t kLongestSocksName = 255;

std::uint16_t default_port(std::string_view scheme) {
  if (scheme == "https") return 443;
  return scheme.starts_with("socks5") ? 1080 : 80;
}

std::optional<std::string> unescape(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      plain += text[i];
      continue;
    }
    unsigned char byte = 0;
    const std::string_view digits = text.substr(i + 1, 2);
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (digits.size() != 2 || parsed.ptr != digits.data() + 2) return std::nullopt;
    plain += static_cast<char>(byte);
    i += 2;
  }
  return plain;
}

bool is_scheme(std::string_view text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789+-.") ==
                              std::string_view::npos;
}

// Sets user and password of `userinfo`, which may have no colon.
bool read_user(std::string_view userinfo, ProxyAddress& proxy) {
  const std::size_t colon = userinfo.find(':');
  const auto user = unescape(userinfo.substr(0, colon));
  const auto password =
      unescape(colon == std::string_view::npos ? std::string_view() : userinfo.substr(colon + 1));
  if (!user || !password) return false;
  proxy.user = *user;
  proxy.password = *password;
  return true;
}

// A proxy and the place of its configuration. No address: none is used.
struct ChosenProxy {
  std::optional<ProxyAddress> proxy = {};
  std::string origin = {};
};

Error bad_proxy(const std::string& origin, const std::string& problem) {
  return {ErrorKind::BadInput, base::format("the proxy that {} gives {}", origin, problem),
          "it looks like http://host:3128, https://host:3128 or socks5://host:1080"};
}

Result<Done> check(const ProxyAddress& proxy, const ServerAddress& server,
                   const std::string& origin, bool allow_socks5h) {
  const bool known = proxy.scheme == "http" || proxy.scheme == "https" ||
                     proxy.scheme == "socks5" || (allow_socks5h && proxy.scheme == "socks5h");
  if (!known) {
    return bad_proxy(origin, base::format("has the scheme {}, but must be http, https or socks5",
                                          base::printable(proxy.scheme)));
  }
  if (proxy.is_socks() && server.host.size() > kLongestSocksName) {
    return Error{ErrorKind::BadInput,
                 base::format("the server's host name has {} characters, and a SOCKS proxy can be "
                              "told {}",
                              server.host.size(), kLongestSocksName),
                 "use another address of the server, or a proxy of another kind"};
  }
  return Done{};
}

struct Variable {
  std::string_view name = {};
  std::string_view value = {};
};

Variable first_set(const Environment& environment, std::string_view upper, std::string_view lower) {
  const std::string_view value = environment.get(upper);
  return value.empty() ? Variable{lower, environment.get(lower)} : Variable{upper, value};
}

Result<ChosenProxy> choose_of_environment(const ServerAddress& server,
                                          const Environment& environment) {
  const Variable variable = server.tls ? first_set(environment, "HTTPS_PROXY", "https_proxy")
                                       : first_set(environment, "HTTP_PROXY", "http_proxy");
  if (variable.value.empty()) return ChosenProxy{};
  ChosenProxy choice{parse_proxy(variable.value), std::string(variable.name)};
  if (!choice.proxy) choice.proxy = parse_proxy("http://" + std::string(variable.value));
  if (!choice.proxy) return ChosenProxy{};
  if (!server.tls && !environment.get("REQUEST_METHOD").empty()) {
    return Error{ErrorKind::BadInput,
                 base::format("{} is not used where REQUEST_METHOD is set: in a CGI program, a "
                              "client could have set it",
                              variable.name),
                 "unset one of the two"};
  }
  if (bypasses_proxy(server, first_set(environment, "NO_PROXY", "no_proxy").value))
    return ChosenProxy{};
  DRA_TRY(check(*choice.proxy, server, choice.origin, true));
  return choice;
}

Result<ChosenProxy> choose_proxy_url(const ServerAddress& server, const std::string& configured,
                                     const std::string& origin, const Environment& environment) {
  if (configured.empty()) return choose_of_environment(server, environment);
  ChosenProxy choice{parse_proxy(configured), origin};
  if (!choice.proxy) return bad_proxy(origin, "cannot be used: it is not a URL with a host");
  DRA_TRY(check(*choice.proxy, server, origin, false));
  return choice;
}

}  // namespace

std::string ProxyAddress::shown() const {
  const bool v6 = host.find(':') != std::string::npos;
  return base::format(v6 ? "{}://[{}]:{}" : "{}://{}:{}", scheme, host, port);
}

std::string ProxyAddress::url() const {
  std::string address = shown();
  if (user.empty() && password.empty()) return address;
  const std::string userinfo =
      base::format("{}:{}@", base::url_escape(user), base::url_escape(password));
  return address.insert(scheme.size() + 3, userinfo);
}

std::optional<ProxyAddress> parse_proxy(std::string_view text) {
  const std::size_t scheme_end = text.find("://");
  if (scheme_end == std::string_view::npos) return std::nullopt;
  ProxyAddress proxy;
  proxy.scheme = base::lower(text.substr(0, scheme_end));
  if (!is_scheme(proxy.scheme)) return std::nullopt;
  text.remove_prefix(scheme_end + 3);
  std::string_view authority = text.substr(0, text.find_first_of("/?#"));
  const std::size_t at = authority.rfind('@');
  if (at != std::string_view::npos) {
    if (!read_user(authority.substr(0, at), proxy)) return std::nullopt;
    authority.remove_prefix(at + 1);
  }
  const HostPort place = split_authority(authority);
  if (!is_host(place.host)) return std::nullopt;
  proxy.host = place.host;
  proxy.port = default_port(proxy.scheme);
  if (place.port.empty()) return proxy;
  const auto port = parse_port(place.port);
  if (!port) return std::nullopt;
  proxy.port = *port;
  return proxy;
}

Result<std::string> proxy_for(const ServerAddress& server, const std::string& configured,
                              const Environment& environment) {
  const ChosenProxy choice =
      DRA_TRY(choose_proxy_url(server, configured, "proxy-url", environment));
  return choice.proxy ? choice.proxy->url() : std::string();
}

Result<Done> choose_proxy(Connection& connection, const Environment& environment) {
  const std::string origin = "proxy-url in " + connection.origin;
  const ChosenProxy choice =
      DRA_TRY(choose_proxy_url(connection.server, connection.proxy_url, origin, environment));
  connection.proxy_url = choice.proxy ? choice.proxy->url() : std::string();
  connection.proxy_origin = choice.proxy ? choice.origin : std::string();
  return Done{};
}

}  // namespace dra::session
