// tests/fuzz/kuberc_fuzz.cpp
//
// A kuberc of any bytes gives a policy, or an error with words. An allowlist is never empty: that
// would be a policy that kubectl refuses.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "src/session/kuberc.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using dra::session::PluginRule;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const auto policy = dra::session::decode_plugin_policy(text);
  if (!policy.ok()) {
    DRA_CHECK(!policy.error().message.empty());
    return 0;
  }
  DRA_CHECK(policy.value().rule != PluginRule::Allowlist || !policy.value().allowlist.empty());
  return 0;
}
