// include/dra/checks/fields/required_fields.h
//
// Checks what kubectl itself checks before it sends the objects of a List: fields that the OpenAPI
// schema requires. An object that is a document of its own goes to the API server unchecked, and
// the server accepts some objects that the schema refuses: it reads a missing number as 0.
// Upstream: k8s.io/kubectl/pkg/validation, paramVerifyingSchema (no server validates the fields of
// a List); k8s.io/kube-openapi/pkg/util/proto/validation, ValidateModel.

#pragma once

#include <vector>

#include "dra/api/schema.h"
#include "dra/checks/fields/manifest_finding.h"
#include "dra/json/value.h"

namespace dra::checks {

// Appends an error for each required field that `object` lacks, unless the findings have an
// error for it already.
void check_required(const json::Value& object, const api::SchemaType& type,
                    std::vector<ManifestFinding>& findings);

}  // namespace dra::checks
