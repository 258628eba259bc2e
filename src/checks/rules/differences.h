// src/checks/rules/differences.h
//
// Compares a manifest with its update target as the API server does. Upstream:
// k8s.io/apimachinery/pkg/api/equality, Semantic.DeepEqual, of decoded objects. Its rules:
//  * A field that is no pointer in Go and is absent is 0, false or "". Empty lists and maps are
//    absent ones.
//  * Quantities and times are equal if their values are: 1Gi is 1024Mi.
//  * The order of a list matters.
//  * Parameters of a driver are bytes, so the order of their keys matters. kubectl sends them
//    sorted.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/checks/fields/field.h"
#include "dra/checks/rules/update_target.h"

namespace dra::checks {

struct Difference {
  Field now;                  // the field of the manifest, even if absent
  const json::Value* before;  // nullptr: absent
};

// The differences between two objects of a type such as "resource/v1.ResourceClaimSpec", in the
// order of the type's fields. Both `now` and `before` may be absent.
std::vector<Difference> differences(const Field& now, const json::Value* before,
                                    std::string_view type);

// The same for one field of two objects of that type.
std::vector<Difference> differences_of(const Field& now, const json::Value* before,
                                       std::string_view type, std::string_view field);
bool is_same(const Field& now, const json::Value* before, std::string_view type,
             std::string_view field);

// "spec.count: 1 → 2" for the first differences, and how many more there are. There must be one.
std::string words_for(const std::vector<Difference>& differences);

}  // namespace dra::checks
