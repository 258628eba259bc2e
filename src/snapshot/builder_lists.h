// src/snapshot/builder_lists.h
//
// What Builder does with an object of any type, however it was decoded.

#pragma once

#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "dra/snapshot/builder.h"

namespace dra::snapshot {

// Calls `on_vector` with the list of a kind. The tuple has the order of kinds; workloads of all
// kinds are in its last list.
template <std::size_t I = 0, class Objects, class F>
void with_kind(Objects& objects, api::Kind kind, F on_vector) {
  constexpr bool last = I + 1 == std::tuple_size_v<Objects>;
  if constexpr (I < std::tuple_size_v<Objects>) {
    if (static_cast<std::size_t>(kind) == I || last) return on_vector(std::get<I>(objects));
    with_kind<I + 1>(objects, kind, on_vector);
  }
}

// A namespaced object without a namespace in a file is in `default`, as kubectl would create it.
template <class T>
void complete_namespace(T& object, const api::KindInfo& kind, std::string_view ns) {
  if (kind.namespaced && object.meta.namespace_.empty()) object.meta.namespace_ = ns;
}

template <class T>
void Builder::complete(T& added, const api::KindInfo& kind, std::string_view api_version) {
  added.origin.api_version = api_version;
  added.origin.kind = kind.name;
  name_nameless(added.meta, kind.name);
  complete_namespace(added, kind, planned_in_.value_or("default"));
  if constexpr (std::is_same_v<T, api::ResourceSlice>) texts_->models.add(added);
  if constexpr (std::is_same_v<T, api::ResourceSlice> || std::is_same_v<T, api::ResourceClaim>)
    pools_.add(added);
}

}  // namespace dra::snapshot
