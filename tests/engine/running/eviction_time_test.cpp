// tests/engine/running/eviction_time_test.cpp: when taints evict, and which pods they can.

#include "dra/engine/running/eviction.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/snapshot/builder.h"
#include "tests/support/builders.h"

namespace dra::engine::eviction_time_test {
namespace {

using support::scene;

base::Instant at(std::string_view time) { return base::parse_rfc3339(time).value(); }

constexpr std::string_view kAdded = "2026-11-20T08:00:00Z";

api::DeviceTaint taint(std::string_view effect, bool with_time = true) {
  api::DeviceTaint taint{.key = "fault", .value = "xid", .effect = effect, .added = std::nullopt};
  if (with_time) taint.added = at(kAdded);
  return taint;
}

TEST_CASE("an eviction that is due for a minute is overdue, where the time is known") {
  const auto state = [](bool known) {
    snapshot::Builder builder;
    if (known) builder.set_taken(at("2026-11-20T09:00:00Z"));
    return std::move(builder).build().value();
  };
  CHECK(is_overdue(at(kAdded), state(true)));
  CHECK_FALSE(is_overdue(at(kAdded), state(false)));
  CHECK_FALSE(is_overdue(at("2026-11-20T08:59:30Z"), state(true)));
  CHECK_FALSE(is_overdue(std::nullopt, state(true)));
}

struct Case {
  std::string name;
  std::vector<api::Toleration> tolerations;
  std::string want;  // the time of the eviction; empty: none
};

TEST_CASE("when a taint with NoExecute evicts") {
  const auto exists = [](std::string_view effect, std::optional<std::int64_t> seconds = {}) {
    return api::Toleration{.key = "fault", .op = "Exists", .effect = effect, .seconds = seconds};
  };
  const Case rows[] = {
      {"nothing is tolerated: from when the taint was added", {}, "2026-11-20T08:00:00Z"},
      {"tolerated for ever", {exists("NoExecute")}, ""},
      {"tolerated for a time", {exists("NoExecute", 300)}, "2026-11-20T08:05:00Z"},
      {"the shortest time counts",
       {exists("NoExecute", 300), exists("NoExecute", 60)},
       "2026-11-20T08:01:00Z"},
      {"for ever wins over a time", {exists("NoExecute", 60), exists("NoExecute")}, ""},
      {"a negative time is none", {exists("NoExecute", -5)}, "2026-11-20T08:00:00Z"},
      {"a time without end is the end of the calendar",
       {exists("NoExecute", INT64_MAX)},
       "9999-12-31T23:59:59Z"},
      {"without an effect it is tolerated by the scheduler, not by the eviction",
       {exists("")},
       "2026-11-20T08:00:00Z"},
      {"another effect does not count", {exists("NoSchedule")}, "2026-11-20T08:00:00Z"},
      {"another value does not count",
       {{.key = "fault", .op = "Equal", .value = "other", .effect = "NoExecute"}},
       "2026-11-20T08:00:00Z"},
  };
  for (const Case& row : rows) {
    CAPTURE(row.name);
    const api::DeviceTaint evicting = taint("NoExecute");
    const DeviceTaintOf on_device{&evicting, nullptr};
    const api::AllocationResultItem result{.tolerations =
                                               api::RareList<api::Toleration>(row.tolerations)};
    const auto eviction = eviction_for(result, {&on_device, 1});
    CHECK(eviction.has_value() == !row.want.empty());
    if (eviction && eviction->at) CHECK(base::format_rfc3339(*eviction->at) == row.want);
  }
}

TEST_CASE("of several taints the first eviction counts, and one without a time is at once") {
  const api::DeviceTaint harmless = taint("NoSchedule", false);
  const api::DeviceTaint timed = taint("NoExecute");
  const api::DeviceTaint untimed = taint("NoExecute", false);
  const api::AllocationResultItem result;
  const DeviceTaintOf only_harmless[] = {{&harmless, nullptr}};
  CHECK_FALSE(eviction_for(result, only_harmless).has_value());
  const DeviceTaintOf all[] = {{&harmless, nullptr}, {&timed, nullptr}, {&untimed, nullptr}};
  const auto eviction = eviction_for(result, all);
  REQUIRE(eviction.has_value());
  CHECK(eviction->cause.taint == &untimed);
  CHECK_FALSE(eviction->at.has_value());
}

TEST_CASE("only a pod with a node and a reservation of its own is evicted") {
  const std::string reserved = "reservedFor: [{resource: pods, name: p, uid: p}]";
  const auto snapshot = scene()
                            .claim("c", support::exactly("gpu", 1),
                                   support::allocated("{device: d, pool: p}") + ", " + reserved)
                            .pod("p", "{name: gpu, resourceClaimName: c}", "nodeName: n1")
                            .pod("q", "{name: gpu, resourceClaimName: c}", "nodeName: n1")
                            .pod("unbound", "{name: gpu, resourceClaimName: c}")
                            .build();
  const auto& claim = snapshot.all<api::ResourceClaim>().front();
  CHECK(is_evictable(*snapshot.find<api::Pod>("default", "p"), claim));
  CHECK_FALSE(is_evictable(*snapshot.find<api::Pod>("default", "q"), claim));
  CHECK_FALSE(is_evictable(*snapshot.find<api::Pod>("default", "unbound"), claim));
}

}  // namespace
}  // namespace dra::engine::eviction_time_test
