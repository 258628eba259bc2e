// include/dra/checks/fields/find_references.h
//
// Where names of other objects stand.

#pragma once

#include "dra/checks/fields/field.h"
#include "dra/checks/fields/references.h"

namespace dra::checks {

void find_references(const Field& object, api::Kind kind, std::vector<Reference>& out);
// Requests for admin access, which the namespace has to allow.
void find_admin_access(const Field& object, api::Kind kind, std::vector<Reference>& out);
bool admits_admin_access(const Field& object_of_namespace);
// Of a pod in that namespace, or of a template for pods.
void find_pod_references(const Field& spec, const std::string& ns, std::vector<Reference>& out);

}  // namespace dra::checks
