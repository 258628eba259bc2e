// src/snapshot/order.h: the order of objects of one kind, which is the order of a server's lists.
// Each name occurs once.

#pragma once

#include <algorithm>
#include <compare>
#include <string_view>
#include <type_traits>
#include <vector>

#include "dra/api/cluster_objects.h"
#include "dra/api/workload.h"

namespace dra::snapshot {

// Lists have the order of etcd's keys, .../NAMESPACE/NAME. The slash is part of the key: objects in
// `team-a` come before those in `team`, because `-` is less than `/`.
struct NameKey {
  std::string_view ns;
  std::string_view name;

  friend bool operator==(const NameKey&, const NameKey&) = default;
  friend std::strong_ordering operator<=>(const NameKey& a, const NameKey& b) {
    const std::size_t shared = std::min(a.ns.size(), b.ns.size());
    const auto start = a.ns.substr(0, shared) <=> b.ns.substr(0, shared);
    if (std::is_neq(start)) return start;
    if (a.ns.size() > shared) return a.ns[shared] <=> '/';
    if (b.ns.size() > shared) return '/' <=> b.ns[shared];
    return a.name <=> b.name;
  }
};

// One list has workloads of several kinds, so the kind is part of the key.
struct WorkloadKey {
  NameKey name;
  std::string_view kind;

  friend bool operator==(const WorkloadKey&, const WorkloadKey&) = default;
  friend std::strong_ordering operator<=>(const WorkloadKey& a, const WorkloadKey& b) {
    const auto names = a.name <=> b.name;
    return std::is_neq(names) ? names : a.kind <=> b.kind;
  }
};

template <class T>
auto name_key(const T& object) {
  const NameKey key{object.meta.namespace_, object.meta.name};
  if constexpr (std::is_same_v<T, api::Workload>) {
    return WorkloadKey{key, object.origin.kind};
  } else {
    return key;
  }
}

// Keeps the last of sorted objects with one name. `on_dropped` gets the others.
template <class T, class F>
void keep_last(std::vector<T>& objects, F on_dropped) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const bool same_as_next =
        i + 1 < objects.size() && name_key(objects[i]) == name_key(objects[i + 1]);
    if (same_as_next) {
      on_dropped(objects[i]);
    } else {
      if (kept != i) objects[kept] = std::move(objects[i]);
      ++kept;
    }
  }
  objects.erase(objects.begin() + static_cast<std::ptrdiff_t>(kept), objects.end());
}

// The key of the object that an event is about.
inline NameKey about_key(const api::Event* event) {
  return {event->about.namespace_, event->about.name};
}

// Events sorted by the object that they are about; those about one object keep their order.
inline std::vector<const api::Event*> by_object(const std::vector<api::Event>& events) {
  std::vector<const api::Event*> ordered;
  ordered.reserve(events.size());
  for (const api::Event& event : events)
    ordered.push_back(&event);
  std::ranges::stable_sort(ordered, {}, about_key);
  return ordered;
}

}  // namespace dra::snapshot
