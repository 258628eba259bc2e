// src/report/describe/describe_allocation.cpp: groups the devices of a claim by pool. What all
// devices of a pool have in common is printed once, and the table has only the properties in which
// they differ.

#include "src/report/describe/describe_allocation.h"

#include <algorithm>

#include "dra/api/subject.h"
#include "dra/api/taint_rule.h"
#include "dra/api/words.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/engine/cluster/allocated_device.h"
#include "dra/engine/cluster/subjects.h"
#include "dra/engine/facts/node_match.h"
#include "dra/engine/running/eviction.h"
#include "src/report/describe/describe_json.h"
#include "src/report/describe/describe_spec.h"

namespace dra::report {
namespace {

using api::AllocationResultItem;
using view::Tone;

constexpr std::size_t kMaxProperties = 8;           // on the line of common properties
constexpr std::size_t kMaxDifferingProperties = 2;  // columns of properties that differ
constexpr std::size_t kMaxPodNames = 3;

struct ClaimDevice {
  const AllocationResultItem* result;
  engine::DeviceId id;
  const engine::PoolDevice* published = nullptr;  // nullptr: no longer published, or not visible
  std::vector<Property> properties;
};

// The claim's devices of one pool.
struct PoolDevices {
  std::string_view driver;
  std::string_view pool;
  std::vector<ClaimDevice> devices;
};

std::vector<PoolDevices> devices_by_pool(const engine::Inventory& inventory,
                                         const api::ResourceClaim& claim) {
  std::vector<PoolDevices> groups;
  for (const AllocationResultItem& result : claim.status.allocation->devices.results) {
    auto group = std::ranges::find_if(groups, [&result](const PoolDevices& one) {
      return one.driver == result.driver && one.pool == result.pool;
    });
    if (group == groups.end()) group = groups.insert(group, {result.driver, result.pool, {}});
    ClaimDevice held{.result = &result, .id = engine::id_of(result)};
    held.published = inventory.find(held.id);
    if (held.published != nullptr)
      held.properties = properties_of(result.driver, *held.published->device);
    group->devices.push_back(std::move(held));
  }
  return groups;
}

const api::Condition* condition_of(const api::DeviceStatus* status, std::string_view type) {
  return status == nullptr ? nullptr : api::condition_of(status->conditions, type);
}

// Builds the row of one device, and collects the device's problems.
class ClaimDeviceRow {
 public:
  ClaimDeviceRow(Description& out, const api::ResourceClaim& claim, const ClaimDevice& held)
      : out_(out), claim_(claim), held_(held), result_(*held.result) {}

  std::vector<view::Cell> cells() {
    look_for_device();
    look_at_taints();
    look_at_binding();
    look_at_ready();
    const std::string others = other_holders();
    return {cell(result_.device), cell(result_.request), cell(taken()),
            cell(base::join(states_, ", "), tone_), cell(others)};
  }

  // Called after cells().
  json::Value json() const {
    json::Value out = device_id_json(held_.id);
    out.set("request", result_.request);
    if (result_.admin_access) out.set("adminAccess", true);
    set_if_any(out, "shareID", result_.share_id);
    set_if_any(out, "consumedCapacity", quantities_json(result_.consumed_capacity));
    set_if_any(out, "states", texts_json(states_));
    set_if_any(out, "otherClaims", texts_json(others_));
    if (held_.published == nullptr) return out;
    out.set("resourceSlice", held_.published->slice->meta.name);
    out.set("nodes", engine::describe_nodes(*held_.published->slice));
    const api::Device& device = *held_.published->device;
    set_if_any(out, "attributes", attributes_json(device));
    json::Value capacity = json::Value::object();
    for (const auto& entry : device.capacity)
      capacity.set(std::string(entry.key), entry.value.value.text);
    set_if_any(out, "capacity", std::move(capacity));
    return out;
  }

 private:
  void state(std::string words, Tone tone) {
    states_.push_back(std::move(words));
    if (tone_ != Tone::Bad) tone_ = tone;
  }

