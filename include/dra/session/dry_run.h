// include/dra/session/dry_run.h
//
// What a server would say of objects if they were created, or written over those that exist: asked
// with dryRun=All, so that nothing changes, and with strict validation of fields, as kubectl does.
//
// Of an object with a name is asked first whether it exists: it is an update then, of the state
// that it is at (`kubectl replace`).

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
  std::string name;        // empty: the server is to make one; what is none is refused by it
  json::Value object;
};

struct RefusalCause {
  std::string type;  // "Invalid", without the "FieldValue" that the server puts before it
  std::string field;
  std::string message;
};

// In the server's words: whoever prints them must clean them. Credentials are masked.
struct Refusal {
  std::string reason;  // "Invalid", "BadRequest", "Forbidden"
  std::string message;
  std::vector<RefusalCause> causes = {};
};

struct Verdict {
  bool update = false;                  // the object exists
  std::optional<Refusal> refusal = {};  // none: the server takes it
};

// One for each proposal, in their order; several are on their way at once. Errors are what is no
// answer to the question: no connection, no credentials, no right to create or update such objects.
std::vector<Result<Verdict>> dry_run(Client& client, std::vector<Proposal> proposals);

}  // namespace dra::session
