// cmd/find_by_name.h
//
// Resolves a name on the command line: an object with that whole name wins, else the only object
// with that short name. Pools and devices have both, such as driver/pool/device and device.

#pragma once

#include <string>
#include <vector>

#include "dra/api/cluster_objects.h"
#include "dra/api/device_class.h"
#include "dra/base/result.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/inventory.h"

namespace dra::cmd {

inline constexpr std::size_t kMaxCandidates = 5;  // listed where a name is ambiguous

// The whole name is unique, the short name need not be. API objects have one name for both.
struct Names {
  std::string whole;
  std::string brief;
};

template <class T>
Names names_of(const T& object) {
  return {std::string(object.meta.name), std::string(object.meta.name)};
}
inline Names names_of(const engine::Pool& pool) {
  return {base::format("{}/{}", pool.driver, pool.name), std::string(pool.name)};
}
inline Names names_of(const engine::InventoryDevice& device) {
  const engine::DeviceId id = device.published.id();
  return {engine::to_string(id), std::string(id.device)};
}

template <class T>
Error ambiguous(const std::string& name, const std::vector<const T*>& found) {
  std::vector<std::string> candidates;
  for (const T* thing : found) {
    if (candidates.size() < kMaxCandidates) candidates.push_back(names_of(*thing).whole);
  }
  if (found.size() > kMaxCandidates) candidates.emplace_back("...");
  return {ErrorKind::BadInput,
          base::format("\"{}\" is not unique: {} have that name", name, found.size()),
          "name one of them whole: " + base::join(candidates, ", ")};
}

// nullptr if no object has the name. Fails with BadInput if several have it.
template <class T>
Result<const T*> find_by_name(const std::vector<const T*>& all, const std::string& name) {
  std::vector<const T*> whole;
  std::vector<const T*> brief;
  for (const T* thing : all) {
    const Names names = names_of(*thing);
    if (names.whole == name) whole.push_back(thing);
    if (names.brief == name) brief.push_back(thing);
  }
  const auto& found = whole.empty() ? brief : whole;
  if (found.size() > 1) return ambiguous(name, found);
  return found.empty() ? nullptr : found.front();
}

}  // namespace dra::cmd
