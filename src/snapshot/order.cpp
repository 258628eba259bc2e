// src/snapshot/order.cpp: compares keys, and sorts indices and pointers by them.

#include "src/snapshot/order.h"

#include <algorithm>
#include <numeric>

namespace dra::snapshot {

std::strong_ordering operator<=>(const NameKey& a, const NameKey& b) {
  constexpr std::string_view slash = "/";
  const std::size_t shared = std::min(a.ns.size(), b.ns.size());
  const auto start = a.ns.substr(0, shared) <=> b.ns.substr(0, shared);
  if (std::is_neq(start)) return start;
  // As texts, whose bytes have no sign: that of a char differs between machines.
  if (a.ns.size() > shared) return a.ns.substr(shared, 1) <=> slash;
  if (b.ns.size() > shared) return slash <=> b.ns.substr(shared, 1);
  const auto names = a.name <=> b.name;
  return std::is_neq(names) ? names : a.kind <=> b.kind;
}

std::vector<std::size_t> sorted_order(std::span<const NameKey> keys) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [keys](std::size_t index) { return keys[index]; });
  return order;
}

std::vector<const api::Event*> by_object(const std::vector<api::Event>& events) {
  std::vector<const api::Event*> ordered;
  ordered.reserve(events.size());
  for (const api::Event& event : events)
    ordered.push_back(&event);
  std::ranges::stable_sort(ordered, {}, about_key);
  return ordered;
}

}  // namespace dra::snapshot
