// include/dra/checks/fields/manifest_fields.h
//
// What the API server's decoder finds wrong in a manifest before any rule is asked: fields that the
// version does not have, fields that are there twice, values of the wrong type. All of it is found,
// where the server stops at the first value it cannot decode.
//
// The server decodes what kubectl made of the file, so numbers are as json/yaml.h gives them: 2.0
// is 2, 1e3 is 1000 (kubectl reads both into a float and writes it out again). Of a key that is
// there twice kubectl sends the last value and says nothing (sigs.k8s.io/yaml converts without
// strictness, k8s.io/cli-runtime/pkg/resource StreamVisitor); whoever sends the file itself, as
// YAML or JSON, is refused.
//
// Upstream: sigs.k8s.io/json, UnmarshalStrict with all strict options, as
// k8s.io/apimachinery/pkg/runtime/serializer/json calls it. Its rules:
//  * Names are case-sensitive. What an unknown field holds is not looked at.
//  * Null is absent, wherever it stands: as a field, an item or an entry of a map.
//  * An integer is digits without fraction and exponent, and fits its 32 or 64 bits.
//  * A quantity is text or a number, an IntOrString text or a 32-bit number; nothing else converts.
//  * Inside of opaque parameters (RawExtension) and fieldsV1 nothing is looked at, not even twice
//    the same key.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/api/schema.h"
#include "dra/checks/fields/manifest_finding.h"
#include "dra/json/value.h"

namespace dra::checks {

// Appends what is wrong in `object`, which should be of `type`, in the order of the document:
// errors UnknownField, DuplicateField (once for each field) and Decode, and the warning
// IndentationLost where so many fields of one object are misplaced that it is the indentation.
// `path` is where the object stands, empty for the whole document.
void check_fields(const json::Value& object, const api::SchemaType& type, std::string_view path,
                  std::vector<ManifestFinding>& findings);

}  // namespace dra::checks
