// tests/render/openmetrics_test.cpp: figures of reports for Prometheus. The tests of the control
// plane hold them to the linter of promtool.

#include "dra/render/openmetrics.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/json/parse.h"

namespace dra::render::openmetrics_test {
namespace {

json::Value parsed(std::string_view text) {
  auto value = json::parse_json(text);
  REQUIRE(value.ok());
  return value.value();
}

TEST_CASE("devices have a sample for each state that is known") {
  const auto report = parsed(R"({"by":"nodes","items":[
    {"name":"n1","driver":"gpu.x","devices":4,"allocated":null,"free":null,"blocked":1,
     "tainted":0,"unusable":0,"missing":2,"largestRequest":{"devices":3}}]})");
  CHECK(to_openmetrics(top_metrics(report)) ==
        "# TYPE kube_dra_node_devices gauge\n"
        "# HELP kube_dra_node_devices Devices that are published, or are missing, by their "
        "state.\n"
        "kube_dra_node_devices{node=\"n1\",driver=\"gpu.x\",state=\"blocked\"} 1\n"
        "kube_dra_node_devices{node=\"n1\",driver=\"gpu.x\",state=\"tainted\"} 0\n"
        "kube_dra_node_devices{node=\"n1\",driver=\"gpu.x\",state=\"unusable\"} 0\n"
        "kube_dra_node_devices{node=\"n1\",driver=\"gpu.x\",state=\"missing\"} 2\n"
        "# TYPE kube_dra_node_devices_published gauge\n"
        "# HELP kube_dra_node_devices_published Devices that are published.\n"
        "kube_dra_node_devices_published{node=\"n1\",driver=\"gpu.x\"} 4\n"
        "# TYPE kube_dra_node_largest_request_devices gauge\n"
        "# HELP kube_dra_node_largest_request_devices Devices that one request could get on one "
        "node.\n"
        "kube_dra_node_largest_request_devices{node=\"n1\",driver=\"gpu.x\"} 3\n"
        "# EOF\n");
}

TEST_CASE("problems are counted by code and severity") {
  const auto report = parsed(R"({"problems":[{"code":"A","severity":"error"},
    {"code":"A","severity":"error"},{"code":"B","severity":"hint"}],
    "lookedAt":[{"kind":"pool","count":4}]})");
  const auto families = doctor_metrics(report);
  REQUIRE(families.size() == 2);
  REQUIRE(families[0].samples.size() == 2);
  CHECK(families[0].samples[0].value == "2");
  CHECK(families[1].samples[0].value == "4");
}

TEST_CASE("what the cluster says becomes neither a line nor a label") {
  const MetricFamily family{"m", "Help.", {{{{"l", "a\"b\\c\nd\x1b"}}, "1"}}};
  CHECK(to_openmetrics({family}) ==
        "# TYPE m gauge\n# HELP m Help.\nm{l=\"a\\\"b\\\\c\\nd?\"} 1\n# EOF\n");
}

}  // namespace
}  // namespace dra::render::openmetrics_test
