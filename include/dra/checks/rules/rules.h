// include/dra/checks/rules/rules.h
//
// The API server's rules for objects of each kind, on creation, or, where something exists
// (Checking), on update. Fields stand in v1's shape, with defaults, and without what gates drop.
// Upstream, function by function:
// k8s.io/kubernetes/pkg/apis/resource/validation, validation.go; where that marks an error as
// covered by declarative validation, the tag beside the field in k8s.io/api/resource/VERSION
// (Rule::Generated).
//
// What the server does not look at again on update, as it did not change, was right when it was
// stored. So of rules made from types nothing is left out here: what did not change keeps them.

#pragma once

#include <string_view>
#include <vector>

#include "dra/checks/fields/field.h"

namespace dra::checks {

// ValidateObjectMeta, for metadata that a server completes: it makes a name of generateName, and
// knows the namespace from the request. Names are DNS subdomains.
struct MetadataRule {
  bool judges_prefix = true;      // generateName by itself, as a name
  bool keeps_generation = false;  // else the server sets it, whatever stands there
  bool judges_prefix_on_update = false;
  bool wants_state = false;  // an update must say which state of the object it is for
};
void check_metadata(const Field& metadata, const MetadataRule& rule);
// Of kinds whose own rule does not look at generateName the server asks, where nothing else is
// wrong, whether it can stand in a URL. Upstream: k8s.io/apiserver/pkg/registry/rest,
// ValidateCreate; k8s.io/apimachinery/pkg/api/validate/content, IsPathSegmentPrefix.
void check_path_segment(const Field& prefix);
// ValidateObjectMetaUpdate, and what the server's storage asks before it.
void check_metadata_update(const Field& metadata, bool wants_state);
// ValidateTemplateObjectMeta.
void check_template_metadata(const Field& metadata);

// ValidateNodeSelector.
void check_node_selector(const Field& selector);

// validateSelector, for each of them; `list` may be missing. `device_class` is the request's, for
// what is known of the devices that it has.
void check_selectors(const Field& list, std::string_view device_class = {});
// Also what a selector looks for in vain. What the expression costs at worst; 0 if it does not
// compile.
std::uint64_t check_expression(const Field& expression, engine::Purpose purpose,
                               std::string_view device_class = {});

// validateDeviceConfiguration.
void check_configuration(const Field& config);
// validateDeviceTaint; validateDeviceToleration.
void check_taint(const Field& taint);
void check_toleration(const Field& toleration);

void check_claim(const Field& claim);
void check_template(const Field& claim_template);
void check_class(const Field& device_class);
void check_slice(const Field& slice);
void check_counter_set_name(const Field& name);
// Of a counter set, or of what a device consumes of one.
void check_counters(const Field& counters, std::size_t most);
// Of a slice that exists, what it says of the device now: of no such device nothing.
const json::Value* device_before(const Field& device);
void check_slice_device(const Field& device, bool per_device_nodes);
// validateRequestPolicy; `capacity` is what the device has in all.
void check_request_policy(const base::Quantity& capacity, const Field& policy);
void check_taint_rule(const Field& rule);
void check_pod(const Field& pod);
// Of a pod, or of a template for pods: what it says of claims.
void check_pod_spec(const Field& spec);

// --- on update

// ValidateImmutableField, for a field that upstream compares as one; `type` is that of the object
// around it, such as "resource/v1.ResourceSliceSpec".
void check_kept(const Field& object, std::string_view name, std::string_view type,
                std::string_view fix);
// The same for the whole spec, which is of that type. `on_creation` are the errors of its creation.
void check_kept_spec(const Field& object, std::string_view type,
                     const std::vector<ManifestFinding>& on_creation);
// What is said of the claims of a pod, which no update of the pod changes (ValidatePodUpdate).
void check_kept_claims(const Field& spec);
// The errors of a rule for creation, which the server does not ask; warnings are told.
std::vector<ManifestFinding> errors_of_creation(const Field& field, void (*check)(const Field&));

}  // namespace dra::checks
