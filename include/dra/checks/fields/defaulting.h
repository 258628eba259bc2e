// include/dra/checks/fields/defaulting.h
//
// What happens to a manifest before its rules are asked, as in the API server: unknown fields are
// dropped, an older version becomes v1, defaults are filled in, and what gates switch off is
// dropped. Upstream: k8s.io/kubernetes/pkg/apis/resource/VERSION, defaults.go and conversion.go;
// k8s.io/kubernetes/pkg/registry/resource/KIND, strategy.go, PrepareForCreate.

#pragma once

#include <string_view>
#include <vector>

#include "dra/api/kinds.h"
#include "dra/api/schema.h"
#include "dra/checks/fields/manifest_finding.h"
#include "dra/engine/facts/features.h"
#include "dra/json/value.h"

namespace dra::checks {

// Fields that the type does not have, at every depth.
void drop_unknown(json::Value& object, const api::SchemaType& type);

// An object of the DRA API in v1's shape, with defaults.
void upgrade_and_default(json::Value& object, api::Kind kind, std::string_view version);

// How an object is written, and what it replaces (in v1's shape; nullptr on creation).
struct Written {
  api::Kind kind;
  std::string_view version;
  const json::Value* update_target = nullptr;
};
// Of an object in v1's shape. A warning FieldDropped for each field that says something and goes;
// it is named as the object's version names it. What a gate is for stays where the object that it
// replaces uses it already.
void drop_disabled(json::Value& object, const Written& written, const engine::Features& features,
                   std::vector<ManifestFinding>& findings);

}  // namespace dra::checks
