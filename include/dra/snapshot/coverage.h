// include/dra/snapshot/coverage.h
//
// What a snapshot does not know. An empty list may mean that there is nothing or that we may not
// look; whoever draws conclusions from absence asks here first.

#pragma once

#include <string>
#include <vector>

#include "dra/api/kinds.h"

namespace dra::snapshot {

struct Missing {
  api::Kind kind;
  std::string reason;  // the server's words
};

class Coverage {
 public:
  void add(api::Kind kind, std::string reason);
  const std::vector<Missing>& missing() const { return missing_; }
  bool saw(api::Kind kind) const;
  bool saw_all() const { return missing_.empty(); }

 private:
  std::vector<Missing> missing_;  // in the order of the kinds, each once
};

}  // namespace dra::snapshot
