// include/dra/session/connection.h
//
// All that is needed to talk to one API server, and nothing about where it came from except words
// for people: resolve_connection() (kubeconfig.h) makes one of flags, files and environment, Client
// (client.h) uses it. Files named by a kubeconfig are already read: certificates and keys are PEM
// text.

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

// Where the server listens. API servers can be served below a path, as Rancher does, so the path of
// the address is kept as a prefix of every request; a query or a fragment is dropped.
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

// Made of characters that host names and addresses have: nothing that would change a URL around it.
bool is_host(std::string_view text);

bool is_loopback(std::string_view host);

// Somebody else to act as, if the server lets us: the Impersonate-* headers.
struct Impersonation {
  std::string user = {};  // empty: nobody
  std::string uid = {};
  std::vector<std::string> groups = {};
  std::vector<std::pair<std::string, std::string>> extra = {};  // key (not escaped), value

  bool empty() const { return user.empty(); }
};

struct Connection {
  ServerAddress server;

  std::string ca_pem =
      {};  // who may have signed the server's certificate; empty = the system's store
  bool insecure = false;             // the server's certificate is not checked at all
  std::string tls_server_name = {};  // the name in the server's certificate, if not server.host

  // Who we are. All may be empty: then the server treats us as anonymous.
  std::string client_certificate_pem = {};
  std::string client_key_pem = {};
  std::string token = {};
  // Credentials that can change while we work: of a program or a token file. If set, it is asked
  // for each request, and certificate, key and token above are empty.
  std::shared_ptr<Authenticator> authenticator = {};
  Impersonation impersonate = {};

  // The proxy on the way to the server: http://, https:// or socks5://[user:password@]host[:port].
  // Empty: none.
  std::string proxy_url = {};
  std::string proxy_origin = {};  // for messages: `HTTPS_PROXY`, or where proxy-url stands

  bool compression = true;
  base::Duration request_timeout = {};  // of each request; 0 = none

  std::string namespace_ = "default";
  std::string context = {};  // empty if none was used
  std::string origin = {};   // for messages: `kubeconfig F, context X`
};

}  // namespace dra::session
