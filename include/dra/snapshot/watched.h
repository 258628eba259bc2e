// include/dra/snapshot/watched.h
//
// The state of a server, and what changes in it from then on: load() that does not end.
//
// Every list that load() reads is watched from its version on. No change is lost and none comes
// twice, also over a restart of the server: session/watch.h goes on from the last version, and
// where the server has forgotten that, the list is read again, and its differences are the changes.
// Changes of one list come in the server's order; between lists there is none.

#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dra/base/function_ref.h"
#include "dra/base/result.h"
#include "dra/base/time.h"
#include "dra/session/watch.h"
#include "dra/snapshot/load.h"
#include "dra/snapshot/state.h"

namespace dra::snapshot {

// A kind whose changes are not seen any more, because the server does not let us.
struct Unwatched {
  api::Kind kind;
  bool aside = false;  // it only adds to an answer
  Error why;
};

class Watched {
 public:
  // Reads the state. `adopt` completes the snapshot before it is carried forward. Only a server can
  // be watched. Errors are those of load().
  static Result<Watched> open(const Source& source, std::span<const Need> needs,
                              base::FunctionRef<Result<Snapshot>(Snapshot)> adopt,
                              session::WatchOptions options = {});
  ~Watched();
  Watched(Watched&&) noexcept;
  Watched& operator=(Watched&&) noexcept;

  State& state();

  // The next changes, which are not applied to the state yet; waits for them for at most so long.
  // An object that several lists have comes once. Denied: an essential kind may not be watched.
  Result<std::vector<ObjectEvent>> wait(base::Duration most);

  // Kinds that are not watched, since the last call.
  std::vector<Unwatched> take_unwatched();
  // The server cannot be reached, since when and why.
  const std::optional<session::Watches::Outage>& outage() const;

 private:
  class Lists;
  explicit Watched(std::unique_ptr<Lists> lists);
  std::unique_ptr<Lists> lists_;
};

}  // namespace dra::snapshot
