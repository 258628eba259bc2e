// src/answers/problems/families.h: the families of problems, each unsorted.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/answers/problems/problems.h"
#include "dra/api/claim.h"

namespace dra::answers {

std::vector<Problem> coverage_problems(const ClusterInput& cluster, diag::Detail);
std::vector<Problem> pool_problems(const ClusterInput& cluster, diag::Detail detail);
std::vector<Problem> node_problems(const ClusterInput& cluster, diag::Detail detail);
std::vector<Problem> taint_problems(const ClusterInput& cluster, diag::Detail detail);
std::vector<Problem> claim_problems(const ClusterInput& cluster, diag::Detail detail);
std::vector<Problem> allocation_problems(const ClusterInput& cluster, diag::Detail detail);
std::vector<Problem> pod_problems(const ClusterInput& cluster, diag::Detail detail);
std::vector<Problem> field_problems(const ClusterInput& cluster, diag::Detail detail);
std::vector<Problem> workload_problems(const ClusterInput& cluster, diag::Detail);
// Whether a claim or a template names the class. Drivers install classes for all that they may
// publish, and most of them are not used.
bool is_asked_for(const snapshot::Snapshot& snapshot, std::string_view device_class);

std::vector<Problem> class_problems(const ClusterInput& cluster, diag::Detail);
std::vector<Problem> driver_problems(const ClusterInput& cluster, diag::Detail detail);

// The clauses of a claim that is being deleted, is reserved for pods that are gone or have ended,
// or holds devices that are not published any more.
std::string is_deleting(const api::ResourceClaim& claim);
std::string is_reserved_in_vain(const api::ResourceClaim& claim);
std::string holds_gone_devices(const api::ResourceClaim& claim);
// Several claims that nothing released, each of which is a problem, become one that names them:
// what does not release them is one thing.
void fold_unreleased(const ClusterInput& cluster, diag::Detail detail,
                     std::vector<Problem>& problems);
// Those of a driver that publishes no device, by what its classes say.
std::vector<std::string> publishes_nothing(const ClusterInput& cluster, std::string_view driver);

// The clause of a driver whose plugin is not registered on a node.
std::string not_registered(std::string_view driver, std::string_view node);

// The clause of a node that is not ready.
std::string node_is_down(std::string_view node);

// A problem of one subject, with the `describe` command for it. The caller writes the message.
Problem problem_of(SubjectName subject, std::string_view noun, diag::Code code);

}  // namespace dra::answers
