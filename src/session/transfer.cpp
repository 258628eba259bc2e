// src/session/transfer.cpp: libcurl's options with their reasons, and its callbacks.

#include "src/session/transfer.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "dra/base/text.h"

namespace dra::session {
namespace {

constexpr long kConnectSeconds = 10;
// API servers answer or give up after 60 s (--request-timeout of kube-apiserver); a server that is
// silent for longer is gone, unless it holds the answer open.
constexpr long kStallSeconds = 75;
// Bytes a second below which a server counts as silent.
constexpr long kStallSpeed = 100;
// How soon a connection that is held open is asked whether it lives: the other end may have
// vanished silently.
constexpr long kIdleSeconds = 30;
constexpr long kProbeSeconds = 15;
// The limit of headers of one kind.
constexpr std::size_t kMaxHeaders = 100;
// Of the headers and trailers of one answer, interim answers included. libcurl keeps all of them.
constexpr std::size_t kMaxHeaderBytes = std::size_t{256} << 10U;

template <class T>
void set(CURL* easy, CURLoption option, T value) {
  const CURLcode code = curl().easy_setopt(easy, option, value);
  check_memory(code != CURLE_OUT_OF_MEMORY);
  DRA_CHECK(code == CURLE_OK);
}

// libcurl does not copy the bytes. They must outlive the handle.
void set_blob(CURL* easy, CURLoption option, const std::string& text) {
  curl_blob blob{const_cast<char*>(text.data()), text.size(), CURL_BLOB_NOCOPY};
  set(easy, option, &blob);
}

template <class T>
T info(CURL* easy, CURLINFO name) {
  T value{};
  DRA_CHECK(curl().easy_getinfo(easy, name, &value) == CURLE_OK);
  return value;
}

Failure failure_of(CURLcode code) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return Failure::Resolve;
    case CURLE_COULDNT_CONNECT:
      return Failure::Connect;
    case CURLE_OPERATION_TIMEDOUT:
      return Failure::TimedOut;
    case CURLE_PEER_FAILED_VERIFICATION:
      return Failure::Certificate;
    case CURLE_SSL_CACERT_BADFILE:
      return Failure::OwnCa;
    case CURLE_SSL_CERTPROBLEM:
      return Failure::OwnCertificate;
    case CURLE_SSL_CONNECT_ERROR:
      return Failure::Handshake;
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
      return Failure::NoAnswer;
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return Failure::CutOff;
    case CURLE_BAD_CONTENT_ENCODING:
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_UNSUPPORTED_PROTOCOL:
      return Failure::NotHttp;
    default:
      return Failure::Other;
  }
}

std::int64_t milliseconds_since(SteadyTime start) {
  const auto passed = std::chrono::steady_clock::now() - start;
  return std::chrono::duration_cast<std::chrono::milliseconds>(passed).count();
}

}  // namespace

Transfer::Transfer(Request request, TransferSetup& setup, std::vector<std::string> headers,
                   Credentials credentials)
    : request_(std::move(request)),
      credentials_(std::move(credentials)),
      headers_(std::move(headers)),
      max_body_(request_.options.max_body > 0 ? request_.options.max_body
                                              : setup.options.max_bytes),
      max_bytes_(setup.options.max_bytes),
      all_received_bytes_(setup.received_bytes),
      all_passed_on_bytes_(setup.passed_on_bytes),
      keep_headers_(setup.options.log.verbosity >= 8),
      easy_(curl().easy_init()) {
  check_memory(easy_ != nullptr);
  for (const std::string& line : headers_)
    append(header_list_, line);
  if (!request_.first_sent) request_.first_sent = std::chrono::steady_clock::now();
  set_request(setup);
  set_limits(setup);
  set_trust(setup.connection);
  set_proxy(setup);
}

void Transfer::set_request(const TransferSetup& setup) {
  CURL* easy = easy_.get();
  const ServerAddress& server = setup.connection.server;
  std::string address = server.url() + request_.target;
  if (setup.connect_to != nullptr) {
    // The name to check is taken from the URL, which therefore has the name of the certificate,
    // while the connection goes to the server's address.
    address = base::format("https://{}:{}{}{}", setup.connection.tls_server_name, server.port,
                           server.prefix, request_.target);
    set(easy, CURLOPT_CONNECT_TO, setup.connect_to.get());
  }
  set(easy, CURLOPT_URL, address.c_str());
  set(easy, CURLOPT_PATH_AS_IS, 1L);
  set(easy, CURLOPT_HTTPGET, 1L);
  if (const auto& sent = request_.options.sent) {
    set(easy, CURLOPT_POST, 1L);
    set(easy, CURLOPT_CUSTOMREQUEST, sent->method.c_str());
    set(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(sent->json.size()));
    set(easy, CURLOPT_POSTFIELDS, sent->json.data());  // which stays ours
  }
  set(easy, CURLOPT_HTTPHEADER, header_list_.get());
  set(easy, CURLOPT_USERAGENT, setup.options.user_agent.c_str());
  set(easy, CURLOPT_ERRORBUFFER, message_.data());
  set(easy, CURLOPT_WRITEFUNCTION, &receive_body);
  set(easy, CURLOPT_WRITEDATA, this);
  set(easy, CURLOPT_HEADERFUNCTION, &receive_header);
  set(easy, CURLOPT_HEADERDATA, this);
  if (setup.own_connection) {
    set(easy, CURLOPT_FRESH_CONNECT, 1L);
    set(easy, CURLOPT_FORBID_REUSE, 1L);
  }
}

