// include/dra/engine/facts/full_name.h: objects by "namespace/name", as holders, labels and changes
// name them.

#pragma once

#include <string>
#include <string_view>

#include "dra/api/meta.h"
#include "dra/base/text.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

inline std::string full_name(std::string_view ns, std::string_view name) {
  return base::format("{}/{}", ns, name);
}
inline std::string full_name(const api::ObjectMeta& meta) {
  return full_name(meta.namespace_, meta.name);
}

// nullptr if there is none; a name without a slash names none.
template <class T>
const T* find_by_full_name(const snapshot::Snapshot& snapshot, std::string_view name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return nullptr;
  return snapshot.find<T>(name.substr(0, slash), name.substr(slash + 1));
}

}  // namespace dra::engine
