// src/report/describe/describe_spec.h
//
// What a claim asks for, or will ask for once it is made from a template: requests, constraints and
// configuration. The spec is the same, and so is how it reads.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/report/describe/describe_parts.h"

namespace dra::report {

// `allocation`: marks the alternatives that were taken; a class that does not exist then no longer
// matters, otherwise it is named among what is odd.
void add_requests(Description& out, const api::ClaimSpec& spec, const api::Allocation* allocation);

void add_constraints(Description& out, const std::vector<api::Constraint>& constraints);

// The allocation's configuration, which is what drivers get; before that, what the spec and its
// classes would give them.
void add_config(Description& out, const api::ClaimSpec& spec, const api::Allocation* allocation);

// "memory 10Gi, shares 2".
std::string quantities_text(const api::Map<api::Quantity>& quantities);

// Every class that the spec names, each once.
std::vector<std::string_view> classes_of(const api::ClaimSpec& spec);

// All that is written about attributes: selectors of the spec and its classes, and constraints.
// What is mentioned here matters more than what is not.
std::string mentioned_in(const snapshot::Snapshot& snapshot, const api::ClaimSpec& spec);

}  // namespace dra::report
