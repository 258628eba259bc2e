// include/dra/checks/rules/rules.h
//
// The API server's rules for objects of each kind: for creation, or, if Checking has an update
// target, for update. Fields are in v1's shape, with defaults, and without fields of disabled
// gates. Upstream, function by function: k8s.io/kubernetes/pkg/apis/resource/validation,
// validation.go; where that marks an error as covered by declarative validation, the tag next to
// the field in k8s.io/api/resource/VERSION (Rule::Generated).
//
// On update the server skips fields that did not change. These were valid when they were stored, so
// rules generated from types run on all fields here: they find nothing in unchanged ones.

#pragma once

#include <string_view>
#include <vector>

#include "dra/checks/fields/field.h"

namespace dra::checks {

// ValidateObjectMeta, for metadata that a server completes: it makes a name from generateName, and
// takes the namespace from the request. Names are DNS subdomains.
struct MetadataRule {
  bool judges_prefix = true;      // checks generateName as a name, too
  bool keeps_generation = false;  // false: the server overwrites generation
  bool judges_prefix_on_update = false;
  bool wants_state = false;  // an update needs a resourceVersion
};
void check_metadata(const Field& metadata, const MetadataRule& rule);
// For kinds whose own rule does not check generateName, the server checks that the prefix can be
// part of a URL, if there is no other error. Upstream: k8s.io/apiserver/pkg/registry/rest,
// ValidateCreate; k8s.io/apimachinery/pkg/api/validate/content, IsPathSegmentPrefix.
void check_path_segment(const Field& prefix);
// ValidateObjectMetaUpdate, and what the server's storage checks before it.
void check_metadata_update(const Field& metadata, bool wants_state);
// ValidateTemplateObjectMeta.
void check_template_metadata(const Field& metadata);

// ValidateNodeSelector.
void check_node_selector(const Field& selector);

// validateSelector for each item; `list` may be absent. `device_class` is the request's, for
// finding mistakes about the attributes of its devices.
void check_selectors(const Field& list, std::string_view device_class = {});
// Checks and lints an expression. Returns its estimated cost; 0 if it does not compile.
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
// The counters of a counter set, or those that a device consumes of one.
void check_counters(const Field& counters, std::size_t most);
// The device as the update target, a slice, has it; nullptr if it has none of this name.
const json::Value* device_before(const Field& device);
void check_slice_device(const Field& device, bool per_device_nodes);
// validateRequestPolicy; `capacity` is what the device has in all.
void check_request_policy(const base::Quantity& capacity, const Field& policy);
void check_taint_rule(const Field& rule);
void check_pool_status_request(const Field& request);
void check_pod(const Field& pod);
// Checks the claims in the spec of a pod or of a pod template.
void check_pod_spec(const Field& spec);

// --- on update

// ValidateImmutableField, for a field that upstream compares as a whole; `type` is that of the
// object around it, such as "resource/v1.ResourceSliceSpec".
void check_kept(const Field& object, std::string_view name, std::string_view type,
                std::string_view fix);
// The same for the whole spec, which is of that type. `on_creation` are the errors that the object
// would have on creation.
void check_kept_spec(const Field& object, std::string_view type,
                     const std::vector<ManifestFinding>& on_creation);
// The claims of a pod, which no update of the pod may change (ValidatePodUpdate).
void check_kept_claims(const Field& spec);
// Runs a rule for creation, which the server does not run on update. Returns its errors; its
// warnings become findings.
std::vector<ManifestFinding> errors_of_creation(const Field& field, void (*check)(const Field&));

}  // namespace dra::checks
