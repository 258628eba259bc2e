// src/snapshot/list_requests.h: plans the requests to a server for the needs of a command. Only the
// list of versions is read here.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "dra/session/client.h"
#include "dra/snapshot/load.h"

namespace dra::snapshot {

// One list, or several objects by name, in one version.
struct ListRequest {
  Need need;
  std::string version;

  const api::KindInfo& kind() const { return api::info_of(need.kind); }
  std::string list_path() const;  // with the selectors as query parameters
  bool wire() const { return !need.verbatim && kind().has_wire(version); }
  std::string object_path(const std::string& name) const;
};

// Needs without duplicates. `put_back` are needs within a wider one; they are asked for only if
// that is refused; `of_volumes` and `of_groups` depend on what is read first.
struct Needs {
  std::vector<Need> first;
  std::vector<Need> put_back;
  std::vector<Need> of_volumes;
  std::vector<Need> of_groups;
};
Needs arrange(std::span<const Need> needs);
// Of `of_volumes` or `of_groups`.
bool is_read_behind(const api::KindInfo& kind);

struct ListRequests {
  std::vector<ListRequest> plans;
  std::vector<std::string> dra_versions = {};  // served versions; empty if no need required them
};
// Chooses versions. NotServed as in load(); a kind that is only absent has no request.
Result<ListRequests> plan_requests(session::Client& client, std::span<const Need> needs);

// True if a kind of an add-on may be requested without checking that it is served: "not served" and
// "forbidden" then mean the same as no objects.
bool can_be_tried(const Need& need);

}  // namespace dra::snapshot
