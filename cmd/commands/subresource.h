// cmd/commands/subresource.h
//
// --subresource of lists. Those of the listed kinds that can be read as an object are the object
// itself, so that is what is read.

#pragma once

#include <string>
#include <string_view>

#include "cmd/command.h"
#include "cmd/nouns.h"

namespace dra::cmd {

// Objects of the kind have the subresource, and it is of their kind.
bool has_subresource(api::Kind kind, std::string_view subresource);

// BadInput where a kind is asked for without names, NotFound for a subresource that the kind does
// not have, in kubectl's words.
Result<Done> check_subresource(const Context& context, const std::string& subresource,
                               const ListTarget& target);

}  // namespace dra::cmd
