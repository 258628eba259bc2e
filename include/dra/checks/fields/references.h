// include/dra/checks/fields/references.h
//
// References of manifests to other objects by name: the class of a request, the claim or template
// of a pod.

#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "dra/api/kinds.h"
#include "dra/checks/fields/field.h"
#include "dra/checks/fields/manifest_finding.h"

namespace dra::checks {

struct ObjectName {
  api::Kind kind = api::Kind::Claim;
  std::string namespace_;  // empty: that of the command line, or none
  std::string name;

  friend bool operator==(const ObjectName&, const ObjectName&) = default;
};

// A container that uses one request of a claim only.
struct RequestReference {
  std::string name;  // of the request, with that of an alternative or without
  std::string path;
  json::Position position;
};

struct Reference {
  ObjectName to;
  std::string path;
  json::Position position;
  std::vector<RequestReference> requests = {};  // of claims and templates
};

// The finding for a request for admin access in a namespace that is among the files and does not
// allow it, or that is not known.
ManifestFinding no_admin_access(const Reference& reference, bool among_files);

// The finding for a request that the claim, or the template, does not have. The API server takes
// the pod, and the kubelet gives the container no device. Upstream:
// k8s.io/kubernetes/pkg/kubelet/cm/dra, claimInfo.cdiDevicesAsList.
ManifestFinding no_such_request(const ObjectName& claim, std::span<const std::string> requests,
                                const RequestReference& reference);

// The entries of resources.claims of all containers in the spec of a pod.
std::vector<Field> claim_uses(const Field& pod_spec);

// Appends the references of an object in v1's shape.
void find_references(const Field& object, api::Kind kind, std::vector<Reference>& out);
// Appends those of the spec of a pod in that namespace, or of a template for pods.
void find_pod_references(const Field& spec, const std::string& ns, std::vector<Reference>& out);
// Appends the requests for admin access, which the namespace has to allow.
void find_admin_access(const Field& object, api::Kind kind, std::vector<Reference>& out);
bool admits_admin_access(const Field& object_of_namespace);

// The objects that the files define, for looking up references.
class DefinedNames {
 public:
  explicit DefinedNames(std::span<const ObjectName> defined);

  bool has(const ObjectName& name) const;
  // A hint if the files have objects of this kind in the namespace, but not this one: who deploys
  // classes or templates together with their users usually means one of these. No value if it
  // exists, or if nothing can be said. A warning if it is in other namespaces only.
  std::optional<ManifestFinding> check(const Reference& reference);

 private:
  using Namespaces = std::set<std::string, std::less<>>;

  ManifestFinding in_other_namespaces(const Reference& reference,
                                      const Namespaces& namespaces) const;

  // The namespaces that have an object, by kind and name.
  std::map<api::Kind, std::map<std::string, Namespaces, std::less<>>> names_;
  std::map<std::pair<api::Kind, std::string>, std::string> fixes_;  // by missing object
};

}  // namespace dra::checks
