// include/dra/snapshot/state.h
//
// The state of a cluster that is carried forward, change by change, as a watch reports them.
//
// A change costs the decoding of one object and a place in a queue, however large the cluster is.
// now() applies what is queued to the snapshot: kinds that did not change are shared with the
// snapshot before, as are all other objects of the kinds that did, unless a copy of that snapshot
// is kept elsewhere. Such a copy stays as it is, at the cost of a copy of each kind that changes
// after that.
//
// Each object keeps its own bytes. Those of objects that were replaced are dropped now and then,
// when there are as many of them as of the others: everything is decoded again from its own text.

#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "dra/api/kinds.h"
#include "dra/base/memory.h"
#include "dra/base/result.h"
#include "dra/base/time.h"
#include "dra/session/watch.h"
#include "dra/snapshot/draft.h"
#include "dra/snapshot/snapshot.h"

namespace dra::snapshot {

struct ObjectId {
  api::Kind kind = api::Kind::Claim;
  std::string namespace_ = {};  // empty for kinds without one
  std::string name = {};

  friend bool operator==(const ObjectId&, const ObjectId&) = default;
  friend auto operator<=>(const ObjectId&, const ObjectId&) = default;  // NOLINT
};

// A change of one object.
struct ObjectEvent {
  session::EventType type = session::EventType::Added;
  ObjectId id;
  std::string version = {};  // of the API: "v1"
  // As JSON, sealed; of a deleted object its last state. Empty if it was deleted while no one
  // looked: then its last state is the one that is known.
  base::Page object = {};
};

class State {
 public:
  explicit State(Snapshot start);

  // Adds an object, or replaces the one of that name. BadAnswer: the text is no such object.
  Result<Done> put(const ObjectEvent& event);
  void remove(const ObjectId& id);
  // What the event says: the object is there as it is now, or is gone.
  Result<Done> apply(const ObjectEvent& event);

  // The state after all changes so far. Valid until the next call.
  const Snapshot& now();

  // Bytes of all texts that are kept, of replaced objects, too; an object counts as 1 KiB at least.
  std::size_t kept_bytes() const;
  // Drops the texts of replaced objects.
  void shrink();

  // The clock of every age from now on.
  void set_read(base::Instant read) { draft_.set_read(read); }

 private:
  // The object alone in a snapshot of its own; no value: it is gone.
  using Queued = std::optional<Snapshot>;

  void settle();

  Draft draft_;
  std::map<ObjectId, Queued> queued_;
  std::size_t live_bytes_ = 0;    // of all objects, when they were last decoded
  std::size_t live_objects_ = 0;  // then
  std::size_t put_bytes_ = 0;     // of objects since then
  std::size_t put_objects_ = 0;
};

}  // namespace dra::snapshot
