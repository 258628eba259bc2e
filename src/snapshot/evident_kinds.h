// src/snapshot/evident_kinds.h

#pragma once

#include <vector>

#include "dra/snapshot/snapshot.h"

namespace dra::snapshot {

template <class T>
using ObjectList = std::vector<T>;
using ObjectLists = ListsOf<ObjectList>;

// Of claims, classes, nodes, pods and slices the kinds that the objects of a dump show to be in the
// cluster, though the dump may hold none of them. An object that names one is no evidence if it is
// often left over: a claim that was deleted, a slice of a driver that is down.
std::vector<api::Kind> evident_kinds(const ObjectLists& objects);

// Whether there is any object of the DRA API.
bool has_dra(const ObjectLists& objects);

}  // namespace dra::snapshot
