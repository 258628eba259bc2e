// include/dra/snapshot/recording.h
//
// A snapshot written down: one List of ordinary objects that every command can read instead of a
// server, and kubectl, too. Among them a ConfigMap says of which server, when, and what could not
// be read.
//
// A recording is made to be passed on, so what may hold secrets is left out unless asked for:
// opaque parameters, environment values, commands, arguments and probes, last-applied annotations.
// Never in it: credentials, URL or user; they are not part of a snapshot.

#pragma once

#include "dra/base/time.h"
#include "dra/json/value.h"
#include "dra/snapshot/snapshot.h"

namespace dra::snapshot {

struct RecordOptions {
  base::Instant now = {};  // the clock of all ages in the recording
  bool full = false;       // leave nothing out
};

json::Value record(const Snapshot& snapshot, const RecordOptions& options);

}  // namespace dra::snapshot
