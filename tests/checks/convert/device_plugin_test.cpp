// tests/checks/convert/device_plugin_test.cpp: pods for device plugins, changed where they stand.

#include "dra/checks/convert/device_plugin.h"
#include "dra/api/pod_templates.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/base/text.h"
#include "dra/checks/manifest/manifest.h"
#include "dra/json/write.h"
#include "dra/json/yaml.h"
#include "src/checks/convert/plugin_resources.h"

namespace dra::checks::device_plugin_test {
namespace {

using json::Value;

FromDevicePlugin converted(const std::string& text) {
  auto result = from_device_plugin(text);
  REQUIRE(result.ok());
  return std::move(result).take();
}

// A pod, the lines of whose spec these are.
std::string pod(const std::string& spec) {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n" + spec;
}

std::string container(const std::string& name, const std::string& resource,
                      const std::string& more = {}) {
  return "  - {name: " + name + ", resources: {limits: {" + resource + "}}" + more + "}\n";
}

std::string one_line(const Value& value) { return json::write_json(value, json::Style::Compact); }

std::vector<Value> documents_of(const std::string& text) {
  auto documents = json::parse_yaml(text);
  REQUIRE(documents.ok());
  return std::move(documents).take();
}

std::string requests_of(const FromDevicePlugin& result) {
  const auto documents = documents_of(result.text);
  const Value* requests = documents.front().at({"spec", "spec", "devices", "requests"});
  return requests == nullptr ? std::string() : one_line(*requests);
}

std::string claims_of(const FromDevicePlugin& result, std::string_view list, std::size_t number) {
  const auto documents = documents_of(result.text);
  const Value* containers = documents.back().at({"spec", list});
  const Value* claims = containers->items().at(number).at({"resources", "claims"});
  return claims == nullptr ? std::string() : one_line(*claims);
}

TEST_CASE("a pod where it stands, and its template before it") {
  const FromDevicePlugin result =
      converted("# file\n\n# the pod\n" + pod("  containers:\n"
                                              "  - name: main # one\n"
                                              "    resources:\n"
                                              "      # as much as it needs\n"
                                              "      limits:\n"
                                              "        amd.com/gpu: '2'\n"
                                              "        cpu: 1\n"
                                              "      requests: {amd.com/gpu: 2}\n"
                                              "# end"));
  CHECK(result.pods == 1);
  CHECK_FALSE(result.comments_lost);
  CHECK(result.text ==
        "# file\n\n"
        "apiVersion: resource.k8s.io/v1\n"
        "kind: ResourceClaimTemplate\n"
        "metadata:\n"
        "  name: a-gpu\n"
        "spec:\n"
        "  spec:\n"
        "    devices:\n"
        "      requests:\n"
        "      - name: gpu\n"
        "        exactly:\n"
        "          deviceClassName: gpu.amd.com\n"
        "          count: 2\n"
        "---\n"
        "# the pod\n" +
            pod("  containers:\n"
                "  - name: main # one\n"
                "    resources:\n"
                "      # as much as it needs\n"
                "      limits:\n"
                "        cpu: 1\n"
                "      claims:\n"
                "      - name: gpu\n"
                "  resourceClaims:\n"
                "  - name: gpu\n"
                "    resourceClaimTemplateName: a-gpu\n"
                "# end\n"));
  CHECK(result.notes.size() == 1);
}

TEST_CASE("each container has its own request, and init containers use theirs") {
  const FromDevicePlugin result = converted(
      pod("  initContainers:\n" + container("small", "amd.com/gpu: 1") +
          container("both", "amd.com/gpu: 3") + container("large", "amd.com/gpu: 5") +
          container("side", "amd.com/gpu: 1", ", restartPolicy: Always") + "  containers:\n" +
          container("a", "amd.com/gpu: 2") + container("b", "amd.com/gpu: 1")));
  CHECK(requests_of(result) ==
        R"([{"name":"side","exactly":{"deviceClassName":"gpu.amd.com","count":1}},)"
        R"({"name":"a","exactly":{"deviceClassName":"gpu.amd.com","count":2}},)"
        R"({"name":"b","exactly":{"deviceClassName":"gpu.amd.com","count":1}},)"
        R"({"name":"large","exactly":{"deviceClassName":"gpu.amd.com","count":2}}])");
  const auto uses = [&](std::string_view list, std::size_t number) {
    return claims_of(result, list, number);
  };
  CHECK(uses("initContainers", 0) == R"([{"name":"gpu","request":"b"}])");
  CHECK(uses("initContainers", 1) ==
        R"([{"name":"gpu","request":"a"},{"name":"gpu","request":"b"}])");
  CHECK(uses("initContainers", 2) ==
        R"([{"name":"gpu","request":"a"},{"name":"gpu","request":"b"},)"
        R"({"name":"gpu","request":"large"}])");
  CHECK(uses("initContainers", 3) == R"([{"name":"gpu","request":"side"}])");
  CHECK(uses("containers", 1) == R"([{"name":"gpu","request":"b"}])");
}

TEST_CASE("a host of TPUs is claimed whole") {
  CHECK(requests_of(converted(pod("  containers:\n" + container("a", "google.com/tpu: 4")))) ==
        R"([{"name":"tpu","exactly":{"deviceClassName":"tpu.google.com","selectors":[{"cel":)"
        R"({"expression":"!(\"chipCount\" in device.attributes[\"tpu.google.com\"]) || )"
        R"(device.attributes[\"tpu.google.com\"].chipCount == 4"}}],"allocationMode":"All"}}])");
  // What several have is the host only together.
  const std::string requests =
      requests_of(converted(pod("  containers:\n" + container("a", "google.com/tpu: 4") +
                                container("b", "google.com/tpu: 4"))));
  CHECK(requests.find("chipCount == 8") != std::string::npos);
  CHECK(requests.find(R"("count":4)") != std::string::npos);
  CHECK(requests.find("All") == std::string::npos);
}

