// src/checks/rules/names.h
//
// Rules for names, each with a message that says what is right. Upstream:
// k8s.io/apimachinery/pkg/api/validate, strfmt.go; k8s.io/kubernetes/pkg/apis/core/validation,
// ValidateCSIDriverName, ValidateDNS1123Label; k8s.io/kubernetes/pkg/apis/resource/validation,
// validateQualifiedName, validatePoolName.
//
// The fields hold text, which may be empty; callers check that required fields are present.

#pragma once

#include "dra/checks/fields/field.h"

namespace dra::checks {

void check_dns_label(const Field& field, Rule rule = Rule::Written);
void check_dns_subdomain(const Field& field, Rule rule = Rule::Written);
// Letters of either case, at most 63 bytes; Required if blank.
void check_driver_name(const Field& field, Rule rule = Rule::Written);
// DNS subdomains joined by slashes; Required if blank.
void check_pool_name(const Field& field, Rule rule = Rule::Written);
void check_label_key(const Field& field, Rule rule = Rule::Written);
void check_label_value(const Field& field);
// `name` is the field's text, or a key of the map at the field.
void check_qualified_name(const Field& field, std::string_view name);
void check_fully_qualified_name(const Field& field, Rule rule);
bool is_fully_qualified_name(std::string_view name);
void check_extended_resource_name(const Field& field, Rule rule);
void check_node_name(const Field& field);

// semver.org 2.0.0: three numbers and what may follow: "1.2.3-rc.1+build".
bool is_semantic_version(std::string_view text);

// Adds an error for each item whose text, or whose field `key`, equals that of an earlier item.
void check_unique(const std::vector<Field>& items, std::string_view key, Rule rule);

// Adds an error and returns false if there are more.
bool check_size(const Field& list, std::size_t most, Rule rule);

}  // namespace dra::checks
