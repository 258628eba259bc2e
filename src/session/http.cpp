// src/session/http.cpp: the queue of requests. Each waits for its turn, for a pause to end, or for
// an answer; one attempt at one of them is a Transfer.

#include "dra/session/http.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <utility>
#include <vector>

#include "dra/base/text.h"
#include "dra/base/wire.h"
#include "src/session/base64.h"
#include "src/session/proxy_address.h"
#include "src/session/request_headers.h"
#include "src/session/request_log.h"
#include "src/session/retry.h"
#include "src/session/transfer.h"
#include "src/session/transport_error.h"
#include "src/session/warning_header.h"

namespace dra::session {
namespace {

constexpr std::chrono::milliseconds kLongestPoll{1000};
constexpr std::chrono::milliseconds kLongestWatchedPoll{200};

void check(CURLMcode code) {
  check_memory(code != CURLM_OUT_OF_MEMORY);
  DRA_CHECK(code == CURLM_OK);
}

std::string accepted_types(bool wire) {
  const std::string json = "application/json";
  return wire ? base::format("{}, {}", base::kWireMediaType, json) : json;
}

// A request that waits until it is sent again.
struct Paused {
  Request request;
  SteadyTime due;
};

}  // namespace

class Http::Engine {
 public:
  Engine(Connection connection, HttpOptions options);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  const Connection& connection() const { return connection_; }
  const Secrets& secrets() const { return secrets_; }
  RequestId start(std::string_view path_and_query, RequestOptions options);
  void push();
  void release(std::size_t bytes) {
    setup_.received_bytes -= std::min(bytes, setup_.received_bytes);
  }
  std::optional<Finished> wait();
  std::optional<Finished> wait_for(base::Duration most);

 private:
  Result<Done> initialise();
  Result<Done> initialise_once();
  void fill();
  bool has_turn(const Request& request) const;
  std::optional<Finished> take_finished();
  Result<Done> send(Request request);
  Result<Credentials> credentials();
  void note_credentials(const Credentials& now);
  void advance(std::chrono::milliseconds most);
  void resume_paused();
  int poll_milliseconds(std::chrono::milliseconds most) const;
  std::unique_ptr<Transfer> take_done(CURLcode& code);
  void settle(Transfer& transfer, CURLcode code);
  bool send_again(const Transfer& transfer, CURLcode code);
  bool renew(const Transfer& transfer);
  bool pause(const Transfer& transfer, CURLcode code);
  Error describe(const Transfer& transfer, CURLcode code) const;
  void report_warnings(const Transfer& transfer) const;
  void log(const Transfer& transfer, CURLcode code) const;
  void log_again(const Request& request, std::string_view reason) const;
  std::string url(const Request& request) const {
    return connection_.server.url() + request.target;
  }

