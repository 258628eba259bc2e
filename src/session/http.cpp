// src/session/http.cpp: see http.h. The only file that uses libcurl.

#include "dra/session/http.h"

#include <array>
#include <deque>
#include <utility>
#include <vector>

#include "dra/base/text.h"
#include "dra/session/redact.h"
#include "src/session/curl_library.h"
#include "src/session/transport_error.h"

namespace dra::session {
namespace {

constexpr long kConnectSeconds = 10;
// API servers answer or give up after 60 s (--request-timeout of kube-apiserver); a server that
// says nothing for longer than that is gone.
constexpr long kStallSeconds = 75;
constexpr int kPollMilliseconds = 1000;

struct EasyDeleter {
  void operator()(CURL* easy) const { curl().easy_cleanup(easy); }
};
struct MultiDeleter {
  void operator()(CURLM* multi) const { curl().multi_cleanup(multi); }
};
struct ListDeleter {
  void operator()(curl_slist* list) const { curl().slist_free_all(list); }
};
using Easy = std::unique_ptr<CURL, EasyDeleter>;
using Multi = std::unique_ptr<CURLM, MultiDeleter>;
using List = std::unique_ptr<curl_slist, ListDeleter>;

// Counted by libcurl itself, so every Http has its own.
class Library {
 public:
  Library() { DRA_CHECK(curl().global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK); }
  ~Library() { curl().global_cleanup(); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
};

void append(List& list, const std::string& line) {
  curl_slist* longer = curl().slist_append(list.get(), line.c_str());
  DRA_CHECK(longer != nullptr);
  static_cast<void>(list.release());
  list.reset(longer);
}

// A request on its way. Lives at one address, which libcurl keeps.
struct Transfer {
  RequestId id = 0;
  std::string target;  // path and query
  Easy easy;
  Response response;
  std::size_t max_body = 0;
  bool too_long = false;
  std::vector<std::string> headers = {};  // received; only if they are logged
  bool keep_headers = false;
  std::array<char, CURL_ERROR_SIZE> message{};  // libcurl's own words
};

std::size_t receive_body(char* bytes, std::size_t, std::size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  if (count > transfer.max_body - transfer.response.body.text().size()) {
    transfer.too_long = true;
    return 0;
  }
  transfer.response.body.append({bytes, count});
  return count;
}

std::size_t receive_header(char* bytes, std::size_t, std::size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  if (transfer.keep_headers) transfer.headers.emplace_back(base::trim({bytes, count}));
  return count;
}

template <class T>
void set(CURL* easy, CURLoption option, T value) {
  DRA_CHECK(curl().easy_setopt(easy, option, value) == CURLE_OK);
}

// The bytes stay ours and must outlive the handle.
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

}  // namespace

class Http::Engine {
 public:
  Engine(Connection connection, HttpOptions options)
      : connection_(std::move(connection)), options_(std::move(options)) {}
  ~Engine() {
    for (const auto& transfer : running_)
      curl().multi_remove_handle(multi_.get(), transfer->easy.get());
  }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  const Connection& connection() const { return connection_; }
  RequestId start(std::string_view path_and_query);
  std::optional<Finished> wait();

 private:
  Result<Done> initialise();
  void set_up(Transfer& transfer);
  void set_limits(CURL* easy) const;
  void set_trust(CURL* easy) const;
  void fill();
  std::unique_ptr<Transfer> take_done(CURLcode& code);
  Finished finish(Transfer& transfer, CURLcode code);
  Error describe(const Transfer& transfer, CURLcode code) const;
  void log(const Transfer& transfer, CURLcode code) const;
  std::string url(const Transfer& transfer) const;