TEST_CASE("names are free, and templates shared") {
  const std::string web = "  containers:\n" + container("x", "nvidia.com/gpu: 1") +
                          "  resourceClaims: [{name: gpu, resourceClaimName: mine}]\n";
  const FromDevicePlugin result = converted(
      "apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {name: "
      "a-gpu}\n---\n" +
      pod(web) + "---\n" + pod(web));
  const auto documents = documents_of(result.text);
  REQUIRE(documents.size() == 4);
  CHECK(one_line(*documents[1].at({"metadata", "name"})) == "\"a-gpu-2\"");
  for (const std::size_t i : {2U, 3U}) {
    CHECK(one_line(*documents[i].at({"spec", "resourceClaims"})) ==
          R"([{"name":"gpu","resourceClaimName":"mine"},)"
          R"({"name":"gpu-2","resourceClaimTemplateName":"a-gpu-2"}])");
  }
}

TEST_CASE("templates of one object have names by role where they differ") {
  const auto lws = [](const std::string& leader, const std::string& worker) {
    const auto of = [](const std::string& limits) {
      return "Template: {spec: {containers: [{name: a, resources: {limits: {" + limits + "}}}]}}";
    };
    return converted(
        "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\n"
        "metadata: {name: llm, namespace: ml}\nspec: {leaderWorkerTemplate: {\n  leader" +
        of(leader) + ",\n  worker" + of(worker) + "}}\n");
  };
  CHECK(documents_of(lws("amd.com/gpu: 1", "amd.com/gpu: 1").text).size() == 2);
  const auto documents = documents_of(lws("amd.com/gpu: 1", "amd.com/gpu: 8").text);
  REQUIRE(documents.size() == 3);
  CHECK(one_line(*documents[0].find("metadata")) ==
        R"({"name":"llm-leader-gpu","namespace":"ml"})");
  CHECK(one_line(*documents[1].find("metadata")) ==
        R"({"name":"llm-worker-gpu","namespace":"ml"})");
}

struct Stays {
  const char* name;
  std::string text;
  const char* remark;  // a part of the only one; empty: there is none
};

const Stays kStays[] = {
    {"no pod", "kind: ConfigMap\napiVersion: v1\ndata: {a: b}\n", ""},
    {"no device", pod("  containers:\n" + container("a", "cpu: 1")), ""},
    {"none is asked for", pod("  containers:\n" + container("a", "nvidia.com/gpu: 0")), ""},
    {"of a class already",
     pod("  containers:\n" + container("a", "deviceclass.resource.kubernetes.io/x: 1")), ""},
    {"an unknown driver", pod("  containers:\n" + container("a", "example.com/fpga: 1")),
     "example.com/fpga stays as it is: no DRA driver is known for it"},
    {"a fraction", pod("  containers:\n" + container("a", "nvidia.com/gpu: 500m")),
     "not a whole number"},
    {"limits that differ from requests",
     pod("  containers:\n  - name: a\n    resources: {limits: {amd.com/gpu: 1}, requests: "
         "{amd.com/gpu: 2}}\n"),
     "differ"},
    {"more than a claim holds",
     pod("  containers:\n" + container("a", "amd.com/gpu: 30") + container("b", "amd.com/gpu: 3")),
     "more than 32 devices"},
    {"chips that no host has", pod("  containers:\n" + container("a", "google.com/tpu: 3")),
     "no host has 3"},
    {"claims that are no list",
     pod("  containers:\n" + container("a", "amd.com/gpu: 1") + "  resourceClaims: 1\n"), ""},
    {"a static pod",
     "apiVersion: v1\nkind: Pod\nmetadata: {annotations: "
     "{kubernetes.io/config.mirror: x}}\nspec:\n  containers:\n" +
         container("a", "amd.com/gpu: 1"),
     ""},
};

