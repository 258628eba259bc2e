// src/report/describe/describe_device.cpp: `describe device`: its state, its holders, and
// everything that it publishes.

#include <algorithm>

#include "dra/api/subject.h"
#include "dra/api/taint_rule.h"
#include "dra/api/words.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/engine/cluster/counter_headroom.h"
#include "dra/engine/cluster/shares.h"
#include "dra/engine/cluster/subjects.h"
#include "dra/engine/facts/device_attribute.h"
#include "src/report/describe/describe_json.h"
#include "src/report/describe/describe_problems.h"

namespace dra::report {
namespace {

using engine::DeviceState;
using engine::Holding;
using view::Tone;

constexpr std::size_t kMaxNamed = 3;
constexpr std::size_t kMaxHolders = 3;

class DeviceDescription {
 public:
  DeviceDescription(const Scene& scene, const engine::InventoryDevice& device)
      : scene_(scene),
        entry_(device),
        device_(*device.published.device),
        slice_(*device.published.slice),
        pool_(scene.inventory.pools()[device.pool]),
        counters_(scene.inventory),
        out_(scene, "DeviceDescription", device_subject(device.published.id()), headline()) {}

  Described build() &&;

 private:
  bool takes(const Holding& holding) const { return !holding.admin(); }
  std::size_t takers() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(entry_.holders, [](const Holding& h) { return !h.admin(); }));
  }
  std::string headline();
  std::string result();
  void problems();
  void holder_problems();
  void counter_problem();
  void facts();
  void holders();
  void attributes();
  void capacities();
  json::Value capacity_json() const;
  void counters(std::string_view set);
  json::Value counters_json();
  void driver_words();
  void next();

  const Scene& scene_;
  const engine::InventoryDevice& entry_;
  const api::Device& device_;
  const api::ResourceSlice& slice_;
  const engine::Pool& pool_;
  engine::CounterHeadroom counters_;
  Description out_;
};

std::string label_of(const api::ObjectMeta& meta) {
  return base::format("{}/{}", meta.namespace_, meta.name);
}

bool is_of(const api::DeviceStatus& status, const Holding& holding) {
  const engine::DeviceId& id = holding.id;
  return status.driver == id.driver && status.pool == id.pool && status.device == id.device &&
         status.share_id == holding.result->share_id;
}

json::Value holder_json(const Holding& holding) {
  const api::ResourceClaim& claim = *holding.claim;
  json::Value out = object_name_json(claim.meta);
  out.set("request", holding.result->request);
  if (holding.admin()) out.set("adminAccess", true);
  set_if_any(out, "shareID", holding.result->share_id);
  set_if_any(out, "consumedCapacity", quantities_json(holding.result->consumed_capacity));
  set_if_any(out, "allocationTimestamp", time_json(claim.status.allocation->at));
  out.set("pods", texts_json(engine::pods_of(claim)));
  return out;
}

std::string DeviceDescription::result() {
  switch (entry_.state) {
    case DeviceState::Free:
      return "free";
    case DeviceState::Blocked:
      return "blocked, as its siblings have taken the counters that it shares with them";
    case DeviceState::Shared:
      return base::format("shared by {}, with room for more",
                          base::plural(static_cast<std::int64_t>(takers()), "claim"));
    case DeviceState::Allocated: {
      const auto holder =
          std::ranges::find_if(entry_.holders, [](const Holding& h) { return !h.admin(); });
      const std::string claim = label_of(holder->claim->meta);
      return takers() == 1 ? "in use by claim " + claim
                           : base::format("in use by {} claims, with no room left", takers());
    }
    case DeviceState::Tainted:
      return "tainted, so available only to claims that tolerate its taints";
    case DeviceState::Unusable:
      return pool_.state == engine::PoolState::Complete
                 ? std::string("unusable, as the scheduler takes only the counters of its slice")
                 : base::format("unusable, as its pool is {}", base::lower(name_of(pool_.state)));
    case DeviceState::Missing:
      return "missing";
    case DeviceState::Unknown:
      return "free or not cannot be known";
  }
  return "";
}

std::string DeviceDescription::headline() {
  return base::format("Device {}: {}", engine::to_string(entry_.published.id()), result());
}

