// src/report/schema/schema.cpp: the table of kinds, and how a schema is put together: from the
// definitions of all files in src/report/schema (CMake makes schema_text.h of them) and of all
// lists, those that the kind refers to are copied into it.

#include "dra/report/schema/schema.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dra/base/result.h"
#include "dra/diag/codes.h"
#include "dra/json/parse.h"
#include "dra/report/lists/list_devices.h"
#include "dra/report/lists/list_drivers.h"
#include "dra/report/lists/list_pools.h"
#include "schema_text.h"

namespace dra::report {
namespace {

constexpr std::array kKinds{
    ReportKind{"ClaimDescription", "describe claim NAME -o json", kSchemaClaimDescription},
    ReportKind{"ClassDescription", "describe class NAME -o json", kSchemaClassDescription},
    ReportKind{"Comparison", "explain pod NAME --compare SNAPSHOT -o json", kSchemaComparison},
    ReportKind{"ContextList", "overview --all-contexts -o json", kSchemaContextList},
    ReportKind{"DescriptionList", "describe claims -o json", kSchemaDescriptionList},
    ReportKind{"DeviceDescription", "describe device NAME -o json", kSchemaDeviceDescription},
    ReportKind{"DeviceList", "devices -o json", {}},
    ReportKind{"Diff", "diff OLD -o json", kSchemaDiff},
    ReportKind{"Doctor", "doctor -o json", kSchemaDoctor},
    ReportKind{"DriverList", "drivers -o json", {}},
    ReportKind{"Evaluation", "eval EXPR -o json", kSchemaEvaluation},
    ReportKind{"Explanation", "explain pod NAME -o json", kSchemaExplanation},
    ReportKind{"ExplanationList", "explain --pending -o json", kSchemaExplanationList},
    ReportKind{"IdleDevices", "top namespaces --idle -o json", kSchemaIdleDevices},
    ReportKind{"NodeDescription", "describe node NAME -o json", kSchemaNodeDescription},
    ReportKind{"Overview", "overview -o json", kSchemaOverview},
    ReportKind{"PatchList", "explain pod NAME --emit-patch -o json", kSchemaPatchList},
    ReportKind{"Plan", "plan -o json", kSchemaPlan},
    ReportKind{"PodDescription", "describe pod NAME -o json", kSchemaPodDescription},
    ReportKind{"PoolDescription", "describe pool NAME -o json", kSchemaPoolDescription},
    ReportKind{"PoolList", "pools -o json", {}},
    ReportKind{"ReasonCode", "explain --code CODE -o json", kSchemaReasonCode},
    ReportKind{"ReasonCodeList", "explain --code -o json", kSchemaReasonCodeList},
    ReportKind{"Rescheduling", "explain --as-if-pending --all -o json", kSchemaRescheduling},
    ReportKind{"ReverseExplanation", "explain node NAME -o json", kSchemaReverseExplanation},
    ReportKind{"SliceDescription", "describe slice NAME -o json", kSchemaSliceDescription},
    ReportKind{"TaintRuleDescription", "describe taintrule NAME -o json",
               kSchemaTaintRuleDescription},
    ReportKind{"TemplateDescription", "describe template NAME -o json", kSchemaTemplateDescription},
    ReportKind{"Top", "top -o json", kSchemaTop},
    ReportKind{"Topology", "topology -o json", kSchemaTopology},
    ReportKind{"Validation", "validate -f FILE -o json", kSchemaValidation},
    ReportKind{"Version", "version -o json", kSchemaVersion},
    ReportKind{"WorkloadExplanation", "explain deployment NAME -o json",
               kSchemaWorkloadExplanation},
};
static_assert(std::ranges::is_sorted(kKinds, {}, &ReportKind::name));

// Lists make their schemas of their columns.
struct ListSchema {
  std::string_view name;
  json::Value (*schema)();
};

constexpr std::array kLists{
    ListSchema{"DeviceList", device_list_schema}, ListSchema{"DriverList", driver_list_schema},
    ListSchema{"PoolList", pool_list_schema},     ListSchema{"device", device_schema},
    ListSchema{"driver", driver_schema},
};

constexpr std::string_view kDraft = "https://json-schema.org/draft/2020-12/schema";
constexpr std::string_view kReference = "#/$defs/";

// By the names under which they are referred to: what stands under $defs in any of the files, and
// each kind as a whole.
using Definitions = std::map<std::string, json::Value, std::less<>>;

json::Value codes_json() {
  json::Value names = json::Value::array();
  for (const diag::CodeInfo& code : diag::all_codes())
    names.push(code.name);
  return names;
}

// Takes the definitions out of a file; the rest is the schema itself.
json::Value take_definitions(std::string_view text, Definitions& definitions) {
  auto parsed = json::parse_json(text);
  DRA_CHECK(parsed.ok());  // it is compiled in
  json::Value schema = std::move(parsed).take();
  if (json::Value* defs = schema.find("$defs")) {
    for (json::Member& definition : defs->members())
      DRA_CHECK(definitions.emplace(definition.key, std::move(definition.value)).second);
  }
  schema.remove("$defs");
  return schema;
}

Definitions all_definitions() {
  Definitions definitions;
  take_definitions(kSchemaShared, definitions);
  for (const ListSchema& list : kLists)
    definitions.emplace(list.name, list.schema());
  for (const ReportKind& kind : kKinds) {
    if (kind.schema.empty()) continue;
    json::Value schema = take_definitions(kind.schema, definitions);
    definitions.emplace(kind.name, std::move(schema));
  }
  definitions.at("code").set("enum", codes_json());
  return definitions;
}

void add_references(const json::Value& schema, std::vector<std::string_view>& names) {
  for (const json::Member& member : schema.members()) {
    if (member.key == "$ref")
      names.push_back(std::string_view(member.value.text()).substr(kReference.size()));
    add_references(member.value, names);
  }
  for (const json::Value& item : schema.items())
    add_references(item, names);
}

}  // namespace

std::span<const ReportKind> report_kinds() { return kKinds; }

json::Value schema_of(const ReportKind& kind) {
  const Definitions definitions = all_definitions();
  const json::Value& schema = definitions.at(std::string(kind.name));
  std::set<std::string_view> needed;
  std::vector<std::string_view> next;
  add_references(schema, next);
  while (!next.empty()) {
    const std::string_view name = next.back();
    next.pop_back();
    if (needed.insert(name).second) add_references(definitions.at(std::string(name)), next);
  }
  json::Value out = json::Value::object();
  out.set("$schema", kDraft);
  for (const json::Member& member : schema.members())
    out.set(member.key, member.value);
  json::Value defs = json::Value::object();
  for (const std::string_view name : needed)
    defs.set(std::string(name), definitions.at(std::string(name)));
  if (!needed.empty()) out.set("$defs", std::move(defs));
  return out;
}

}  // namespace dra::report
