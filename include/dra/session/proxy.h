// include/dra/session/proxy.h
//
// Chooses the proxy on the way to the server. A cluster of the kubeconfig can name one (proxy-url),
// which is then used for every address. Otherwise the environment decides, by the rules of Go's
// net/http (golang.org/x/net/http/httpproxy), which kubectl follows:
//  * HTTPS_PROXY for servers with TLS, HTTP_PROXY for others; if the upper-case name is not set or
//    empty, the lower-case one. `host:port` means `http://host:port`; a value that is no address is
//    ignored.
//  * Never for `localhost` and loopback addresses.
//  * Never for servers that NO_PROXY (no_proxy) lists, separated by commas: `*` is everything; an
//    address; a network such as 10.0.0.0/8; `host.test` and everything below it; `.host.test` and
//    `*.host.test`, only what is below it; each with or without a port.
//  * HTTP_PROXY is refused if REQUEST_METHOD is set: in a CGI program a client could have set it.

#pragma once

#include <string>

#include "dra/base/result.h"
#include "dra/session/connection.h"
#include "dra/session/kubeconfig.h"

namespace dra::session {

// The proxy as `scheme://[user:password@]host:port`, always with a port, user and password escaped;
// empty for none. `configured` is the cluster's proxy-url: http, https or socks5, as clientcmd
// demands. BadInput for another scheme, for text that is no address, and for host names too long
// for a SOCKS proxy. Errors never repeat user and password.
Result<std::string> proxy_for(const ServerAddress& server, const std::string& configured,
                              const Environment& environment);

// Replaces the connection's proxy_url, the configured one, by the one to use, and sets
// proxy_origin. Call it last, once server and origin are known.
Result<Done> choose_proxy(Connection& connection, const Environment& environment);

}  // namespace dra::session