  const Connection connection_;
  const HttpOptions options_;
  std::optional<Library> library_;
  Multi multi_;
  List headers_;
  List connect_to_;
  RequestId next_id_ = 0;
  std::deque<Finished> failed_;  // requests that could not even be started
  std::deque<std::unique_ptr<Transfer>> waiting_;
  std::vector<std::unique_ptr<Transfer>> running_;
};

// What all requests share.
Result<Done> Http::Engine::initialise() {
  DRA_TRY(load_curl());
  library_.emplace();
  multi_.reset(curl().multi_init());
  DRA_CHECK(multi_ != nullptr);
  append(headers_, "Accept: application/json");
  // Credentials are for https only: on the way through plain http anybody could read them.
  if (connection_.server.tls && !connection_.token.empty()) {
    append(headers_, "Authorization: Bearer " + connection_.token);
  }
  if (connection_.server.tls && !connection_.tls_server_name.empty()) {
    // The name to check is taken from the URL, which therefore has the name of the certificate,
    // while the connection goes to the server's address, and the server sees its own name.
    append(headers_, "Host: " + connection_.server.host_and_port());
    const std::string place = connection_.server.host_and_port();
    append(connect_to_,
           base::format("{}:{}:{}", connection_.tls_server_name, connection_.server.port, place));
  }
  return Done{};
}

std::string Http::Engine::url(const Transfer& transfer) const {
  return connection_.server.url() + transfer.target;
}

void Http::Engine::set_limits(CURL* easy) const {
  set(easy, CURLOPT_NOSIGNAL, 1L);
  set(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  set(easy, CURLOPT_FOLLOWLOCATION, 0L);
  set(easy, CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  // Otherwise libcurl reads HTTPS_PROXY from the environment by rules that are not Go's.
  set(easy, CURLOPT_PROXY, "");
  set(easy, CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
  set(easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
  set(easy, CURLOPT_LOW_SPEED_TIME, kStallSeconds);
  const std::int64_t milliseconds = (connection_.request_timeout.nanos + 999'999) / 1'000'000;
  set(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(milliseconds));
  // To compress costs a server on the same machine more than to send. A body that comes compressed
  // although we did not ask is decompressed all the same.
  const bool compress = connection_.compression && !is_loopback(connection_.server.host);
  set(easy, CURLOPT_ACCEPT_ENCODING, compress ? "gzip" : "identity");
}

void Http::Engine::set_trust(CURL* easy) const {
  set(easy, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  set(easy, CURLOPT_SSL_VERIFYPEER, connection_.insecure ? 0L : 1L);
  set(easy, CURLOPT_SSL_VERIFYHOST, connection_.insecure ? 0L : 2L);
  if (!connection_.ca_pem.empty()) {
    set_blob(easy, CURLOPT_CAINFO_BLOB, connection_.ca_pem);
    // Given a CA, libcurl would still trust the system's directory of CAs beside it.
    set(easy, CURLOPT_CAPATH, static_cast<const char*>(nullptr));
  }
  if (!connection_.client_certificate_pem.empty()) {
    set_blob(easy, CURLOPT_SSLCERT_BLOB, connection_.client_certificate_pem);
    set(easy, CURLOPT_SSLCERTTYPE, "PEM");
    set_blob(easy, CURLOPT_SSLKEY_BLOB, connection_.client_key_pem);
    set(easy, CURLOPT_SSLKEYTYPE, "PEM");
  }
  // Not HTTP/2: where several answers share a connection, libcurl 7.88 may never look at one again
  // that came while it was reading another; of eight lists, the last stalled in one run of forty.
  set(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
}

void Http::Engine::set_up(Transfer& transfer) {
  transfer.easy.reset(curl().easy_init());
  CURL* easy = transfer.easy.get();
  DRA_CHECK(easy != nullptr);
  transfer.max_body = options_.max_body;
  transfer.keep_headers = options_.log.verbosity >= 8;
  std::string address = url(transfer);
  if (connect_to_ != nullptr) {
    address = base::format("https://{}:{}{}{}", connection_.tls_server_name,
                           connection_.server.port, connection_.server.prefix, transfer.target);
    set(easy, CURLOPT_CONNECT_TO, connect_to_.get());
  }
  set(easy, CURLOPT_URL, address.c_str());
  set(easy, CURLOPT_PATH_AS_IS, 1L);
  set(easy, CURLOPT_HTTPGET, 1L);
  set(easy, CURLOPT_HTTPHEADER, headers_.get());
  set(easy, CURLOPT_USERAGENT, options_.user_agent.c_str());
  set(easy, CURLOPT_ERRORBUFFER, transfer.message.data());
  set(easy, CURLOPT_WRITEFUNCTION, &receive_body);
  set(easy, CURLOPT_WRITEDATA, &transfer);
  set(easy, CURLOPT_HEADERFUNCTION, &receive_header);
  set(easy, CURLOPT_HEADERDATA, &transfer);
  set_limits(easy);
  set_trust(easy);
}

RequestId Http::Engine::start(std::string_view path_and_query) {
  const RequestId id = next_id_++;
  if (!library_) {
    auto ready = initialise();
    if (!ready.ok()) {
      failed_.push_back({id, std::move(ready).take_error()});
      return id;
    }
  }
  auto transfer = std::make_unique<Transfer>();
  transfer->id = id;
  transfer->target = path_and_query;
  waiting_.push_back(std::move(transfer));
  fill();
  return id;
}

void Http::Engine::fill() {
  while (!waiting_.empty() && running_.size() < kMaxInFlight) {
    running_.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
    set_up(*running_.back());
    DRA_CHECK(curl().multi_add_handle(multi_.get(), running_.back()->easy.get()) == CURLM_OK);
  }
}

std::unique_ptr<Transfer> Http::Engine::take_done(CURLcode& code) {
  int left = 0;
  while (const CURLMsg* message = curl().multi_info_read(multi_.get(), &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    code = message->data.result;
    for (auto transfer = running_.begin(); transfer != running_.end(); ++transfer) {
      if ((*transfer)->easy.get() != message->easy_handle) continue;
      std::unique_ptr<Transfer> done = std::move(*transfer);
      running_.erase(transfer);
      curl().multi_remove_handle(multi_.get(), done->easy.get());
      return done;
    }
  }
  return nullptr;
}

std::optional<Finished> Http::Engine::wait() {
  if (!failed_.empty()) {
    Finished failed = std::move(failed_.front());
    failed_.pop_front();
    return failed;
  }
  while (!running_.empty()) {
    int active = 0;
    DRA_CHECK(curl().multi_perform(multi_.get(), &active) == CURLM_OK);
    CURLcode code = CURLE_OK;
    if (const std::unique_ptr<Transfer> done = take_done(code)) {
      fill();
      return finish(*done, code);
    }
    DRA_CHECK(curl().multi_poll(multi_.get(), nullptr, 0, kPollMilliseconds, nullptr) == CURLM_OK);
  }
  return std::nullopt;
}

Finished Http::Engine::finish(Transfer& transfer, CURLcode code) {
  CURL* easy = transfer.easy.get();
  transfer.response.status = static_cast<int>(info<long>(easy, CURLINFO_RESPONSE_CODE));
  log(transfer, code);
  if (code != CURLE_OK) return {transfer.id, describe(transfer, code)};
  if (const char* location = info<char*>(easy, CURLINFO_REDIRECT_URL)) {
    transfer.response.location = location;
  }
  transfer.response.body.seal();
  return {transfer.id, std::move(transfer.response)};
}

Error Http::Engine::describe(const Transfer& transfer, CURLcode code) const {
  CURL* easy = transfer.easy.get();
  TransportFailure failure;
  failure.failure = transfer.too_long ? Failure::TooLong : failure_of(code);
  failure.path = transfer.target;
  failure.answer_begun = transfer.response.status != 0;
  failure.connected = info<curl_off_t>(easy, CURLINFO_PRETRANSFER_TIME_T) > 0;
  failure.system_error = static_cast<int>(info<long>(easy, CURLINFO_OS_ERRNO));
  failure.verify_result = info<long>(easy, CURLINFO_SSL_VERIFYRESULT);
  failure.milliseconds = info<curl_off_t>(easy, CURLINFO_TOTAL_TIME_T) / 1000;
  failure.stall_seconds = kStallSeconds;
  failure.max_body = options_.max_body;
  failure.words =
      transfer.message.front() == '\0' ? curl().easy_strerror(code) : transfer.message.data();
  return transport_error(connection_, failure);
}

void Http::Engine::log(const Transfer& transfer, CURLcode code) const {
  const Log& log = options_.log;
  if (log.verbosity < 6 || !log.write) return;
  const int status = transfer.response.status;
  const std::string outcome =
      code == CURLE_OK ? base::format("{} {}", status, status_text(status)) : "failed";
  const curl_off_t total = info<curl_off_t>(transfer.easy.get(), CURLINFO_TOTAL_TIME_T);
  log.write(base::format("GET {} {} in {} milliseconds", shown_url(url(transfer)),
                         base::trim(outcome), total / 1000));
  if (log.verbosity < 7) return;
  log.write("Request Headers:");
  std::vector<std::string> sent = {"User-Agent: " + options_.user_agent};
  for (const curl_slist* line = headers_.get(); line != nullptr; line = line->next) {
    sent.emplace_back(line->data);
  }
  const auto write_headers = [&](const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
      const std::size_t colon = line.find(':');
      if (colon == std::string::npos) continue;
      const std::string name = line.substr(0, colon);
      const std::string value =
          shown_header(name, base::trim(std::string_view(line).substr(colon + 1)));
      log.write(base::format("    {}: {}", shown_header("", name), value));
    }
  };
  write_headers(sent);
  if (log.verbosity < 8) return;
  log.write("Response Headers:");
  write_headers(transfer.headers);
}

std::string_view status_text(int status) {
  struct Row {
    int status;
    std::string_view text;
  };
  static constexpr Row rows[] = {
      {200, "OK"},
      {301, "Moved Permanently"},
      {302, "Found"},
      {307, "Temporary Redirect"},
      {308, "Permanent Redirect"},
      {400, "Bad Request"},
      {401, "Unauthorized"},
      {403, "Forbidden"},
      {404, "Not Found"},
      {405, "Method Not Allowed"},
      {406, "Not Acceptable"},
      {410, "Gone"},
      {429, "Too Many Requests"},
      {500, "Internal Server Error"},
      {502, "Bad Gateway"},
      {503, "Service Unavailable"},
      {504, "Gateway Timeout"},
  };
  for (const Row& row : rows) {
    if (row.status == status) return row.text;
  }
  return {};
}

Http::Http(Connection connection, HttpOptions options)
    : engine_(std::make_unique<Engine>(std::move(connection), std::move(options))) {}
Http::~Http() = default;
Http::Http(Http&&) noexcept = default;
Http& Http::operator=(Http&&) noexcept = default;

const Connection& Http::connection() const { return engine_->connection(); }

RequestId Http::start(std::string_view path_and_query) { return engine_->start(path_and_query); }

std::optional<Finished> Http::wait() { return engine_->wait(); }

}  // namespace dra::session
