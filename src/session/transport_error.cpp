// src/session/transport_error.cpp: a message and a hint for each kind of failure.

#include "src/session/transport_error.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "dra/session/http.h"
#include "dra/session/redact.h"

namespace dra::session {
namespace {

std::string name_of(const Connection& connection, const TransportFailure& failure) {
  return request_name(connection, failure.path, failure.method);
}

// Values of OpenSSL's x509_vfy.h, which are part of its interface. With the header this would be a
// second file that depends on the library.
constexpr long kNotYetValid = 9;
constexpr long kExpired = 10;
constexpr long kUnknownIssuer[] = {2, 7, 18, 19, 20, 21};  // no chain to a CA that we trust

bool says(const TransportFailure& failure, std::string_view words) {
  return failure.words.find(words) != std::string::npos;
}

// A CA with the right name but another key fails as a signature and not as a verification. Only the
// library's words distinguish it from other failures of the handshake.
bool has_wrong_signature(const TransportFailure& failure) {
  return says(failure, "asn1 encoding routines") || says(failure, "rsa routines");
}

bool is_unknown_issuer(const TransportFailure& failure) {
  for (const long known : kUnknownIssuer) {
    if (failure.verify_result == known) return true;
  }
  return has_wrong_signature(failure);
}

Error unreachable(std::string message, std::string hint) {
  return {ErrorKind::Unreachable, std::move(message), std::move(hint)};
}

// "the proxy http://proxy:3128 (HTTPS_PROXY)"
std::string proxy_of(const Connection& connection) {
  return base::format("the proxy {} ({})", shown_url(connection.proxy_url),
                      connection.proxy_origin);
}

std::string check_proxy(const Connection& connection) {
  return base::format("check {}; is the proxy needed to reach {}?", connection.proxy_origin,
                      connection.server.host_and_port());
}

std::string reason_of(const TransportFailure& failure) {
  return failure.system_error != 0 ? std::generic_category().message(failure.system_error)
                                   : base::printable(failure.words);
}

Error proxy_error(const Connection& connection, const TransportFailure& failure) {
  const std::string proxy = proxy_of(connection);
  if (failure.failure == Failure::ProxyResolve) {
    return unreachable("could not resolve the host of " + proxy, check_proxy(connection));
  }
  if (failure.failure == Failure::ProxyConnect) {
    return unreachable(base::format("could not connect to {}: {}", proxy, reason_of(failure)),
                       check_proxy(connection));
  }
  if (failure.proxy_status != 0) return proxy_refusal(connection, failure.proxy_status);
  return unreachable(
      base::format("{} does not lead to {}: {}", proxy, connection.server.host_and_port(),
                   base::printable(failure.words)),
      check_proxy(connection));
}

Error connect_error(const Connection& connection, const TransportFailure& failure) {
  const std::string place = connection.server.host_and_port();
  const std::string hint =
      base::format("is the server running, and is its address in {} right?", connection.origin);
  if (failure.system_error == ECONNREFUSED) {
    return unreachable("connection refused at " + place, hint);
  }
  return unreachable(base::format("could not connect to {}: {}", place, reason_of(failure)), hint);
}

Error timeout_error(const Connection& connection, const TransportFailure& failure) {
  const std::string place = connection.server.host_and_port();
  const std::int64_t limit = time_limit(connection).nanos / 1'000'000;
  // The library's clock of a transfer starts a little after the one that ends it.
  if (failure.milliseconds >= limit - limit / 10) {
    const bool given = connection.request_timeout > base::Duration{};
    return unreachable(
        given
            ? base::format("{} did not answer within {} ms, the time that --request-timeout "
                           "gives",
                           place, limit)
            : base::format("{} did not complete its answer within {} seconds", place, limit / 1000),
        "give it more time with --request-timeout");
  }
  if (!failure.connected && !connection.proxy_url.empty()) {
    return unreachable(
        base::format("timed out while connecting to {} through {}", place, proxy_of(connection)),
        "does the proxy answer, and can it reach the server?");
  }
  if (!failure.connected) {
    return unreachable(
        base::format("timed out while connecting to {}", place),
        base::format("is its address in {} right, and does a VPN or a firewall stand "
                     "between?",
                     connection.origin));
  }
  return unreachable(base::format("timed out: {} sent nothing or next to nothing for {} seconds",
                                  place, failure.stall_seconds),
                     "try again later");
}

Error certificate_error(const Connection& connection, const TransportFailure& failure) {
  const std::string subject =
      base::format("the certificate of the server {}", connection.server.host_and_port());
  if (is_unknown_issuer(failure)) {
    const std::string ca = connection.ca_pem.empty()
                               ? std::string("a CA that this system trusts")
                               : base::format("the CA given in {}", connection.origin);
    return unreachable(base::format("{} is not signed by {}", subject, ca),
                       "give the cluster's CA as certificate-authority in the kubeconfig or with "
                       "--certificate-authority FILE; --insecure-skip-tls-verify connects without "
                       "checking the server");
  }
  if (failure.verify_result == kExpired) {
    return unreachable(subject + " has expired", "renew it, or check this machine's clock");
  }
  if (failure.verify_result == kNotYetValid) {
    return unreachable(subject + " is not valid yet", "check this machine's clock");
  }
  // libcurl compares names after OpenSSL's verification.
  if (says(failure, "subject name")) {
    const std::string& name =
        connection.tls_server_name.empty() ? connection.server.host : connection.tls_server_name;
    return unreachable(base::format("{} is made out to another name than {}", subject, name),
                       "use the name in the certificate as the address, or as tls-server-name");
  }
  return unreachable(
      base::format("{} cannot be trusted: {}", subject, base::printable(failure.words)), {});
}

Error own_files_error(const Connection& connection, const TransportFailure& failure) {
  const bool ca = failure.failure == Failure::OwnCa;
  return {ErrorKind::BadInput,
          base::format("the {} given in {} cannot be used: {}",
                       ca ? "CA certificates" : "client certificate and key", connection.origin,
                       base::printable(failure.words)),
          ca ? "check that the file holds certificates as PEM text"
             : "check that the certificate and the key belong together"};
}

// Over TLS 1.3 a server that refuses our certificate reports it only when we read the answer.
bool refuses_certificate(const TransportFailure& failure) {
  return says(failure, "alert") && (says(failure, "certificate") || says(failure, "unknown ca"));
}

Error handshake_error(const Connection& connection, const TransportFailure& failure) {
  const std::string place = connection.server.host_and_port();
  if (refuses_certificate(failure)) {
    return {ErrorKind::Unauthorized,
            base::format("{} does not accept our client certificate: {}", place,
                         base::printable(failure.words)),
            base::format("check the client certificate in {}", connection.origin)};
  }
  if (has_wrong_signature(failure)) return certificate_error(connection, failure);
  if (says(failure, "protocol version") || says(failure, "unsupported protocol")) {
    return unreachable(
        base::format("{} speaks no TLS that is safe: version 1.2 or newer is needed", place),
        base::format("is the address in {} right?", connection.origin));
  }
  if (says(failure, "wrong version number")) {
    return unreachable(
        base::format("{} does not speak TLS", place),
        base::format("should the address in {} begin with http://?", connection.origin));
  }
  return unreachable(
      base::format("no TLS connection with {}: {}", place, base::printable(failure.words)),
      base::format("is the address in {} right?", connection.origin));
}

Error cut_off_error(const Connection& connection, const TransportFailure& failure) {
  if (failure.answer_begun) {
    return {ErrorKind::BadAnswer,
            base::format("the server closed the connection in the middle of the answer to {} "
                         "(truncated)",
                         name_of(connection, failure)),
            "try again; a proxy between may limit the size of answers"};
  }
  if (refuses_certificate(failure)) return handshake_error(connection, failure);
  return unreachable(
      base::format("{} closed the connection without an answer", connection.server.host_and_port()),
      base::format("is the address in {} that of a Kubernetes API server?", connection.origin));
}

Error not_http_error(const Connection& connection, const TransportFailure& failure) {
  return {ErrorKind::BadAnswer,
          base::format("the answer to {} breaks the HTTP protocol: {}",
                       name_of(connection, failure), base::printable(failure.words)),
          base::format("is the address in {} that of a Kubernetes API server?", connection.origin)};
}

}  // namespace

Error proxy_refusal(const Connection& connection, int status) {
  const std::string proxy = proxy_of(connection);
  if (status == 407) {
    return unreachable(proxy + " does not accept our user name and password (407)",
                       base::format("give them in {}, as in http://user:password@host:3128",
                                    connection.proxy_origin));
  }
  const std::string words(base::trim(base::format("{} {}", status, status_text(status))));
  return unreachable(base::format("{} does not let us through to {}: it answers {}", proxy,
                                  connection.server.host_and_port(), words),
                     check_proxy(connection));
}

base::Duration time_limit(const Connection& connection) {
  const bool given = connection.request_timeout > base::Duration{};
  return given ? connection.request_timeout : kLongestRequest;
}

Error answers_too_long(const Connection& connection, std::size_t max_bytes) {
  return {
      ErrorKind::BadAnswer,
      base::format("the answers of {} are longer than {} MiB together",
                   connection.server.host_and_port(), max_bytes >> 20U),
      base::format("ask for less, as with -n NAMESPACE, or set KUBECTL_DRA_MAX_READ={}Mi if the "
                   "cluster is that large and there is memory for it",
                   max_bytes >> 18U)};
}

Error transport_error(const Connection& connection, const TransportFailure& failure) {
  switch (failure.failure) {
    case Failure::Resolve:
      return unreachable(
          "could not resolve host " + connection.server.host,
          base::format("check the address in {}, and the network or the VPN", connection.origin));
    case Failure::Connect:
      return connect_error(connection, failure);
    case Failure::TimedOut:
      return timeout_error(connection, failure);
    case Failure::Certificate:
      return certificate_error(connection, failure);
    case Failure::OwnCa:
    case Failure::OwnCertificate:
      return own_files_error(connection, failure);
    case Failure::Handshake:
      return handshake_error(connection, failure);
    case Failure::NoAnswer:
    case Failure::CutOff:
      return cut_off_error(connection, failure);
    case Failure::NotHttp:
      return not_http_error(connection, failure);
    case Failure::TooLong:
      return {ErrorKind::BadAnswer,
              base::format("the answer to {} is longer than {} MiB", name_of(connection, failure),
                           failure.max_bytes >> 20U),
              "ask for less: one namespace, or smaller pages"};
    case Failure::AllTooLong:
      return answers_too_long(connection, failure.max_bytes);
    case Failure::HeadersTooLong:
      return {
          ErrorKind::BadAnswer,
          base::format("the headers of the answer to {} are longer than {} KiB",
                       name_of(connection, failure), failure.max_bytes >> 10U),
          base::format("is the address in {} that of a Kubernetes API server?", connection.origin)};
    case Failure::ProxyResolve:
    case Failure::ProxyConnect:
    case Failure::ProxyRefused:
      return proxy_error(connection, failure);
    case Failure::Other:
      break;
  }
  return unreachable(
      base::format("{} failed: {}", name_of(connection, failure), base::printable(failure.words)),
      {});
}

std::string request_name(const Connection& connection, std::string_view path_and_query,
                         std::string_view method) {
  return base::printable(base::format("{} {}{}", method, connection.server.url(),
                                      path_and_query.substr(0, path_and_query.find('?'))));
}

}  // namespace dra::session
