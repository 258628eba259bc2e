// src/engine/scheduler/device_rules.cpp: see device_rules.h.

#include "src/engine/scheduler/device_rules.h"

#include <array>

namespace dra::engine {
namespace {

using diag::Code;

struct Row {
  Rule rule;
  Code code;
};

constexpr std::array<Row, kRuleCount> kRows = {{
    {Rule::InUse, Code::DeviceInUse},
    {Rule::InUseHere, Code::DeviceInUseHere},
    {Rule::BindingOff, Code::FeatureOff},
    {Rule::ClassSelector, Code::ClassSelectorFalse},
    {Rule::RequestSelector, Code::SelectorFalse},
    {Rule::NotOnNode, Code::NotOnNode},
    {Rule::CapacityMissing, Code::CapacityMissing},
    {Rule::CapacityPolicy, Code::CapacityPolicy},
    {Rule::CapacityShort, Code::CapacityShort},
    {Rule::CapacityHere, Code::CapacityShort},
    {Rule::NodeOperations, Code::FeatureOff},
    {Rule::CountersOff, Code::FeatureOff},
    {Rule::Groups, Code::CompatibilityGroups},
    {Rule::GroupsHere, Code::CompatibilityGroups},
    {Rule::Counters, Code::CountersShort},
    {Rule::CountersHere, Code::CountersShort},
    {Rule::Taint, Code::DeviceTainted},
    {Rule::AttributeMissing, Code::ConstraintAttributeMissing},
    {Rule::ValueDiffers, Code::ConstraintValueDiffers},
    {Rule::NotDistinct, Code::ConstraintNotDistinct},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (static_cast<std::size_t>(kRows[i].rule) != i) return false;
  }
  return true;
}
static_assert(in_order(), "rows stand in the order of the enumeration");

}  // namespace

Rule rule_of(Objection objection) {
  return objection == Objection::Missing   ? Rule::AttributeMissing
         : objection == Objection::Differs ? Rule::ValueDiffers
                                           : Rule::NotDistinct;
}

diag::Code code_of(Rule rule) { return kRows[static_cast<std::size_t>(rule)].code; }

}  // namespace dra::engine
