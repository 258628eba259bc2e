// include/dra/cel/values/time_zone.h
//
// Zones that getHours("Europe/Berlin") and its like name. Upstream: cel-go common/stdlib
// (inTimeZone), Go's time.LoadLocation.

#pragma once

#include <cstdint>
#include <string_view>

#include "dra/base/result.h"

namespace dra::cel {

// How many seconds clocks in a zone are ahead of UTC at a moment, in seconds since 1970. A zone is
// "", "UTC", "+02:00" or a name of the system's zone data. Fails with upstream's message.
Result<std::int64_t> offset_in_zone(std::string_view zone, std::int64_t seconds);

}  // namespace dra::cel
