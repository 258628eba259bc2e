// src/snapshot/recorded_facts.h
//
// The facts of a recording about itself, in a ConfigMap among its objects: the server's version,
// the time, the gaps. The ConfigMap is an ordinary object, so a recording stays a List that kubectl
// can read.

#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dra/json/value.h"
#include "dra/snapshot/snapshot.h"

namespace dra::snapshot {

struct RecordedFacts {
  Server server;
  std::optional<base::Instant> taken;
  std::vector<Missing> missing;
  std::vector<std::pair<api::Kind, std::string>> resource_versions;
};

const api::ConfigMap* find_recorded_facts(const std::vector<api::ConfigMap>& config_maps);
Result<RecordedFacts> read_recorded_facts(const api::ConfigMap& config_map);
json::Value write_recorded_facts(const RecordedFacts& facts);

}  // namespace dra::snapshot
