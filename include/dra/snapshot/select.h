// include/dra/snapshot/select.h
//
// Selects the objects of a need from a snapshot: by kind, namespace, names, labels and fields. The
// result is the same whether a server has selected already or a file holds everything, so an answer
// does not depend on its source.

#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "dra/api/meta.h"
#include "dra/snapshot/load.h"
#include "dra/snapshot/snapshot.h"
#include "dra/snapshot/state.h"

namespace dra::snapshot {

// An object of any type. Points into the snapshot.
struct ObjectRef {
  api::Kind kind;
  const api::ObjectMeta* meta;
  const api::Origin* origin;
};

// Selects by names in the order of the names, skipping those that do not exist; otherwise in the
// snapshot's order. The fields and their defaults are those of an API server of v1.37:
// k8s.io/kubernetes/pkg/registry, GetAttrs of each kind, and pkg/apis/.../conversion.go. BadInput
// for a selector that cannot be parsed, and for other fields, in the server's words.
Result<std::vector<ObjectRef>> select(const Snapshot& snapshot, const Need& need);

// The same of these objects, which are of the need's kind.
Result<std::vector<ObjectRef>> select_among(std::vector<ObjectRef> objects, const Need& need);

// No value: there is no such object.
std::optional<ObjectRef> find_object(const Snapshot& snapshot, const ObjectId& id);

// All objects of a kind, in the snapshot's order.
std::vector<ObjectRef> objects_of(const Snapshot& snapshot, api::Kind kind);

// The same objects in their own type; all must be of that type's kind.
template <class T>
std::vector<const T*> typed(const Snapshot& snapshot, std::span<const ObjectRef> objects) {
  std::vector<const T*> out;
  out.reserve(objects.size());
  for (const ObjectRef& object : objects)
    out.push_back(snapshot.find<T>(object.meta->namespace_, object.meta->name));
  return out;
}

}  // namespace dra::snapshot
