// tests/cmd/name_cluster_test.cpp

#include "cmd/name_cluster.h"

#include <doctest/doctest.h>

#include "dra/json/write.h"

namespace dra::cmd::name_cluster_test {
namespace {

GlobalFlags of_context(std::string context) {
  GlobalFlags globals;
  globals.connection.context = std::move(context);
  return globals;
}

view::Document with_command() {
  view::Document document;
  document.add(view::Paragraph{.spans = {{"kubectl get pods is what it says"}}});
  document.add(view::Verbatim{.lines = {{{"kubectl delete pod p"}}}, .command = true});
  document.add(view::Verbatim{.lines = {{{"kubectl in an expression"}}}});
  return document;
}

TEST_CASE("lines of commands name the cluster, and no other text does") {
  const auto named = naming_cluster(with_command(), of_context("prod"));
  REQUIRE(named);
  CHECK(std::get<view::Paragraph>(named->blocks[0]).spans[0].text ==
        "kubectl get pods is what it says");
  CHECK(std::get<view::Verbatim>(named->blocks[1]).lines[0][0].text ==
        "kubectl --context prod delete pod p");
  CHECK(std::get<view::Verbatim>(named->blocks[2]).lines[0][0].text == "kubectl in an expression");
}

TEST_CASE("fields of commands name the cluster, however deep they are") {
  json::Value advice = json::Value::object();
  advice.set("commands", json::Value::array({"kubectl cordon n", "kubectl dra nodes"}));
  advice.set("message", "kubectl cordon n");
  json::Value report = json::Value::object();
  report.set("advice", json::Value::array({std::move(advice)}));
  report.set("command", "kubectl get pods");
  const auto named = naming_cluster(report, of_context("prod"));
  REQUIRE(named);
  CHECK(json::write_json(*named, json::Style::Compact) ==
        R"({"advice":[{"commands":["kubectl --context prod cordon n","kubectl dra nodes"],)"
        R"("message":"kubectl cordon n"}],"command":"kubectl --context prod get pods"})");
}

TEST_CASE("the current context, a file and a demo need no name") {
  GlobalFlags demo = of_context("prod");
  demo.demo = "gpu";
  GlobalFlags file = of_context("prod");
  file.snapshot = {"cluster.json"};
  for (const GlobalFlags& globals : {GlobalFlags(), demo, file})
    CHECK_FALSE(naming_cluster(with_command(), globals));
}

}  // namespace
}  // namespace dra::cmd::name_cluster_test
