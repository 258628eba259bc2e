// include/dra/session/watch.h
//
// Watches of several lists at once, in one thread: what changes in them from a version on, as the
// server sends it. A watch outlives its connection: where that ends, for whatever reason, it is
// opened again from the last version that was seen, so no change is lost and none comes twice.
//
// A server keeps old versions for some minutes only. Where it has forgotten the last one (410), the
// watch is `expired`: who keeps the list reads it again and restarts the watch from there.
// Bookmarks, which a server sends now and then, keep the version of a quiet list new.
//
// As in client-go (tools/watch/retrywatcher.go, tools/cache/reflector.go), a server that is down or
// busy is asked again after a pause, which grows up to a limit. That is no error, however long it
// lasts; outage() reports it.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dra/base/memory.h"
#include "dra/base/result.h"
#include "dra/base/time.h"
#include "dra/session/connection.h"
#include "dra/session/http.h"

namespace dra::session {

struct WatchTarget {
  std::string path;     // of the list, with its selectors as query parameters
  std::string version;  // of the list that was read; empty: whatever the server has comes first
  bool waits = false;   // it is not opened before restart()
};

enum class EventType { Added, Modified, Deleted };

struct WatchEvent {
  std::size_t watch = 0;  // by the order of add()
  EventType type = EventType::Added;
  std::string namespace_ = {};
  std::string name = {};
  std::string version = {};  // of the object
  base::Page object = {};    // as JSON, sealed; of a deleted one its last state
};

// The server does not let us watch, or no longer.
struct WatchRefusal {
  std::size_t watch = 0;
  Error error;
};

struct WatchRound {
  std::vector<WatchEvent> events = {};  // of one watch in the server's order
  std::vector<std::size_t> expired = {};
  std::vector<WatchRefusal> refused = {};  // these watches have ended
};

struct WatchOptions {
  HttpOptions http = {};
  // Of one event, in bytes. An API server accepts objects of some MiB.
  std::size_t max_event = std::size_t{16} << 20U;
  // How long the server is asked to keep a connection open. The connection is given up a little
  // later, so a server that has vanished is noticed.
  base::Duration open_for = base::Duration::seconds(240);
  // Between attempts: the first pause, which doubles up to the longest one.
  base::Duration first_pause = base::Duration::seconds(1);
  base::Duration longest_pause = base::Duration::seconds(30);
  // After so many failures in a row.
  base::Duration pause_after(int failures) const;
  // A server that starts may refuse for a while what it allowed before: so long it is asked again.
  base::Duration patience = base::Duration::seconds(60);
};

class Watches {
 public:
  Watches(Connection connection, WatchOptions options);
  ~Watches();
  Watches(Watches&&) noexcept;
  Watches& operator=(Watches&&) noexcept;

  // Returns its number.
  std::size_t add(WatchTarget target);
  // Goes on from the version of a list that was read again.
  void restart(std::size_t watch, std::string version);

  // What has come, waiting for it for at most so long; nothing: the time is over. BadAnswer for
  // what no API server sends.
  Result<WatchRound> wait(base::Duration most);

  // Since when no watch can be opened, and why. No value: the server answers.
  struct Outage {
    std::chrono::steady_clock::time_point since;
    Error why;
  };
  const std::optional<Outage>& outage() const;

 private:
  class Streams;
  std::unique_ptr<Streams> streams_;
};

}  // namespace dra::session
