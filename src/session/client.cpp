// src/session/client.cpp: Lister reads several lists at once, page by page; the other requests are
// single ones.

#include "dra/session/client.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "dra/base/text.h"
#include "dra/base/wire.h"
#include "dra/json/parse.h"
#include "src/session/feature_gates.h"
#include "src/session/status.h"
#include "src/session/status_error.h"
#include "src/session/transport_error.h"

namespace dra::session {
namespace {

constexpr const char* kVersion = "/version";
constexpr const char* kMetrics = "/metrics";
constexpr std::size_t kMaxMetrics = std::size_t{256} << 20U;  // bytes; none of them is kept
constexpr base::Duration kMetricsWithin = base::Duration::seconds(5);
constexpr base::Duration kLongestReading = base::Duration::seconds(600);  // of all pages of a list
constexpr std::size_t kMaxSparsePages = 20;                               // of a list
// What an object counts for at least: it takes that much memory, however little is in it.
constexpr std::size_t kLeastObject = 1024;

// The body of a success, or the error.
Result<base::Page> body_of(const Http& http, const std::string& path, Result<Response> result) {
  Response response = DRA_TRY(std::move(result));
  const Connection& connection = http.connection();
  if (response.status != 200 || is_failure(response)) {
    return status_error(connection, http.secrets(), path, response);
  }
  if (!looks_like_json(response) && !base::is_wire(response.body.text())) {
    return not_kubernetes(connection, http.secrets(), path, response);
  }
  return std::move(response.body);
}

// Tells the server how long we wait, as client-go does, so that it does not work for longer.
std::string with_timeout(const Connection& connection, std::string target) {
  if (connection.request_timeout <= base::Duration{}) return target;
  return base::with_parameter(target, "timeout", base::format_duration(connection.request_timeout));
}

Error endless() { return {ErrorKind::BadAnswer, "the server's list does not end", {}}; }

// One list on its way through its pages.
struct Listing {
  std::string path;
  bool wire = false;
  bool passed_on = false;
  std::string continue_token = {};
  bool whole = false;  // asked for without a limit
  std::size_t pages = 0;
  std::size_t sparse_pages = 0;  // others than the last that are not half full
  bool failed = false;

  std::string target(std::size_t page_size) const {
    if (whole || page_size == 0) return path;
    std::string target = base::with_parameter(path, "limit", std::to_string(page_size));
    if (continue_token.empty()) return target;
    return base::with_parameter(target, "continue", continue_token);
  }

  // True if another page follows.
  Result<bool> advance(const ListPage& page, std::size_t max_pages) {
    const bool repeated = !page.continue_token.empty() && page.continue_token == continue_token;
    if (repeated || ++pages > max_pages) {
      return endless();
    }
    continue_token = page.continue_token;
    return !continue_token.empty();
  }
};

// The metadata in front of the items of a page of JSON, whose braces hold no others. No value: they
// are elsewhere, and are found when the page is decoded.
std::optional<ListPage> look_ahead_json(std::string_view text) {
  constexpr std::string_view key = "\"metadata\":{";
  constexpr std::size_t front = 256;  // bytes in which they begin
  const std::size_t at = text.substr(0, front).find(key);
  if (at == std::string_view::npos || text.substr(0, at).find("\"items\"") < at)
    return std::nullopt;
  const std::size_t end = text.find('}', at);
  if (end == std::string_view::npos) return std::nullopt;
  const std::size_t begin = at + key.size() - 1;
  const auto meta = json::parse_json(text.substr(begin, end + 1 - begin));
  if (!meta.ok()) return std::nullopt;
  const json::Value* token = meta.value().find("continue");
  if (token == nullptr || !token->is(json::Kind::String)) return ListPage{};
  return ListPage{.continue_token = token->text()};
}

// All lists of one call, in flight together.
class Lister {
 public:
  struct Limits {
    std::size_t page_size;
    std::size_t max_pages;
    std::size_t max_bytes;
  };

