// include/dra/api/words.h: what objects say, in a few words.

#pragma once

#include <cstddef>
#include <string>

#include "dra/api/claim.h"
#include "dra/api/meta.h"

namespace dra::api {

// "DeviceLost: it fell off the bus"; the reason alone if there is no message.
std::string why(const Condition& condition);

// "pod a", "trainers.example.com t1".
std::string words_of(const Consumer& consumer);

// Who has reserved a claim: pods by name, others as "resource/name"; at most `limit`, then "+2".
std::string consumers_of(const ResourceClaim& claim, std::size_t limit);

}  // namespace dra::api
