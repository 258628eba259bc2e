// src/snapshot/order.h: the order of objects of one kind, which is the order of a server's lists.
// Each name occurs once.
//
// Objects are large, and what moves them is compiled for each kind. So they are sorted by their
// keys, and moved once.

#pragma once

#include <compare>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "dra/api/cluster_objects.h"
#include "dra/api/storage.h"
#include "dra/api/types.h"
#include "dra/api/workload.h"

namespace dra::snapshot {

// Lists have the order of etcd's keys, .../NAMESPACE/NAME. The slash is part of the key: objects in
// `team-a` come before those in `team`, because `-` is less than `/`.
struct NameKey {
  std::string_view ns;
  std::string_view name;
  // Only of workloads, as one list has several kinds of them.
  std::string_view kind = {};

  friend bool operator==(const NameKey&, const NameKey&) = default;
  friend std::strong_ordering operator<=>(const NameKey& a, const NameKey& b);
};

template <class T>
NameKey name_key(const T& object) {
  NameKey key{object.meta.namespace_, object.meta.name};
  if constexpr (std::is_same_v<T, api::Workload>) key.kind = object.origin.kind;
  return key;
}

// The indices of sorted keys; equal keys keep their order.
std::vector<std::size_t> sorted_order(std::span<const NameKey> keys);

template <class T>
void sort_by_name(std::vector<T>& objects) {
  std::vector<NameKey> keys;
  keys.reserve(objects.size());
  bool sorted = true;
  for (const T& object : objects) {
    keys.push_back(name_key(object));
    sorted = sorted && (keys.size() == 1 || keys[keys.size() - 2] <= keys.back());
  }
  if (sorted) return;
  std::vector<T> moved;
  moved.reserve(objects.size());
  for (const std::size_t index : sorted_order(keys))
    moved.emplace_back(std::move(objects[index]));
  objects = std::move(moved);
}

// Merges objects into others; both are sorted. Objects of one name are then next to each other, the
// added one last.
template <class T>
void merge_by_name(std::vector<T>& objects, std::vector<T> added) {
  std::size_t old = objects.size();
  std::size_t next = added.size();
  objects.resize(old + next);
  // From the end, so that each object is moved to its place at once, and those in front of all
  // added ones stay where they are.
  while (next > 0) {
    const bool old_is_later = old > 0 && name_key(added[next - 1]) < name_key(objects[old - 1]);
    T& place = objects[old + next - 1];
    place = old_is_later ? std::move(objects[--old]) : std::move(added[--next]);
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
  objects.resize(kept);
}

// The key of the object that an event is about.
inline NameKey about_key(const api::Event* event) {
  return {event->about.namespace_, event->about.name};
}

// Events sorted by the object that they are about; those about one object keep their order.
std::vector<const api::Event*> by_object(const std::vector<api::Event>& events);

}  // namespace dra::snapshot