  // `next` is the next request that is done, of those that are started here.
  using Next = base::FunctionRef<std::optional<Finished>()>;

  Lister(Http& http, Next next, Limits limits, OnPage on_page, OnRestart on_restart)
      : http_(http), next_(next), limits_(limits), on_page_(on_page), on_restart_(on_restart) {}

  std::vector<Result<ListPage>> run(std::span<const ListTarget> lists) {
    for (const ListTarget& list : lists)
      listings_.push_back(
          Listing{.path = list.path, .wire = list.wire, .passed_on = list.passed_on});
    results_.assign(lists.size(), ListPage{});
    for (std::size_t list = 0; list < listings_.size(); ++list)
      ask(list);
    while (!lists_.empty()) {
      std::optional<Finished> finished = next_();
      DRA_CHECK(finished.has_value());
      const auto found = lists_.find(finished->id);
      DRA_CHECK(found != lists_.end());
      const std::size_t list = found->second;
      lists_.erase(found);
      take(list, std::move(finished->response));
    }
    return std::move(results_);
  }

 private:
  void ask(std::size_t list) {
    lists_[http_.start(with_timeout(http_.connection(), listings_[list].target(limits_.page_size)),
                       {.wire = listings_[list].wire})] = list;
  }

  void take(std::size_t list, Result<Response> response) {
    Listing& listing = listings_[list];
    if (listing.failed) return;  // the page after the one that could not be read
    Result<base::Page> page = body_of(http_, listing.path, std::move(response));
    // Only a continue token expires; a list that is Gone from the start would be so again.
    if (!page.ok() && page.error().kind == ErrorKind::Gone && !listing.continue_token.empty() &&
        !listing.whole) {
      listing = Listing{.path = listing.path,
                        .wire = listing.wire,
                        .passed_on = listing.passed_on,
                        .whole = true};
      on_restart_(list);
      return ask(list);
    }
    const std::optional<ListPage> ahead = page.ok() ? look_ahead(page.value()) : std::nullopt;
    if (ahead && !go_on(list, *ahead)) return;
    const std::size_t bytes = page.ok() ? page.value().text().size() : 0;
    results_[list] = read(list, std::move(page));
    if (results_[list].ok()) check_end(list, bytes);
    listing.failed = !results_[list].ok();
    if (!ahead && !listing.failed) go_on(list, results_[list].value());
  }

  // A server has a list's metadata in front, so it makes the next page while this one is
  // decoded.
  static std::optional<ListPage> look_ahead(const base::Page& page) {
    if (!base::is_wire(page.text())) return look_ahead_json(page.text());
    const auto object = base::open_wire(page.text());
    const auto meta = object ? base::wire_list_meta(object->message) : std::nullopt;
    if (!meta) return std::nullopt;
    return ListPage{.continue_token = std::string(meta->continue_token)};
  }

  // A server that means us harm, or is broken, may send pages as long as we ask for them: small
  // ones, which only cost time, or objects that are larger in memory than in the answer. A server
  // of Kubernetes fills each page but the last.
  void check_end(std::size_t list, std::size_t bytes) {
    const ListPage& page = results_[list].value();
    Listing& listing = listings_[list];
    const bool sparse = !page.continue_token.empty() && page.objects < limits_.page_size / 2;
    if (sparse) ++listing.sparse_pages;
    if (listing.passed_on) {
      http_.release(bytes);
    } else {
      kept_bytes_ += std::max(bytes, page.objects * kLeastObject);
    }
    const auto passed = std::chrono::steady_clock::now() - began_;
    const auto most = std::chrono::nanoseconds(
        std::max(kLongestReading.nanos, http_.connection().request_timeout.nanos));
    if (kept_bytes_ > limits_.max_bytes) {
      results_[list] = answers_too_long(http_.connection(), limits_.max_bytes);
    } else if (listing.sparse_pages > kMaxSparsePages ||
               (passed > most && !page.continue_token.empty())) {
      results_[list] =
          Result<ListPage>(endless()).context(request_name(http_.connection(), listing.path));
    }
  }

