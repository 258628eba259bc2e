// cmd/commands/subresource.cpp: see subresource.h.

#include "cmd/commands/subresource.h"

#include <algorithm>
#include <array>
#include <utility>

#include "dra/base/text.h"

namespace dra::cmd {

// Upstream: pkg/registry of k8s.io/kubernetes, the storage maps of each group.
bool has_subresource(api::Kind kind, std::string_view subresource) {
  constexpr std::array with_status{api::Kind::Claim, api::Kind::Node, api::Kind::Pod,
                                   api::Kind::TaintRule};
  if (subresource == "status") return std::ranges::find(with_status, kind) != with_status.end();
  return kind == api::Kind::Pod &&
         (subresource == "ephemeralcontainers" || subresource == "resize");
}

Result<Done> check_subresource(const Context& context, const std::string& subresource,
                               const ListTarget& target) {
  if (target.names.empty())
    return Error{ErrorKind::BadInput,
                 "subresource cannot be used when bulk resources are specified",
                 "name the objects"};
  const NounInfo& noun = info_of(target.noun);
  if (has_subresource(*noun.kind, subresource)) return Done{};
  Error error{ErrorKind::NotFound,
              base::format("{} have no subresource \"{}\"", noun.plural, subresource),
              {}};
  if (context.source().live()) {
    error.title = "Error from server (NotFound)";
    error.hint = std::exchange(error.message, "the server could not find the requested resource");
  }
  return error;
}

}  // namespace dra::cmd
