// include/dra/report/lists/select_devices.h
//
// Filters devices by the selectors of `--class` and `--cel`.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/result.h"
#include "dra/engine/cluster/pool.h"
#include "dra/engine/selectors/selector.h"

namespace dra::report {

struct SelectedDevices {
  std::vector<bool> chosen;           // one for each device
  std::vector<std::string> warnings;  // about selectors that fail or do not compile
};

// `selectors` are compiled as stored ones. `whose` names their source in warnings: "--cel", "class
// gpu".
SelectedDevices select_devices(std::span<const engine::PoolDevice> devices,
                               std::span<const std::string_view> selectors,
                               const snapshot::Server& server, std::string_view whose);

// BadInput, with the server's message, if the expression does not compile. `flag` names its source:
// "--cel".
Result<Done> check_expression(std::string_view expression, const snapshot::Server& server,
                              std::string_view flag);

}  // namespace dra::report
