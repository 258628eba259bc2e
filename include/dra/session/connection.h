// include/dra/session/connection.h
//
// Everything that is needed to talk to one API server. resolve_connection() (kubeconfig.h) makes
// one from flags, files and environment, Client (client.h) uses it; its origin is kept for messages
// only. Files named by a kubeconfig are already read: certificates and keys are PEM text.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/base/result.h"
#include "dra/base/time.h"
#include "dra/session/authenticator.h"

namespace dra::session {

// The server's address. API servers can be served below a path, as Rancher does, so the path of the
// address is kept as a prefix of every request; a query or a fragment is dropped.
struct ServerAddress {
  bool tls = true;
  std::string host;  // a name or an IP address; IPv6 without brackets
  std::uint16_t port = 443;
  std::string prefix = {};  // empty, or `/path` without a slash at its end

  std::string host_and_port() const;  // `[::1]:6443`
  std::string url() const;            // `https://[::1]:6443/prefix`
};

// An address without a scheme, such as `10.0.0.1:6443`, is https if `default_tls`, else http, and
// may have no path then (client-go's rest.DefaultServerURL). Errors never quote a user name or
// password.
Result<ServerAddress> parse_server(std::string_view text, bool default_tls);

// The text has only characters of host names and addresses, so it cannot change a URL around it.
bool is_host(std::string_view text);

bool is_loopback(std::string_view host);

// Another user to act as, if the server allows it: the Impersonate-* headers.
struct Impersonation {
  std::string user = {};  // empty: nobody
  std::string uid = {};
  std::vector<std::string> groups = {};
  std::vector<std::pair<std::string, std::string>> extra = {};  // key (not escaped), value

  bool empty() const { return user.empty(); }
};

struct Connection {
  ServerAddress server;

  std::string ca_pem = {};  // the CAs for the server's certificate; empty: the system's store
  bool insecure = false;    // the server's certificate is not checked at all
  std::string tls_server_name = {};  // the name in the server's certificate, if not server.host

  // Who we are. All may be empty: then the server treats us as anonymous.
  std::string client_certificate_pem = {};
  std::string client_key_pem = {};
  std::string token = {};
  // Credentials that can change while we run: of a plugin or a token file. If set, it provides
  // those of each request, and certificate, key and token above are empty.
  std::shared_ptr<Authenticator> authenticator = {};
  Impersonation impersonate = {};

  // The proxy on the way to the server: http://, https:// or socks5://[user:password@]host[:port].
  // Empty: none.
  std::string proxy_url = {};
  std::string proxy_origin = {};  // for messages: `HTTPS_PROXY`, or the place of proxy-url

  bool compression = true;
  base::Duration request_timeout = {};  // of each request; 0 = none

  std::string namespace_ = "default";
  std::string context = {};  // empty if none was used
  std::string origin = {};   // for messages: `kubeconfig F, context X`
};

}  // namespace dra::session