  const Connection connection_;
  const HttpOptions options_;
  Secrets secrets_;
  TransferSetup setup_;
  std::optional<Result<Done>> initialised_;
  std::optional<CurlSession> curl_session_;
  Multi multi_;
  // The authenticator's last result. After an error it is not called again: it may ask a person,
  // and the result would be the same for each request.
  std::optional<Result<Credentials>> latest_;
  RequestId next_id_ = 0;
  std::deque<Request> waiting_;
  std::vector<std::unique_ptr<Transfer>> running_;
  std::vector<Paused> paused_;
  std::deque<Finished> finished_;
};

Http::Engine::Engine(Connection connection, HttpOptions options)
    : connection_(std::move(connection)),
      options_(std::move(options)),
      setup_{connection_, options_} {
  secrets_.add(connection_.token);
  secrets_.add(connection_.client_key_pem);
}

Http::Engine::~Engine() {
  for (const auto& transfer : running_)
    curl().multi_remove_handle(multi_.get(), transfer->easy());
}

Result<Done> Http::Engine::initialise_once() {
  if (!initialised_) initialised_ = initialise();
  return *initialised_;
}

// Sets up everything that requests share.
Result<Done> Http::Engine::initialise() {
  DRA_TRY(load_curl());
  curl_session_.emplace();
  multi_.reset(curl().multi_init());
  check_memory(multi_ != nullptr);
  if (connection_.server.tls && !connection_.tls_server_name.empty()) {
    append(setup_.connect_to,
           base::format("{}:{}:{}", connection_.tls_server_name, connection_.server.port,
                        connection_.server.host_and_port()));
  }
  if (connection_.proxy_url.empty()) return Done{};
  setup_.proxy = parse_proxy(connection_.proxy_url);
  if (!setup_.proxy) {
    return Error{
        ErrorKind::BadInput,
        base::format("the proxy that {} gives is not a valid URL", connection_.proxy_origin),
        {}};
  }
  const ProxyAddress& proxy = *setup_.proxy;
  secrets_.add(proxy.password);
  secrets_.add(base::url_escape(proxy.password));
  // As it is sent: `Proxy-Authorization: Basic ...`.
  if (!proxy.password.empty()) secrets_.add(encode_base64(proxy.user + ":" + proxy.password));
  return Done{};
}

RequestId Http::Engine::start(std::string_view path_and_query, RequestOptions options) {
  DRA_CHECK(!options.sent || path_and_query.find("?dryRun=All") != std::string_view::npos);
  waiting_.push_back(
      {.id = next_id_++, .target = std::string(path_and_query), .options = std::move(options)});
  fill();
  return next_id_ - 1;
}

bool Http::Engine::has_turn(const Request& request) const {
  if (request.options.held) return true;
  const auto answered_soon = [](const auto& transfer) { return !transfer->request().options.held; };
  return static_cast<std::size_t>(std::ranges::count_if(running_, answered_soon)) < kMaxInFlight;
}

void Http::Engine::fill() {
  while (!waiting_.empty() && has_turn(waiting_.front())) {
    Request request = std::move(waiting_.front());
    waiting_.pop_front();
    const RequestId id = request.id;
    Result<Done> sent = send(std::move(request));
    if (!sent.ok()) finished_.push_back({id, std::move(sent).take_error()});
  }
}

Result<Done> Http::Engine::send(Request request) {
  DRA_TRY(initialise_once());
  Credentials now = DRA_TRY(credentials());
  std::vector<std::string> headers =
      DRA_TRY(request_headers(connection_, now, accepted_types(request.options.wire)));
  if (request.options.sent) headers.emplace_back("Content-Type: application/json");
  running_.push_back(
      std::make_unique<Transfer>(std::move(request), setup_, std::move(headers), std::move(now)));
  check(curl().multi_add_handle(multi_.get(), running_.back()->easy()));
  return Done{};
}

// Credentials are fetched for TLS only, because otherwise they would not be sent.
Result<Credentials> Http::Engine::credentials() {
  if (!connection_.server.tls) return Credentials{};
  if (connection_.authenticator == nullptr) {
    return Credentials{connection_.token, connection_.client_certificate_pem,
                       connection_.client_key_pem};
  }
  if (latest_ && !latest_->ok()) return *latest_;
  Result<Credentials> now = connection_.authenticator->current();
  if (now.ok()) note_credentials(now.value());
  latest_ = now;
  return now;
}

void Http::Engine::note_credentials(const Credentials& now) {
  secrets_.add(now.token);
  secrets_.add(now.client_key_pem);
  // Open connections keep the identity that they were made with.
  if (latest_ && latest_->value().client_certificate_pem != now.client_certificate_pem) {
    setup_.own_connection = true;
  }
}

std::unique_ptr<Transfer> Http::Engine::take_done(CURLcode& code) {
  int left = 0;
  while (const CURLMsg* message = curl().multi_info_read(multi_.get(), &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    code = message->data.result;
    const auto found = std::ranges::find(running_, message->easy_handle, &Transfer::easy);
    DRA_CHECK(found != running_.end());
    std::unique_ptr<Transfer> done = std::move(*found);
    running_.erase(found);
    curl().multi_remove_handle(multi_.get(), done->easy());
    return done;
  }
  return nullptr;
}

std::optional<Finished> Http::Engine::take_finished() {
  if (finished_.empty()) return std::nullopt;
  Finished next = std::move(finished_.front());
  finished_.pop_front();
  return next;
}

std::optional<Finished> Http::Engine::wait() {
  while (finished_.empty() && !(running_.empty() && paused_.empty()))
    advance(kLongestPoll);
  return take_finished();
}

std::optional<Finished> Http::Engine::wait_for(base::Duration most) {
  const auto limit = std::chrono::ceil<std::chrono::milliseconds>(
      std::chrono::nanoseconds(std::max<std::int64_t>(most.nanos, 0)));
  // Without anything to wait for, time passes all the same.
  if (finished_.empty() && initialise_once().ok()) advance(std::min(limit, kLongestPoll));
  return take_finished();
}

void Http::Engine::push() {
  if (multi_ == nullptr) return;  // nothing could be started
  int active = 0;
  check(curl().multi_perform(multi_.get(), &active));
}

// Settles a request that is over, or waits until something happens.
void Http::Engine::advance(std::chrono::milliseconds most) {
  resume_paused();
  const std::uint64_t passed_on = setup_.passed_on_bytes;
  push();
  CURLcode code = CURLE_OK;
  if (const std::unique_ptr<Transfer> done = take_done(code)) {
    settle(*done, code);
    fill();
  } else if (finished_.empty() && setup_.passed_on_bytes == passed_on) {
    check(curl().multi_poll(multi_.get(), nullptr, 0, poll_milliseconds(most), nullptr));
    if (options_.on_wait) options_.on_wait();
  }
}

void Http::Engine::resume_paused() {
  const SteadyTime now = std::chrono::steady_clock::now();
  std::erase_if(paused_, [&](Paused& paused) {
    if (paused.due > now) return false;
    waiting_.push_front(std::move(paused.request));
    return true;
  });
  fill();
}

// The time until a pause ends or a limit is reached.
int Http::Engine::poll_milliseconds(std::chrono::milliseconds most) const {
  auto longest = std::min(options_.on_wait ? kLongestWatchedPoll : kLongestPoll, most);
  const SteadyTime now = std::chrono::steady_clock::now();
  for (const Paused& paused : paused_) {
    longest = std::min(longest, std::chrono::ceil<std::chrono::milliseconds>(paused.due - now));
  }
  return static_cast<int>(std::max<std::int64_t>(longest.count(), 0));
}

void Http::Engine::settle(Transfer& transfer, CURLcode code) {
  check_memory(code != CURLE_OUT_OF_MEMORY);
  if (transfer.enough()) code = CURLE_OK;
  log(transfer, code);
  if (send_again(transfer, code)) return;
  const RequestId id = transfer.request().id;
  if (code != CURLE_OK) {
    finished_.push_back({id, describe(transfer, code)});
    return;
  }
  report_warnings(transfer);
  finished_.push_back({id, transfer.take_response()});
}

bool Http::Engine::send_again(const Transfer& transfer, CURLcode code) {
  const bool refused = code == CURLE_OK && transfer.status() == 401;
  return refused ? renew(transfer) : pause(transfer, code);
}

// The first of several requests that are refused together renews the credentials for all.
bool Http::Engine::renew(const Transfer& transfer) {
  const Request& request = transfer.request();
  if (connection_.authenticator == nullptr || !connection_.server.tls || request.renewed) {
    return false;
  }
  if (!latest_ || !latest_->ok()) return false;
  const bool current = transfer.credentials() == latest_->value();
  if (current && !connection_.authenticator->refused(transfer.credentials())) return false;
  log_again(request, "the server refused the credentials (401)");
  waiting_.push_front(request);
  waiting_.front().renewed = true;
  return true;
}

bool Http::Engine::pause(const Transfer& transfer, CURLcode code) {
  const Attempt attempt{.status = code == CURLE_OK ? transfer.status() : 0,
                        .retry_after = transfer.received().retry_after,
                        .lost = code != CURLE_OK && transfer.lost(code)};
  Request request = transfer.request();
  if (request.options.once) return false;
  const auto seconds = seconds_to_retry(attempt, request.tried, options_.retries);
  if (!seconds) return false;
  const std::chrono::nanoseconds wait(*seconds * options_.retries.second.nanos);
  const SteadyTime due = std::chrono::steady_clock::now() + wait;
  // A pause beyond the request's time limit would only hide the server's answer.
  const std::int64_t limit = connection_.request_timeout.nanos;
  if (limit > 0 && due >= *request.first_sent + std::chrono::nanoseconds(limit)) return false;
  ++request.tried.retries;
  request.tried.seconds += *seconds;
  log_again(request,
            base::format("{}, retry {} of {} after {} s",
                         attempt.lost ? std::string("the connection was lost")
                                      : base::format("the server answered {}", attempt.status),
                         request.tried.retries, options_.retries.most, *seconds));
  paused_.push_back({std::move(request), due});
  return true;
}

Error Http::Engine::describe(const Transfer& transfer, CURLcode code) const {
  TransportFailure failure = transfer.failure(code);
  failure.words = secrets_.masked(std::move(failure.words));
  return transport_error(connection_, failure);
}

void Http::Engine::report_warnings(const Transfer& transfer) const {
  if (!options_.on_warning) return;
  for (const std::string& header : transfer.received().warnings) {
    for (const std::string& text : parse_warnings(header))
      options_.on_warning(secrets_.masked(text));
  }
}

void Http::Engine::log(const Transfer& transfer, CURLcode code) const {
  log_request(options_.log, secrets_,
              {.method = transfer.request().method(),
               .url = url(transfer.request()),
               .proxy = setup_.proxy ? setup_.proxy->shown() : std::string(),
               .user_agent = options_.user_agent,
               .sent = transfer.sent_headers(),
               .received = transfer.received().lines,
               .status = code == CURLE_OK ? transfer.status() : 0,
               .milliseconds = transfer.milliseconds()});
}

void Http::Engine::log_again(const Request& request, std::string_view reason) const {
  log_retry(options_.log, secrets_, request.method(), url(request), reason);
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
      {407, "Proxy Authentication Required"},
      {410, "Gone"},
      {422, "Unprocessable Entity"},
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

const Secrets& Http::secrets() const { return engine_->secrets(); }

RequestId Http::start(std::string_view path_and_query, RequestOptions options) {
  return engine_->start(path_and_query, std::move(options));
}

void Http::push() { engine_->push(); }
void Http::release(std::size_t bytes) { engine_->release(bytes); }
std::optional<Finished> Http::wait() { return engine_->wait(); }
std::optional<Finished> Http::wait_for(base::Duration most) { return engine_->wait_for(most); }

}  // namespace dra::session
