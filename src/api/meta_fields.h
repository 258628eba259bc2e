// src/api/meta_fields.h
//
// The field lists of types that several kinds share (k8s.io/apimachinery meta/v1, k8s.io/api
// core/v1).

#pragma once

#include "src/api/fields.h"

namespace dra::api {

template <class Io>
void fields(Io& io, OwnerReference& r) {
  io.field("apiVersion", 5, r.api_version);
  io.field("kind", 1, r.kind);
  io.field("name", 3, r.name);
  io.field("uid", 4, r.uid);
  io.field("controller", 6, r.controller);
}

template <class Io>
void fields(Io& io, ObjectMeta& m) {
  io.field("name", 1, m.name);
  io.field("generateName", 2, m.generate_name);
  io.field("namespace", 3, m.namespace_);
  io.field("uid", 5, m.uid);
  io.field("resourceVersion", 6, m.resource_version);
  io.field("generation", 7, m.generation);
  io.field("creationTimestamp", 8, m.created);
  io.field("deletionTimestamp", 9, m.deleted);
  io.field("labels", 11, m.labels);
  io.field("annotations", 12, m.annotations);
  io.field("ownerReferences", 13, m.owners);
  io.field("finalizers", 14, m.finalizers);
}

template <class Io>
void fields(Io& io, Condition& c) {
  io.field("type", 1, c.type);
  io.field("status", 2, c.status);
  io.field("lastTransitionTime", 4, c.changed);
  io.field("reason", 5, c.reason);
  io.field("message", 6, c.message);
}

template <class Io>
void fields(Io& io, NodeSelectorRequirement& r) {
  io.field("key", 1, r.key);
  io.field("operator", 2, r.op);
  io.field("values", 3, r.values);
}

template <class Io>
void fields(Io& io, NodeSelectorTerm& t) {
  io.field("matchExpressions", 1, t.expressions);
  io.field("matchFields", 2, t.fields);
}

template <class Io>
void fields(Io& io, NodeSelector& s) {
  io.field("nodeSelectorTerms", 1, s.terms);
}

template <class Io>
void fields(Io& io, LabelSelector& s) {
  io.field("matchLabels", 1, s.labels);
  io.field("matchExpressions", 2, s.expressions);
}

}  // namespace dra::api
