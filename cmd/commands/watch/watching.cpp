// cmd/commands/watch/watching.cpp: see watching.h.

#include "cmd/commands/watch/watching.h"

#include <algorithm>
#include <utility>

#include "dra/base/text.h"

namespace dra::cmd {
namespace {

// A server that restarts is back before that, and then nothing is said.
constexpr std::chrono::seconds kShortOutage{30};
constexpr std::int64_t kWorkShare = 4;  // pauses are so many times as long as the work

}  // namespace

base::Duration Pace::left() const {
  const std::int64_t nanos = std::chrono::nanoseconds(next_ - Clock::now()).count();
  return {std::max<std::int64_t>(nanos, 0)};
}

void Pace::note(Clock::time_point begin) {
  const Clock::time_point end = Clock::now();
  next_ = end + std::max<Clock::duration>((end - begin) * kWorkShare,
                                          std::chrono::nanoseconds(least_.nanos));
}

Watching::Watching(const Context& context, snapshot::Watched watched)
    : context_(context), watched_(std::move(watched)) {}

Result<Watching> Watching::open(const Context& context, std::span<const snapshot::Need> needs) {
  Watching watching(context, DRA_TRY(context.watch(needs)));
  const session::Connection connection = DRA_TRY(context.source().connection());
  const std::int64_t limit = connection.request_timeout.nanos;
  if (limit > 0) watching.end_ = Pace::Clock::now() + std::chrono::nanoseconds(limit);
  return watching;
}

base::Instant Watching::clock() const {
  const session::Environment& environment = context_.console().environment;
  return environment.clock ? environment.now() : context_.console().now;
}

const snapshot::Snapshot& Watching::at(base::Instant time) {
  watched_.state().set_read(time);
  return watched_.state().now();
}

Result<std::optional<std::vector<snapshot::ObjectEvent>>> Watching::next(base::Duration most) {
  std::ostream& out = context_.console().streams.out;
  out.flush();
  if (!out.good()) {
    // The failure is met again, and judged, when the output ends.
    out.clear();
    return std::optional<std::vector<snapshot::ObjectEvent>>();
  }
  if (end_) {
    const std::int64_t left = std::chrono::nanoseconds(*end_ - Pace::Clock::now()).count();
    if (left <= 0) return std::optional<std::vector<snapshot::ObjectEvent>>();
    most.nanos = std::min(most.nanos, left);
  }
  DRA_TRY(check_memory());
  auto events = DRA_TRY(watched_.wait(most));
  report_troubles();
  return std::optional(std::move(events));
}

// A server that sends new objects without end must not fill the memory.
Result<Done> Watching::check_memory() {
  const std::size_t most = context_.source().client.http.max_bytes;
  if (watched_.state().kept_bytes() <= most) return Done{};
  watched_.state().shrink();
  if (watched_.state().kept_bytes() <= most) return Done{};
  return Error{
      ErrorKind::BadAnswer,
      base::format("the objects that are watched are larger than {} MiB together", most >> 20U),
      base::format("watch less, as with -n NAMESPACE, or set KUBECTL_DRA_MAX_READ={}Mi",
                   most >> 19U)};
}

void Watching::report_troubles() {
  for (const snapshot::Unwatched& one : watched_.take_unwatched()) {
    if (one.aside) continue;
    context_.warn(base::format("changes of {} are not seen from now on: {}",
                               api::info_of(one.kind).resource, one.why.message));
  }
  const auto& outage = watched_.outage();
  if (!outage) {
    told_of_outage_ = false;
    return;
  }
  if (told_of_outage_ || Pace::Clock::now() - outage->since < kShortOutage) return;
  told_of_outage_ = true;
  context_.warn(
      base::format("nothing is seen until the server answers again: {}", outage->why.message));
}

}  // namespace dra::cmd
