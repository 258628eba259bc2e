// src/engine/cluster/claim_controller.cpp: by the flags of kube-controller-manager.

#include "dra/engine/cluster/claim_controller.h"

#include <string_view>

#include "dra/api/component_flags.h"
#include "dra/api/release.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/components.h"
#include "dra/engine/facts/features.h"
#include "dra/engine/facts/full_name.h"

namespace dra::engine {
namespace {

constexpr std::string_view kController = "resourceclaim-controller";
constexpr std::string_view kOlderName = "resource-claim-controller";
constexpr std::string_view kGate = "DynamicResourceAllocation";
constexpr int kGateIsOn = 34;    // the minor release with the gate on by default
constexpr int kGateIsBeta = 32;  // which AllBeta switches on

bool is_gate_on(const api::ComponentFlags& flags, const snapshot::Server& server) {
  if (const auto says = flags.gate(kGate)) return *says;
  const auto release = api::release_of(server.version);
  if (!release || release->minor >= kGateIsOn) return true;
  const char* stage = release->minor >= kGateIsBeta ? "AllBeta" : "AllAlpha";
  return flags.gate(stage).value_or(false);
}

// Either name may be in the list.
bool runs(const api::ComponentFlags& flags) {
  for (const std::string& entry : flags.controllers) {
    if (entry == kOlderName) return true;
    if (entry.starts_with('-') && std::string_view(entry).substr(1) == kOlderName) return false;
  }
  return flags.runs_controller(kController);
}

}  // namespace

ClaimControllerOff claim_controller_off(const api::Pod& manager, const snapshot::Server& server) {
  const api::ComponentFlags flags = api::flags_of(manager, kControllerManager);
  if (!flags.known) return {};
  const std::string pod = full_name(manager.meta);
  if (!is_gate_on(flags, server)) {
    const bool said = flags.gate(kGate).has_value();
    return {base::format("runs without feature gate {} ({} of pod {})", kGate,
                         said ? base::format("--feature-gates={}=false", kGate)
                              : base::format("off by default in {}, and not in --feature-gates",
                                             server.version),
                         pod),
            base::format("Add {}=true to --feature-gates", kGate)};
  }
  if (runs(flags)) return {};
  const std::string list = base::join(flags.controllers, ",");
  const bool taken_out = list.find('*') != std::string::npos;
  return {base::format("runs without its {} (--controllers={} of pod {})", kController, list, pod),
          taken_out ? base::format("Take -{} out of --controllers", kController)
                    : base::format("Add {} to --controllers", kController)};
}

}  // namespace dra::engine
