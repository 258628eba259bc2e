// src/session/transfer.h
//
// One attempt at a request with libcurl: its set-up, the answer that it receives, and the name of
// its failure. http.h decides when there is one.

#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/session/http.h"
#include "src/session/curl_library.h"
#include "src/session/proxy_address.h"
#include "src/session/retry.h"
#include "src/session/transport_error.h"

namespace dra::session {

using SteadyTime = std::chrono::steady_clock::time_point;

// A request through all its attempts.
struct Request {
  RequestId id = 0;
  std::string target = {};  // path and query
  RequestOptions options = {};
  Tried tried = {};
  bool renewed = false;                       // sent again with other credentials
  std::optional<SteadyTime> first_sent = {};  // --request-timeout is for all attempts together

  std::string_view method() const {
    return options.sent ? std::string_view(options.sent->method) : "GET";
  }
};

// The headers of an answer that are used.
struct ReceivedHeaders {
  std::string retry_after = {};
  std::vector<std::string> warnings = {};  // the values, not parsed
  std::vector<std::string> lines = {};     // all of them, if they are logged
};

// Shared by all attempts.
struct TransferSetup {
  const Connection& connection;
  const HttpOptions& options;
  std::optional<ProxyAddress> proxy = {};
  List connect_to = {};            // the connection's real target, if the URL names the certificate
  std::size_t received_bytes = 0;  // of all bodies that are kept
  std::uint64_t passed_on_bytes = 0;  // of all others
  // The identity is another one than that of open connections, so none of these may be used.
  bool own_connection = false;
};

class Transfer {
 public:
  // The request is sent with `headers` and `credentials`.
  Transfer(Request request, TransferSetup& setup, std::vector<std::string> headers,
           Credentials credentials);
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  CURL* easy() const { return easy_.get(); }
  const Request& request() const { return request_; }
  const Credentials& credentials() const { return credentials_; }
  const std::vector<std::string>& sent_headers() const { return headers_; }
  const ReceivedHeaders& received() const { return received_; }

  // Valid when it is over. `code` is libcurl's.
  int status() const;
  std::int64_t milliseconds() const;
  bool enough() const { return enough_; }  // the receiver of the body wants no more
  bool lost(CURLcode code) const;          // before a byte of an answer, as when servers restart
  TransportFailure failure(CURLcode code) const;
  Response take_response();

 private:
  static std::size_t receive_body(char* bytes, std::size_t, std::size_t count, void* user);
  static std::size_t receive_header(char* bytes, std::size_t, std::size_t count, void* user);
  void set_request(const TransferSetup& setup);
  void set_limits(const TransferSetup& setup);
  void set_trust(const Connection& connection);
  void set_proxy(const TransferSetup& setup);
  bool has_room_for(std::size_t count, bool kept);
  Failure kind_of(CURLcode code) const;
  bool failed_at_proxy(CURLcode code) const;
  bool connected() const;

  // libcurl keeps pointers into the members before `easy_`, so `easy_` is destroyed first.
  Request request_;
  Credentials credentials_;
  std::vector<std::string> headers_;
  List header_list_;
  std::size_t max_body_;   // of this answer
  std::size_t max_bytes_;  // of all answers
  std::size_t& all_received_bytes_;
  std::uint64_t& all_passed_on_bytes_;
  bool keep_headers_;
  bool proxied_ = false;
  bool tunnels_ = false;                  // through an HTTP proxy, with CONNECT
  std::optional<Failure> too_long_ = {};  // what of the answer is
  bool enough_ = false;
  std::size_t received_bytes_ = 0;
  std::size_t header_bytes_ = 0;
  Response response_;
  ReceivedHeaders received_;
  std::array<char, CURL_ERROR_SIZE> message_{};  // libcurl's own words
  Easy easy_;
};

}  // namespace dra::session
