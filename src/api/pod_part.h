// src/api/pod_part.h
//
// Reads some fields of a pod's spec from its bytes, on demand: what few pods are asked for is not
// decoded for all.

#pragma once

#include <cstddef>
#include <utility>

#include "dra/base/memory.h"
#include "dra/json/parse.h"
#include "src/api/pod_fields.h"
#include "src/api/wire_fields.h"

namespace dra::api {

// A pod as far as it is read.
template <class Spec>
struct PodPart {
  Spec spec;
};

template <class Io, class Spec>
void fields(Io& io, PodPart<Spec>& p) {
  io.field("spec", 2, p.spec);
}

// Texts are in the pod's bytes or in the arena. Empty if the bytes cannot be read.
template <class Spec>
Spec spec_part_of(const Pod& pod, base::Arena& arena) {
  PodPart<Spec> part;
  json::Reading reading{arena, {}};
  if (pod.origin.is_wire) {
    read_message(reading, pod.origin.raw, wire_table_of<PodPart<Spec>>(),
                 reinterpret_cast<std::byte*>(&part));
    return std::move(part.spec);
  }
  const auto tree = json::parse_json(pod.origin.raw);
  if (!tree.ok()) return {};
  json::TreeCursor root(reading, tree.value());
  read(root, part);
  return std::move(part.spec);
}

}  // namespace dra::api
