// include/dra/report/phrases/selector_words.h
//
// Common wording of reports about selectors.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dra/engine/cluster/usage.h"
#include "dra/engine/selectors/selector.h"

namespace dra::report {

// "1,000,000"
std::string grouped(std::uint64_t number);

// "gpu.example.com/n1/gpu-0, gpu.example.com/n1/gpu-1 and 3 more"
std::string ids_text(const std::vector<engine::DeviceId>& ids);

}  // namespace dra::report
