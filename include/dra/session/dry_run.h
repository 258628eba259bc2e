// include/dra/session/dry_run.h
//
// Lets a server judge objects as if they were created or updated: with dryRun=All, so that nothing
// changes, and with strict validation of fields, as kubectl does.
//
// An object with a name is looked up first. If it exists, it is updated from its current state
// (`kubectl replace`).

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dra/base/result.h"
#include "dra/json/value.h"
#include "dra/session/client.h"

namespace dra::session {

struct Proposal {
  std::string collection;  // "/apis/resource.k8s.io/v1/namespaces/ml/resourceclaims"
  std::string name;        // empty: the server makes one; it refuses an invalid one
  json::Value object;
};

struct RefusalCause {
  std::string type;  // "Invalid", without the "FieldValue" that the server puts before it
  std::string field;
  std::string message;
};

// In the server's words, which must be cleaned before they are printed. Credentials are masked.
struct Refusal {
  std::string reason;  // "Invalid", "BadRequest", "Forbidden"
  std::string message;
  std::vector<RefusalCause> causes = {};
};

struct Verdict {
  bool update = false;                  // the object exists
  std::optional<Refusal> refusal = {};  // no value: the server accepts it
};

// One verdict for each proposal, in their order; several requests are in flight at once. An Error
// means that there is no verdict: no connection, no credentials, no right to create or update such
// objects.
std::vector<Result<Verdict>> dry_run(Client& client, std::vector<Proposal> proposals);

}  // namespace dra::session
