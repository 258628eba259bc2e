// src/snapshot/recorded_facts.h
//
// What a recording says of itself, in a ConfigMap that stands among its objects: the server's
// version, when it was taken, what could not be read. An ordinary object, so that a recording stays
// a List which kubectl can read, too.

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
