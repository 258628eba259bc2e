// include/dra/checks/fields/manifest_finding.h
//
// Something wrong in a manifest: the result of every check of manifests.
//
// An error means exactly that the API server refuses the object under kubectl's default, strict
// field validation. The server stops after the first phase with errors; the checks go on with the
// later phases.

#pragma once

#include <cstddef>
#include <string>

#include "dra/diag/severity.h"
#include "dra/json/value.h"

namespace dra::checks {

using diag::Severity;

// Client: kubectl refuses to send the object. Decode: a value of the wrong type. Strict: an unknown
// or duplicate field, which a server that is not asked to be strict drops. Validate: the rules.
enum class Phase { Client, Decode, Strict, Validate };

struct ManifestFinding {
  Severity severity = Severity::Error;
  // For an error the server's own type: Required, Invalid, NotSupported, Duplicate, TooMany,
  // TooLong, Forbidden, NotFound, InternalError, UnknownField or Decode; Conflict
  // for an update that was made for another state of the object. For other severities a diag::Code.
  std::string code;
  Phase phase = Phase::Validate;
  // "spec.devices.requests[0].exactly.count": items as [0], keys of maps as [name], also in decode
  // errors, where the server's path has no indices.
  std::string path;
  // Of the value; of the key for unknown and duplicate fields; of the nearest parent for missing
  // fields.
  json::Position position;
  std::string message;   // says what is right, not only what is wrong
  std::string fix = {};  // corrected YAML, or what to do
  // For --fix: the right value, if there is only one.
  std::string replacement = {};
  // If it is about a part of a text: the text, and the byte where the part begins.
  std::string text = {};
  std::size_t offset = 0;
};

}  // namespace dra::checks
