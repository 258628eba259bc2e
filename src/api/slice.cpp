// src/api/slice.cpp: the fields of ResourceSlice and DeviceTaintRule.

#include "dra/api/slice.h"

#include "dra/api/decode.h"
#include "dra/api/taint_rule.h"
#include "src/api/meta_fields.h"
#include "src/api/wire_fields.h"

namespace dra::api {

template <class Io>
void fields(Io& io, DeviceTaint& t) {
  io.field("key", 1, t.key);
  io.field("value", 2, t.value);
  io.field("effect", 3, t.effect);
  io.field("timeAdded", 4, t.added);
}

template <class Io>
void fields(Io& io, DeviceAttribute& a) {
  io.template choice<&DeviceAttribute::set_int>("int", 2, a);
  io.template choice<&DeviceAttribute::set_bool>("bool", 3, a);
  io.template choice<&DeviceAttribute::set_string>("string", 4, a);
  io.template choice<&DeviceAttribute::set_version>("version", 5, a);
  io.template choice<&DeviceAttribute::set_ints, &DeviceAttribute::add_int>("ints", 6, a);
  io.template choice<&DeviceAttribute::set_bools, &DeviceAttribute::add_bool>("bools", 7, a);
  io.template choice<&DeviceAttribute::set_strings, &DeviceAttribute::add_string>("strings", 8, a);
  io.template choice<&DeviceAttribute::set_versions, &DeviceAttribute::add_version>("versions", 9,
                                                                                    a);
}

template <class Io>
void fields(Io& io, ValidRange& r) {
  io.field("min", 1, r.min);
  io.field("max", 2, r.max);
  io.field("step", 3, r.step);
}

template <class Io>
void fields(Io& io, CapacityPolicy& p) {
  io.field("default", 1, p.default_value);
  io.field("validValues", 3, p.valid_values);
  io.field("validRange", 4, p.valid_range);
}

template <class Io>
void fields(Io& io, DeviceCapacity& c) {
  io.field("value", 1, c.value);
  io.field("requestPolicy", 2, c.policy);
}

template <class Io>
void fields(Io& io, Counter& c) {
  io.field("value", 1, c.value);
}

template <class Io>
void fields(Io& io, CounterSet& s) {
  io.field("name", 1, s.name);
  io.field("counters", 2, s.counters);
}

template <class Io>
void fields(Io& io, CounterConsumption& c) {
  io.field("counterSet", 1, c.counter_set);
  io.field("counters", 2, c.counters);
  io.field("compatibilityGroups", 3, c.compatibility_groups);
}

template <class Io>
void fields(Io& io, Device& d) {
  io.field("name", 1, d.name);
  io.field("attributes", 2, d.attributes);
  io.field("capacity", 3, d.capacity);
  io.field("consumesCounters", 4, d.consumes);
  io.field("nodeName", 5, d.node_name);
  io.field("nodeSelector", 6, d.node_selector);
  io.field("allNodes", 7, d.all_nodes);
  io.field("taints", 8, d.taints);
  io.field("bindsToNode", 9, d.binds_to_node);
  io.field("bindingConditions", 10, d.binding_conditions);
  io.field("bindingFailureConditions", 11, d.binding_failure_conditions);
  io.field("allowMultipleAllocations", 12, d.allow_multiple_allocations);
}

template <class Io>
void fields(Io& io, PoolRef& p) {
  io.field("name", 1, p.name);
  io.field("generation", 2, p.generation);
  io.field("resourceSliceCount", 3, p.slice_count);
}

template <class Io>
void fields(Io& io, SliceSpec& s) {
  io.field("driver", 1, s.driver);
  io.field("pool", 2, s.pool);
  io.field("nodeName", 3, s.node_name);
  io.field("nodeSelector", 4, s.node_selector);
  io.field("allNodes", 5, s.all_nodes);
  io.field("devices", 6, s.devices);
  io.field("perDeviceNodeSelection", 7, s.per_device_node_selection);
  io.field("sharedCounters", 8, s.shared_counters);
  io.field("skipNodeOperations", 10, s.skip_node_operations);
}

template <class Io>
void fields(Io& io, ResourceSlice& s) {
  io.field("metadata", 1, s.meta);
  io.field("spec", 2, s.spec);
}

template <class Io>
void fields(Io& io, TaintSelector& s) {
  io.field("driver", 2, s.driver);
  io.field("pool", 3, s.pool);
  io.field("device", 4, s.device);
}

template <class Io>
void fields(Io& io, TaintRuleSpec& s) {
  io.field("deviceSelector", 1, s.selector);
  io.field("taint", 2, s.taint);
}

template <class Io>
void fields(Io& io, TaintRuleStatus& s) {
  io.field("conditions", 1, s.conditions);
}

template <class Io>
void fields(Io& io, DeviceTaintRule& r) {
  io.field("metadata", 1, r.meta);
  io.field("spec", 2, r.spec);
  io.field("status", 3, r.status);
}

void decode(json::Cursor& from, ResourceSlice& slice) { read_object(from, slice); }
void decode(json::Cursor& from, DeviceTaintRule& rule) { read_object(from, rule); }
void decode_wire(json::Reading& reading, std::string_view message, ResourceSlice& slice) {
  read_wire_object(reading, message, slice);
}
void decode_wire(json::Reading& reading, std::string_view message, DeviceTaintRule& rule) {
  read_wire_object(reading, message, rule);
}

template const FieldTable& table_of<ResourceSlice>();
template const FieldTable& table_of<DeviceTaintRule>();

}  // namespace dra::api
