// include/dra/checks/fields/manifest_finding.h
//
// Something that is wrong in a manifest, or will be: what every check of manifests produces.
//
// An error means exactly that the API server refuses the object under kubectl's default, strict
// field validation. The server stops after the first phase with errors; here later phases are told
// all the same.

#pragma once

#include <string>

#include "dra/diag/severity.h"
#include "dra/json/value.h"

namespace dra::checks {

using diag::Severity;

// Decode: a value of the wrong type. Strict: a field that is unknown or there twice, which a server
// that is not asked to be strict drops. Validate: the rules.
enum class Phase { Decode, Strict, Validate };

struct ManifestFinding {
  Severity severity = Severity::Error;
  // An error's is the server's own type: Required, Invalid, NotSupported, Duplicate, TooMany,
  // TooLong, Forbidden, NotFound, InternalError, UnknownField, DuplicateField or Decode, and of an
  // update that was made for another state of the object Conflict; of the others it is the code.
  std::string code;
  Phase phase = Phase::Validate;
  // "spec.devices.requests[0].exactly.count": items as [0], keys of maps as [name]; for decode
  // errors too, where the server's has no indices.
  std::string path;
  // Of the value; of the key for unknown and duplicate fields; of the nearest parent for what is
  // missing.
  json::Position position;
  std::string message;   // what is right, not only what is wrong
  std::string fix = {};  // corrected YAML, or what to do
  // What belongs in the place of the value, where that is beyond doubt; for --fix.
  std::string replacement = {};
};

}  // namespace dra::checks
