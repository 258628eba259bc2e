// include/dra/checks/fields/defaulting.h
//
// Brings a manifest into the shape that rules check, as the API server does: drops unknown fields,
// converts older versions to v1, fills in defaults, and drops fields of disabled feature gates.
// Upstream: k8s.io/kubernetes/pkg/apis/resource/VERSION, defaults.go and conversion.go;
// k8s.io/kubernetes/pkg/registry/resource/KIND, strategy.go, PrepareForCreate.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/api/kinds.h"
#include "dra/api/schema.h"
#include "dra/checks/fields/manifest_finding.h"
#include "dra/engine/facts/features.h"
#include "dra/json/value.h"

namespace dra::checks {

// Moves fields that the type does not have to where they are meant: under the field that has them,
// a level up, or to the name that is nearest. A field that is there stays as it is, and what the
// moved fields hold is not looked at: that is for the next call. True if something was moved. The
// server does not do this: it is for checking what a misplaced field holds.
bool put_in_place(json::Value& object, const api::SchemaType& type);

// Drops fields that the type does not have, at every depth.
void drop_unknown(json::Value& object, const api::SchemaType& type);

// Converts an object of the DRA API to v1's shape and fills in its defaults.
void upgrade_and_default(json::Value& object, api::Kind kind, std::string_view version);

// The kind and version of a manifest, and the object that it updates (in v1's shape; nullptr on
// creation).
struct Written {
  api::Kind kind;
  std::string_view version;
  const json::Value* update_target = nullptr;
};
// Drops fields whose feature gate is off from an object in v1's shape. Adds a warning FieldDropped
// for each field that has an effect, with the path of the object's version. A field stays if the
// updated object uses its gate already.
void drop_disabled(json::Value& object, const Written& written, const engine::Features& features,
                   std::vector<ManifestFinding>& findings);

// A field that an object in v1's shape has and whose feature gate is off.
struct GatedUse {
  std::string field;  // "spec.devices.requests[].exactly.capacity"
  engine::Gate gate;
};
std::vector<GatedUse> uses_of_disabled(const json::Value& object, api::Kind kind,
                                       const engine::Features& features);

}  // namespace dra::checks
