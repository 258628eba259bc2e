// src/api/words.cpp: see words.h.

#include "dra/api/words.h"

#include "dra/base/text.h"

namespace dra::api {

std::string why(const Condition& condition) {
  return condition.message.empty() ? std::string(condition.reason)
                                   : base::format("{}: {}", condition.reason, condition.message);
}

std::string words_of(const Consumer& consumer) {
  if (consumer.is_pod()) return base::format("pod {}", consumer.name);
  return consumer.api_group.empty()
             ? base::format("{} {}", consumer.resource, consumer.name)
             : base::format("{}.{} {}", consumer.resource, consumer.api_group, consumer.name);
}

std::string consumers_of(const ResourceClaim& claim, std::size_t limit) {
  std::string out;
  std::size_t shown = 0;
  for (const Consumer& consumer : claim.status.reserved_for) {
    if (shown == limit) return out + base::format(",+{}", claim.status.reserved_for.size() - limit);
    if (shown++ > 0) out += ",";
    out += consumer.is_pod() ? std::string(consumer.name)
                             : base::format("{}/{}", consumer.resource, consumer.name);
  }
  return out;
}

}  // namespace dra::api
