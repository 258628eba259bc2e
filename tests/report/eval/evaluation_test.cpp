// tests/report/eval/evaluation_test.cpp

#include "dra/report/eval/evaluation.h"

#include <doctest/doctest.h>

#include "dra/api/cluster_objects.h"
#include "dra/base/text.h"
#include "dra/json/write.h"
#include "tests/support/builders.h"
#include "tests/support/document_text.h"

namespace dra::report::evaluation_test {
namespace {

using support::Scene;
using support::scene;

Scene two_pools() {
  return scene()
      .slice({.name = "s1",
              .pool = "n1",
              .where = "nodeName: n1",
              .devices = "{name: gpu-0, attributes: {model: {string: a}}}, "
                         "{name: gpu-1, attributes: {model: {string: b}}}"})
      .slice({.name = "s2",
              .pool = "n2",
              .count = 2,
              .where = "nodeName: n2",
              .devices = "{name: gpu-0}"});
}

std::string json_of(const Scene& words, std::string_view expression) {
  const auto snapshot = words.build();
  const engine::Inventory inventory(snapshot);
  auto devices = devices_to_evaluate(inventory, {});
  const auto evaluation = evaluate(expression, snapshot.server(), std::move(devices).take());
  return write_json(to_json(evaluation), json::Style::Compact);
}

std::string compile_of(std::string_view expression, const snapshot::Server& server = {}) {
  return write_json(*to_json(evaluate(expression, server)).find("compile"), json::Style::Compact);
}

TEST_CASE("an evaluation as JSON keeps the contract") {
  CHECK(
      json_of(two_pools(), "device.attributes['gpu.example.com'].model == 'a'") ==
      R"({"apiVersion":"dra.kubectl/v1","kind":"Evaluation","expression":)"
      R"("device.attributes['gpu.example.com'].model == 'a'",)"
      R"("compile":{"ok":true,"outputType":"bool","estimatedCost":5},"clauses":[{"span":[0,49],)"
      R"("text":"device.attributes['gpu.example.com'].model == 'a'","alone":1,"after":1,)"
      R"("onlyObstacle":2,"seen":[{"value":"\"b\"","devices":1},)"
      R"({"value":"no such key: model","devices":1}]}],"suggestions":[{"expression":)"
      R"("has(device.attributes['gpu.example.com'].model) && )"
      R"(device.attributes['gpu.example.com'].model == 'a'",)"
      R"("changes":[{"span":[0,0],"text":"has(device.attributes['gpu.example.com'].model) && "}],)"
      R"("matches":1}],"devices":[)"
      R"({"driver":"gpu.example.com","pool":"n1","device":"gpu-0","poolStatus":"Complete",)"
      R"("result":"true","cost":5,"values":)"
      R"({"device.attributes['gpu.example.com'].model == 'a'":"true",)"
      R"("device.attributes['gpu.example.com'].model":"\"a\""}},)"
      R"({"driver":"gpu.example.com","pool":"n1","device":"gpu-1","poolStatus":"Complete",)"
      R"("result":"false","cost":5,"values":)"
      R"({"device.attributes['gpu.example.com'].model == 'a'":"false",)"
      R"("device.attributes['gpu.example.com'].model":"\"b\""}},)"
      R"({"driver":"gpu.example.com","pool":"n2","device":"gpu-0","poolStatus":"Incomplete",)"
      R"("result":"error","stage":"eval","error":"no such key: model","cost":5,"values":)"
      R"({"device.attributes['gpu.example.com'].model == 'a'":"no such key: model",)"
      R"("device.attributes['gpu.example.com'].model":"no such key: model"}}]})");
}

TEST_CASE("a device with an attribute that cannot be read has no cost") {
  const auto bad =
      scene().slice({.name = "s", .devices = "{name: d, attributes: {v: {version: '1'}}}"});
  const std::string text = json_of(bad, "true");
  CAPTURE(text);
  CHECK(text.find(R"("result":"error","stage":"attribute","error":"attribute v: parse semantic)") !=
        std::string::npos);
  CHECK(text.find("\"cost\"") == std::string::npos);
}

struct CompileCase {
  const char* name;
  std::string expression;
  const char* want;
  const char* server = "v1.37.1";
};