  std::string taken() const {
    if (result_.admin_access) return "admin access";
    std::string amounts = quantities_text(result_.consumed_capacity);
    if (result_.share_id.empty()) return amounts;
    return amounts.empty() ? "a share" : amounts;
  }

  void look_for_device() {
    if (held_.published != nullptr || !out_.scene().snapshot.coverage().saw(api::Kind::Slice))
      return;
    state("not published", Tone::Bad);
    const engine::Pool* pool = out_.scene().inventory.find_pool(held_.id.driver, held_.id.pool);
    if (pool != nullptr && pool->state == engine::PoolState::Incomplete) {
      out_.problem(
          base::format("Device {} is not published now: pool {} is incomplete, {} of {} slices are "
                       "there",
                       result_.device, pool->name, pool->slices_seen, pool->slices_expected),
          "Wait for the driver to publish the rest.", Tone::Warn);
      return;
    }
    out_.problem(
        base::format("Device {} is allocated, but its driver does not publish it any more",
                     result_.device),
        base::format("Look at driver {} on that node; to get another device, delete the pods "
                     "that use the claim.",
                     result_.driver));
  }

  void look_at_taints() {
    static const api::Device unpublished;  // taint rules can select it all the same
    const api::Device& device = held_.published == nullptr ? unpublished : *held_.published->device;
    const auto taints = out_.scene().inventory.taints().blocking(held_.id, device);
    for (const api::DeviceTaint& taint : device.taints) {
      if (!taint.keeps_pods_away()) state(taint_text(taint), tone_);
    }
    const auto eviction = engine::eviction_for(result_, taints);
    for (const engine::DeviceTaintOf& on_device : taints) {
      if (on_device.rule != nullptr) {
        out_.next(command_for("describe", "taintrule",
                              subject_of("DeviceTaintRule", on_device.rule->meta)),
                  "the taint rule");
      }
      if (eviction && eviction->cause.taint == on_device.taint) continue;
      const bool tolerated = engine::tolerates_all(result_.tolerations, {&on_device, 1});
      state((tolerated ? "tolerates " : "") + taint_text(*on_device.taint),
            tolerated ? tone_ : Tone::Warn);
      if (!tolerated && on_device.taint->effect == api::kTaintNoSchedule) {
        out_.problem(
            base::format(
                "Device {} has got a taint since it was allocated: {}; pods that have it stay, no "
                "other claim gets it",
                result_.device, taint_and_rule(on_device)),
            {}, Tone::Warn);
      }
    }
    if (eviction) evicts(*eviction);
  }

  static std::string taint_and_rule(const engine::DeviceTaintOf& on_device) {
    const std::string rule = on_device.rule == nullptr
                                 ? ""
                                 : base::format(" of taint rule {}", on_device.rule->meta.name);
    return taint_text(*on_device.taint) + rule;
  }

  void evicts(const engine::Eviction& eviction) {
    state(taint_text(*eviction.cause.taint), Tone::Bad);
    const base::Instant now = out_.scene().now;
    const bool later = eviction.at && *eviction.at > now;
    const std::string tainted =
        base::format("Device {} has taint {}", result_.device, taint_and_rule(eviction.cause));
    if (all_are_unseen())
      return out_.problem(tainted +
                              ": the pod is not evicted, as it has the device by an extended "
                              "resource",
                          "Delete the pod: the eviction controller does not.");
    if (engine::is_overdue(eviction.at, out_.scene().snapshot))
      return out_.problem(base::format("{}: pods that have it should have been evicted {}", tainted,
                                       ago(eviction.at, now)));
    out_.problem(base::format("{}: pods that have it are evicted{}", tainted,
                              later ? " " + ago(eviction.at, now) : std::string()));
  }

  // The eviction controller sees none of the claim's pods.
  bool all_are_unseen() const {
    const auto& consumers = claim_.status.reserved_for;
    return !consumers.empty() && std::ranges::all_of(consumers, [this](const auto& consumer) {
      const auto* pod =
          out_.scene().snapshot.template find<api::Pod>(claim_.meta.namespace_, consumer.name);
      return pod != nullptr && engine::is_unseen_by_eviction(*pod, claim_);
    });
  }

