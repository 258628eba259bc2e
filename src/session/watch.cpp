// src/session/watch.cpp: each watch is a request that the server holds open, or a pause before the
// next one.

#include "dra/session/watch.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <random>
#include <utility>

#include "dra/base/text.h"
#include "dra/json/parse.h"
#include "src/session/json_frames.h"
#include "src/session/status.h"
#include "src/session/status_error.h"
#include "src/session/transport_error.h"

namespace dra::session {
namespace {

using SteadyClock = std::chrono::steady_clock;

// After the time for which the server is asked to send.
constexpr base::Duration kGrace = base::Duration::seconds(30);
// A connection that lasted so long was a good one, even if nothing came.
constexpr std::chrono::seconds kGoodFor{5};
constexpr int kGone = 410;

struct Envelope {
  std::string type = {};
  std::string_view object = {};
  std::string_view namespace_ = {};
  std::string_view name = {};
  std::string_view version = {};
};

void read_metadata(json::Cursor& object, Envelope& event) {
  object.members([&event](std::string_view key, json::Cursor& member) {
    if (key != "metadata" || member.kind() != json::Kind::Object) return;
    event.namespace_ = member.peek("namespace");
    event.name = member.peek("name");
    event.version = member.peek("resourceVersion");
  });
}

// meta/v1.WatchEvent. The views are into the page and the arena.
Result<Envelope> read_envelope(const base::Page& page, base::Arena& arena) {
  Envelope event;
  DRA_TRY(json::read_json(page, arena, [&event](json::Cursor& root) {
    root.members([&event](std::string_view key, json::Cursor& value) {
      if (key == "type" && value.kind() == json::Kind::String) event.type = value.scalar();
      if (key != "object" || value.kind() != json::Kind::Object) return;
      event.object = value.raw();
      read_metadata(value, event);
    });
  }));
  return event;
}

std::optional<EventType> type_of(std::string_view name) {
  if (name == "ADDED") return EventType::Added;
  if (name == "MODIFIED") return EventType::Modified;
  if (name == "DELETED") return EventType::Deleted;
  return std::nullopt;
}

// A version that is older than all that the server has, or newer, as after etcd was restored.
bool is_expired(const Status& status) {
  return status.code == kGone || status.reason == "Expired" || status.reason == "Gone" ||
         std::ranges::any_of(status.causes, [](const StatusCause& cause) {
           return cause.type == "ResourceVersionTooLarge";
         });
}

bool is_refusal(int status) {
  return status >= 400 && status < 500 && status != 408 && status != 429;
}

Response response_of(int status, std::string_view body) {
  Response response{.status = status, .body = base::Page(body)};
  return response;
}

// One watch.
struct WatchStream {
  enum class State { Paused, Open, Expired, Ended };

  WatchTarget target;
  JsonFrames frames;
  State state = State::Paused;
  SteadyClock::time_point due = {};  // the end of the pause
  SteadyClock::time_point sent = {};
  RequestId request = 0;
  int failures = 0;      // in a row
  bool allowed = false;  // the server has answered with a watch
  std::optional<SteadyClock::time_point> refused_since = {};
};

}  // namespace

base::Duration WatchOptions::pause_after(int failures) const {
  constexpr int most_doublings = 10;
  return {std::min(first_pause.nanos << std::min(failures, most_doublings), longest_pause.nanos)};
}

class Watches::Streams {
 public:
  Streams(Connection connection, WatchOptions options)
      : options_(std::move(options)), http_(std::move(connection), options_.http) {}

  std::size_t add(WatchTarget target) {
    const auto state = target.waits ? WatchStream::State::Expired : WatchStream::State::Paused;
    streams_.push_back(
        {.target = std::move(target), .frames = JsonFrames(options_.max_event), .state = state});
    return streams_.size() - 1;
  }

  void restart(std::size_t watch, std::string version) {
    WatchStream& stream = streams_[watch];
    stream.target.version = std::move(version);
    stream.state = WatchStream::State::Paused;
    stream.due = {};
  }

  Result<WatchRound> wait(base::Duration most);

  const std::optional<Outage>& outage() const { return outage_; }

 private:
  void open_due();
  void open(std::size_t watch);
  base::Duration until_due(base::Duration most) const;
  bool receive(std::size_t watch, std::string_view bytes);
  Result<Done> receive_event(std::size_t watch, std::string_view text);
  void settle(Finished finished);
  void refuse(std::size_t watch, Error error);
  void expire(std::size_t watch);
  void pause(std::size_t watch, std::optional<Error> why);
  void note_answer(WatchStream& stream);
  Error unreadable(const WatchStream& stream, Error error) const;

