// cmd/find_by_name.h
//
// What a name on the command line means: the one thing that has it whole, else the one that has it
// as its short name. Pools and devices have both: driver/pool/device, and the last part of it.

#pragma once

#include <string>
#include <vector>

#include "dra/base/result.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/inventory.h"

namespace dra::cmd {

inline constexpr std::size_t kMaxCandidates = 5;  // named where a name is not unique

// The names that a thing answers to: a whole one, and a short one that others may have too.
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

// nullptr if nothing has the name. Fails with BadInput if several have it.
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