  // The scheduler binds the pod when all binding conditions are true and no failure condition is.
  void look_at_binding() {
    const api::DeviceStatus* status = engine::status_of(claim_, result_);
    for (const std::string_view type : result_.binding_failure_conditions) {
      const api::Condition* failed = condition_of(status, type);
      if (failed == nullptr || failed->status != "True") continue;
      state("binding failed", Tone::Bad);
      out_.problem(
          base::format("Device {} cannot be used: {}{}", result_.device, type, why(*failed)),
          "The scheduler frees the claim and tries again.");
    }
    for (const std::string_view type : result_.binding_conditions) {
      const api::Condition* condition = condition_of(status, type);
      if (condition != nullptr && condition->status == "True") continue;
      state(base::format("waits for {}", type), Tone::Warn);
      out_.problem(
          base::format("Device {} waits for {}: the pod is bound when driver {} sets the condition",
                       result_.device, type, result_.driver),
          {}, Tone::Warn);
    }
  }

  void look_at_ready() {
    const api::Condition* ready = condition_of(engine::status_of(claim_, result_), "Ready");
    if (ready == nullptr) return;
    if (ready->status == "True") return state("ready", tone_);
    state("not ready", Tone::Bad);
    out_.problem(base::format("Device {} is not ready{}", result_.device, why(*ready)),
                 base::format("Driver {} says so: look at its pod on that node.", result_.driver));
  }

  // " for 5m: GpuLost, no answer"
  std::string why(const api::Condition& condition) const {
    std::string words;
    if (condition.changed)
      words = base::format(" for {}", age_of(condition.changed, out_.scene().now));
    const char* separator = ": ";
    for (const std::string_view part : {condition.reason, condition.message}) {
      if (part.empty()) continue;
      words += base::format("{}{}", separator, part);
      separator = ", ";
    }
    return words;
  }

  std::string other_holders() {
    for (const engine::Holding& holding : out_.scene().inventory.usage().holders(held_.id)) {
      if (holding.claim == &claim_) continue;
      const api::ObjectMeta& meta = holding.claim->meta;
      const std::string name = base::format("{}/{}", meta.namespace_, meta.name);
      others_.push_back(name + (holding.admin() ? " (admin)" : ""));
      const bool shared = !holding.result->share_id.empty() && !result_.share_id.empty();
      if (holding.admin() || result_.admin_access || shared) continue;
      out_.problem(base::format("Device {} is also allocated to claim {}, and not as a share",
                                result_.device, name),
                   "Delete the pods of one of the two claims.");
    }
    return some_of(others_, kMaxPodNames);
  }

  Description& out_;
  const api::ResourceClaim& claim_;
  const ClaimDevice& held_;
  const AllocationResultItem& result_;
  std::vector<std::string> states_;
  std::vector<std::string> others_;
  Tone tone_ = Tone::Plain;
};

const Property* find_property(const ClaimDevice& held, std::string_view name) {
  const auto found = std::ranges::find(held.properties, name, &Property::name);
  return found == held.properties.end() ? nullptr : &*found;
}

// Names of properties that distinguish kinds of devices, for any driver. Only the order of
// properties depends on this list.
constexpr std::string_view kDistinguishing[] = {
    "type",   "productName", "model", "profile",  "memory",   "accelerator", "topology",
    "tpuGen", "ifName",      "uuid",  "pciBusID", "pcieRoot", "numaNode",    "index"};

// Properties that selectors and constraints mention come first, then those of the list above; empty
// ones come last.
void sort_by_relevance(std::vector<Property>& properties, std::string_view mentioned) {
  const auto rank = [mentioned](const Property& property) {
    const std::string_view name = property.name;
    const std::string_view bare = name.substr(name.rfind('/') + 1);
    if (property.text == "\"\"") return 3;
    if (mentioned.find(bare) != std::string_view::npos) return 0;
    return std::ranges::find(kDistinguishing, bare) == std::end(kDistinguishing) ? 2 : 1;
  };
  std::ranges::stable_sort(properties, {}, rank);
}

class PoolDevicesView {
 public:
  PoolDevicesView(Description& out, const api::ResourceClaim& claim, const PoolDevices& group)
      : out_(out), claim_(claim), group_(group) {
    for (const ClaimDevice& held : group.devices) {
      if (held.published != nullptr) published_.push_back(&held);
    }
    split_properties();
  }

