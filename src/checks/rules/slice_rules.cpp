// src/checks/rules/slice_rules.cpp: rules for slices and taint rules; device_rules.cpp has those
// for the devices of slices. Upstream: k8s.io/kubernetes/pkg/apis/resource/validation,
// ValidateResourceSlice, ValidateDeviceTaintRule and what they call.

#include <algorithm>
#include <array>
#include <optional>

#include "dra/api/kinds.h"
#include "dra/base/names.h"
#include "dra/base/text.h"
#include "dra/checks/rules/rules.h"
#include "dra/checks/rules/update_target.h"
#include "src/checks/rules/names.h"

namespace dra::checks {
namespace {

using base::format;

constexpr std::size_t kMaxDevices = 128;
// The limit of a slice whose devices have taints, counters or lists as attributes.
constexpr std::size_t kMaxLargeDevices = 64;
constexpr std::size_t kMaxCounterSets = 8;
constexpr std::size_t kMaxCounters = 32;

void check_pool(const Field& pool) {
  check_pool_name(pool.child("name"));
  const Field count = pool.child("resourceSliceCount");
  const Field generation = pool.child("generation");
  if ((!count.present() || count.integer()) && count.integer().value_or(0) <= 0)
    count.error(ErrorType::Invalid, "must be at least 1: how many slices the whole pool has");
  if (generation.integer().value_or(0) < 0)
    generation.error(ErrorType::Invalid, "must not be negative");
}

// Exactly one field must say where the devices are.
void check_nodes_of_slice(const Field& spec) {
  std::vector<std::string> set;
  const Field node = spec.child("nodeName");
  if (node.is_text() && node.text().empty()) {
    node.error(ErrorType::Invalid, "must be a node's name, or be omitted");
  } else if (node.present()) {
    set.emplace_back("nodeName");
    if (node.is_text()) check_node_name(node);
  }
  const Field selector = spec.child("nodeSelector");
  if (selector.present()) {
    set.emplace_back("nodeSelector");
    check_node_selector(selector);
    const Field terms = selector.child("nodeSelectorTerms");
    if (terms.size() != 1) terms.error(ErrorType::Invalid, "exactly one term is allowed here");
  }
  for (const std::string_view name : {"allNodes", "perDeviceNodeSelection"}) {
    const Field flag = spec.child(name);
    if (flag.boolean() == false) {
      flag.error(ErrorType::Invalid, "must be true, or be omitted");
    } else if (flag.present()) {
      set.emplace_back(name);
    }
  }
  if (set.empty()) {
    spec.error(ErrorType::Required,
               "one of nodeName, nodeSelector, allNodes and perDeviceNodeSelection is missing");
  } else if (set.size() > 1) {
    spec.error(ErrorType::Invalid, format("{} exclude each other: say once where the devices are",
                                          base::join(set, ", ")));
  }
}

bool has_list(const Field& device) {
  const auto attributes = device.child("attributes").entries();
  return std::ranges::any_of(attributes, [](const Field::Entry& attribute) {
    return attribute.field.child("bools").present() || attribute.field.child("ints").present() ||
           attribute.field.child("strings").present() ||
           attribute.field.child("versions").present();
  });
}

bool is_large(const Field& device) {
  return device.child("taints").size() > 0 || device.child("consumesCounters").size() > 0 ||
         has_list(device);
}

void check_counter_sets(const Field& sets) {
  if (!check_size(sets, kMaxCounterSets, Rule::Generated)) return;
  const std::vector<Field> items = sets.items();
  for (const Field& set : items) {
    check_counter_set_name(set.child("name"));
    check_counters(set.child("counters"), kMaxCounters);
  }
  check_unique(items, "name", Rule::Generated);
}

// The attribute with its full name, or without its domain if that is the driver's.
std::optional<Field> attribute_of(const Field& attributes, std::string_view name,
                                  std::string_view driver) {
  const std::string own = format("{}/", driver);
  if (attributes.has(name)) return attributes.child(name);
  if (!name.starts_with(own) || !attributes.has(name.substr(own.size()))) return std::nullopt;
  return attributes.child(name.substr(own.size()));
}

void check_partition_type(const Field& spec, const std::vector<Field>& devices) {
  const Field type = spec.child("partitionTypeAttribute");
  if (!type.is_text()) return;
  check_fully_qualified_name(type, Rule::Generated);
  const auto consumes = [](const Field& device) {
    return device.child("consumesCounters").size() > 0;
  };
  if (!std::ranges::any_of(devices, consumes)) {
    type.error(ErrorType::Invalid,
               "no device of this slice consumes counters, so none is a partition");
    return;
  }
  if (!is_fully_qualified_name(type.text())) return;
  for (const Field& device : devices) {
    if (!consumes(device)) continue;
    const Field attributes = device.child("attributes");
    const auto found = attribute_of(attributes, type.text(), spec.child("driver").text());
    const Field named = attributes.entry(type.text());
    if (!found) {
      named.error(ErrorType::Required,
                  "the device consumes counters, and is missing the attribute that "
                  "partitionTypeAttribute names");
    } else if (!found->child("string").present()) {
      named.error(ErrorType::Invalid, "must be text, as partitionTypeAttribute names it");
    }
  }
}

void check_skipped_operations(const Field& operations) {
  constexpr std::array<std::string_view, 3> known = {"NodePrepareResources",
                                                     "NodeUnprepareResources", "*"};
  const std::vector<Field> items = operations.items();
  for (const Field& operation : items) {
    if (std::ranges::find(known, operation.text()) == known.end())
      operation.error(ErrorType::NotSupported,
                      "must be NodePrepareResources, NodeUnprepareResources or *", Rule::Generated);
  }
  check_unique(items, {}, Rule::Generated);
  const auto skipped = [&items](std::string_view name) {
    return std::ranges::find(items, name, &Field::text) != items.end();
  };
  if (skipped(known[0]) && !skipped(known[1]) && !skipped(known[2]))
    operations.error(ErrorType::Invalid,
                     "who skips NodePrepareResources must skip NodeUnprepareResources as well");
}

void check_devices(const Field& spec) {
  const Field list = spec.child("devices");
  const std::vector<Field> devices = list.items();
  const bool large = std::ranges::any_of(devices, is_large);
  Checking checking = spec.checking();
  // Generated rules have no limit for devices.
  if (!check_size(list, large ? kMaxLargeDevices : kMaxDevices, Rule::Written))
    checking.only = Rule::Generated;
  const std::vector<Field> items = list.with(checking).items();
  for (const Field& device : items)
    check_slice_device(device, spec.child("perDeviceNodeSelection").is_true());
  check_unique(items, "name", Rule::Written);
  check_partition_type(spec, devices);
}

// The pool of a slice is immutable.
void check_kept_place(const Field& spec) {
  constexpr std::string_view fix =
      "delete the slice and re-create it; a driver that is running does that for its own";
  if (spec.checking().update_target == nullptr) return;
  check_kept(spec.child("pool"), "name", "resource/v1.ResourcePool", fix);
  check_kept(spec, "driver", "resource/v1.ResourceSliceSpec", fix);
  check_kept(spec, "nodeName", "resource/v1.ResourceSliceSpec", fix);
}

}  // namespace

void check_counter_set_name(const Field& name) {
  if (name.is_blank()) {
    name.error(ErrorType::Required, "the name of a counter set is missing", Rule::Generated);
  } else if (name.is_text()) {
    check_dns_label(name, Rule::Generated);
  }
}

void check_counters(const Field& counters, std::size_t most) {
  if (counters.size() == 0) {
    counters.error(ErrorType::Required, "at least one counter is needed", Rule::Generated);
    return;
  }
  const auto entries = counters.entries();
  for (const auto& [name, unused] : entries) {
    if (!base::is_dns_label(name))
      counters.reported_at_key(name).error(
          ErrorType::Invalid,
          format("\"{}\" is not a valid counter name: small letters, digits and \"-\", "
                 "with a letter or digit at both ends",
                 base::shorten_middle(name, 60)),
          Rule::Generated);
  }
  check_size(counters, most, Rule::Written);
}

const json::Value* device_before(const Field& device) {
  const UpdateTarget* target = device.checking().update_target;
  const json::Value* devices = target == nullptr ? nullptr : target->object.at({"spec", "devices"});
  if (devices == nullptr) return nullptr;
  for (const json::Value& one : devices->items()) {
    const json::Value* name = one.find("name");
    if (name != nullptr && name->text() == device.child("name").text()) return &one;
  }
  return nullptr;
}

void check_slice(const Field& slice) {
  check_metadata(slice.child("metadata"), {});
  const Field spec = slice.child("spec");
  check_driver_name(spec.child("driver"));
  check_pool(spec.child("pool"));
  check_kept_place(spec);
  check_nodes_of_slice(spec);
  if (spec.child("sharedCounters").present() && spec.child("devices").present())
    spec.error(
        ErrorType::Invalid,
        "sharedCounters and devices exclude each other: counters belong into a slice of their own");
  check_devices(spec);
  check_counter_sets(spec.child("sharedCounters"));
  check_skipped_operations(spec.child("skipNodeOperations"));
}

// Upstream: pkg/registry/resource/devicetaintrule, AllowUnconditionalUpdate.
void check_taint_rule(const Field& rule) {
  const std::string_view version = api::version_of(rule.child("apiVersion").text());
  check_metadata(rule.child("metadata"), {.wants_state = version == "v1"});
  const Field spec = rule.child("spec");
  const Field selector = spec.child("deviceSelector");
  const Field driver = selector.child("driver");
  const Field pool = selector.child("pool");
  const Field device = selector.child("device");
  if (driver.present()) check_driver_name(driver);
  if (pool.present()) check_pool_name(pool);
  if (device.is_text()) check_dns_label(device);
  check_taint(spec.child("taint"));
}

}  // namespace dra::checks
