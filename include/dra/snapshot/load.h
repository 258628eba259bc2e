// include/dra/snapshot/load.h
//
// Loads a snapshot from the source that the user named: a server, files, standard input, or a
// built-in demo. Every answer is a function of the snapshot, so it is the same for all sources.

#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/session/client.h"
#include "dra/session/kubeconfig.h"
#include "dra/snapshot/snapshot.h"

namespace dra::snapshot {

// A file of objects that do not exist yet, to be evaluated as if they did: -f FILE.
struct Manifest {
  std::string name;  // name in messages
  std::string text;
};

// How far the list of one kind was read.
struct Reading {
  api::Kind kind;
  std::size_t objects = 0;
};

struct Source {
  std::vector<std::string> files;  // --snapshot: files, directories or "-"; wins over a server
  std::string demo;                // --demo: the name of a built-in cluster
  std::function<Result<std::string>()> standard_input;

  std::vector<Manifest> manifests;  // replace objects of the cluster

  session::ConnectionFlags flags;
  session::Environment environment;
  session::ClientOptions client;
  // Receives the lists that are still being read from a server, several times a second; at the end
  // none.
  std::function<void(std::span<const Reading>)> on_progress = {};
  // Asks a server for its feature gates, which costs a request, for commands that simulate the
  // scheduler. If the server does not report them, the defaults of its release are assumed; that is
  // no error.
  bool feature_gates = false;

  // The connection that flags and environment name. The result is kept, because reading the
  // kubeconfig may take long and run programs; nothing else resolves a connection.
  Result<session::Connection> connection() const;
  mutable std::optional<session::Connection> found = {};  // result of connection()

  bool live() const { return files.empty() && demo.empty(); }
};

// The objects of one kind that a command reads. Files and recordings are read whole; only servers
// are asked for less. select() (select.h) finds the objects of a need in either.
struct Need {
  api::Kind kind;
  std::string namespace_ = {};      // empty: all
  std::string field_selector = {};  // "involvedObject.name=x"
  bool essential = false;           // required for an answer: a refusal is an error
  // Only these names, each with a get, for which a user needs no right to list. Objects that the
  // server does not return are in the snapshot's refusals, not an error.
  std::vector<std::string> names = {};
  std::string label_selector = {};  // "app=a,tier in (b,c)"
  std::string version = {};         // only this version of the API; empty: any
  bool aside = false;               // only adds to an answer: a refusal is not mentioned
  bool verbatim = false;            // the objects' own JSON is needed, so no protobuf is read
  // Read behind the others, and only if a pod that has no node, or a template, has volumes for
  // which nodes are looked for.
  bool if_volumes_wait = false;
  // Likewise, if such a pod belongs to a pod group. Not served is a gap then.
  bool if_groups_wait = false;

  // True if the need selects all objects of its namespace.
  bool whole() const { return names.empty() && label_selector.empty() && field_selector.empty(); }
};

// Loads what the needs ask for. A refusal (403) that is not essential is noted in the snapshot's
// coverage. A kind that the server does not serve is absent, unless it is essential or one of the
// four kinds of DRA: that is NotServed. A need within a wider one is not asked for twice; if the
// wider one is refused, the narrow one may still be granted and is asked for then. For a whole
// namespace the coverage notes that it was read.
Result<Snapshot> load(const Source& source, std::span<const Need> needs);

// True if all objects of `narrow` are among those of `wide`.
bool covers(const Need& wide, const Need& narrow);

// The namespace of commands if the user names none: the context's, else "default".
Result<std::string> default_namespace(const Source& source);

// The built-in demo clusters: names for --demo, with what they show.
struct Demo {
  std::string_view name;
  std::string_view summary;
};
std::span<const Demo> demos();

}  // namespace dra::snapshot
