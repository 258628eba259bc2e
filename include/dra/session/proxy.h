// include/dra/session/proxy.h
//
// Whether the way to the server leads through a proxy. A cluster of the kubeconfig can name one
// (proxy-url), which is then used whatever the address is. Otherwise the environment decides, by
// the rules of Go's net/http (golang.org/x/net/http/httpproxy), which kubectl has:
//  * HTTPS_PROXY for servers with TLS, HTTP_PROXY for others; where the upper-case name is not set
//    or empty, the lower-case one. `host:port` stands for `http://host:port`; what is no address at
//    all is ignored.
//  * never for `localhost` and loopback addresses;
//  * never for what NO_PROXY (no_proxy) lists, with commas between: `*` is everything; an address,
//    with or without a port; a network such as 10.0.0.0/8; `host.test`, which is also all below it;
//    `.host.test` and `*.host.test`, which are only what is below it; each with or without a port.
//  * HTTP_PROXY is refused where REQUEST_METHOD is set: in a CGI program a client could have set
//  it.

#pragma once

#include <string>

#include "dra/base/result.h"
#include "dra/session/connection.h"
#include "dra/session/kubeconfig.h"

namespace dra::session {

// The proxy as `scheme://[user:password@]host:port` with its port always there, user and password
// escaped; empty for none. `configured` is the cluster's proxy-url: http, https or socks5, as
// clientcmd demands. BadInput for another scheme, for what is no address, and for host names that a
// SOCKS proxy cannot be told. Errors never repeat user and password.
Result<std::string> proxy_for(const ServerAddress& server, const std::string& configured,
                              const Environment& environment);

// Replaces the connection's proxy_url, the configured one, by the one to use, and sets
// proxy_origin. Call it last, once server and origin are known.
Result<Done> choose_proxy(Connection& connection, const Environment& environment);

}  // namespace dra::session
