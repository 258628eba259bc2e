// include/dra/checks/manifest/manifest.h
//
// What is wrong with the objects of a manifest: everything that the API server would refuse, told
// at once, and what it takes and somebody stumbles over later. No server is needed.
//
// Where the object exists already, what is told is what the server would say of it as an update: of
// `kubectl replace`, which fills in the state that the object is at.
//
// An object goes through the phases of the API server: strict decoding, the older versions' way to
// v1, defaults, gates, rules. The server stops after the first phase with errors; here the rules
// are asked all the same, of what is left.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dra/checks/fields/manifest_finding.h"
#include "dra/checks/fields/references.h"
#include "dra/engine/facts/features.h"
#include "dra/engine/selectors/selector.h"
#include "dra/json/value.h"
#include "dra/snapshot/snapshot.h"

namespace dra::checks {

struct CheckedObject {
  std::string name;      // "ResourceClaim default/x": kind, namespace, name, as far as it has them
  bool skipped = false;  // of a kind that nothing is known of
  bool exists = false;   // so its errors are those of an update
  std::vector<ManifestFinding> findings = {};  // by position
  std::optional<ObjectName> defines = {};      // of kinds that are referred to by name
  std::vector<Reference> references = {};
  std::vector<Reference> admin_access = {};          // to the namespaces that have to allow it
  std::optional<std::string> closed_namespace = {};  // of one that does not: its name
  std::optional<json::Value> whole = {};             // of these kinds: in v1's shape, with defaults
  std::optional<json::Value> written = {};  // as it stands in the manifest, if that is kept
};

class ManifestChecker {
 public:
  // As a control plane of that release, with those gates.
  explicit ManifestChecker(const snapshot::Server& server);

  // From now on objects that are there are checked as updates of those. Without a namespace they
  // are in `ns`. The snapshot must outlive the checker.
  void compare_with(const snapshot::Snapshot& cluster, std::string ns);

  // From now on each checked object comes with what was written.
  void keep_written() { keeps_written_ = true; }

  // The objects of a document: one, or those of a list.
  std::vector<CheckedObject> check(const json::Value& document) const;

 private:
  CheckedObject check_object(const json::Value& object) const;

  engine::Features features_;
  engine::Language language_;
  const snapshot::Snapshot* cluster_ = nullptr;
  std::string default_namespace_;
  bool keeps_written_ = false;
};

}  // namespace dra::checks