void DeviceDescription::counter_problem() {
  if (entry_.state != DeviceState::Blocked) return;
  std::vector<std::string> missing;
  std::vector<std::string> others;
  for (const engine::CounterState* counter :
       counters_.counters_of(entry_.pool).short_for(device_)) {
    missing.push_back(base::format("{} {} of {}", counter->name, counter->left.to_string(),
                                   engine::demand_of(device_, *counter).to_string()));
    for (const engine::PoolDevice* other : counter->consumers)
      others.emplace_back(other->device->name);
  }
  out_.problem(base::format("Too little is left of what it takes: {}; taken by {}",
                            some_of(missing, kMaxNamed), some_of(others, kMaxNamed)));
}

void DeviceDescription::holder_problems() {
  std::size_t whole = 0;
  for (const Holding& holding : entry_.holders) {
    if (!takes(holding)) continue;
    whole += holding.result->share_id.empty() ? 1 : 0;
    const api::ResourceClaim& claim = *holding.claim;
    const std::string label = label_of(claim.meta);
    if (claim.meta.deleted) {
      out_.problem(base::format("Claim {} has been deleted for {} and still holds it", label,
                                age_of(claim.meta.deleted, scene_.now)),
                   {}, Tone::Warn);
    } else if (claim.status.reserved_for.empty()) {
      out_.problem(base::format("Claim {} holds it, and no pod uses that claim", label),
                   "To free it, delete the claim.", Tone::Warn);
    }
  }
  if (whole > 1) {
    out_.problem(base::format("{} allocations hold the whole of it at once", whole),
                 "Delete the pods of all claims but one.");
  }
}

void DeviceDescription::problems() {
  out_.saw(api::Kind::Claim, "who holds it is not known");
  out_.saw(api::Kind::TaintRule, "taints that rules add are not known");
  add_pool_problems(out_, pool_);
  for (const engine::DeviceTaintOf& taint : entry_.taints) {
    out_.problem(base::format("Taint {} ({})", taint_text(*taint.taint), taint_origin(taint)), {},
                 Tone::Warn);
  }
  counter_problem();
  holder_problems();
  const std::string_view own = device_.node_name;
  add_node_problem(out_, own.empty() ? slice_.spec.node_name : own, 1);
}

void DeviceDescription::facts() {
  const std::vector<std::string> waits(device_.binding_conditions.begin(),
                                       device_.binding_conditions.end());
  const std::vector<std::string> fails(device_.binding_failure_conditions.begin(),
                                       device_.binding_failure_conditions.end());
  out_.set("state", engine::name_of(entry_.state));
  out_.set("driver", pool_.driver);
  out_.set("pool", pool_json(pool_));
  out_.set("nodes", nodes_text(scene_, entry_));
  out_.set("resourceSlice", slice_.meta.name);
  if (device_.allow_multiple_allocations) out_.set("allowMultipleAllocations", true);
  if (device_.binds_to_node) out_.set("bindsToNode", true);
  out_.set("bindingConditions", texts_json(waits));
  out_.set("bindingFailureConditions", texts_json(fails));
  out_.fact("nodes", nodes_text(scene_, entry_));
  out_.fact("pool", base::format("{}, generation {}", pool_.name, pool_.generation));
  out_.fact("slice", std::string(slice_.meta.name));
  if (device_.allow_multiple_allocations)
    out_.fact("sharing", "several claims at once, as far as its capacity goes");
  if (!waits.empty()) {
    out_.fact("binding", base::format("a pod waits for {}; any of {} is a failure",
                                      base::join(waits, ", "), base::join(fails, ", ")));
  }
  if (device_.binds_to_node)
    out_.fact("binds", "the claim is bound to the node for which it is allocated");
}

void DeviceDescription::holders() {
  view::Table table = section_table({"CLAIM", "REQUEST", "USED BY", "SINCE", "TAKES"});
  json::Value list = json::Value::array();
  for (const Holding& holding : entry_.holders) {
    const api::ResourceClaim& claim = *holding.claim;
    list.push(holder_json(holding));
    std::vector<std::string> parts;
    for (const auto& part : holding.result->consumed_capacity)
      parts.push_back(base::format("{} {}", part.key, part.value.text));
    if (holding.admin()) parts.emplace_back("nothing: admin access");
    const std::string share = parts.empty() && !holding.result->share_id.empty() ? "a share" : "";
    table.rows.push_back({cell(label_of(claim.meta)), cell(holding.result->request),
                          cell(or_none(consumers_of(claim, kMaxHolders))),
                          cell(age_of(claim.status.allocation->at, scene_.now)),
                          cell(share + base::join(parts, ", "))});
  }
  drop_empty_columns(table);
  out_.set("claims", std::move(list));
  out_.section("Held by");
  out_.add(std::move(table));
}

