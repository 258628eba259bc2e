// cmd/mcp/tools.cpp: the table of tools, and what the protocol wants to know of them.

#include "cmd/mcp/tools.h"

#include <algorithm>
#include <utility>

#include "dra/base/text.h"
#include "dra/report/schema/schema.h"

namespace dra::cmd {
namespace {

using Type = ToolParameter::Type;

constexpr ToolParameter kNamespace{"namespace", "Look into this namespace.", Type::Text,
                                   "--namespace"};
constexpr ToolParameter kKind{
    "kind",
    "pod, claim, deployment, job or another workload; node, device or slice: who could use it.",
    Type::Text,
    {},
    true};
constexpr ToolParameter kName{"name", "The object's name.", Type::Text, {}, true};

Tool devices_tool() {
  return {
      "devices",
      "List devices",
      "The devices of the cluster, with state, holder, node, attributes and capacity. Name a "
      "node, a driver, a class or a "
      "state: a large cluster has more devices than one answer can hold.",
      {"devices"},
      {{"node", "Only devices that this node can use.", Type::Text, "--node"},
       {"driver", "Only devices of this driver.", Type::Text, "--driver"},
       {"class", "Only devices that the selectors of this DeviceClass match.", Type::Text,
        "--class"},
       {"pool", "Only devices of this pool.", Type::Text, "--pool"},
       {"state",
        "Only devices in this state: free, shared, in-use, blocked, tainted, unusable, missing or "
        "unknown.",
        Type::Text, "--state"},
       {"cel", "Only devices that these CEL selectors match.", Type::Texts, "--cel"}},
      {"DeviceList"}};
}

Tool doctor_tool() {
  return {
      "doctor",
      "Find problems",
      "Everything that is wrong with Dynamic Resource Allocation in the cluster, the worst first, "
      "each with its remedy.",
      {"doctor"},
      {kNamespace},
      {"Doctor"}};
}

Tool eval_tool() {
  return {
      "eval",
      "Evaluate a CEL selector",
      "Whether a CEL device selector compiles, what it costs, for which devices it fails, which "
      "it matches, and what was "
      "meant where none matches.",
      {"eval", "-"},
      {{"expression", "The CEL expression.", Type::Text, "-", true},
       {"class", "Only devices that the selectors of this DeviceClass match.", Type::Text,
        "--class"},
       {"node", "Only devices that this node can use.", Type::Text, "--node"},
       {"driver", "Only devices of this driver.", Type::Text, "--driver"},
       {"check", "Compile only, and look at no device.", Type::Switch, "--check"}},
      {"Evaluation"}};
}

Tool explain_tool() {
  return {"explain",
          "Explain a pod, claim or workload",
          "Why it is not running, or does not get its devices: the verdict, what is against each "
          "device on each node as the "
          "scheduler sees it, and changes that were simulated and would make it fit.",
          {"explain"},
          {kKind,
           kName,
           kNamespace,
           {"node", "Look at these nodes only.", Type::Texts, "--node"},
           {"device", "What is against this device: its name, or driver/pool/device.", Type::Text,
            "--device"}},
          {"Explanation", "ReverseExplanation", "WorkloadExplanation"}};
}

Tool overview_tool() {
  return {"overview",
          "Overview of the cluster",
          "Drivers, devices, claims, pods that wait, and problems: where to begin.",
          {"overview"},
          {kNamespace},
          {"Overview"}};
}

Tool plan_tool() {
  return {"plan",
          "Plan what waits",
          "What each waiting pod gets if nothing else changes, in the order of the scheduler's "
          "queue; or if nodes were drained or gone, nodes like others joined, or pods and claims "
          "went away. Nothing is changed.",
          {"plan"},
          {{"namespace", kNamespace.description, Type::Text, kNamespace.flag, false,
            "--all-namespaces"},
           {"drain", "Suppose that these nodes were drained: where their pods go.", Type::Texts,
            "--drain"},
           {"remove_node", "Suppose that these nodes were gone, with their pods.", Type::Texts,
            "--remove-node"},
           {"add_node_like",
            "Suppose that so many more nodes like that one joined: \"NODE\" or \"NODE=N\".",
            Type::Texts, "--add-node-like"},
           {"without",
            "Suppose that these were not there: \"pod/NAMESPACE/NAME\" or "
            "\"claim/NAMESPACE/NAME\".",
            Type::Texts, "--without"}},
          {"Plan"}};
}

Tool topology_tool() {
  return {"topology",
          "Show the topology",
          "Where the devices are: TPU slices by coordinates, machines by NUMA node and PCIe root, "
          "with who holds what.",
          {"topology"},
          {{"kind", "node, claim, pod or pool; with a name. Without both, everything.", Type::Text},
           {"name", "The object's name.", Type::Text},
           kNamespace},
          {"Topology"}};
}

Tool validate_tool() {
  return {"validate",
          "Validate manifests",
          "What the API server would refuse in manifests of DRA, as YAML or JSON, with line, field "
          "and repair.",
          {"validate", "--filename=-"},
          {{"manifests", "The text of the manifests.", Type::Text, "-", true},
           {"against_cluster", "Also say what claims and templates meet in the cluster.",
            Type::Switch, "--against=cluster"},
           {"severity", "Show nothing less severe than this: error, warning or hint.", Type::Text,
            "--severity"}},
          {"Validation"}};
}

Tool waiting_tool() {
  return {"waiting",
          "Explain what waits",
          "Every pod that waits for devices, by cause.",
          {"explain", "--pending"},
          {{"namespace", kNamespace.description, Type::Text, kNamespace.flag, false,
            "--all-namespaces"}},
          {"ExplanationList"}};
}

Tool what_if_tool() {
  return {
      "what_if",
      "Simulate a change",
      "What the scheduler would do with a pod, claim or workload if something were different. "
      "Nothing is changed.",
      {"explain"},
      {kKind,
       kName,
       kNamespace,
       {"set", "Suppose that requests asked for something else: \"count=2\", \"REQUEST.count=2\".",
        Type::Texts, "--set"},
       {"without",
        "Suppose that these were not there: \"pod/NAMESPACE/NAME\", \"claim/NAMESPACE/NAME\", "
        "\"selector/REQUEST/0\", \"class-selector/REQUEST/0\" or \"constraint/0\".",
        Type::Texts, "--without"},
       {"tolerate", "Suppose that these taints were tolerated: \"KEY\" or \"KEY:EFFECT\".",
        Type::Texts, "--tolerate"},
       {"add_node_like",
        "Suppose that so many more nodes like that one joined: \"NODE\" or \"NODE=N\".",
        Type::Texts, "--add-node-like"},
       {"remove_node", "Suppose that these nodes were gone, with their pods.", Type::Texts,
        "--remove-node"},
       {"as_if_pending", "Suppose that it still waited for the devices that it has.", Type::Switch,
        "--as-if-pending"}},
      {"Explanation", "WorkloadExplanation"}};
}

const std::vector<Tool>& table() {
  static const std::vector<Tool> all = {
      devices_tool(), doctor_tool(),   eval_tool(),     explain_tool(), overview_tool(),
      plan_tool(),    topology_tool(), validate_tool(), waiting_tool(), what_if_tool()};
  return all;
}

json::Value schema_of(const ToolParameter& parameter) {
  json::Value schema = json::Value::object();
  if (parameter.type == Type::Texts) {
    schema.set("type", "array");
    schema.set("items", json::Value::object({{"type", "string", {}}}));
  } else {
    schema.set("type", parameter.type == Type::Switch ? "boolean" : "string");
  }
  schema.set("description", parameter.description);
  return schema;
}

json::Value input_of(const Tool& tool) {
  json::Value properties = json::Value::object();
  json::Value required = json::Value::array();
  for (const ToolParameter& parameter : tool.parameters) {
    properties.set(std::string(parameter.name), schema_of(parameter));
    if (parameter.required) required.push(parameter.name);
  }
  json::Value schema = json::Value::object();
  schema.set("type", "object");
  schema.set("properties", std::move(properties));
  if (!required.items().empty()) schema.set("required", std::move(required));
  schema.set("additionalProperties", false);
  return schema;
}

// The schemas of all kinds refer to one set of definitions.
json::Value output_of(const Tool& tool) {
  json::Value kinds = json::Value::array();
  json::Value definitions = json::Value::object();
  for (const report::ReportKind& kind : report::report_kinds()) {
    if (std::ranges::find(tool.reports, kind.name) == tool.reports.end()) continue;
    json::Value schema = report::schema_of(kind);
    if (json::Value* own = schema.find("$defs")) {
      for (json::Member& member : own->members())
        definitions.set(member.key, std::move(member.value));
    }
    schema.remove("$defs");
    schema.remove("$schema");
    kinds.push(std::move(schema));
  }
  json::Value schema = json::Value::object();
  schema.set("type", "object");  // which the protocol demands at the root
  schema.set("anyOf", std::move(kinds));
  schema.set("$defs", std::move(definitions));
  return schema;
}

Error bad_parameter(const Tool& tool, std::string_view name, std::string_view what) {
  return {ErrorKind::BadInput, base::format("{}: \"{}\" {}", tool.name, name, what), {}};
}

Result<Done> add_parameter(const Tool& tool, const ToolParameter& parameter,
                           const json::Value& value, ToolCall& call) {
  const auto add = [&](const std::string& text) {
    if (parameter.flag == "-") {
      call.input = text;
    } else {
      call.words.push_back(parameter.flag.empty() ? text
                                                  : base::format("{}={}", parameter.flag, text));
    }
  };
  if (parameter.type == Type::Switch) {
    if (!value.is(json::Kind::Bool))
      return bad_parameter(tool, parameter.name, "must be true or false");
    if (value.text() == "true") call.words.emplace_back(parameter.flag);
    return Done{};
  }
  if (parameter.type == Type::Text && value.is(json::Kind::String)) {
    if (parameter.flag.empty() && value.text().starts_with('-'))
      return bad_parameter(tool, parameter.name, "is not a valid name: it begins with -");
    add(value.text());
    return Done{};
  }
  const bool texts = value.is(json::Kind::Array) &&
                     std::ranges::all_of(value.items(), [](const json::Value& item) {
                       return item.is(json::Kind::String);
                     });
  if (parameter.type == Type::Text || !texts)
    return bad_parameter(
        tool, parameter.name,
        parameter.type == Type::Text ? "must be a string" : "must be a list of strings");
  for (const json::Value& item : value.items())
    add(item.text());
  return Done{};
}

}  // namespace

std::span<const Tool> tools() { return table(); }

const Tool* find_tool(std::string_view name) {
  const auto found = std::ranges::find(table(), name, &Tool::name);
  return found == table().end() ? nullptr : &*found;
}

json::Value description_of(const Tool& tool) {
  json::Value annotations = json::Value::object();
  annotations.set("title", tool.title);
  annotations.set("readOnlyHint", true);
  annotations.set("destructiveHint", false);
  annotations.set("idempotentHint", true);
  annotations.set("openWorldHint", false);
  json::Value value = json::Value::object();
  value.set("name", tool.name);
  value.set("title", tool.title);
  value.set("description", tool.description);
  value.set("inputSchema", input_of(tool));
  value.set("outputSchema", output_of(tool));
  value.set("annotations", std::move(annotations));
  return value;
}

Result<ToolCall> call_of(const Tool& tool, const json::Value& arguments) {
  ToolCall call{.words = {tool.command.begin(), tool.command.end()}};
  for (const json::Member& member : arguments.members()) {
    if (std::ranges::find(tool.parameters, member.key, &ToolParameter::name) ==
        tool.parameters.end())
      return bad_parameter(tool, member.key, "is not a parameter of this tool");
  }
  // In the order of the table, as a kind precedes its name.
  for (const ToolParameter& parameter : tool.parameters) {
    const json::Value* value = arguments.find(parameter.name);
    if (value == nullptr || value->is(json::Kind::Null)) {
      if (parameter.required) return bad_parameter(tool, parameter.name, "is missing");
      if (!parameter.otherwise.empty()) call.words.emplace_back(parameter.otherwise);
      continue;
    }
    DRA_TRY(add_parameter(tool, parameter, *value, call));
  }
  call.words.emplace_back("--output=json");
  return call;
}

}  // namespace dra::cmd
