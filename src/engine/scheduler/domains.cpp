// src/engine/scheduler/domains.cpp: see domains.h.

#include "src/engine/scheduler/domains.h"

#include "dra/base/text.h"
#include "dra/engine/facts/full_name.h"
#include "dra/engine/facts/host_name.h"

namespace dra::engine {
namespace {

// "zone" of the key with which Kubernetes labels nodes; empty: the key is another one.
std::string_view known_noun(std::string_view key) {
  if (key == "topology.kubernetes.io/zone") return "zone";
  return key == "topology.kubernetes.io/region" ? "region" : std::string_view();
}

}  // namespace

void Domain::add(const api::Pod& pod) {
  ++pods;
  if (first == nullptr) first = &pod;
}

const Domain* domain_of(const Domains& domains, std::string_view key, const api::Node& node) {
  const std::string_view* value = api::find(node.meta.labels, key);
  if (value == nullptr) return nullptr;
  const auto found = domains.find(*value);
  return found == domains.end() || found->second.pods == 0 ? nullptr : &found->second;
}

std::string place_words(std::string_view key, std::string_view value) {
  if (key == kHostNameLabel) return "on the node";
  const std::string_view noun = known_noun(key);
  return noun.empty() ? base::format("on nodes with {}={}", key, value)
                      : base::format("in {} {}", noun, value);
}

std::string anywhere_words(std::string_view key) {
  if (key == kHostNameLabel) return "on any node";
  const std::string_view noun = known_noun(key);
  return noun.empty() ? base::format("on any node with the label {}", key)
                      : base::format("in any {}", noun);
}

std::string where_words(std::string_view key, std::string_view value) {
  return key == kHostNameLabel ? base::format("on node {}", value) : place_words(key, value);
}

std::string pods_words(const Domain& domain) {
  const std::string name = full_name(domain.first->meta);
  return domain.pods == 1 ? base::format("pod {}", name)
                          : base::format("{} pods such as {}", domain.pods, name);
}

std::string domain_words(std::string_view key, std::string_view value) {
  if (key == kHostNameLabel) return base::format("node {}", value);
  const std::string_view noun = known_noun(key);
  return noun.empty() ? base::format("{}={}", key, value) : base::format("{} {}", noun, value);
}

std::string own_domain_words(std::string_view key, std::string_view value) {
  return key == kHostNameLabel ? "the node" : domain_words(key, value);
}

}  // namespace dra::engine
