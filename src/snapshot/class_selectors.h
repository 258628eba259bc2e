// src/snapshot/class_selectors.h
//
// Rules for taints of Kubernetes v1.33 and v1.34 may choose devices by their class and by CEL;
// later releases drop these fields. k8s.io/api@v0.34/resource/v1alpha3, DeviceTaintSelector.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/api/kinds.h"
#include "dra/json/value.h"

namespace dra::snapshot {

bool selects_by_class(api::Kind kind, std::string_view version);

// A rule that chooses devices so has no selector then, which is one of no device: without the rest
// of its selector it would choose too many. A warning names it.
void drop_class_selector(json::Value& rule, std::vector<std::string>& warnings);

}  // namespace dra::snapshot