// The name of the API field that is set.
const char* type_of(const api::DeviceAttribute& attribute) {
  using Kind = api::DeviceAttribute::Kind;
  switch (attribute.kind()) {
    case Kind::Ints:
      return "ints";
    case Kind::Bools:
      return "bools";
    case Kind::Strings:
      return "strings";
    case Kind::Versions:
      return "versions";
    case Kind::Int:
      return "int";
    case Kind::Bool:
      return "bool";
    case Kind::String:
      return "string";
    case Kind::Version:
      return "version";
    case Kind::None:
      break;
  }
  return "";
}

void DeviceDescription::attributes() {
  view::Table table = section_table({"ATTRIBUTE", "TYPE", "VALUE"});
  for (const auto& entry : device_.attributes) {
    table.rows.push_back(
        {cell(entry.key), cell(type_of(entry.value)), cell(engine::attribute_text(entry.value))});
  }
  table.columns.back().elastic = false;
  out_.set("attributes", attributes_json(device_));
  out_.section("Attributes");
  out_.add(std::move(table));
}

// The amounts of a capacity that requests may ask for: "1 to 104 in steps of 1, 1 if not said".
std::string policy_text(const api::Rare<api::CapacityPolicy>& policy) {
  if (!policy) return {};
  std::vector<std::string> parts;
  std::vector<std::string> values;
  for (const api::Quantity& value : policy->valid_values)
    values.emplace_back(value.text);
  if (!values.empty()) parts.push_back("one of " + base::join(values, ", "));
  if (policy->valid_range) {
    const api::ValidRange& range = *policy->valid_range;
    std::string text = range.min ? "from " + std::string(range.min->text) : "";
    if (range.max) text += base::format("{}to {}", text.empty() ? "" : " ", range.max->text);
    if (range.step) text += base::format(" in steps of {}", range.step->text);
    parts.push_back(std::string(base::trim(text)));
  }
  if (policy->default_value)
    parts.push_back(base::format("{} if not asked for", policy->default_value->text));
  return base::join(parts, ", ");
}

json::Value policy_json(const api::CapacityPolicy& policy) {
  json::Value out = json::Value::object();
  if (policy.default_value) out.set("default", policy.default_value->text);
  json::Value values = json::Value::array();
  for (const api::Quantity& value : policy.valid_values)
    values.push(value.text);
  set_if_any(out, "validValues", std::move(values));
  if (!policy.valid_range) return out;
  const api::ValidRange& range = *policy.valid_range;
  json::Value& valid = out.set("validRange", json::Value::object());
  if (range.min) valid.set("min", range.min->text);
  if (range.max) valid.set("max", range.max->text);
  if (range.step) valid.set("step", range.step->text);
  return out;
}

json::Value DeviceDescription::capacity_json() const {
  const bool shared =
      device_.allow_multiple_allocations && scene_.snapshot.coverage().saw(api::Kind::Claim);
  json::Value out = json::Value::object();
  for (const auto& entry : device_.capacity) {
    json::Value& one = out.set(std::string(entry.key), json::Value::object());
    one.set("value", entry.value.value.text);
    const auto total = base::Quantity::parse(entry.value.value.text);
    const auto taken = engine::taken_of(entry_.holders, entry.key);
    if (shared && total.ok() && taken) {
      base::Quantity left = total.value();
      left.sub(*taken);
      one.set("used", taken->to_string());
      one.set("left", left.to_string());
    }
    if (entry.value.policy) set_if_any(one, "requestPolicy", policy_json(*entry.value.policy));
  }
  return out;
}

void DeviceDescription::capacities() {
  out_.set("capacity", capacity_json());
  view::Table table = section_table({"CAPACITY", "VALUE", "TAKEN", "LEFT", "A CLAIM MAY TAKE"});
  const bool shared =
      device_.allow_multiple_allocations && scene_.snapshot.coverage().saw(api::Kind::Claim);
  for (const auto& entry : device_.capacity) {
    const auto total = base::Quantity::parse(entry.value.value.text);
    const auto taken = engine::taken_of(entry_.holders, entry.key);
    std::string left;
    if (shared && total.ok() && taken) {
      base::Quantity rest = total.value();
      rest.sub(*taken);
      left = rest.to_string();
    }
    table.rows.push_back({cell(entry.key), cell(entry.value.value.text),
                          cell(left.empty() ? "" : taken->to_string()), cell(left),
                          cell(policy_text(entry.value.policy))});
  }
  drop_empty_columns(table);
  out_.section("Capacity");
  out_.add(std::move(table));
}