TEST_CASE("what the API server says about a new expression, and the scheduler about a stored one") {
  const std::string costly =
      "device.attributes.all(d, device.attributes.all(e, device.attributes.all(f, "
      "(d + e + f).matches('x'))))";
  const CompileCase rows[] = {
      {"both the same", "true", R"({"ok":true,"outputType":"bool","estimatedCost":0})"},
      {"neither compiles", "device.x",
       R"({"ok":false,"stage":"check","error":"compilation failed: ERROR: <input>:1:7: undefined )"
       R"(field 'x'\n | device.x\n | ......^"})"},
      {"only what is stored may look into lists", "device.attributes['d'].x.exists(y, y == 1)",
       R"({"ok":false,"stage":"check","error":"compilation failed: ERROR: <input>:1:23: expression )"
       R"(of type 'any' cannot be range of a comprehension (must be list, map, or dynamic)\n | )"
       R"(device.attributes['d'].x.exists(y, y == 1)\n | ......................^",)"
       R"("stored":{"ok":true,"outputType":"bool","estimatedCost":389}})"},
      {"a type that they name otherwise", "device.attributes['d'].x",
       R"({"ok":true,"outputType":"google.protobuf.Any","estimatedCost":4,)"
       R"("stored":{"ok":true,"outputType":"dyn","estimatedCost":4}})"},
      {"the scheduler does not look at the length",
       "true //" + std::string(engine::kMaxExpressionBytes, 'x'),
       R"({"ok":false,"stage":"length","error":"may not be more than 10240 bytes",)"
       R"("outputType":"bool","estimatedCost":0,)"
       R"("stored":{"ok":true,"outputType":"bool","estimatedCost":0}})"},
      {"an old release knows less", "device.allowMultipleAllocations",
       R"({"ok":false,"stage":"check","error":"compilation failed: ERROR: <input>:1:7: undefined )"
       R"(field 'allowMultipleAllocations'\n | device.allowMultipleAllocations\n | ......^"})",
       "v1.33.0"},
  };
  for (const CompileCase& row : rows) {
    CAPTURE(row.name);
    CHECK(compile_of(row.expression, {row.server, false}) == row.want);
  }
  const std::string text = compile_of(costly);
  CAPTURE(text);
  CHECK(
      text.starts_with(R"({"ok":false,"stage":"cost","error":"too complex, exceeds cost limit")"));
  CHECK(text.find(R"("stored":{"ok":true,)") != std::string::npos);
}

std::string text_of(const Scene& words, std::string_view expression, bool wide = false) {
  const auto snapshot = words.build();
  const engine::Inventory inventory(snapshot);
  auto devices = devices_to_evaluate(inventory, {});
  const auto evaluation = evaluate(expression, snapshot.server(), std::move(devices).take());
  return support::text_of(to_view(evaluation, {.wide = wide, .devices_command = "COMMAND"}));
}

struct TextCase {
  const char* name;
  const char* expression;
  const char* says;
  const char* not_says = nullptr;
  bool wide = false;
};

TEST_CASE("an evaluation as text") {
  const TextCase rows[] = {
      {"all", "true", "All 3 devices match.", "fails"},
      {"some", "device.attributes['gpu.example.com'].?model == optional.of('a')",
       "1 of 3 devices matches."},
      {"none", "false", "None of 3 devices matches.", "COMMAND"},
      {"what to do with those that match", "true", "who is using them:  COMMAND"},
      {"where they are", "true", "gpu.example.com | n1 | 2/2 | gpu-0,gpu-1 | "},
      {"failures come first, with the device", "device.attributes['gpu.example.com'].model == 'a'",
       "1 of 3 devices matches.\n\n! It fails for 1 device: no such key: model.\n"
       "gpu.example.com/n2/gpu-0\n-> An error is more than a device that does not match"},
      {"failures are counted by pool", "device.attributes['gpu.example.com'].model == 'a'",
       "gpu.example.com | n2 | 0/1 | 1 | <none>"},
      {"each device", "device.attributes['gpu.example.com'].model == 'a'",
       "gpu.example.com | n2 | gpu-0 | Incomplete | error | 5 | no such key: model", nullptr, true},
      {"the server's words, with the place", "device.x",
       "The expression does not compile.\n\n\ncompilation failed: ERROR: <input>:1:7: undefined "
       "field 'x'\n | device.x\n | ......^",
       "match"},
      {"only stored expressions may say it",
       "device.attributes['gpu.example.com'].?model.orValue('').exists(y, y == 'a')",
       "The API server does not store it"},
      {"costs", "true", "estimated cost 0, of at most 1,000,000"},
      {"a cost that nothing bounds", "device.attributes['d'].all(k, v, type(v) == int)",
       "estimated cost without bound, of at most 1,000,000"},
      {"half of what is allowed",
       "[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, "
       "[1,2,3,4,5,6,7,8,9,10].all(c, [1,2,3,4,5,6,7,8,9,10].all(d, "
       "[1,2,3,4,5].all(e, a + b + c + d + e > 0)))))",
       "% of what"},
  };
  for (const TextCase& row : rows) {
    CAPTURE(row.name);
    const std::string text = text_of(two_pools(), row.expression, row.wide);
    CAPTURE(text);
    CHECK(text.find(row.says) != std::string::npos);
    if (row.not_says != nullptr) CHECK(text.find(row.not_says) == std::string::npos);
  }
  CHECK(text_of(scene(), "true").starts_with("There is no device to evaluate the expression for."));
}

