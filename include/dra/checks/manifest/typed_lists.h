// include/dra/checks/manifest/typed_lists.h
//
// Lists as API servers send them, such as a ResourceClaimList: their items have neither apiVersion
// nor kind, which are the list's. k8s.io/apimachinery/pkg/apis/meta/v1/unstructured,
// unstructuredJSONScheme.decodeToList.

#pragma once

#include <optional>
#include <string>

#include "dra/json/value.h"

namespace dra::checks {

// "ResourceClaim" of a list whose items may be without a kind; empty for everything else.
std::string kind_of_items(const json::Value& document);

// True for an item that says neither what it is nor of which version.
bool takes_kind_of_list(const json::Value& item);

// The document with apiVersion and kind in all items. No value: nothing is missing.
std::optional<json::Value> with_kinds_of_list(const json::Value& document);

}  // namespace dra::checks
