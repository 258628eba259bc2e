// src/checks/rules/device_rules.cpp: rules for a device in a slice. Upstream:
// k8s.io/kubernetes/pkg/apis/resource/validation, validateDevice and what it calls.

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "dra/base/text.h"
#include "dra/checks/rules/rules.h"
#include "src/checks/rules/differences.h"
#include "src/checks/rules/names.h"

namespace dra::checks {
namespace {

using base::format;

constexpr std::size_t kMaxNamed = 32;            // attributes and capacities of a device
constexpr std::size_t kMaxKey = 96;              // attributeAndCapacityMaxKeyLength
constexpr std::size_t kMaxAttributeValues = 48;  // values of all attributes, also those in lists
constexpr std::size_t kMaxValueBytes = 64;       // of text and of versions
constexpr std::size_t kMaxTaints = 16;
constexpr std::size_t kMaxConsumptions = 2;
constexpr std::size_t kMaxConsumed = 32;
constexpr std::size_t kMaxGroups = 2;
constexpr std::size_t kMaxConditions = 4;

constexpr std::array<std::string_view, 4> kScalars = {"bool", "int", "string", "version"};
constexpr std::array<std::string_view, 4> kLists = {"bools", "ints", "strings", "versions"};

void check_value(const Field& value, bool version) {
  if (value.present() && !value.is_text()) return;
  const std::size_t bytes = value.text().size();
  if (version && !is_semantic_version(value.text()))
    value.error(ErrorType::Invalid, format("\"{}\" is not a valid version: three numbers such as "
                                           "1.2.3, without v and leading zeros",
                                           base::shorten_middle(value.text(), 60)));
  if (bytes > kMaxValueBytes)
    value.error(ErrorType::TooLong,
                format("is {} bytes long; at most {} are allowed", bytes, kMaxValueBytes));
}

// Upstream checks twice for exactly one value: the generated rule counts an empty list as no value,
// the hand-written rule counts it as one and reports only what the other does not. `cut`: the
// hand-written rule shortens the name to its ends.
void check_attribute(const Field& attribute, bool cut) {
  std::size_t scalars = 0;
  std::size_t lists = 0;
  std::size_t filled = 0;
  for (const std::string_view name : kScalars) {
    const Field value = attribute.child(name);
    scalars += value.present() ? 1 : 0;
    const bool text = name == "string" || name == "version";
    if (text && value.present()) check_value(value, name == "version");
  }
  for (const std::string_view name : kLists) {
    const Field list = attribute.child(name);
    if (!list.present()) continue;
    ++lists;
    filled += list.size() > 0 ? 1 : 0;
    if (list.is_list() && list.size() == 0) list.error(ErrorType::Invalid, "must not be empty");
    const bool texts = name == "strings" || name == "versions";
    for (const Field& value : texts ? list.items() : std::vector<Field>())
      check_value(value, name == "versions");
  }
  const auto words = [](std::size_t values) {
    return values == 0 ? "a value is missing: bool, int, string or version"
                       : "has several values; exactly one is allowed";
  };
  const bool generated = scalars + filled != 1;
  if (generated) attribute.error(ErrorType::Invalid, words(scalars + filled), Rule::Generated);
  // An error of both rules with the same path is reported once.
  if (scalars + lists != 1 && (!generated || cut))
    attribute.error(ErrorType::Invalid, words(scalars + lists));
}

void check_attributes(const Field& device) {
  const Field attributes = device.child("attributes");
  const auto entries = attributes.entries(kMaxKey);
  std::size_t values = 0;
  for (const auto& [name, attribute] : entries) {
    std::size_t listed = 0;
    for (const std::string_view list : kLists)
      listed += attribute.child(list).size();
    values += std::max<std::size_t>(listed, 1);
  }
  const std::size_t named = entries.size() + device.child("capacity").size();
  if (named > kMaxNamed)
    device.error(
        ErrorType::Invalid,
        format("has {} attributes and capacities; at most {} are allowed", named, kMaxNamed));
  if (values > kMaxAttributeValues)
    device.error(ErrorType::Invalid, format("its attributes have {} values; at most {} are allowed",
                                            values, kMaxAttributeValues));
  for (const auto& [name, attribute] : entries) {
    check_qualified_name(attributes.reported_at_key(name), name);
    check_attribute(attribute, name.size() > kMaxKey);
  }
}

void check_capacities(const Field& device) {
  const bool shared = device.child("allowMultipleAllocations").is_true();
  const Field capacities = device.child("capacity");
  for (const auto& [name, capacity] : capacities.entries(kMaxKey)) {
    check_qualified_name(capacities.reported_at_key(name), name);
    const Field policy = capacity.child("requestPolicy");
    if (!policy.present()) continue;
    if (shared) {
      check_request_policy(capacity.child("value").quantity().value_or(base::Quantity()), policy);
    } else {
      policy.error(ErrorType::Forbidden,
                   "only a device with allowMultipleAllocations: true can have a policy");
    }
  }
}

void check_groups(const Field& groups) {
  if (!check_size(groups, kMaxGroups, Rule::Generated)) return;
  const std::vector<Field> items = groups.items();
  for (const Field& group : items) {
    if (!group.present() || group.is_text()) check_dns_label(group, Rule::Generated);
  }
  check_unique(items, {}, Rule::Generated);
}

void check_consumption(const Field& list) {
  if (!check_size(list, kMaxConsumptions, Rule::Generated)) return;
  const std::vector<Field> items = list.items();
  for (const Field& consumption : items) {
    check_counter_set_name(consumption.child("counterSet"));
    check_counters(consumption.child("counters"), kMaxConsumed);
    check_groups(consumption.child("compatibilityGroups"));
  }
  check_unique(items, "counterSet", Rule::Generated);
}

void check_nodes_of_device(const Field& device, bool per_device_nodes) {
  const Field node = device.child("nodeName");
  const Field selector = device.child("nodeSelector");
  const Field all = device.child("allNodes");
  if (!per_device_nodes) {
    if (node.present() || selector.present() || all.present())
      device.error(ErrorType::Invalid,
                   "a device can name its nodes only in a slice with perDeviceNodeSelection: true");
    return;
  }
  std::size_t set = 0;
  if (node.is_text() && node.text().empty()) {
    node.error(ErrorType::Invalid, "must be a node's name, or be omitted");
  } else if (node.present()) {
    ++set;
    if (node.is_text()) check_node_name(node);
  }
  if (selector.present()) {
    ++set;
    check_node_selector(selector);
  }
  if (all.boolean() == false) {
    all.error(ErrorType::Invalid, "must be true, or be omitted");
  } else if (all.present()) {
    ++set;
  }
  if (set == 0) {
    device.error(ErrorType::Required,
                 "one of nodeName, nodeSelector and allNodes is missing, as the slice has "
                 "perDeviceNodeSelection: true");
  } else if (set > 1) {
    device.error(ErrorType::Invalid, "nodeName, nodeSelector and allNodes exclude each other");
  }
}

void check_conditions(const Field& list, const std::set<std::string_view>& others) {
  const std::vector<Field> items = list.items();
  if (check_size(list, kMaxConditions, Rule::Generated)) {
    for (const Field& condition : items) {
      if (!condition.present() || condition.is_text()) check_label_key(condition);
    }
  }
  check_unique(items, {}, Rule::Written);
  for (const Field& condition : items) {
    if (others.contains(condition.text()))
      condition.error(ErrorType::Invalid, "is a binding condition, too: it cannot mean both");
  }
}

void check_binding(const Field& device) {
  const Field conditions = device.child("bindingConditions");
  const Field failures = device.child("bindingFailureConditions");
  std::set<std::string_view> names;
  const std::vector<Field> items = conditions.items();
  for (const Field& condition : items)
    names.insert(condition.text());
  check_conditions(conditions, {});
  check_conditions(failures, names);
  if (conditions.size() == 0 && failures.size() > 0)
    conditions.error(ErrorType::Invalid, "is required together with bindingFailureConditions");
  if (failures.size() == 0 && conditions.size() > 0)
    failures.error(ErrorType::Invalid, "is required together with bindingConditions");
}

void check_positive(const Field& quantity) {
  if (const auto value = quantity.quantity(); value && value->sign() <= 0)
    quantity.error(ErrorType::Invalid, "must be positive");
}

void check_mapping(const Field& mapping, const Field& capacities) {
  const Field key = mapping.child("capacityKey");
  const Field multiplier = mapping.child("capacityMultiplier");
  if (key.present() == mapping.child("deviceMultiplier").present())
    mapping.error(ErrorType::Invalid, "exactly one of capacityKey and deviceMultiplier is allowed",
                  Rule::Generated);
  if (key.present()) {
    if (key.text().empty()) {
      key.error(ErrorType::Invalid, "must be the name of a capacity, or be omitted");
    } else if (!capacities.has(key.text())) {
      key.error(ErrorType::NotFound, format("the device has no capacity \"{}\"", key.text()));
    }
    if (!multiplier.present()) {
      multiplier.error(ErrorType::Required, "is required together with capacityKey");
    } else {
      check_positive(multiplier);
    }
  } else if (multiplier.present()) {
    key.error(ErrorType::Required, "is required together with capacityMultiplier");
  }
  check_positive(mapping.child("deviceMultiplier"));
}

void check_overhead(const Field& overhead) {
  const Field pod = overhead.child("perPod");
  const Field container = overhead.child("perContainer");
  if (!pod.present() && !container.present()) {
    overhead.error(ErrorType::Invalid, "perPod or perContainer is missing");
    return;
  }
  for (const Field& quantity : {pod, container}) {
    if (const auto value = quantity.quantity(); value && value->sign() < 0)
      quantity.error(ErrorType::Invalid, "must not be negative");
  }
}

// k8s.io/kubernetes/pkg/apis/core/helper, IsNodeAllocatableResourceName.
bool is_allocatable(std::string_view resource) {
  return resource == "cpu" || resource == "memory" || resource.starts_with("hugepages-");
}

void check_allocatable(const Field& device) {
  for (const auto& [name, entry] : device.child("nodeAllocatableResources").entries()) {
    if (!is_allocatable(name))
      entry.error(ErrorType::Invalid, "must be cpu, memory or hugepages-SIZE");
    const Field mapping = entry.child("mapping");
    const Field overhead = entry.child("overhead");
    if (!mapping.present() && !overhead.present())
      entry.error(ErrorType::Required, "mapping or overhead is missing");
    if (mapping.present()) check_mapping(mapping, device.child("capacity"));
    if (overhead.present()) check_overhead(overhead);
  }
}

void check_taints(const Field& taints) {
  Checking checking = taints.checking();
  if (!check_size(taints, kMaxTaints, Rule::Written)) checking.only = Rule::Generated;
  for (const Field& taint : taints.with(checking).items())
    check_taint(taint);
}

// True if the device had this part already: the server does not check it again.
bool is_kept(const Field& device, std::string_view name) {
  const json::Value* before = device_before(device);
  return before != nullptr && is_same(device, before, "resource/v1.Device", name);
}

}  // namespace

void check_slice_device(const Field& device, bool per_device_nodes) {
  const Field name = device.child("name");
  if (!name.present() || name.is_text()) check_dns_label(name);
  const Field body = device.checking().is_v1beta1 ? device.older_under("basic") : device;
  check_attributes(body);
  if (!is_kept(body, "capacity")) check_capacities(body);
  if (!is_kept(body, "taints")) check_taints(body.child("taints"));
  check_consumption(body.child("consumesCounters"));
  check_nodes_of_device(body, per_device_nodes);
  check_binding(body);
  check_allocatable(body);
}

}  // namespace dra::checks