TEST_CASE("what stays as it is") {
  for (const Stays& row : kStays) {
    CAPTURE(row.name);
    const FromDevicePlugin result = converted(row.text);
    CHECK(result.pods == 0);
    CHECK(result.text == row.text);
    CHECK(result.remarks.size() == (row.remark[0] == '\0' ? 0 : 1));
    for (const PluginRemark& remark : result.remarks)
      CHECK_MESSAGE(remark.text.find(row.remark) != std::string::npos, remark.text);
  }
}

TEST_CASE("what somebody has to look at") {
  const FromDevicePlugin tpu = converted(
      pod("  nodeSelector: {cloud.google.com/gke-tpu-topology: 4x4}\n  containers:\n" +
          container("a", "google.com/tpu: 4", ", env: [{name: TPU_HOST_BOUNDS, value: '1,1,1'}]")));
  REQUIRE(tpu.remarks.size() == 2);
  CHECK(tpu.remarks[0].position.line == 5);
  CHECK(tpu.remarks[0].text.starts_with("a slice of 4x4 has several hosts"));
  CHECK(tpu.remarks[1].text.starts_with("the TPU driver sets TPU_HOST_BOUNDS, too"));
  const FromDevicePlugin ray = converted(
      "apiVersion: ray.io/v1\nkind: RayCluster\nmetadata: {name: r}\nspec:\n  headGroupSpec:\n"
      "    template:\n      spec: {containers: [{name: h, resources: {limits: {nvidia.com/gpu: "
      "1}}}]}\n");
  REQUIRE(ray.remarks.size() == 1);
  CHECK(ray.remarks[0].text.starts_with("KubeRay reads num-gpus from limits"));
}

TEST_CASE("tolerations are kept, and added where a server would have") {
  const auto tolerations = [](const std::string& there) {
    const FromDevicePlugin result =
        converted(pod("  containers:\n" + container("a", "nvidia.com/gpu: 1") + there));
    const auto documents = documents_of(result.text);
    return one_line(*documents.back().at({"spec", "tolerations"}));
  };
  const std::string ours = R"({"key":"nvidia.com/gpu","operator":"Exists","effect":"NoSchedule"})";
  CHECK(tolerations("") == "[" + ours + "]");
  CHECK(tolerations("  tolerations: [{key: a}]\n") == "[{\"key\":\"a\"}," + ours + "]");
  CHECK(tolerations("  tolerations: [{operator: Exists}]\n") == R"([{"operator":"Exists"}])");
  CHECK(tolerations("  tolerations: [{key: nvidia.com/gpu, value: x}]\n") ==
        R"([{"key":"nvidia.com/gpu","value":"x"}])");
}

TEST_CASE("lists, aliases, line ends, and documents that begin behind their dashes") {
  const std::string spec = "{containers: [{name: a, resources: {limits: {amd.com/gpu: 1}}}]}";
  const std::string head = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: ";
  const auto in_list = documents_of(
      converted("apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod, spec: " + spec +
                "}\n")
          .text);
  REQUIRE(in_list.size() == 1);
  CHECK(in_list[0].find("items")->items().size() == 2);
  // A list of one kind holds no template.
  CHECK(documents_of(converted("apiVersion: v1\nkind: PodList\nitems:\n- {apiVersion: v1, kind: "
                               "Pod, spec: " +
                               spec + "}\n")
                         .text)
            .size() == 2);
  const FromDevicePlugin aliases =
      converted(pod("  containers:\n  - {name: a, resources: &r {limits: {amd.com/gpu: 1}}}\n"
                    "  - {name: b, resources: *r}\n"));
  CHECK(aliases.comments_lost);
  CHECK(requests_of(aliases).find("\"b\"") != std::string::npos);
  std::string returns = head + spec + "\n";
  for (std::size_t at = 0; (at = returns.find('\n', at)) != std::string::npos; at += 2)
    returns.insert(at, 1, '\r');
  const FromDevicePlugin crlf = converted(returns);
  CHECK_FALSE(crlf.comments_lost);
  CHECK(crlf.text.find("kind: ResourceClaimTemplate\r\n") != std::string::npos);
  CHECK(converted("--- {apiVersion: v1, kind: Pod, spec: " + spec + "}\n").comments_lost);
  CHECK_FALSE(converted("\xef\xbb\xbf" + head + spec).comments_lost);
  CHECK_FALSE(from_device_plugin("a: [").ok());
}

