// include/dra/snapshot/recording.h
//
// Writes a snapshot as a recording: one List of ordinary objects that every command, and kubectl,
// can read like a server's. A ConfigMap in it names the server, the time and the gaps.
//
// A recording is passed on to others, so by default it holds only the fields that the program
// reads: no opaque parameters or other data of drivers, no environment but that of TPUs, no
// commands, arguments, probes, images or volumes' contents, no other annotations. Credentials, URL
// and user are never in it, because they are not part of a snapshot.

#pragma once

#include "dra/base/time.h"
#include "dra/json/value.h"
#include "dra/snapshot/snapshot.h"

namespace dra::snapshot {

struct RecordOptions {
  base::Instant now = {};  // the clock of all ages in the recording
  bool full = false;       // keep everything
};

json::Value record(const Snapshot& snapshot, const RecordOptions& options);

}  // namespace dra::snapshot