  void add(json::Value& devices) {
    out_.add(view::Paragraph{
        .spans = {span(base::format("{}, pool ", group_.driver)), span(std::string(group_.pool))},
        .indent = 2});
    view::Table table = device_table(devices);
    view::Fields lines = section_fields(4);
    add_line(lines, "slice", slices());
    add_line(lines, "node", nodes());
    add_line(lines, published_.size() > 1 ? "each has" : "has",
             properties_text(common_, kMaxProperties));
    out_.add(std::move(lines));
    out_.add(std::move(table));
  }

 private:
  void split_properties() {
    if (published_.empty()) return;
    std::vector<Property> all = published_.front()->properties;
    const auto mentioned = mentioned_in(out_.scene().snapshot, claim_.spec);
    sort_by_relevance(all, mentioned);
    for (Property& property : all) {
      const bool same = std::ranges::all_of(published_, [&property](const ClaimDevice* held) {
        const Property* own = find_property(*held, property.name);
        return own != nullptr && own->text == property.text;
      });
      if (same) {
        common_.push_back(std::move(property));
      } else if (differing_.size() < kMaxDifferingProperties) {
        differing_.push_back(property.name);
      }
    }
  }

  view::Table device_table(json::Value& devices) {
    view::Table table = section_table({"DEVICE", "REQUEST", "TAKES", "STATUS", "ALSO HELD BY"},
                                      {"DEVICE", "REQUEST", "TAKES"});
    table.indent = 4;
    for (const std::string& name : differing_)
      table.columns.push_back({.title = name, .elastic = true});
    for (const ClaimDevice& held : group_.devices) {
      ClaimDeviceRow device(out_, claim_, held);
      auto row = device.cells();
      devices.push(device.json());
      for (const std::string& name : differing_) {
        const Property* property = find_property(held, name);
        row.push_back(cell(property == nullptr ? std::string() : property->text));
      }
      table.rows.push_back(std::move(row));
    }
    drop_empty_columns(table);
    return table;
  }

  std::string slices() const {
    std::vector<std::string> names;
    for (const ClaimDevice* held : published_)
      names.emplace_back(held->published->slice->meta.name);
    return some_of(names, kMaxPodNames);
  }

  // The nodes of the devices; empty if the claim's node selector says the same.
  std::string nodes() const {
    std::vector<std::string> nodes;
    for (const ClaimDevice* held : published_)
      nodes.push_back(engine::describe_nodes(*held->published->slice));
    const std::string where = some_of(nodes, kMaxPodNames);
    const auto& selector = claim_.status.allocation->node_selector;
    return selector && engine::describe(*selector) == where ? std::string() : where;
  }

