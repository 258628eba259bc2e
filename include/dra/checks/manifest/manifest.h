// include/dra/checks/manifest/manifest.h
//
// Checks the objects of a manifest: finds every error for which the API server would refuse them,
// and what it accepts but breaks later. It needs no server.
//
// An object that exists in the cluster is checked as an update: as `kubectl replace` sends it, with
// the resource version that the object has.
//
// An object goes through the phases of the API server: strict decoding, conversion to v1, defaults,
// feature gates, rules. The server stops after the first phase with errors; here the later phases
// check what is left of the object.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dra/api/claim.h"
#include "dra/base/memory.h"
#include "dra/checks/fields/manifest_finding.h"
#include "dra/checks/fields/manifest_place.h"
#include "dra/checks/fields/references.h"
#include "dra/checks/manifest/documents.h"
#include "dra/engine/facts/features.h"
#include "dra/engine/selectors/selector.h"
#include "dra/json/value.h"
#include "dra/snapshot/snapshot.h"

namespace dra::checks {

// An object as it stands in the manifest, with what a request to a server needs of it.
struct WrittenObject {
  json::Value object;
  std::string api_version;
  std::string kind;
  std::string namespace_;  // empty if it has none
  std::string name;        // likewise
};

struct CheckedNamespace {
  std::string name;
  bool admits_admin_access;  // to devices
};

struct CheckedObject {
  std::string name;      // "ResourceClaim default/x": kind, namespace and name, if it has them
  bool skipped = false;  // of a kind that has no checks
  bool exists = false;   // so its errors are those of an update
  std::vector<ManifestFinding> findings = {};  // by position
  std::optional<ObjectName> defines = {};      // of kinds that have rules
  std::vector<Reference> references = {};
  std::vector<Reference> admin_access = {};            // to namespaces that have to allow it
  std::optional<CheckedNamespace> own_namespace = {};  // set for a Namespace
  std::optional<json::Value> whole = {};      // of kinds that have rules: in v1's shape, defaulted
  std::optional<WrittenObject> written = {};  // if the checker keeps what was written
};

// The names of a document's objects of kinds that have rules. Nothing is checked.
std::vector<ObjectName> defined_names(const Document& document);

// The claim of a manifest as a typed object, for comparing it with devices.
struct ManifestClaim {
  api::ClaimSpec spec;
  ManifestPlace place;  // of the spec
};

// The claim of a ResourceClaim or a ResourceClaimTemplate. No value for other kinds, and where the
// object has values of the wrong type. Object and arena must outlive it.
std::optional<ManifestClaim> claim_of(const CheckedObject& object, base::Arena& arena);

class ManifestChecker {
 public:
  // Checks as a control plane of that release with those gates does.
  explicit ManifestChecker(const snapshot::Server& server);

  // From now on objects that the cluster has are checked as updates of these. An object without a
  // namespace is in `ns`. The snapshot must outlive the checker.
  void compare_with(const snapshot::Snapshot& cluster, std::string ns);

  // From now on each checked object comes with its WrittenObject.
  void keep_written() { keeps_written_ = true; }

  const snapshot::Server& server() const { return server_; }

  // The objects of a document: one, or those of a list.
  std::vector<CheckedObject> check(const json::Value& document) const;

 private:
  // `in_list`: it is an item of a List, of which kubectl checks more.
  CheckedObject check_object(const json::Value& object, bool in_list) const;

  snapshot::Server server_;
  engine::Features features_;
  engine::Language language_;
  const snapshot::Snapshot* cluster_ = nullptr;
  std::string default_namespace_;
  bool keeps_written_ = false;
};

}  // namespace dra::checks
