// src/snapshot/order.h: the order of objects of one kind: that of a server's lists.

#pragma once

#include <algorithm>
#include <compare>
#include <string_view>

namespace dra::snapshot {

// Lists come in the order of etcd's keys, .../NAMESPACE/NAME. The slash takes part in it: what is
// in `team-a` comes before what is in `team`, as `-` is less than `/`.
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

template <class T>
NameKey name_key(const T& object) {
  return {object.meta.namespace_, object.meta.name};
}

}  // namespace dra::snapshot
