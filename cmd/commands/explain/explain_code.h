// cmd/commands/explain/explain_code.h
//
// `kubectl dra explain --code CODE`: what a reason code means. It asks no cluster.

#pragma once

#include <string>
#include <vector>

#include "cmd/command.h"
#include "cmd/output.h"

namespace dra::cmd {

std::vector<std::string_view> code_names();  // for completion

// An unknown code is an error that names the nearest ones; letter case does not matter.
Result<ExitCode> explain_code(Context& context, const std::string& name, const Output& output);

}  // namespace dra::cmd