  // Asks for the page after this one, if there is one. False: the list does not end.
  bool go_on(std::size_t list, const ListPage& page) {
    Listing& listing = listings_[list];
    const Result<bool> more = listing.advance(page, limits_.max_pages);
    if (more.ok()) {
      if (more.value()) ask(list);
      if (more.value()) http_.push();
      return true;
    }
    listing.failed = true;
    results_[list] =
        Result<ListPage>(more.error()).context(request_name(http_.connection(), listing.path));
    return false;
  }

  Result<ListPage> read(std::size_t list, Result<base::Page> page) {
    base::Page received = DRA_TRY(std::move(page));
    Result<ListPage> read = on_page_(list, std::move(received));
    if (read.ok()) return read;
    // The decoder quotes text that it cannot read, which is the server's.
    Error error = std::move(read).take_error();
    error.message = http_.secrets().masked(std::move(error.message));
    return Result<ListPage>(error).context("the answer to " +
                                           request_name(http_.connection(), listings_[list].path));
  }

  Http& http_;
  Next next_;
  Limits limits_;
  OnPage on_page_;
  OnRestart on_restart_;
  std::vector<Listing> listings_;
  std::vector<Result<ListPage>> results_;
  std::map<RequestId, std::size_t> lists_;  // of the requests in flight
  std::size_t kept_bytes_ = 0;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

// Calls `on_text` with the member `field` of each object in the root's list `list`.
Result<Done> read_names(const base::Page& page, std::string_view list, std::string_view field,
                        base::FunctionRef<void(std::string_view)> on_text) {
  base::Arena arena;
  const auto read_item = [&](json::Cursor& item) {
    if (item.kind() != json::Kind::Object) return;
    item.members([&](std::string_view key, json::Cursor& value) {
      if (key == field && value.kind() == json::Kind::String) on_text(value.scalar());
    });
  };
  return json::read_json(page, arena, [&](json::Cursor& root) {
    root.members([&](std::string_view key, json::Cursor& value) {
      if (key == list && value.kind() == json::Kind::Array) value.items(read_item);
    });
  });
}

}  // namespace

// Requests about the server that are sent ahead of their turn, and the answers that have arrived.
struct Client::Ahead {
  std::optional<RequestId> version = {};
  std::optional<RequestId> gates = {};
  FeatureGateReader reader = {};
  std::map<RequestId, Result<Response>> answers = {};

