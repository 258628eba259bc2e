// src/checks/find_references.h
//
// Where names of other objects stand.

#pragma once

#include "dra/checks/references.h"
#include "src/checks/field.h"

namespace dra::checks {

void find_references(const Field& object, api::Kind kind, std::vector<Reference>& out);
// Of a pod in that namespace, or of a template for pods.
void find_pod_references(const Field& spec, const std::string& ns, std::vector<Reference>& out);

}  // namespace dra::checks
