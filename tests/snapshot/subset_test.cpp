// tests/snapshot/subset_test.cpp: what a part of a cluster has.

#include "dra/snapshot/subset.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/api/cluster_objects.h"
#include "dra/api/device_class.h"
#include "dra/api/pod.h"
#include "dra/api/slice.h"
#include "tests/support/builders.h"

namespace dra::snapshot::subset_test {
namespace {

using support::allocated;
using support::exactly;
using support::scene;

Snapshot cluster() {
  return scene()
      .node("n1")
      .node("n2")
      .slice("n1", {"a"})
      .slice("n2", {"b"})
      .slice({.name = "net-1", .pool = "net", .count = 2, .where = "nodeName: n1"})
      .slice({.name = "net-2", .pool = "net", .count = 2, .where = "nodeName: n2"})
      .slice({.name = "fabric", .pool = "fabric", .devices = "{name: f}"})
      .claim("mine", exactly("gpu", 1))
      .claim("of-n1", exactly("gpu", 1), allocated("{device: a, pool: n1}"))
      .claim("of-n2", exactly("gpu", 1), allocated("{device: b, pool: n2}"))
      .claim("of-all", exactly("gpu", 1), allocated("{device: f, pool: fabric}"))
      .pod("on-n1", "", "nodeName: n1")
      .pod("on-n2", "", "nodeName: n2")
      .pod("waits", "")
      .build();
}

template <class T>
std::string names(const Snapshot& snapshot) {
  std::string text;
  for (const T& object : snapshot.all<T>())
    text += std::string(object.meta.name) + " ";
  return text;
}

TEST_CASE("a node with everything that decides what can be allocated there") {
  const Snapshot whole = cluster();
  const Snapshot part =
      subset_of(whole, {.nodes = {"n1"}, .namespace_ = "default", .names = {"mine", "waits"}});
  CHECK(names<api::Node>(part) == "n1 ");
  // All slices of a pool decide whether it is complete.
  CHECK(names<api::ResourceSlice>(part) == "fabric n1-slice net-1 net-2 ");
  CHECK(names<api::ResourceClaim>(part) == "mine of-all of-n1 ");
  CHECK(names<api::Pod>(part) == "on-n1 waits ");
  CHECK(names<api::DeviceClass>(part) == "gpu ");
}

TEST_CASE("all of a namespace, where that matters") {
  const Snapshot whole = cluster();
  const Snapshot part =
      subset_of(whole, {.nodes = {"n1"}, .namespace_ = "default", .whole_namespace = true});
  CHECK(names<api::ResourceClaim>(part) == "mine of-all of-n1 of-n2 ");
  CHECK(names<api::Pod>(part) == "on-n1 on-n2 waits ");
}

TEST_CASE("what could not be read is not known of a part either") {
  const Snapshot whole = scene().node("n1").cannot_read(api::Kind::Claim).build();
  CHECK_FALSE(subset_of(whole, {.nodes = {"n1"}, .namespace_ = "default"})
                  .coverage()
                  .saw(api::Kind::Claim));
}

}  // namespace
}  // namespace dra::snapshot::subset_test