  Description& out_;
  const api::ResourceClaim& claim_;
  const PoolDevices& group_;
  std::vector<const ClaimDevice*> published_;
  std::vector<Property> common_;
  std::vector<std::string> differing_;
};

std::string network_text(const api::NetworkData& network) {
  std::vector<std::string> parts;
  for (const std::string_view part : {network.interface_name, network.hardware_address}) {
    if (!part.empty()) parts.emplace_back(part);
  }
  for (const std::string_view ip : network.ips)
    parts.emplace_back(ip);
  return base::join(parts, ", ");
}

// True for a device with a warning in the table, except for devices that are not published.
bool has_warning(const Scene& scene, const api::ResourceClaim& claim, const ClaimDevice& held) {
  const api::DeviceStatus* status = engine::status_of(claim, *held.result);
  const api::Condition* ready = condition_of(status, "Ready");
  const auto is_true = [status](std::string_view type) {
    const api::Condition* condition = condition_of(status, type);
    return condition != nullptr && condition->status == "True";
  };
  const api::AllocationResultItem& result = *held.result;
  if (ready != nullptr && ready->status != "True") return true;
  if (!std::ranges::all_of(result.binding_conditions, is_true)) return true;
  if (std::ranges::any_of(result.binding_failure_conditions, is_true)) return true;
  const auto taints = scene.inventory.taints().blocking(held.id, *held.published->device);
  return engine::eviction_for(result, taints).has_value() ||
         !engine::tolerates_all(result.tolerations, taints);
}

void add_gone_link(Description& out, const api::ResourceClaim& claim, const engine::DeviceId& id) {
  const Scene& scene = out.scene();
  if (!scene.snapshot.coverage().saw(api::Kind::Slice)) return;
  if (const engine::Pool* pool = scene.inventory.find_pool(id.driver, id.pool)) {
    out.next(command_for("describe", "pool", pool_subject(*pool)), "the pool it was in");
    return;
  }
  const auto& selector = claim.status.allocation->node_selector;
  const std::string_view node = selector ? engine::only_node(*selector) : std::string_view();
  const api::Node* found = node.empty() ? nullptr : scene.snapshot.find<api::Node>(node);
  if (found != nullptr)
    out.next(command_for("describe", "node", subject_of("Node", found->meta)),
             "the node it was on");
}

}  // namespace

json::Value add_allocation(Description& out, const api::ResourceClaim& claim, std::string title) {
  out.section(std::move(title));
  json::Value devices = json::Value::array();
  for (const PoolDevices& group : devices_by_pool(out.scene().inventory, claim))
    PoolDevicesView(out, claim, group).add(devices);
  const api::Allocation& allocation = *claim.status.allocation;
  json::Value json = json::Value::object();
  set_if_any(json, "allocationTimestamp", time_json(allocation.at));
  if (allocation.node_selector)
    json.set("nodeSelector", node_selector_json(*allocation.node_selector));
  json.set("devices", std::move(devices));
  return json;
}

void add_device_links(Description& out, const api::ResourceClaim& claim) {
  const std::vector<PoolDevices> groups = devices_by_pool(out.scene().inventory, claim);
  std::vector<const ClaimDevice*> published;
  std::vector<const ClaimDevice*> problematic;
  for (const PoolDevices& group : groups) {
    for (const ClaimDevice& held : group.devices) {
      if (held.published == nullptr) {
        add_gone_link(out, claim, held.id);
        continue;
      }
      published.push_back(&held);
      if (has_warning(out.scene(), claim, held)) problematic.push_back(&held);
    }
  }
  const bool single = published.size() == 1;
  if (single || problematic.size() == 1) {
    const ClaimDevice& held = single ? *published.front() : *problematic.front();
    out.next(command_for("describe", "device", device_subject(held.id)),
             single ? "details of the device" : "the device with a problem");
    return;
  }
  std::size_t pools = 0;
  for (const PoolDevices& group : groups) {
    const bool any = std::ranges::any_of(
        group.devices, [](const ClaimDevice& held) { return held.published != nullptr; });
    if (any && pools++ < kMaxPodNames)
      out.next(diag::CommandLine("devices")
                   .option("--driver", group.driver)
                   .option("--pool", group.pool)
                   .text(),
               "each device");
  }
}

void add_device_status(Description& out, const api::ResourceClaim& claim) {
  view::Fields lines = section_fields();
  json::Value list = json::Value::array();
  for (const api::DeviceStatus& status : claim.status.devices) {
    list.push(device_status_json(status));
    const std::string device(status.device);
    for (const api::Condition& condition : status.conditions) {
      lines.fields.push_back({base::format("{} {}", device, condition.type),
                              condition_text(condition, out.scene().now)});
    }
    if (status.network) add_line(lines, device + " network", network_text(*status.network));
    add_line(lines, device + " data", parameters_text(status.data));
  }
  out.set("deviceStatus", std::move(list));
  out.section("What drivers say about the devices");
  out.add(std::move(lines));
}

}  // namespace dra::report
