// cmd/commands/explain/explain_code.h
//
// `kubectl dra explain --code CODE`: the meaning of a reason code. It needs no cluster.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cmd/command.h"
#include "cmd/report_output.h"

namespace dra::cmd {

// Instead of a code: all of them.
inline constexpr std::string_view kAllCodes = "list";

std::vector<std::string_view> code_names();  // for completion

// An unknown code is an error that suggests similar ones. Letter case does not matter.
Result<ExitCode> explain_code(Context& context, const std::string& name,
                              const ReportOutput& output);

}  // namespace dra::cmd
