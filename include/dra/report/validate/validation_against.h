// include/dra/report/validate/validation_against.h
//
// What a manifest meets in a cluster: whether what it names is there, whether its selectors match
// anything, and whether any node could ever serve it.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dra/checks/manifest/manifest.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/engine/cluster/quotas.h"

namespace dra::report {

// What a request, or an alternative of one, finds there.
struct RequestMet {
  std::string path;
  std::string request;  // "gpu", or "gpu/large" of an alternative
  std::string device_class;
  std::int64_t devices = 0;               // of any class
  std::int64_t matched = 0;               // of these, by the selectors of class and request
  std::optional<std::int64_t> free = {};  // of these, now; no value: it cannot be known
  // Of these, with a taint that it does not tolerate; no value: some taints cannot be seen.
  std::optional<std::int64_t> tainted = {};
};

struct MetThere {
  std::vector<checks::ManifestFinding> findings = {};
  std::vector<RequestMet> requests = {};
};

class ValidationAgainst {
 public:
  // The snapshot must outlive it. Nothing is said of kinds that could not be read.
  explicit ValidationAgainst(const snapshot::Snapshot& snapshot);

  // Of a claim or template, if it could be read; of other kinds whether their version is served. Of
  // classes that the files bring along (`defined`) nothing is known. What it creates counts against
  // the quotas of those that are checked after it.
  MetThere check(const checks::CheckedObject& object, const checks::DefinedNames& defined);

 private:
  std::optional<checks::ManifestFinding> check_version(const checks::CheckedObject& object) const;
  void check_quota(const checks::CheckedObject& object, const api::ClaimSpec& spec,
                   std::vector<checks::ManifestFinding>& findings);

  const snapshot::Snapshot& snapshot_;
  engine::Inventory now_;
  engine::Inventory empty_;  // as if nobody held anything
  engine::Quotas quotas_;
};

}  // namespace dra::report
