// cmd/complete/complete_expression.h: what may stand at the end of a CEL selector that is not
// finished.

#pragma once

#include <string_view>

#include "cmd/complete/complete_names.h"
#include "cmd/complete/complete_values.h"

namespace dra::cmd {

// Members of `device`; in the brackets of attributes and capacity the domains that devices have
// names of, and behind them these names. Each choice begins with what is typed. The cluster is read
// for names only.
Answer expression_choices(const CompletionNames& names, std::string_view typed);

}  // namespace dra::cmd
