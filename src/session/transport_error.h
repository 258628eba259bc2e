// src/session/transport_error.h
//
// The message for a request without a complete answer. It knows no HTTP library: http.cpp describes
// the failure in the terms below, so the words can be tested without a network.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "dra/base/result.h"
#include "dra/session/connection.h"

namespace dra::session {

enum class Failure {
  Resolve,         // the host has no address
  Connect,         // no connection to it
  TimedOut,        //
  Certificate,     // the server's certificate is not trusted
  OwnCa,           // our CA cannot be read
  OwnCertificate,  // our client certificate or its key cannot be used
  Handshake,       // no TLS
  NoAnswer,        // closed before anything was answered
  CutOff,          // closed in the middle
  NotHttp,         // an answer that breaks the protocol
  TooLong,         // beyond the limit of one answer
  AllTooLong,      // beyond the limit of all answers together
  HeadersTooLong,  // beyond the limit of headers
  ProxyResolve,    // the proxy has no address
  ProxyConnect,    // no connection to the proxy
  ProxyRefused,    // the proxy does not let us through
  Other,
};

struct TransportFailure {
  Failure failure = Failure::Other;
  std::string method = "GET";
  std::string path = {};      // and query
  bool answer_begun = false;  // a status line was read
  bool connected = false;     // including TLS
  int system_error = 0;       // errno, if it is the reason
  long verify_result = 0;     // OpenSSL's X509_V_ERR_...
  int proxy_status = 0;       // of the answer to CONNECT; 0: none
  std::int64_t milliseconds = 0;
  long stall_seconds = 0;
  std::size_t max_bytes = 0;  // the limit, if the answer is too long
  std::string words = {};     // of the library, secrets masked; the last resort
};

// The time that a request may take: --request-timeout, or else kLongestRequest.
base::Duration time_limit(const Connection& connection);

// All answers of the server together are longer than `max_bytes`.
Error answers_too_long(const Connection& connection, std::size_t max_bytes);

Error transport_error(const Connection& connection, const TransportFailure& failure);

// A proxy that answers `status` instead of passing the request on.
Error proxy_refusal(const Connection& connection, int status);

// `GET https://host:6443/apis/...`, without the query, which says little and may hold credentials.
std::string request_name(const Connection& connection, std::string_view path_and_query,
                         std::string_view method = "GET");

}  // namespace dra::session
