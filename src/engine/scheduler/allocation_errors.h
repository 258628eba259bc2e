// src/engine/scheduler/allocation_errors.h
//
// The errors with which the allocator ends the whole attempt, as reasons. A reason names a claim
// where upstream does.

#pragma once

#include <string_view>

#include "dra/diag/reason.h"
#include "src/engine/scheduler/allocation_problem.h"
#include "src/engine/scheduler/search.h"

namespace dra::engine {

diag::Reason too_many(const SubjectClaim& claim, const api::DeviceRequest& request);
// "request gpu asks for admin access, and feature gate DRAAdminAccess is off".
diag::Reason feature_off(std::string_view request, std::string_view what, Gate gate);
// The request has something that this release does not know.
diag::Reason unsupported(std::string_view request, std::string_view what);
diag::Reason no_class(const api::NamedDemand& demand);
// A demand for all devices meets a pool that is incomplete or invalid.
diag::Reason pool_unusable(std::string_view request, const Pool& pool);
// Why devices of a pool that is not complete are not given, with the figures.
diag::Reason pool_problem(const Pool& pool);
// The error of a selector or an amount for the device.
diag::Reason fault_of(const AllocationInput& input, const Problem& problem,
                      const DemandHere& demand, std::size_t device);
// A constraint rejects a device of a demand for all devices.
diag::Reason constraint_breaks_all(const Problem& problem, const DemandHere& demand,
                                   std::size_t constraint, Objection objection, std::size_t device);
// The expression of a derived attribute does not compile, or fails for the device.
diag::Reason derived_fault(const DemandHere& demand, std::string_view attribute,
                           const SeenDevice& device, const std::string& error);
diag::Reason too_many_results(const Problem& problem);
diag::Reason out_of_budget();
// An error of the result: the claim's allocation needs a node selector, which cannot be made of the
// selectors of these devices.
std::optional<diag::Reason> fatal_of_results(const AllocationInput& input, const Problem& problem,
                                             const std::vector<Picked>& picked);

}  // namespace dra::engine
