// cmd/workload_words.h: the words that a user may write for kinds of workloads, as in kubectl.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/kinds.h"

namespace dra::cmd {

// "deployment", "deployments", "deploy", "deployments.apps", in any case.
std::optional<api::Kind> workload_of_word(std::string_view word);

// "deployment": what completion and messages call it.
std::string singular_of(api::Kind workload);

std::vector<api::Kind> workload_kinds();

}  // namespace dra::cmd
