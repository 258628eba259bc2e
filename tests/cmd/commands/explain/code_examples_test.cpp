// tests/cmd/commands/explain/code_examples_test.cpp: of the manifests that `explain --code` shows,
// the first one has the code and the second one has not. Each code has them, or there is a reason.

#include "dra/report/explain/code_examples.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/cli.h"
#include "dra/base/text.h"
#include "tests/support/fake_console.h"

namespace dra::cmd::code_examples_test {
namespace {

// Why there is no example.
constexpr std::string_view kCluster = "the state of the cluster is the cause";
constexpr std::string_view kDriver = "a driver or a node is the cause";
constexpr std::string_view kTime = "it takes a pod that was scheduled";
constexpr std::string_view kLimits = "it is about what was looked at, or what is known";

const std::map<std::string_view, std::string_view>& without_example() {
  static const std::map<std::string_view, std::string_view> codes = {
      {"AllPoolUnusable", kDriver},
      {"BindingFailed", kTime},
      {"BindingLate", kTime},
      {"BindingPending", kTime},
      {"Budget", kLimits},
      {"ClaimBeingAllocated", kTime},
      {"ClaimCreationFailed", kCluster},
      {"ClaimDeleting", kCluster},
      {"ClaimElsewhere", kTime},
      {"ClaimFull", kCluster},
      {"ClaimNotCreated", kCluster},
      {"ClaimNotOwned", kCluster},
      {"CompatibilityGroups", kDriver},
      {"ContainerCrashes", kTime},
      {"ContainerNotReady", kTime},
      {"ContainerNotStarted", kTime},
      {"DeviceGone", kTime},
      {"DeviceInUse", kCluster},
      {"DeviceUnhealthy", kTime},
      {"DiskInUse", kCluster},
      {"DoubleAllocation", kCluster},
      {"DriverNotRegistered", kTime},
      {"DriverPublishesNothing", kDriver},
      {"ExtendedClaimEmpty", kCluster},
      {"ExtendedClaimLeftOver", kCluster},
      {"GangDoesNotFit", kCluster},
      {"GangIncomplete", kCluster},
      {"GangWaitsForClaim", kCluster},
      {"HardwareHeldTwice", kCluster},
      {"HardwareOfferedTwice", kDriver},
      {"HostLost", kDriver},
      {"NoSlices", kDriver},
      {"NodeFeatures", kDriver},
      {"NodeMissing", kDriver},
      {"NodeName", kTime},
      {"NodeNotReady", kDriver},
      {"NodeUnschedulable", kCluster},
      {"NotOnNode", kDriver},
      {"NotReserved", kTime},
      {"NotSimulated", kLimits},
      {"NotVisible", kLimits},
      {"PodDeleting", kCluster},
      {"PodFailed", kTime},
      {"PodGroupMissing", kCluster},
      {"PodNotGone", kCluster},
      {"PodsNotCreated", kCluster},
      {"PoolIncomplete", kDriver},
      {"PoolInvalid", kDriver},
      {"PoolNameShared", kDriver},
      {"PoolStale", kDriver},
      {"PrepareFailed", kTime},
      {"QuotaExceeded", kCluster},
      {"ReservationStale", kCluster},
      {"SchedulerDown", kCluster},
      {"SchedulerRefuses", kCluster},
      {"SchedulerSilent", kCluster},
      {"TaintRuleEvicts", kCluster},
      {"TooManyResults", "CountTooLarge and CountShort are found first"},
      {"VersionDeprecated", "VersionNotServed is found, unless the server is known"},
      {"VersionSkew", kCluster},
      {"VolumeCapacity", kCluster},
      {"VolumeClaimUnbound", kCluster},
      {"VolumeDriverMissing", kDriver},
      {"VolumeElsewhere", kCluster},
      {"VolumeInUse", kCluster},
      {"VolumeLimit", kCluster},
      {"VolumeLost", kCluster},
      {"VolumeUnavailable", kCluster},
  };
  return codes;
}

struct Found {
  bool code = false;
  ExitCode exit = ExitCode::Done;
  std::string text;
};

Found run(const report::CodeExample& example, std::string_view code, std::string_view yaml) {
  support::FakeConsole console({.input = std::string(yaml)});
  std::vector<std::string> args;
  for (const std::string_view word : base::split(example.command, ' '))
    args.emplace_back(word == "FILE" ? "-" : word);
  args.insert(args.end(), {"-o", "json"});
  const ExitCode exit = run_cli(args, console.streams());
  const std::string text = console.out() + console.err();
  return {text.find(base::format("\"code\": \"{}\"", code)) != std::string::npos, exit, text};
}

TEST_CASE("manifests of codes fail as the page says, and the fixed ones do not") {
  for (const diag::CodeInfo& code : diag::all_codes()) {
    const auto example = report::example_of(code);
    CAPTURE(std::string(code.name));
    CHECK(example.has_value() != without_example().contains(code.name));
    if (!example) continue;
    const Found failing = run(*example, code.name, example->failing);
    CHECK_MESSAGE(failing.code, failing.text);
    const Found fixed = run(*example, code.name, example->fixed);
    CHECK_MESSAGE(!fixed.code, fixed.text);
    CHECK_MESSAGE(fixed.exit == ExitCode::Done, fixed.text);
    CHECK_FALSE(example->change.ends_with('.'));
  }
}

}  // namespace
}  // namespace dra::cmd::code_examples_test
