// include/dra/snapshot/load.h
//
// From where a user pointed to a snapshot: a server, files, standard input, or a built-in demo. The
// answer of every command is a function of the snapshot, so it is the same wherever the state came
// from.

#pragma once

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

// A file of objects that do not exist yet, to be looked at as if they did: -f FILE.
struct Manifest {
  std::string name;  // for messages
  std::string text;
};

struct Source {
  std::vector<std::string> files;  // --snapshot: files, directories or "-"; wins over a server
  std::string demo;                // --demo: the name of a built-in cluster
  std::function<Result<std::string>()> standard_input;

  std::vector<Manifest> manifests;  // laid over what the cluster has

  session::ConnectionFlags flags;
  session::Environment environment;
  session::ClientOptions client;
  // Ask a server for its feature gates, too: one request more, for whoever simulates what it does.
  // Where it does not tell, they are those of its release, and that is no error.
  bool feature_gates = false;

  // The server that flags and environment lead to. Found out by the first call: to read the
  // kubeconfig may take long and run programs, so nothing else resolves a connection.
  Result<session::Connection> connection() const;
  mutable std::optional<session::Connection> found = {};  // what connection() found

  bool live() const { return files.empty() && demo.empty(); }
};

// What a command reads of one kind. Files and recordings are read whole; only servers are asked for
// less. select() (select.h) finds the objects that a need asked for in either.
struct Need {
  api::Kind kind;
  std::string namespace_ = {};      // empty: all
  std::string field_selector = {};  // "involvedObject.name=x"
  bool essential = false;           // without it there is no answer: being refused is an error
  // Only these, each got by its name, for which a user needs no right to list. What could not be
  // got is in the snapshot's refusals, not an error.
  std::vector<std::string> names = {};
  std::string label_selector = {};  // "app=a,tier in (b,c)"
  std::string version = {};         // to be asked for in this version of the API, no other

  // All that is in its place, nothing chosen.
  bool whole() const { return names.empty() && label_selector.empty() && field_selector.empty(); }
};

// What is refused (403) and not essential is noted in the snapshot's coverage. A kind that the
// server does not serve is absent, unless it is essential or one of the four that make DRA: that is
// NotServed. A need that lies within another one is not asked for twice; but if the wider one is
// refused, the narrow one may still be granted, and is asked for then; of a whole namespace the
// coverage tells that it was read.
Result<Snapshot> load(const Source& source, std::span<const Need> needs);

// Whether all objects of `narrow` are among those of `wide`.
bool covers(const Need& wide, const Need& narrow);

// The namespace that commands look into when none is named: the context's, else "default".
Result<std::string> default_namespace(const Source& source);

// The built-in demo clusters: names for --demo, with what they show.
struct Demo {
  std::string_view name;
  std::string_view summary;
};
std::span<const Demo> demos();

}  // namespace dra::snapshot
