// src/engine/facts/tpu_generations.cpp: the tables. Another generation, or another size of host, is
// a row.

#include "dra/engine/facts/tpu_generations.h"

#include <algorithm>

namespace dra::engine {
namespace {

constexpr std::array kGenerations = {
    TpuGeneration{"v3", {"tpu-v3-device", "tpu-v3-slice"}, 2, 2, TpuWraps::AllFromFour},
    TpuGeneration{"v4", {"tpu-v4-podslice"}, 3, 2, TpuWraps::AllFromFour, false, true},
    TpuGeneration{"v4lite", {"tpu-v4-lite-device"}, 3, 1, TpuWraps::AllFromFour, false, true},
    TpuGeneration{"v5lite", {"tpu-v5-lite-device"}, 2, 1, TpuWraps::SidesOfSixteen},
    TpuGeneration{"v5litepod", {"tpu-v5-lite-podslice"}, 2, 1, TpuWraps::SidesOfSixteen},
    TpuGeneration{"v5p", {"tpu-v5p-slice"}, 3, 2, TpuWraps::AllFromFour, true, true},
    TpuGeneration{"v6e", {"tpu-v6e-slice"}, 2, 1, TpuWraps::SidesOfSixteen},
    TpuGeneration{"tpu7x", {"tpu7x"}, 3, 2, TpuWraps::AllFromFour, true},
};

constexpr std::array kHostSizes = {TpuHostSize{1, 1, 1}, TpuHostSize{2, 1, 2}, TpuHostSize{4, 2, 2},
                                   TpuHostSize{8, 2, 4}};

}  // namespace

const TpuGeneration* tpu_generation_of(std::string_view name) {
  const auto found = std::ranges::find_if(kGenerations, [name](const TpuGeneration& one) {
    return !name.empty() && (one.name == name ||
                             std::ranges::find(one.accelerators, name) != one.accelerators.end());
  });
  return found == kGenerations.end() ? nullptr : &*found;
}

const TpuHostSize* tpu_host_size_of(std::int64_t chips) {
  const auto found = std::ranges::find(kHostSizes, chips, &TpuHostSize::chips);
  return found == kHostSizes.end() ? nullptr : &*found;
}

}  // namespace dra::engine
