// src/snapshot/order.h: the order of objects of one kind, by namespace, then name.

#pragma once

#include <string_view>
#include <utility>

namespace dra::snapshot {

using NameKey = std::pair<std::string_view, std::string_view>;

template <class T>
NameKey name_key(const T& object) {
  return {object.meta.namespace_, object.meta.name};
}

}  // namespace dra::snapshot
