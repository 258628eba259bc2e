// include/dra/snapshot/coverage.h
//
// The gaps of a snapshot. An empty list may mean that there is nothing, or that we may not read it;
// code that draws conclusions from absence asks here first.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/kinds.h"

namespace dra::snapshot {

struct Missing {
  api::Kind kind;
  std::string reason;       // "forbidden to list pods in all namespaces"; never names the user
  std::string but_in = {};  // the namespace whose objects were read nevertheless; empty: none
  // No server refused it: files hold no such object, and do not say that there is none.
  bool not_in_files = false;
};

// "pods cannot be read", "pods cannot be read but in namespace ml", "pods are not in the files".
std::string cannot_be_read(const Missing& missing);

class Coverage;
// "the files hold no pods and no nodes, and do not say that there are none"; empty: no such gap.
std::string not_in_files(const Coverage& coverage);

class Coverage {
 public:
  void add(api::Kind kind, std::string reason);
  void add_not_in_files(api::Kind kind);
  // Notes that objects of the kind may be missing that only add to an answer. That is no gap.
  void add_aside(api::Kind kind);
  // The same of a kind whose gap was recorded. What a dump of files does not hold stays a gap.
  void put_aside(api::Kind kind);
  // Notes that files hold no object of the kind and do not say that there is none, and that answers
  // take it that there is none. That is no gap.
  void presume_none(api::Kind kind);
  bool presumes_none(api::Kind kind) const;
  // Drops gaps of other kinds, which no command asked for.
  void keep_only(std::span<const api::Kind> kinds);
  const Missing* find(api::Kind kind) const;
  const std::vector<Missing>& missing() const { return missing_; }
  // Notes that all objects of a kind in one namespace were read, though others may not be.
  void add_read(api::Kind kind, std::string_view ns);
  bool saw(api::Kind kind) const;
  // True if all objects of the kind in this namespace were read.
  bool saw(api::Kind kind, std::string_view ns) const;
  bool saw_all() const { return missing_.empty(); }

 private:
  std::vector<Missing> missing_;  // in the order of kinds, at most one for each
  std::vector<api::Kind> aside_;
  std::vector<api::Kind> presumed_none_;
};

}  // namespace dra::snapshot