// Counters with equal values are one line: "memory-slice-0…3".
void DeviceDescription::counters(std::string_view set) {
  struct Line {
    std::vector<std::string_view> names;
    std::vector<std::string> cells;  // takes, left, total
    bool is_short;
  };
  std::vector<Line> lines;
  const bool held = takers() > 0;
  for (const engine::CounterState& counter : counters_.counters_of(entry_.pool).all()) {
    const base::Quantity demand = engine::demand_of(device_, counter);
    if (counter.set != set || demand.is_zero()) continue;
    std::vector<std::string> cells{demand.to_string(), counter.left.to_string(),
                                   counter.total.to_string()};
    const bool same = !lines.empty() && lines.back().cells == cells;
    if (!same) lines.push_back({{}, std::move(cells), !held && counter.left < demand});
    lines.back().names.push_back(counter.name);
  }
  view::Table table = section_table({"COUNTER", held ? "TAKES" : "WOULD TAKE", "LEFT", "TOTAL"});
  for (const Line& line : lines) {
    const char* each = line.names.size() > 1 ? " each" : "";
    table.rows.push_back({cell(fold_devices(line.names)), cell(line.cells[0] + each),
                          cell(line.cells[1], line.is_short ? Tone::Bad : Tone::Plain),
                          cell(line.cells[2])});
  }
  out_.section(base::format("Counters of {}", set));
  out_.add(std::move(table));
}

// The driver's status of this device in the claims that hold it.
void DeviceDescription::driver_words() {
  json::Value list = json::Value::array();
  view::Fields lines = section_fields();
  for (const Holding& holding : entry_.holders) {
    for (const api::DeviceStatus& status : holding.claim->status.devices) {
      if (!is_of(status, holding)) continue;
      list.push(device_status_json(status));
      for (const api::Condition& condition : status.conditions) {
        lines.fields.push_back(
            {std::string(condition.type), condition_text(condition, scene_.now)});
        if (condition.type != "Ready" || condition.status == "True") continue;
        out_.problem(base::format("The driver says that it is not ready for claim {}: {} {}",
                                  label_of(holding.claim->meta), condition.reason,
                                  condition.message));
      }
    }
  }
  out_.set("deviceStatus", std::move(list));
  out_.section("What the driver says about it");
  out_.add(std::move(lines));
}

void DeviceDescription::next() {
  for (const Holding& holding : entry_.holders) {
    if (!takes(holding)) continue;
    out_.next(command_for("describe", "claim", subject_of("ResourceClaim", holding.claim->meta)),
              "who is using it");
    break;
  }
  for (const engine::DeviceTaintOf& taint : entry_.taints) {
    if (taint.rule != nullptr)
      out_.next(
          command_for("describe", "taintrule", subject_of("DeviceTaintRule", taint.rule->meta)),
          "the taint rule");
  }
  out_.next(command_for("describe", "pool", pool_subject(pool_)), "the whole pool");
}

json::Value DeviceDescription::counters_json() {
  json::Value list = json::Value::array();
  for (const engine::CounterState& counter : counters_.counters_of(entry_.pool).all()) {
    const base::Quantity demand = engine::demand_of(device_, counter);
    const auto& consumes = device_.consumes;
    const bool of_it = std::ranges::any_of(consumes, [&counter](const auto& consumption) {
      return consumption.counter_set == counter.set;
    });
    if (!of_it || demand.is_zero()) continue;
    json::Value& one = list.push(json::Value::object());
    one.set("counterSet", counter.set);
    one.set("counter", counter.name);
    one.set("takes", demand.to_string());
    one.set("left", counter.left.to_string());
    one.set("total", counter.total.to_string());
  }
  return list;
}

Described DeviceDescription::build() && {
  problems();
  facts();
  holders();
  driver_words();
  add_taints(out_, {&entry_});
  capacities();
  attributes();
  out_.set("counters", counters_json());
  for (const api::CounterConsumption& consumption : device_.consumes)
    counters(consumption.counter_set);
  next();
  return std::move(out_).finish();
}

}  // namespace

Described describe_device(const Scene& scene, const engine::InventoryDevice& device) {
  return DeviceDescription(scene, device).build();
}

}  // namespace dra::report
