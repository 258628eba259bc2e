// src/snapshot/class_selectors.cpp: see class_selectors.h.

#include "src/snapshot/class_selectors.h"

#include "dra/api/taint_rule_versions.h"
#include "dra/base/text.h"

namespace dra::snapshot {

bool selects_by_class(api::Kind kind, std::string_view version) {
  return kind == api::Kind::TaintRule && version == api::kClassSelectorVersion;
}

void drop_class_selector(json::Value& rule, std::vector<std::string>& warnings) {
  if (!api::selects_by_class(rule)) return;
  rule.find("spec")->remove("deviceSelector");
  const json::Value* name = rule.at({"metadata", "name"});
  warnings.push_back(base::format(
      "DeviceTaintRule {} selects devices by class or by CEL, as only Kubernetes v1.33 and v1.34 "
      "do: which devices it taints is not computed, and answers are as without it",
      name == nullptr ? std::string("without a name") : name->text()));
}

}  // namespace dra::snapshot
