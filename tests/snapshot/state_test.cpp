// tests/snapshot/state_test.cpp: a state that is carried forward, change by change, and what it
// shares with the state before.

#include "dra/snapshot/state.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "dra/api/cluster_objects.h"
#include "dra/api/pod.h"
#include "dra/api/pool_names.h"
#include "dra/base/text.h"
#include "dra/snapshot/builder.h"
#include "dra/snapshot/select.h"
#include "tests/support/builders.h"
#include "tests/support/seed.h"

namespace dra::snapshot::state_test {
namespace {

using api::Kind;
using session::EventType;

std::string object(std::string_view kind, const ObjectId& id, const std::string& more,
                   int version) {
  const std::string ns =
      id.namespace_.empty() ? "" : base::format(R"("namespace":"{}",)", id.namespace_);
  return base::format(
      R"({{"apiVersion":"x","kind":"{}","metadata":{{"name":"{}",{}"resourceVersion":"{}"}}{}}})",
      kind, id.name, ns, version, more);
}

std::string claim_on(const std::string& pool) {
  if (pool.empty()) return R"(,"spec":{"devices":{"requests":[{"name":"r"}]}})";
  return base::format(
      R"(,"status":{{"allocation":{{"devices":{{"results":[{{"request":"r","driver":"d",)"
      R"("pool":"{}","device":"a"}}]}}}}}})",
      pool);
}

std::string slice_of(const std::string& pool, int devices) {
  std::vector<std::string> names;
  for (int i = 0; i < devices; ++i)
    names.push_back(base::format(
        R"({{"name":"d{}","attributes":{{"make":{{"string":"m"}},"serial":{{"string":"{}{}"}}}}}})",
        i, pool, i));
  return base::format(
      R"(,"spec":{{"driver":"d","nodeName":"n","pool":{{"name":"{}","generation":1,)"
      R"("resourceSliceCount":1}},"devices":[{}]}})",
      pool, base::join(names, ","));
}

ObjectEvent put(const ObjectId& id, const std::string& text) {
  return {.type = EventType::Modified, .id = id, .version = "v1", .object = base::Page(text)};
}

ObjectEvent claim(const std::string& name, const std::string& pool, int version = 1) {
  const ObjectId id{Kind::Claim, "ml", name};
  return put(id, object("ResourceClaim", id, claim_on(pool), version));
}

Snapshot nothing() {
  Result<Snapshot> built = Builder().build({});
  REQUIRE(built.ok());
  return std::move(built).take();
}

// Everything that a snapshot says of its objects, in its order.
std::string said(const Snapshot& snapshot) {
  std::string text;
  for (const api::KindInfo& kind : api::all_kinds()) {
    for (const ObjectRef& one : objects_of(snapshot, kind.kind)) {
      text += base::format("{} {} {}/{}@{} {}\n", kind.name, one.origin->kind, one.meta->namespace_,
                           one.meta->name, one.meta->resource_version, one.origin->raw);
    }
  }
  const auto pool = [&snapshot](std::uint32_t number) {
    const api::PoolName& name = snapshot.pools().names()[number];
    return base::format("{}/{} ", name.driver, name.pool);
  };
  for (const api::ResourceSlice& slice : snapshot.all<api::ResourceSlice>()) {
    text += pool(slice.spec.pool.number);
    for (const api::Device& device : slice.spec.devices)
      text += base::format("{} {} ", device.name, device.attributes.size());
  }
  for (const api::ResourceClaim& one : snapshot.all<api::ResourceClaim>()) {
    if (one.allocated()) text += pool(one.status.allocation->devices.results.front().pool_number);
  }
  for (const api::Event& event : snapshot.all<api::Event>()) {
    for (const auto* other : snapshot.events_about(event.about.namespace_, event.about.name))
      text += base::format("{} ", other->meta.name);
  }
  return text;
}

// A fresh snapshot of these objects.
Snapshot fresh(const std::map<ObjectId, std::string>& objects) {
  Builder builder;
  for (const auto& [id, text] : objects)
    REQUIRE(builder.add_item(base::Page(text), id.kind, "v1").ok());
  Result<Snapshot> built = std::move(builder).build({});
  REQUIRE(built.ok());
  return std::move(built).take();
}

TEST_CASE("an object is added, replaced and removed") {
  State state(nothing());
  CHECK(state.put(claim("b", "")).ok());
  CHECK(state.put(claim("a", "p")).ok());
  CHECK(state.put(claim("b", "p", 2)).ok());
  const auto& claims = state.now().all<api::ResourceClaim>();
  REQUIRE(claims.size() == 2);
  CHECK(claims[0].meta.name == "a");
  CHECK(claims[1].meta.resource_version == "2");
  CHECK(claims[1].allocated());
  state.remove({Kind::Claim, "ml", "a"});
  state.remove({Kind::Claim, "ml", "nosuch"});
  CHECK(state.now().all<api::ResourceClaim>().size() == 1);
  CHECK(state.put(claim("c", "")).ok());
  state.remove({Kind::Claim, "ml", "c"});
  CHECK(find_object(state.now(), {Kind::Claim, "ml", "c"}) == std::nullopt);
  CHECK(find_object(state.now(), {Kind::Claim, "ml", "b"})->meta->name == "b");
}

TEST_CASE("workloads of one name and of several kinds are told apart") {
  State state(nothing());
  for (const Kind kind : {Kind::Job, Kind::Deployment}) {
    const ObjectId id{kind, "ml", "w"};
    CHECK(state.put(put(id, object(api::info_of(kind).name, id, "", 1))).ok());
  }
  CHECK(state.now().all<api::Workload>().size() == 2);
  state.remove({Kind::Job, "ml", "w"});
  CHECK_FALSE(find_object(state.now(), {Kind::Job, "ml", "w"}));
  CHECK(find_object(state.now(), {Kind::Deployment, "ml", "w"}));
}

TEST_CASE("what is no object is an error, and changes nothing") {
  State state(nothing());
  const ObjectId id{Kind::Claim, "ml", "a"};
  CHECK_FALSE(state.put(put(id, "[]")).ok());
  CHECK_FALSE(state.put(put(id, R"({"metadata":{"name":7}})")).ok());
  CHECK_FALSE(state.put(put(id, "{")).ok());
  CHECK(state.now().all<api::ResourceClaim>().empty());
}

TEST_CASE("kinds without a change are shared, and others are not copied unless they are kept") {
  State state(support::scene().node("n1").slice("n1", {"a"}).build());
  CHECK(state.put(claim("a", "")).ok());
  const auto* slices = &state.now().all<api::ResourceSlice>();
  const auto* claims = &state.now().all<api::ResourceClaim>();
  CHECK(state.put(claim("b", "")).ok());
  CHECK(&state.now().all<api::ResourceClaim>() == claims);
  const Snapshot kept = state.now();
  CHECK(state.put(claim("a", "p", 2)).ok());
  CHECK(&state.now().all<api::ResourceClaim>() != claims);
  CHECK(&state.now().all<api::ResourceSlice>() == slices);
  CHECK_FALSE(kept.all<api::ResourceClaim>().front().allocated());
  CHECK(state.now().all<api::ResourceClaim>().front().allocated());
}

TEST_CASE("texts of replaced objects do not stay, and the facts of the snapshot do") {
  State state(support::scene().server("v1.36.1").cannot_read(Kind::Event).build());
  // Enough of them that the state is decoded again several times.
  for (int version = 1; version <= 20'000; ++version) {
    REQUIRE(
        state.put(claim(base::format("c{}", version % 50), version % 3 == 0 ? "p" : "", version))
            .ok());
    if (version % 500 == 0) static_cast<void>(state.now());
    CHECK(state.kept_bytes() < std::size_t{20} << 20U);
  }
  state.shrink();
  CHECK(state.kept_bytes() == std::size_t{51} * 1024);
  const Snapshot& now = state.now();
  CHECK(now.all<api::ResourceClaim>().size() == 50);
  CHECK(now.find<api::ResourceClaim>("ml", "c0")->meta.resource_version == "20000");
  CHECK(now.server().version == "v1.36.1");
  CHECK(now.coverage().find(Kind::Event) != nullptr);
  CHECK(now.all<api::DeviceClass>().size() == 1);
}

// One random change, noted in `objects`.
ObjectEvent any_event(std::mt19937_64& random, std::map<ObjectId, std::string>& objects,
                      int version) {
  const auto up_to = [&random](std::uint64_t most) { return support::pick(random, most); };
  const std::string name = base::format("x{}", up_to(6));
  const std::string pool = base::format("p{}", up_to(4));
  ObjectId id{Kind::Claim, up_to(2) == 0 ? "ml" : "ml-2", name};
  std::string kind = "ResourceClaim";
  std::string more = claim_on(up_to(2) == 0 ? pool : "");
  switch (up_to(5)) {
    case 0:
      id = {Kind::Slice, "", name};
      kind = "ResourceSlice";
      more = slice_of(pool, static_cast<int>(up_to(4)));
      break;
    case 1:
      id.kind = Kind::Event;
      kind = "Event";
      more = base::format(R"(,"involvedObject":{{"namespace":"ml","name":"x{}"}})", up_to(6));
      break;
    case 2:
      id.kind = up_to(2) == 0 ? Kind::Job : Kind::ReplicaSet;
      kind = api::info_of(id.kind).name;
      more = "";
      break;
    default:
      break;
  }
  if (up_to(4) == 0) {
    objects.erase(id);
    return {.type = EventType::Deleted, .id = id};
  }
  const std::string text = object(kind, id, more, version);
  objects[id] = text;
  return put(id, text);
}

TEST_CASE("1,000 histories of events give the same as fresh lists after each event") {
  std::mt19937_64 random = support::seeded();
  for (std::uint64_t history = 0; history < support::cases(1000); ++history) {
    std::map<ObjectId, std::string> objects;
    State state(nothing());
    std::string differs;
    for (int version = 1; version <= 12 && differs.empty(); ++version) {
      REQUIRE(state.apply(any_event(random, objects, version)).ok());
      // Several changes may be applied together.
      if (random() % 3 == 0) continue;
      const std::string got = said(state.now());
      const std::string want = said(fresh(objects));
      if (got != want) differs = base::format("history {}:\n{}\nand not\n{}", history, got, want);
    }
    CHECK(differs == "");
  }
}

}  // namespace
}  // namespace dra::snapshot::state_test