  WatchOptions options_;
  Http http_;
  std::deque<WatchStream> streams_;
  WatchRound round_;
  std::optional<Error> broken_;
  std::optional<Outage> outage_;
  std::minstd_rand random_{std::random_device{}()};
};

// Many clients that have lost one server must not come back at one moment.
void Watches::Streams::pause(std::size_t watch, std::optional<Error> why) {
  WatchStream& stream = streams_[watch];
  stream.state = WatchStream::State::Paused;
  stream.frames.reset();
  const SteadyClock::time_point now = SteadyClock::now();
  if (!why) {
    stream.due = now;
    return;
  }
  const std::int64_t nanos = options_.pause_after(stream.failures++).nanos;
  std::uniform_int_distribution<std::int64_t> jitter(0, nanos / 2);
  stream.due = now + std::chrono::nanoseconds(nanos - jitter(random_));
  if (!outage_) outage_ = Outage{.since = now, .why = *why};
  outage_->why = *std::move(why);
}

void Watches::Streams::open(std::size_t watch) {
  WatchStream& stream = streams_[watch];
  std::string path = base::with_parameter(stream.target.path, "watch", "1");
  path = base::with_parameter(path, "allowWatchBookmarks", "true");
  if (!stream.target.version.empty())
    path = base::with_parameter(path, "resourceVersion", stream.target.version);
  const std::int64_t seconds = options_.open_for.nanos / base::Duration::seconds(1).nanos;
  std::uniform_int_distribution<std::int64_t> more(0, seconds / 4);
  const std::int64_t open_for = std::max<std::int64_t>(seconds + more(random_), 1);
  path = base::with_parameter(path, "timeoutSeconds", std::to_string(open_for));
  stream.state = WatchStream::State::Open;
  stream.sent = SteadyClock::now();
  stream.frames.reset();
  stream.request = http_.start(
      path, {.on_body = [this, watch](std::string_view bytes) { return receive(watch, bytes); },
             .max_body = std::numeric_limits<std::size_t>::max(),
             .within = {(base::Duration::seconds(open_for)).nanos + kGrace.nanos},
             .once = true,
             .held = true});
}

void Watches::Streams::open_due() {
  const SteadyClock::time_point now = SteadyClock::now();
  for (std::size_t watch = 0; watch < streams_.size(); ++watch) {
    const WatchStream& stream = streams_[watch];
    if (stream.state == WatchStream::State::Paused && stream.due <= now) open(watch);
  }
}

base::Duration Watches::Streams::until_due(base::Duration most) const {
  const SteadyClock::time_point now = SteadyClock::now();
  for (const WatchStream& stream : streams_) {
    if (stream.state != WatchStream::State::Paused) continue;
    most = std::min(most, base::Duration{std::chrono::nanoseconds(stream.due - now).count()});
  }
  return most;
}

void Watches::Streams::note_answer(WatchStream& stream) {
  stream.allowed = true;
  stream.failures = 0;
  stream.refused_since.reset();
  outage_.reset();
}

// False ends the request: the bytes are no events.
bool Watches::Streams::receive(std::size_t watch, std::string_view bytes) {
  WatchStream& stream = streams_[watch];
  const Result<Done> read = stream.frames.read(
      bytes, [this, watch](std::string_view text) { return receive_event(watch, text); });
  if (!read.ok() && !broken_) broken_ = unreadable(stream, read.error());
  return read.ok() && stream.state == WatchStream::State::Open;
}

Result<Done> Watches::Streams::receive_event(std::size_t watch, std::string_view text) {
  WatchStream& stream = streams_[watch];
  if (stream.state != WatchStream::State::Open) return Done{};  // behind the event that ended it
  const base::Page page(text);
  base::Arena arena;
  const Envelope event = DRA_TRY(read_envelope(page, arena));
  if (event.type == "ERROR") {
    const Response refusal = response_of(0, event.object);
    if (is_expired(read_status(refusal))) {
      expire(watch);
    } else {
      pause(watch, status_error(http_.connection(), http_.secrets(), stream.target.path, refusal));
    }
    return Done{};
  }
  const auto type = type_of(event.type);
  if (!type && event.type != "BOOKMARK") {
    return Error{
        ErrorKind::BadAnswer, base::format("\"{}\" is not a type of an event", event.type), {}};
  }
  if (event.version.empty() || (type && event.name.empty())) {
    return Error{ErrorKind::BadAnswer,
                 "the object of an event has no metadata.resourceVersion or no metadata.name",
                 {}};
  }
  note_answer(stream);
  stream.target.version = event.version;
  if (!type) return Done{};
  round_.events.push_back({.watch = watch,
                           .type = *type,
                           .namespace_ = std::string(event.namespace_),
                           .name = std::string(event.name),
                           .version = std::string(event.version),
                           .object = base::Page(event.object)});
  return Done{};
}

Error Watches::Streams::unreadable(const WatchStream& stream, Error error) const {
  error.kind = ErrorKind::BadAnswer;
  error.message = http_.secrets().masked(std::move(error.message));
  return Result<Done>(std::move(error))
      .context("the watch " + request_name(http_.connection(), stream.target.path))
      .error();
}

void Watches::Streams::expire(std::size_t watch) {
  WatchStream& stream = streams_[watch];
  note_answer(stream);
  stream.state = WatchStream::State::Expired;
  round_.expired.push_back(watch);
}

// What a server refuses that allowed it before, it may allow again once it has started.
void Watches::Streams::refuse(std::size_t watch, Error error) {
  WatchStream& stream = streams_[watch];
  const SteadyClock::time_point now = SteadyClock::now();
  if (!stream.refused_since) stream.refused_since = now;
  const bool patient = stream.allowed && now - *stream.refused_since <
                                             std::chrono::nanoseconds(options_.patience.nanos);
  if (patient) return pause(watch, std::move(error));
  stream.state = WatchStream::State::Ended;
  round_.refused.push_back({watch, std::move(error)});
}

// A request is over.
void Watches::Streams::settle(Finished finished) {
  const auto found = std::ranges::find_if(streams_, [&finished](const WatchStream& stream) {
    return stream.state == WatchStream::State::Open && stream.request == finished.id;
  });
  if (found == streams_.end()) return;  // ended by its last event
  const auto watch = static_cast<std::size_t>(found - streams_.begin());
  WatchStream& stream = *found;
  const bool lasted = SteadyClock::now() - stream.sent >= kGoodFor;
  if (!finished.response.ok()) {
    Error error = std::move(finished.response).take_error();
    const bool passes = error.kind == ErrorKind::Unreachable || error.kind == ErrorKind::BadAnswer;
    if (!passes) return refuse(watch, std::move(error));
    // A connection that was good and ended is opened again at once, the first time.
    if (lasted && stream.allowed && stream.failures == 0) {
      ++stream.failures;
      return pause(watch, std::nullopt);
    }
    return pause(watch, std::move(error));
  }
  const Response& response = finished.response.value();
  http_.release(response.body.text().size());
  if (response.status == 200) {
    note_answer(stream);
    // A server that ends each watch at once is not asked without a pause.
    if (lasted) return pause(watch, std::nullopt);
    return pause(watch, Error{ErrorKind::Server, "the server ends the watch at once", {}});
  }
  if (response.status == kGone || is_expired(read_status(response))) return expire(watch);
  Error error = status_error(http_.connection(), http_.secrets(), stream.target.path, response);
  if (is_refusal(response.status)) return refuse(watch, std::move(error));
  pause(watch, std::move(error));
}

Result<WatchRound> Watches::Streams::wait(base::Duration most) {
  const SteadyClock::time_point end = SteadyClock::now() + std::chrono::nanoseconds(most.nanos);
  while (true) {
    open_due();
    const base::Duration left{std::chrono::nanoseconds(end - SteadyClock::now()).count()};
    if (std::optional<Finished> finished = http_.wait_for(until_due(left)))
      settle(*std::move(finished));
    if (broken_) return *broken_;
    const bool nothing = round_.events.empty() && round_.expired.empty() && round_.refused.empty();
    if (!nothing || SteadyClock::now() >= end) return std::exchange(round_, WatchRound{});
  }
}

Watches::Watches(Connection connection, WatchOptions options)
    : streams_(std::make_unique<Streams>(std::move(connection), std::move(options))) {}
Watches::~Watches() = default;
Watches::Watches(Watches&&) noexcept = default;
Watches& Watches::operator=(Watches&&) noexcept = default;

std::size_t Watches::add(WatchTarget target) { return streams_->add(std::move(target)); }
void Watches::restart(std::size_t watch, std::string version) {
  streams_->restart(watch, std::move(version));
}
Result<WatchRound> Watches::wait(base::Duration most) { return streams_->wait(most); }
const std::optional<Watches::Outage>& Watches::outage() const { return streams_->outage(); }

}  // namespace dra::session
