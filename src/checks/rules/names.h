// src/checks/rules/names.h
//
// Rules for names, each with the words that say what is right. Upstream:
// k8s.io/apimachinery/pkg/api/validate, strfmt.go; k8s.io/kubernetes/pkg/apis/core/validation,
// ValidateCSIDriverName, ValidateDNS1123Label; k8s.io/kubernetes/pkg/apis/resource/validation,
// validateQualifiedName, validatePoolName.
//
// The fields are there and hold text, empty or not; what is required is for the caller to say.

#pragma once

#include "dra/checks/fields/field.h"

namespace dra::checks {

void check_dns_label(const Field& field, Rule rule = Rule::Written);
void check_dns_subdomain(const Field& field, Rule rule = Rule::Written);
// In capital or small letters, at most 63 bytes; Required if blank.
void check_driver_name(const Field& field, Rule rule = Rule::Written);
// DNS subdomains joined by slashes; Required if blank.
void check_pool_name(const Field& field, Rule rule = Rule::Written);
void check_label_key(const Field& field, Rule rule = Rule::Written);
void check_label_value(const Field& field);
// `name`, which is the field or the key of a map at the field.
void check_qualified_name(const Field& field, std::string_view name);
void check_fully_qualified_name(const Field& field, Rule rule);
bool is_fully_qualified_name(std::string_view name);
void check_extended_resource_name(const Field& field, Rule rule);
void check_node_name(const Field& field);

// Three numbers, and what may follow them, by semver.org's 2.0.0: "1.2.3-rc.1+build".
bool is_semantic_version(std::string_view text);

// An error for each item whose text, or that of its field `key`, stood there before.
void check_unique(const std::vector<Field>& items, std::string_view key, Rule rule);

// False, with an error, if there are more.
bool check_size(const Field& list, std::size_t most, Rule rule);

}  // namespace dra::checks
