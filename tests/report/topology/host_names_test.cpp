// tests/report/topology/host_names_test.cpp: what tells hosts of a slice apart.

#include "src/report/topology/host_names.h"

#include <doctest/doctest.h>

#include "dra/base/text.h"

namespace dra::report::host_names_test {
namespace {

using topology::GridHost;

std::string names(std::vector<GridHost> hosts) {
  const HostNames found = host_names(hosts);
  return base::format("{} | {}", found.around, base::join(found.own, ", "));
}

TEST_CASE("names of hosts without what they share") {
  CHECK(names({{.node = "gke-pool-1f-abcd"}, {.node = "gke-pool-1f-abxy"}}) ==
        "gke-pool-1f-* | abcd, abxy");
  CHECK(names({{.node = "host1.example.com"}, {.node = "host2.example.com"}}) ==
        "*.example.com | host1, host2");
  CHECK(names({{.node = "ip-10-0-1-5.ec2.internal"}, {.node = "ip-10-0-2-5.ec2.internal"}}) ==
        "ip-10-0-*.ec2.internal | 1-5, 2-5");
  CHECK(names({{.node = "a.one"}, {.node = "a.two"}}) == " | a.one, a.two");
  CHECK(names({{.node = "alpha"}, {.node = "beta"}}) == " | alpha, beta");
}

TEST_CASE("hosts without a node, and with a number") {
  CHECK(names({{.node = "tpu-a", .worker = 0}, {.node = "", .worker = 1}}) ==
        "tpu-* | w0 a, w1 no node");
  CHECK(names({{.node = ""}}) == " | no node");
}

topology::ChipGrid grid_of(std::string_view shape, std::string_view host) {
  topology::ChipGrid grid{.shape = *topology::parse_shape(shape),
                          .host = *topology::parse_shape(host)};
  const topology::Shape hosts = *divided(grid.shape, grid.host);
  for (std::int64_t i = 0; i < hosts.size(); ++i)
    grid.hosts.push_back({.node = "node"});
  for (std::int64_t i = 0; i < grid.shape.size(); ++i) {
    const topology::Coord at = grid.shape.at(i);
    grid.cells.push_back({.host = static_cast<std::size_t>(hosts.number_of(
                              {at.x / grid.host.x, at.y / grid.host.y, at.z / grid.host.z}))});
  }
  return grid;
}

std::string beside(const topology::ChipGrid& grid, std::string_view name) {
  HostNames names;
  for (std::size_t i = 0; i < grid.hosts.size(); ++i)
    names.own.push_back(base::format("{}{}", name, i));
  return base::join(names_beside(grid, names), "/");
}

TEST_CASE("names beside rows") {
  CHECK(beside(grid_of("4x4", "2x2"), "h") == "h0  h1//h2  h3/");
  CHECK(beside(grid_of("4x2x2", "2x2x1"), "h") == "h0  h1//h2  h3/");
  CHECK(beside(grid_of("4x2x4", "2x2x2"), "h") == "h0  h1//h0  h1//h2  h3//h2  h3/");
}

TEST_CASE("long names take more lines, and very long ones do not stand there") {
  CHECK(beside(grid_of("4x2", "2x2"), "a-rather-long-name") ==
        "a-rather-long-name0/a-rather-long-name1");
  CHECK(beside(grid_of("4x1", "2x1"), "a-rather-long-name").empty());
}

}  // namespace
}  // namespace dra::report::host_names_test
