// src/snapshot/load_live.h: loads the state of a server.

#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "dra/snapshot/builder.h"
#include "dra/snapshot/load.h"
#include "src/snapshot/list_requests.h"

namespace dra::snapshot {

// Adds the manifests of the source (-f). Objects without a namespace are in the default namespace.
// TrainJobs wait for Builder::add_train_jobs().
Result<Done> add_manifests(const Source& source, Builder& builder);

// A list that was read, or an object that was asked for by its name, to be watched from then on.
struct LoadedList {
  ListRequest request;
  std::string name = {};     // of the object
  std::string version = {};  // of the list; an object has none
  // The versions of the objects, by namespace/name.
  std::map<std::string, std::string> objects = {};
};

std::string name_in_list(const api::ObjectMeta& meta);  // "namespace/name"

// Notes in `lists`, if it is there, what was read.
Result<Snapshot> load_live(const Source& source, std::span<const Need> needs,
                           std::vector<LoadedList>* lists = nullptr);

}  // namespace dra::snapshot
