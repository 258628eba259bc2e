// include/dra/checks/fields/manifest_fields.h
//
// Checks what the API server's decoder checks before any rule: fields that the version does not
// have, duplicate fields, values of the wrong type. The server stops at the first value that it
// cannot decode; this finds all of them.
//
// The server decodes what kubectl sends, so numbers are as json/yaml.h gives them: 2.0 is 2, 1e3 is
// 1000 (kubectl reads both into a float and prints it). Of a duplicate key kubectl sends the last
// value without a warning (sigs.k8s.io/yaml converts without strictness,
// k8s.io/cli-runtime/pkg/resource StreamVisitor), so no other value is checked; a client that sends
// the file itself, as YAML or JSON, gets an error.
//
// Upstream: sigs.k8s.io/json, UnmarshalStrict with all strict options, as
// k8s.io/apimachinery/pkg/runtime/serializer/json calls it. Its rules:
//  * Names are case-sensitive. The content of an unknown field is not checked.
//  * Null means absent, as a field, an item and an entry of a map.
//  * An integer is digits without fraction and exponent, and fits its 32 or 64 bits.
//  * A quantity is text or a number, an IntOrString text or a 32-bit number; nothing else converts.
//  * Nothing inside opaque parameters (RawExtension) and fieldsV1 is checked, not even for
//    duplicate keys.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/api/schema.h"
#include "dra/checks/fields/manifest_finding.h"
#include "dra/json/value.h"

namespace dra::checks {

// Appends the findings about `object`, which should be of `type`, in the order of the document:
// errors UnknownField and Decode, the warning DuplicateField (once per field), and IndentationLost
// if so many fields of one object are misplaced that its indentation must be wrong. `path` is that
// of the object, empty for the whole document.
void check_fields(const json::Value& object, const api::SchemaType& type, std::string_view path,
                  std::vector<ManifestFinding>& findings);

}  // namespace dra::checks