  // False: the answer is to another request.
  bool take(Finished& finished) {
    if (finished.id != version && finished.id != gates) return false;
    answers.emplace(finished.id, std::move(finished.response));
    return true;
  }
};

Client::Client(Connection connection, ClientOptions options)
    : ahead_(std::make_unique<Ahead>()),
      http_(std::move(connection), std::move(options.http)),
      page_size_(options.page_size),
      max_pages_(options.max_pages),
      max_bytes_(options.http.max_bytes) {}

Client::~Client() = default;
Client::Client(Client&&) noexcept = default;

// The next request that is done, of those that are not sent ahead.
std::optional<Finished> Client::next() {
  while (std::optional<Finished> finished = http_.wait()) {
    if (!ahead_->take(*finished)) return finished;
  }
  return std::nullopt;
}

// A later question about the same is sent again.
Result<Response> Client::answer_to_ahead(std::optional<RequestId>& request) {
  const RequestId id = *request;
  while (!ahead_->answers.contains(id)) {
    std::optional<Finished> finished = http_.wait();
    DRA_CHECK(finished.has_value() && ahead_->take(*finished));
  }
  request.reset();
  return std::move(ahead_->answers.extract(id).mapped());
}

void Client::ask_about_server(bool gates) {
  ask_for_version();
  if (gates) ask_for_gates();
}

void Client::ask_for_version() {
  if (!ahead_->version) ahead_->version = http_.start(with_timeout(connection(), kVersion));
}

void Client::ask_for_gates() {
  if (ahead_->gates) return;
  ahead_->reader = {};
  ahead_->gates =
      http_.start(kMetrics, {.on_body = [reader = &ahead_->reader](
                                            std::string_view bytes) { return reader->read(bytes); },
                             .max_body = kMaxMetrics,
                             .within = kMetricsWithin,
                             .once = true});
}

std::vector<Result<Response>> Client::exchange(std::span<const Exchange> requests) {
  std::map<RequestId, std::size_t> places;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const std::string target = with_timeout(connection(), requests[i].path);
    places[http_.start(target, {.sent = requests[i].sent})] = i;
  }
  std::vector<Result<Response>> answers(requests.size(), Response());
  for (std::size_t left = requests.size(); left > 0; --left) {
    std::optional<Finished> finished = next();
    DRA_CHECK(finished.has_value());
    answers[places.at(finished->id)] = std::move(finished->response);
  }
  return answers;
}

Result<base::Page> Client::get(const std::string& path_and_query) {
  http_.start(with_timeout(connection(), path_and_query));
  std::optional<Finished> finished = next();
  DRA_CHECK(finished.has_value());
  return body_of(http_, path_and_query, std::move(finished->response));
}

std::vector<Result<ListPage>> Client::list(std::span<const ListTarget> lists, OnPage on_page,
                                           OnRestart on_restart) {
  const auto next_done = [this] { return next(); };
  return Lister(http_, next_done, {page_size_, max_pages_, max_bytes_}, on_page, on_restart)
      .run(lists);
}

Result<GroupVersions> Client::served_versions(std::string_view group) {
  const std::string path = base::format("/apis/{}", group);
  GroupVersions served;
  Result<base::Page> answer = get(path);
  if (!answer.ok() && answer.error().kind == ErrorKind::NotServed) return served;
  const base::Page page = DRA_TRY(std::move(answer));
  const auto add = [&](std::string_view version) { served.versions.emplace_back(version); };
  DRA_TRY(read_names(page, "versions", "version", add).context(request_name(connection(), path)));
  return served;
}

Result<std::set<std::string>> Client::resources(std::string_view group_version) {
  const bool core = group_version.find('/') == std::string_view::npos;
  const std::string path = base::format(core ? "/api/{}" : "/apis/{}", group_version);
  std::set<std::string> names;
  const base::Page page = DRA_TRY(get(path));
  const auto add = [&](std::string_view name) {
    if (name.find('/') == std::string_view::npos) names.emplace(name);
  };
  DRA_TRY(read_names(page, "resources", "name", add).context(request_name(connection(), path)));
  return names;
}

Result<std::string> Client::server_version() {
  ask_for_version();
  const base::Page page = DRA_TRY(body_of(http_, kVersion, answer_to_ahead(ahead_->version)));
  const std::string where = request_name(connection(), kVersion);
  const json::Value version = DRA_TRY(json::parse_json(page.text()).context(where));
  const json::Value* git_version = version.find("gitVersion");
  if (git_version == nullptr || !git_version->is(json::Kind::String)) {
    return Error{ErrorKind::BadAnswer, where + ": the answer has no gitVersion",
                 "is this the address of a Kubernetes API server?"};
  }
  return git_version->text();
}

Result<FeatureGates> Client::feature_gates() {
  ask_for_gates();
  const Response response = DRA_TRY(answer_to_ahead(ahead_->gates));
  if (response.status != 200)
    return status_error(connection(), http_.secrets(), kMetrics, response);
  FeatureGates gates = ahead_->reader.take();
  if (gates.empty()) {
    return Error{ErrorKind::BadAnswer,
                 request_name(connection(), kMetrics) + ": the answer tells no feature gate of DRA",
                 {}};
  }
  return gates;
}

}  // namespace dra::session
