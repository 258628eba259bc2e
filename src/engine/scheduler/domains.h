// src/engine/scheduler/domains.h
//
// Domains are the nodes that have one value of a label, the topology key: a zone, a rack, or a
// single node. The filters between pods count the pods in them.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "dra/api/cluster_objects.h"
#include "dra/api/pod.h"

namespace dra::engine {

struct Domain {
  std::int64_t pods = 0;
  const api::Pod* first = nullptr;  // nullptr: there is none

  void add(const api::Pod& pod);
};
using Domains = std::unordered_map<std::string_view, Domain>;  // by the label's value

// The domain that the node is in. nullptr: it has no pods that count, or the node has no such
// label.
const Domain* domain_of(const Domains& domains, std::string_view key, const api::Node& node);

// "in zone a", "on the node", "on nodes with rack=r1".
std::string place_words(std::string_view key, std::string_view value);
// The same of a domain that the node is not in: "on node n1".
std::string where_words(std::string_view key, std::string_view value);
// "in any zone", "on any node", "on any node with the label rack".
std::string anywhere_words(std::string_view key);

// "pod ml/a", or "3 pods such as ml/a".
std::string pods_words(const Domain& domain);

// "zone a", "node n1", "rack=r1".
std::string domain_words(std::string_view key, std::string_view value);
// The same of the domain that the node is in: "the node".
std::string own_domain_words(std::string_view key, std::string_view value);

}  // namespace dra::engine
