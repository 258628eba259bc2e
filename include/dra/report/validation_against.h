// include/dra/report/validation_against.h
//
// What a manifest meets in a cluster: whether what it names is there, whether its selectors match
// anything, and whether any node could ever serve it.

#pragma once

#include <set>
#include <string>
#include <vector>

#include "dra/checks/manifest.h"
#include "dra/engine/inventory.h"

namespace dra::report {

class ValidationAgainst {
 public:
  // The snapshot must outlive it. Nothing is said of kinds that could not be read.
  explicit ValidationAgainst(const snapshot::Snapshot& snapshot);

  // Of a claim or template, if it could be read; nothing of other kinds. Of classes that the files
  // bring along (`defined`) nothing is known.
  std::vector<checks::ManifestFinding> check(const checks::CheckedObject& object,
                                             const checks::DefinedNames& defined) const;

 private:
  const snapshot::Snapshot& snapshot_;
  engine::Inventory empty_;  // as if nobody held anything
};

}  // namespace dra::report
