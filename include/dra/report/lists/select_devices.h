// include/dra/report/lists/select_devices.h
//
// What `--class` and `--cel` leave of the devices that a user chose by other flags.

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
  std::vector<bool> chosen;           // of each device
  std::vector<std::string> warnings;  // for how many devices a selector fails, and why
};

// `selectors` are stored ones; `whose` says in warnings where they are from: "--cel", "class gpu".
SelectedDevices select_devices(std::span<const engine::PoolDevice> devices,
                               std::span<const std::string_view> selectors,
                               const snapshot::Server& server, std::string_view whose);

// BadInput, in the server's words, unless the scheduler could evaluate the expression. `flag` is
// where it was given: "--cel".
Result<Done> check_expression(std::string_view expression, const snapshot::Server& server,
                              std::string_view flag);

}  // namespace dra::report