void Transfer::set_limits(const TransferSetup& setup) {
  CURL* easy = easy_.get();
  const Connection& connection = setup.connection;
  set(easy, CURLOPT_NOSIGNAL, 1L);
  set(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  set(easy, CURLOPT_FOLLOWLOCATION, 0L);
  set(easy, CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
  const bool held = request_.options.held;
  std::int64_t nanos = time_limit(connection).nanos;
  const std::int64_t within = request_.options.within.nanos;
  if (within > 0) nanos = held ? within : std::min(within, nanos);
  if (held) {
    set(easy, CURLOPT_TCP_KEEPALIVE, 1L);
    set(easy, CURLOPT_TCP_KEEPIDLE, kIdleSeconds);
    set(easy, CURLOPT_TCP_KEEPINTVL, kProbeSeconds);
  } else {
    set(easy, CURLOPT_LOW_SPEED_LIMIT, kStallSpeed);
    set(easy, CURLOPT_LOW_SPEED_TIME, kStallSeconds);
  }
  const std::int64_t left =
      (nanos + 999'999) / 1'000'000 - milliseconds_since(*request_.first_sent);
  set(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(std::max<std::int64_t>(left, 1)));
  // Compression costs a server on the same machine more than sending, and could hold back what is
  // sent bit by bit. A body that is compressed without our asking is decompressed, too.
  const bool compress = connection.compression && !held && !is_loopback(connection.server.host);
  set(easy, CURLOPT_ACCEPT_ENCODING, compress ? "gzip" : "identity");
}

void Transfer::set_trust(const Connection& connection) {
  CURL* easy = easy_.get();
  set(easy, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  set(easy, CURLOPT_SSL_VERIFYPEER, connection.insecure ? 0L : 1L);
  set(easy, CURLOPT_SSL_VERIFYHOST, connection.insecure ? 0L : 2L);
  if (!connection.ca_pem.empty()) {
    set_blob(easy, CURLOPT_CAINFO_BLOB, connection.ca_pem);
    // Given a CA, libcurl would still trust the system's directory of CAs as well.
    set(easy, CURLOPT_CAPATH, static_cast<const char*>(nullptr));
  }
  if (!credentials_.client_certificate_pem.empty()) {
    set_blob(easy, CURLOPT_SSLCERT_BLOB, credentials_.client_certificate_pem);
    set(easy, CURLOPT_SSLCERTTYPE, "PEM");
    set_blob(easy, CURLOPT_SSLKEY_BLOB, credentials_.client_key_pem);
    set(easy, CURLOPT_SSLKEYTYPE, "PEM");
  }
  // Not HTTP/2: where several answers share a connection, libcurl 7.88 may never look at one again
  // that came while it was reading another; of eight lists, the last stalled in one run of forty.
  set(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
}

void Transfer::set_proxy(const TransferSetup& setup) {
  CURL* easy = easy_.get();
  // Without these, libcurl reads HTTPS_PROXY and NO_PROXY from the environment by its own rules.
  set(easy, CURLOPT_PROXY, "");
  set(easy, CURLOPT_NOPROXY, "");
  if (!setup.proxy) return;
  const ProxyAddress& proxy = *setup.proxy;
  const Connection& connection = setup.connection;
  ProxyAddress address = proxy;
  // Go sends a SOCKS proxy the server's name, and the proxy resolves it: libcurl's socks5h.
  if (proxy.is_socks()) address.scheme = "socks5h";
  set(easy, CURLOPT_PROXY, address.shown().c_str());
  if (!proxy.user.empty() || !proxy.password.empty()) {
    set(easy, CURLOPT_PROXYUSERNAME, proxy.user.c_str());
    set(easy, CURLOPT_PROXYPASSWORD, proxy.password.c_str());
  }
  // Our headers are for the server: the proxy gets none of them.
  set(easy, CURLOPT_HEADEROPT, static_cast<long>(CURLHEADER_SEPARATE));
  set(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  proxied_ = true;
  tunnels_ = !proxy.is_socks() && connection.server.tls;
  if (proxy.scheme != "https") return;
  // Go checks a proxy with the server's CA; here the system's CAs count as well.
  set(easy, CURLOPT_PROXY_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  set(easy, CURLOPT_PROXY_SSL_VERIFYPEER, connection.insecure ? 0L : 1L);
  set(easy, CURLOPT_PROXY_SSL_VERIFYHOST, connection.insecure ? 0L : 2L);
  if (!connection.ca_pem.empty()) set_blob(easy, CURLOPT_PROXY_CAINFO_BLOB, connection.ca_pem);
}

std::size_t Transfer::receive_body(char* bytes, std::size_t, std::size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  const auto& on_body = transfer.request_.options.on_body;
  const bool kept = !on_body || transfer.status() != 200;
  if (!transfer.has_room_for(count, kept)) return 0;
  transfer.received_bytes_ += count;
  if (!kept) {
    transfer.all_passed_on_bytes_ += count;
    transfer.enough_ = !on_body({bytes, count});
    return transfer.enough_ ? 0 : count;
  }
  transfer.all_received_bytes_ += count;
  transfer.response_.body.append({bytes, count});
  return count;
}

bool Transfer::has_room_for(std::size_t count, bool kept) {
  if (count > max_body_ - received_bytes_) too_long_ = Failure::TooLong;
  if (kept && count > max_bytes_ - std::min(all_received_bytes_, max_bytes_))
    too_long_ = Failure::AllTooLong;
  return !too_long_;
}

std::size_t Transfer::receive_header(char* bytes, std::size_t, std::size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  transfer.header_bytes_ += count;
  if (transfer.header_bytes_ > kMaxHeaderBytes) {
    transfer.too_long_ = Failure::HeadersTooLong;
    return 0;
  }
  ReceivedHeaders& received = transfer.received_;
  const std::string_view line = base::trim({bytes, count});
  // The answer before was an interim one.
  if (line.starts_with("HTTP/")) received = {};
  if (transfer.keep_headers_ && received.lines.size() < kMaxHeaders) {
    received.lines.emplace_back(line);
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return count;
  const std::string name = base::lower(line.substr(0, colon));
  const std::string_view value = base::trim(line.substr(colon + 1));
  if (name == "retry-after" && received.retry_after.empty()) received.retry_after = value;
  if (name == "warning" && received.warnings.size() < kMaxHeaders) {
    received.warnings.emplace_back(value);
  }
  return count;
}

int Transfer::status() const {
  return static_cast<int>(info<long>(easy_.get(), CURLINFO_RESPONSE_CODE));
}

std::int64_t Transfer::milliseconds() const {
  return info<curl_off_t>(easy_.get(), CURLINFO_TOTAL_TIME_T) / 1000;
}

bool Transfer::connected() const {
  return info<curl_off_t>(easy_.get(), CURLINFO_PRETRANSFER_TIME_T) > 0;
}

bool Transfer::lost(CURLcode code) const {
  if (status() != 0 || failed_at_proxy(code)) return false;
  // Over TLS 1.3 a server refuses our certificate by an alert in the place of an answer.
  if (std::string_view(message_.data()).find("alert") != std::string_view::npos) return false;
  const Failure kind = failure_of(code);
  if (kind == Failure::NoAnswer || kind == Failure::CutOff) return true;
  const long reason = info<long>(easy_.get(), CURLINFO_OS_ERRNO);
  return kind == Failure::Handshake && reason == ECONNRESET;
}

// Without a tunnel nothing reached the server. A tunnel of an earlier request has no status.
bool Transfer::failed_at_proxy(CURLcode code) const {
  if (code == CURLE_COULDNT_RESOLVE_PROXY || code == CURLE_PROXY) return true;
  if (!tunnels_ || connected()) return false;
  const long status = info<long>(easy_.get(), CURLINFO_HTTP_CONNECTCODE);
  return status < 200 || status >= 300;
}

Failure Transfer::kind_of(CURLcode code) const {
  if (too_long_) return *too_long_;
  if (code == CURLE_COULDNT_CONNECT && proxied_) return Failure::ProxyConnect;
  if (code == CURLE_COULDNT_RESOLVE_PROXY) return Failure::ProxyResolve;
  if (code == CURLE_OPERATION_TIMEDOUT || !failed_at_proxy(code)) return failure_of(code);
  return Failure::ProxyRefused;
}

TransportFailure Transfer::failure(CURLcode code) const {
  CURL* easy = easy_.get();
  TransportFailure failure;
  failure.failure = kind_of(code);
  failure.method = request_.method();
  failure.path = request_.target;
  failure.answer_begun = status() != 0;
  failure.connected = connected();
  failure.system_error = static_cast<int>(info<long>(easy, CURLINFO_OS_ERRNO));
  failure.verify_result = info<long>(easy, CURLINFO_SSL_VERIFYRESULT);
  failure.proxy_status = static_cast<int>(info<long>(easy, CURLINFO_HTTP_CONNECTCODE));
  failure.milliseconds = milliseconds_since(*request_.first_sent);
  failure.stall_seconds = kStallSeconds;
  failure.max_bytes = too_long_ == Failure::TooLong          ? max_body_
                      : too_long_ == Failure::HeadersTooLong ? kMaxHeaderBytes
                                                             : max_bytes_;
  failure.words = message_.front() == '\0' ? curl().easy_strerror(code) : message_.data();
  return failure;
}

Response Transfer::take_response() {
  response_.status = status();
  if (const char* location = info<char*>(easy_.get(), CURLINFO_REDIRECT_URL)) {
    response_.location = location;
  }
  response_.body.seal();
  return std::move(response_);
}

}  // namespace dra::session
