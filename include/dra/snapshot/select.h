// include/dra/snapshot/select.h
//
// The objects of a snapshot that a need asked for: by kind, namespace, names, labels and fields.
// The same objects come out whether a server has chosen them already or a file holds everything, so
// that an answer does not depend on where the state came from.

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "dra/snapshot/load.h"
#include "dra/snapshot/snapshot.h"

namespace dra::snapshot {

// An object of any type. Points into the snapshot.
struct ObjectRef {
  api::Kind kind;
  const api::ObjectMeta* meta;
  const api::Origin* origin;
};

// By names in the order of the names, without those that are not there; else in the snapshot's
// order. Which fields can be selected by, and what they are where an object does not say, is what
// an API server of v1.37 says: k8s.io/kubernetes/pkg/registry, GetAttrs of each kind, and
// pkg/apis/.../conversion.go. BadInput for a selector that cannot be read, and for other fields in
// the server's words.
Result<std::vector<ObjectRef>> select(const Snapshot& snapshot, const Need& need);

// All objects of a kind, in the snapshot's order.
std::vector<ObjectRef> objects_of(const Snapshot& snapshot, api::Kind kind);

// The same objects as what they are; all must be of that type's kind.
template <class T>
std::vector<const T*> typed(const Snapshot& snapshot, std::span<const ObjectRef> objects) {
  std::vector<const T*> out;
  out.reserve(objects.size());
  for (const ObjectRef& object : objects)
    out.push_back(snapshot.find<T>(object.meta->namespace_, object.meta->name));
  return out;
}

}  // namespace dra::snapshot
