// tests/report/explain/replay_test.cpp: reports from a recording equal those from where it was
// made.

#include <doctest/doctest.h>

#include <string>

#include "dra/json/write.h"
#include "dra/report/explain/explanation.h"
#include "dra/report/lists/list_claims.h"
#include "dra/report/lists/list_devices.h"
#include "dra/report/lists/list_pods.h"
#include "dra/report/lists/list_pools.h"
#include "dra/snapshot/builder.h"
#include "dra/snapshot/recording.h"
#include "tests/support/builders.h"
#include "tests/support/document_text.h"

namespace dra::report::replay_test {
namespace {

const base::Instant kNow = base::parse_rfc3339("2026-11-20T09:30:00Z").value();

std::string lists_of(const snapshot::Snapshot& snapshot) {
  const ListOptions options{.now = kNow, .all_namespaces = true};
  const engine::Inventory inventory(snapshot);
  std::vector<ClaimRow> claims;
  for (const auto& claim : snapshot.all<api::ResourceClaim>())
    claims.push_back(claim_row(snapshot, claim));
  std::vector<PodRow> pods;
  for (const auto& pod : snapshot.all<api::Pod>())
    pods.push_back(pod_row(snapshot, pod));
  std::vector<SliceRow> slices;
  for (const auto& slice : snapshot.all<api::ResourceSlice>())
    slices.push_back(slice_row(inventory, slice));
  const auto devices = device_rows(inventory, {});
  const auto pools = pool_rows(inventory);
  return support::text_of(claims_view(claims, options)) +
         support::text_of(pods_view(pods, options)) +
         support::text_of(slices_view(slices, options)) +
         support::text_of(devices_view(devices, {})) + support::text_of(pools_view(pools)) +
         write_json(devices_json(devices), json::Style::Pretty) +
         write_json(pools_json(pools), json::Style::Pretty);
}

std::string explanations_of(const snapshot::Snapshot& snapshot) {
  std::string text;
  for (const api::Pod& pod : snapshot.all<api::Pod>()) {
    const Explanation explanation = answers::explain_pod(snapshot, pod);
    text += write_json(to_json(explanation), json::Style::Pretty) +
            support::text_of(to_view(explanation, {.now = kNow, .wide = true}));
  }
  return text;
}

// Files have no time, so the ages of their pods, and that nothing is known to end, are known from
// the recording only.
std::string without_ages(std::string text) {
  for (const std::string_view part : {" 60m", "    \"noEstimate\": \"nothingEnds\",\n"}) {
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at))
      text.erase(at, part.size());
  }
  return text;
}

void check_replay(const snapshot::Snapshot& before) {
  const auto recorded = snapshot::record(before, {.now = kNow});
  snapshot::Builder builder;
  REQUIRE(builder.add_text(write_json(recorded, json::Style::Pretty), "recording").ok());
  const auto built = std::move(builder).build();
  REQUIRE(built.ok());
  CHECK(lists_of(built.value()) == lists_of(before));
  CHECK(without_ages(explanations_of(built.value())) == without_ages(explanations_of(before)));
}

TEST_CASE("of every scene") {
  for (const std::string& path : support::fixtures()) {
    CAPTURE(path);
    check_replay(support::load(path));
  }
}

TEST_CASE("of a cluster that is not all visible, of another release") {
  check_replay(support::scene()
                   .node("n1")
                   .slice("n1", {"gpu-0", "gpu-1"})
                   .held("n1", "gpu-0")
                   .pod("p", "{name: gpu, resourceClaimName: c}")
                   .cannot_read(api::Kind::Claim)
                   .cannot_read(api::Kind::Event)
                   .server("v1.35.2")
                   .build());
}

}  // namespace
}  // namespace dra::report::replay_test