TEST_CASE("conditions over all devices, and for one") {
  const std::string_view expression =
      "device.driver == 'gpu.example.com' && "
      "device.attributes['gpu.example.com'].model == 'a' && "
      "[1, 2].exists(x, device.attributes.size() == x + 1)";
  const std::string text = text_of(two_pools(), expression);
  CAPTURE(text);
  CHECK(text.find("C1 | device.driver == 'gpu.example.com' | 3/3 | 3 | 0 | \n"
                  "C2 | device.attributes['gpu.example.com'].model == 'a' | 1/3 | 1 | 0 | ") !=
        std::string::npos);
  CHECK(text.find("C3 is the only obstacle for 1 device.") != std::string::npos);

  const auto snapshot = two_pools().build();
  const engine::Inventory inventory(snapshot);
  auto devices = devices_to_evaluate(inventory, {.names = {"gpu-1"}});
  const auto evaluation = evaluate(expression, snapshot.server(), std::move(devices).take());
  CHECK(support::text_of(to_view(evaluation, {.trees = true}))
            .ends_with("gpu.example.com/n1/gpu-1  does not match\n"
                       "T  device.driver == 'gpu.example.com'\n"
                       "\"gpu.example.com\" == \"gpu.example.com\"\n"
                       "F  device.attributes['gpu.example.com'].model == 'a'\n"
                       "\"b\" != \"a\"\n"
                       "F  [1, 2].exists(x, device.attributes.size() == x + 1)\n"
                       "true for none of 2\n"
                       "[1] device.attributes.size() == x + 1: 1 != 2\n"
                       "[2] device.attributes.size() == x + 1: 1 != 3\n\n"));
}

TEST_CASE("many pools are folded by driver") {
  Scene words = scene();
  for (int i = 0; i < 21; ++i)
    words.slice(base::format("n{}", i), {"gpu-0"});
  const std::string text = text_of(words, "true");
  CAPTURE(text);
  CHECK(text.find("DRIVER | POOLS | MATCH | \ngpu.example.com | 21 | 21/21 | ") !=
        std::string::npos);
}

std::string devices_of(const Scene& words, DeviceFilter filter) {
  const auto snapshot = words.build();
  const engine::Inventory inventory(snapshot);
  filter.node_object = snapshot.find<api::Node>(filter.node);
  const auto devices = devices_to_evaluate(inventory, filter);
  if (!devices.ok()) return devices.error().message;
  std::string text;
  for (const EvaluationDevice& device : devices.value())
    text += base::format("{}/{} {} ", device.published.id().pool, device.published.id().device,
                         engine::name_of(device.pool_state));
  return text;
}

TEST_CASE("which devices are evaluated") {
  const Scene words = two_pools();
  CHECK(devices_of(words, {}) == "n1/gpu-0 Complete n1/gpu-1 Complete n2/gpu-0 Incomplete ");
  CHECK(devices_of(words, {.pool = "n2"}) == "n2/gpu-0 Incomplete ");
  CHECK(devices_of(words, {.names = {"gpu-1"}}) == "n1/gpu-1 Complete ");
  CHECK(devices_of(words, {.names = {"gpu.example.com/n1/gpu-0"}}) == "n1/gpu-0 Complete ");
  CHECK(devices_of(words, {.driver = "other.com"}).empty());
  CHECK(devices_of(words, {.node = "n1"}) == "n1/gpu-0 Complete n1/gpu-1 Complete ");
  CHECK(devices_of(words, {.node = "n3"}) == "node \"n3\" not found");
  Scene with_node = two_pools();
  with_node.node("n1").slice({.name = "s3", .devices = "{name: far}"});
  CHECK(devices_of(with_node, {.node = "n1"}) ==
        "n1/gpu-0 Complete n1/gpu-1 Complete pool/far Complete ");
}

}  // namespace
}  // namespace dra::report::evaluation_test
