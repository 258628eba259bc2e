// src/report/describe/describe_spec.h
//
// The spec of a claim or of a claim template: requests, constraints and configuration.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/report/describe/describe_parts.h"

namespace dra::report {

// With an `allocation` the chosen alternatives are marked. Without one, a class that does not exist
// is a problem.
void add_requests(Description& out, const api::ClaimSpec& spec, const api::Allocation* allocation);

void add_constraints(Description& out, const std::vector<api::Constraint>& constraints);

// The configuration of the allocation, which drivers get; without an allocation that of the spec
// and its classes.
void add_config(Description& out, const api::ClaimSpec& spec, const api::Allocation* allocation);

// "memory 10Gi, shares 2".
std::string quantities_text(const api::Map<api::Quantity>& quantities);

// Each class that the spec names, once.
std::vector<std::string_view> classes_of(const api::ClaimSpec& spec);

// The text of all selectors of the spec and its classes, and of its constraints. Attributes that
// occur in it are more relevant than others.
std::string mentioned_in(const snapshot::Snapshot& snapshot, const api::ClaimSpec& spec);

}  // namespace dra::report
