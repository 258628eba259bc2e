// tests/report/lists/list_pools_test.cpp: pools and slices as rows.

#include <doctest/doctest.h>

#include <string>

#include "dra/json/write.h"
#include "dra/report/lists/list_pools.h"
#include "tests/support/builders.h"
#include "tests/support/document_text.h"

namespace dra::report::list_pools_test {
namespace {

using support::allocated;
using support::exactly;
using support::Scene;
using support::scene;

struct Case {
  const char* name;
  Scene scene;
  // DRIVER | POOL | NODE | SLICES | GEN | DEVICES | IN-USE | FREE | other states | STATUS
  const char* pools;
  // NAME | DRIVER | POOL | NODE | GEN | DEVICES | IN-USE | FREE | other states | STATUS | AGE
  const char* slices;
};

void check(const Case& row) {
  CAPTURE(row.name);
  const auto snapshot = row.scene.build();
  const engine::Inventory inventory(snapshot);
  CHECK(support::rows_of(pools_view(pool_rows(inventory))) == row.pools);
  std::vector<SliceRow> slices;
  for (const auto& slice : snapshot.all<api::ResourceSlice>()) {
    slices.push_back(slice_row(inventory, slice));
  }
  CHECK(support::rows_of(slices_view(slices, {})) == row.slices);
}

TEST_CASE("how much of a pool is there") {
  const Case rows[] = {
      {"a pool of one slice", scene().slice("n1", {"gpu-0", "gpu-1"}).held("n1", "gpu-0"),
       "gpu.example.com | n1 | n1 | 1/1 | 1 | 2 | 1 | 1 | Complete\n",
       "n1-slice | gpu.example.com | n1 | n1 | 1 | 2 | 1 | 1 | Current | <unknown>\n"},
      {"a pool that is not all there has nothing free",
       scene().slice({.name = "s", .count = 3, .where = "nodeName: n1", .devices = "{name: d}"}),
       "gpu.example.com | pool | n1 | 1/3 | 1 | 1 | 0 | 0 | 1 | Incomplete\n",
       "s | gpu.example.com | pool | n1 | 1 | 1 | 0 | 0 | 1 | Incomplete | <unknown>\n"},
      {"stale slices have no free devices and do not count",
       scene()
           .slice(
               {.name = "old", .generation = 1, .where = "nodeName: n1", .devices = "{name: d0}"})
           .slice(
               {.name = "new", .generation = 2, .where = "nodeName: n1", .devices = "{name: d1}"}),
       "gpu.example.com | pool | n1 | 1/1 | 2 | 1 | 0 | 1 | Complete\n",
       "new | gpu.example.com | pool | n1 | 2 | 1 | 0 | 1 | Current | <unknown>\n"
       "old | gpu.example.com | pool | n1 | 1 | 1 | 0 | 0 | Stale | <unknown>\n"},
      {"an invalid pool", scene().slice({.name = "s", .devices = "{name: d}, {name: d}"}),
       "gpu.example.com | pool | <all> | 1/1 | 1 | 2 | 0 | 0 | 2 | Invalid\n",
       "s | gpu.example.com | pool | <all> | 1 | 2 | 0 | 0 | 2 | Invalid | <unknown>\n"},
      {"a pool over several nodes",
       scene()
           .slice({.name = "a", .count = 2, .where = "nodeName: n1", .devices = "{name: d0}"})
           .slice({.name = "b", .count = 2, .where = "nodeName: n2", .devices = "{name: d1}"}),
       "gpu.example.com | pool | <several> | 2/2 | 1 | 2 | 0 | 2 | Complete\n",
       "a | gpu.example.com | pool | n1 | 1 | 1 | 0 | 1 | Current | <unknown>\n"
       "b | gpu.example.com | pool | n2 | 1 | 1 | 0 | 1 | Current | <unknown>\n"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("how much of a pool is free") {
  const Case rows[] = {
      {"a tainted device is not free; held and tainted is held",
       scene()
           .slice({.name = "s",
                   .devices =
                       "{name: d0, taints: [{key: k, effect: NoSchedule}]}, {name: d1, taints: "
                       "[{key: k, effect: NoSchedule}]}"})
           .claim("c", exactly("gpu", 1), allocated("{device: d1, pool: pool}")),
       "gpu.example.com | pool | <all> | 1/1 | 1 | 2 | 1 | 0 | 1 | Complete\n",
       "s | gpu.example.com | pool | <all> | 1 | 2 | 1 | 0 | 1 | Current | <unknown>\n"},
      {"a device with some shares taken counts as allocated",
       scene()
           .slice({.name = "s", .devices = "{name: d, allowMultipleAllocations: true}"})
           .claim("c", exactly("gpu", 1), allocated("{device: d, pool: pool, shareID: s1}")),
       "gpu.example.com | pool | <all> | 1/1 | 1 | 1 | 0 | 1 | 0 | Complete\n",
       "s | gpu.example.com | pool | <all> | 1 | 1 | 0 | 1 | 0 | Current | <unknown>\n"},
      {"how many are free is not known without claims",
       scene().slice("n1", {"gpu-0"}).cannot_read(api::Kind::Claim),
       "gpu.example.com | n1 | n1 | 1/1 | 1 | 1 | 0 | <unknown> | Complete\n",
       "n1-slice | gpu.example.com | n1 | n1 | 1 | 1 | <unknown> | <unknown> | Current | "
       "<unknown>\n"},
      {"slices of counters alone",
       scene()
           .slice({.name = "a",
                   .count = 2,
                   .more = "sharedCounters: [{name: c, counters: {x: {value: "
                           "1}}}]"})
           .slice({.name = "b", .count = 2, .devices = "{name: d}"}),
       "gpu.example.com | pool | <all> | 2/2 | 1 | 1 | 0 | 1 | Complete\n",
       "a | gpu.example.com | pool | <all> | 1 | 0 | 0 | 0 | Current | <unknown>\n"
       "b | gpu.example.com | pool | <all> | 1 | 1 | 0 | 1 | Current | <unknown>\n"},
      {"nothing published", scene(), "", ""},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("pools as JSON keep the contract") {
  const auto snapshot =
      scene()
          .slice({.name = "s", .driver = "a.com", .devices = "{name: d}, {name: d}"})
          .slice("n1", {"gpu-0"})
          .cannot_read(api::Kind::Claim)
          .build();
  const engine::Inventory inventory(snapshot);
  CHECK(
      write_json(pools_json(pool_rows(inventory)), json::Style::Compact) ==
      R"({"apiVersion":"dra.kubectl/v1","kind":"PoolList","items":[{"driver":"a.com","pool":"pool",)"
      R"("node":"<all>","slices":1,"slicesExpected":1,"generation":1,"devices":2,"allocated":0,"shared":0,)"
      R"("free":0,"blocked":0,"tainted":0,"unusable":2,"missing":0,"status":"Invalid","problem":"duplicate device name d"},)"
      R"({"driver":"gpu.example.com","pool":"n1","node":"n1","slices":1,"slicesExpected":1,)"
      R"("generation":1,"devices":1,"allocated":0,"shared":0,"free":null,"blocked":0,"tainted":0,)"
      R"("unusable":0,"missing":0,"status":"Complete"}]})");
}

}  // namespace
}  // namespace dra::report::list_pools_test
