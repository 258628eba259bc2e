// src/checks/rules/differences.h
//
// Where a manifest differs from what exists, as the API server compares them. Upstream:
// k8s.io/apimachinery/pkg/api/equality, Semantic.DeepEqual, of decoded objects. Its rules:
//  * Without a pointer in Go a field that is left away is 0, false or "". Empty lists and maps are
//    none.
//  * Quantities and times count by what they say, not by how it is written: 1Gi is 1024Mi.
//  * The order of a list matters.
//  * A driver's parameters are bytes, so the order of their keys matters. kubectl sends them
//  sorted.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/checks/fields/field.h"
#include "dra/checks/rules/update_target.h"

namespace dra::checks {

struct Difference {
  Field now;                  // where it stands in the manifest, or would stand
  const json::Value* before;  // nullptr: not there
};

// Of two objects of the type "resource/v1.ResourceClaimSpec", in the order of the types' fields.
// `now` and `before` may not be there.
std::vector<Difference> differences(const Field& now, const json::Value* before,
                                    std::string_view type);

// The same for one field of two objects of that type.
std::vector<Difference> differences_of(const Field& now, const json::Value* before,
                                       std::string_view type, std::string_view field);
bool is_same(const Field& now, const json::Value* before, std::string_view type,
             std::string_view field);

// "spec.count: 1 → 2", and how many more there are. There is at least one.
std::string words_for(const std::vector<Difference>& differences);

}  // namespace dra::checks
