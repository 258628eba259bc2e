// cmd/commands/watch/watching.h
//
// What all commands with --watch share: the state that is carried forward, the words about a server
// that is away, and the end: as with kubectl, when --request-timeout has passed; and when no one
// reads the output any more.

#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <vector>

#include "cmd/command.h"
#include "dra/snapshot/watched.h"

namespace dra::cmd {

// How often something costly is done again: at once the first time, then so that it takes a fifth
// of the time at most, however large the cluster is.
class Pace {
 public:
  using Clock = std::chrono::steady_clock;

  // `least` is the shortest pause between two times.
  explicit Pace(base::Duration least = {}) : least_(least) {}

  base::Duration left() const;  // until the next time; not below 0
  template <class F>
  auto run(F work) {
    const Clock::time_point begin = Clock::now();
    auto result = work();
    note(begin);
    return result;
  }

 private:
  void note(Clock::time_point begin);

  base::Duration least_;
  Clock::time_point next_ = {};
};

class Watching {
 public:
  // BadInput where the state is not that of a server. Errors are those of load().
  static Result<Watching> open(const Context& context, std::span<const snapshot::Need> needs);

  // The state after all changes that were applied, at the present time, or at another one.
  const snapshot::Snapshot& now() { return at(clock()); }
  const snapshot::Snapshot& at(base::Instant time);
  base::Instant clock() const;
  snapshot::State& state() { return watched_.state(); }

  // Changes that came within so long, not yet applied. No value: it is over. BadAnswer: the objects
  // take more memory than a server may have us read.
  Result<std::optional<std::vector<snapshot::ObjectEvent>>> next(base::Duration most);

 private:
  Watching(const Context& context, snapshot::Watched watched);
  void report_troubles();
  Result<Done> check_memory();

  const Context& context_;
  snapshot::Watched watched_;
  std::optional<Pace::Clock::time_point> end_ = {};
  bool told_of_outage_ = false;
};

}  // namespace dra::cmd
