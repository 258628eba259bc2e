// include/dra/snapshot/load.h
//
// From where a user pointed to a snapshot: a server, files, standard input, or a built-in demo. The
// answer of every command is a function of the snapshot, so it is the same wherever the state came
// from.

#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/session/client.h"
#include "dra/session/kubeconfig.h"
#include "dra/snapshot/snapshot.h"

namespace dra::snapshot {

struct Source {
  std::vector<std::string> files;  // --snapshot: files, directories or "-"; wins over a server
  std::string demo;                // --demo: the name of a built-in cluster
  std::function<Result<std::string>()> standard_input;

  session::ConnectionFlags flags;
  session::Environment environment;
  session::ClientOptions client;

  bool live() const { return files.empty() && demo.empty(); }
};

// A kind that a command reads. Files and recordings are read whole; only servers are asked for
// less.
struct Need {
  api::Kind kind;
  std::string namespace_ = {};      // empty: all
  std::string field_selector = {};  // "involvedObject.name=x"
  bool essential = false;           // without it there is no answer: being refused is an error
};

// What is refused (403) and not essential is noted in the snapshot's coverage. A kind that the
// server does not serve is absent, unless it is one of the four that make DRA: that is NotServed.
Result<Snapshot> load(const Source& source, std::span<const Need> needs);

// The namespace that commands look into when none is named: the context's, else "default".
Result<std::string> default_namespace(const Source& source);

// The built-in demo clusters: names for --demo, with what they show.
struct Demo {
  std::string_view name;
  std::string_view summary;
};
std::span<const Demo> demos();

}  // namespace dra::snapshot