// --- every row, kind and shape

std::string resource_of(const PluginResource& row) {
  return std::string(row.value == nullptr ? row.name : row.example);
}

Value amounts(const std::string& resource, int count) {
  return Value::object({{"memory", "1Gi", {}}, {resource, count, {}}});
}

Value container_value(const std::string& name, Value resources) {
  return Value::object({{"name", name, {}},
                        {"image", "registry.example/x:1", {}},
                        {"resources", std::move(resources), {}}});
}

Value limits_of(const std::string& resource, int count) {
  return Value::object({{"limits", amounts(resource, count), {}}});
}

Value containers(std::vector<Value> all) {
  return Value::object({{"containers", Value::array(std::move(all)), {}}});
}

// Pods that ask in different ways. Of TPUs they ask for as many as hosts have.
std::vector<Value> shapes_of(const std::string& resource) {
  std::vector<Value> shapes;
  const Value one = container_value("main", limits_of(resource, 2));
  const Value only =
      container_value("b", Value::object({{"limits", Value::object({{resource, "1", {}}}), {}}}));
  Value both = limits_of(resource, 1);
  both.set("requests", amounts(resource, 1));
  Value other = limits_of(resource, 4);
  other.find("limits")->set("nvidia.com/gpu", 1);
  Value claims = limits_of(resource, 1);
  claims.set("claims", Value::array({Value::object({{"name", "mine", {}}})}));
  shapes.push_back(containers({one}));
  shapes.push_back(containers({one, only, container_value("c", both)}));
  shapes.push_back(containers({container_value("main", other)}));
  shapes.push_back(containers({container_value("main", claims)}));
  shapes.back().set(
      "resourceClaims",
      Value::array({Value::object({{"name", "mine", {}}, {"resourceClaimName", "x", {}}})}));
  shapes.push_back(containers({one, only}));
  Value sidecar = container_value("side", limits_of(resource, 1));
  sidecar.set("restartPolicy", "Always");
  shapes.back().set("initContainers",
                    Value::array({container_value("init", limits_of(resource, 7)), sidecar}));
  return shapes;
}

Value at_path(std::span<const std::string_view> steps, const Value& value) {
  if (steps.empty()) return value;
  const Value below = at_path(steps.subspan(1), value);
  if (steps.front() == "{}") return Value::object({{"Worker", below, {}}});
  if (steps.front() != "[]") return Value::object({{std::string(steps.front()), below, {}}});
  Value item = below;
  item.set("name", "group");
  return Value::array({item});
}

// Objects of every kind with such a pod.
std::vector<Value> objects_with(const Value& spec) {
  std::vector<Value> objects;
  const auto add = [&objects](const std::string& version, std::string_view kind, Value body) {
    body.set("apiVersion", version);
    body.set("kind", kind);
    body.set("metadata", Value::object({{"name", "work", {}}}));
    objects.push_back(std::move(body));
  };
  add("v1", "Pod", Value::object({{"spec", spec, {}}}));
  for (const api::TemplatePlace& place : api::pod_template_places()) {
    const auto steps = base::split(place.path, '.');
    const Value pods = place.is_spec ? spec : Value::object({{"spec", spec, {}}});
    add(place.group.empty() ? "v1" : std::string(place.group) + "/v1", place.kind,
        at_path(steps, pods));
  }
  return objects;
}

void check_right(const ManifestChecker& checker, const std::string& text, std::size_t pods) {
  CAPTURE(text);
  const FromDevicePlugin result = converted(text);
  CAPTURE(result.text);
  CHECK(result.pods == pods);
  CHECK_FALSE(result.comments_lost);
  for (const Value& document : documents_of(result.text)) {
    for (const CheckedObject& object : checker.check(document)) {
      for (const ManifestFinding& finding : object.findings)
        FAIL_CHECK(finding.code << " at " << finding.path << ": " << finding.message);
    }
  }
  const FromDevicePlugin again = converted(result.text);
  CHECK(again.pods == 0);
  CHECK(again.text == result.text);
}

TEST_CASE("whatever is converted is right, and is converted once") {
  const ManifestChecker checker{snapshot::Server()};
  for (const PluginResource& row : plugin_resources()) {
    for (const Value& shape : shapes_of(resource_of(row))) {
      for (const Value& object : objects_with(shape)) {
        check_right(checker, json::write_yaml(object, {json::YamlKeys::AsTheyStand}), 1);
        if (object.find("kind")->text() != "Pod") continue;
        check_right(checker, json::write_json(object, json::Style::Pretty), 1);
        check_right(checker, json::write_json(object, json::Style::Compact), 1);
      }
    }
  }
}

}  // namespace
}  // namespace dra::checks::device_plugin_test
