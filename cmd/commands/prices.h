// cmd/commands/prices.h: the prices of --price.

#pragma once

#include <string>
#include <vector>

#include "dra/base/result.h"
#include "dra/report/top/idle.h"
#include "dra/snapshot/snapshot.h"

namespace dra::cmd {

// Each word is CLASS=AMOUNT, the amount in decimals and not negative. Of a class that is given
// twice the last one counts.
Result<report::Prices> read_prices(const std::vector<std::string>& words);

// BadInput for a price of a class that is neither there nor in any claim.
Result<Done> check_classes(const snapshot::Snapshot& snapshot, const report::Prices& prices);

}  // namespace dra::cmd
