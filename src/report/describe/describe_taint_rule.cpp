// src/report/describe/describe_taint_rule.cpp: one DeviceTaintRule: the devices that it selects,
// and what it does to the pods that use them.

#include <algorithm>
#include <map>

#include "dra/api/subject.h"
#include "dra/api/taint_rule.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/engine/cluster/subjects.h"
#include "dra/engine/running/eviction.h"
#include "dra/report/describe/describe_parts.h"
#include "src/report/describe/describe_json.h"

namespace dra::report {
namespace {

using view::Tone;

constexpr std::size_t kMaxPoolsOfRule = 8;
constexpr std::size_t kMaxTaintedHolders = 15;

// The effect of a NoExecute rule on a pod that uses one of its devices. For a pod with several of
// the devices the last enumerator counts, as the pod is evicted as a whole.
enum class Fate {
  NoPod,     // a claim without a pod
  Unknown,   // pods cannot be read
  NotBound,  // the pod has no node
  Going,     // it is being deleted already
  Unseen,    // by the eviction controller: it has the device by an extended resource
  Stays,     // it tolerates the taint
  Later,     // it tolerates the taint for a time
  Now
};

struct Affected {
  engine::DeviceId id;
  const api::ResourceClaim* claim;
  std::string pod_name;
  const api::Pod* pod = nullptr;
  Fate fate = Fate::NoPod;
  api::Time at;  // of the eviction
};

// An empty one selects every device.
json::Value selector_json(const api::TaintSelector& selector) {
  json::Value out = json::Value::object();
  if (selector.driver) out.set("driver", *selector.driver);
  if (selector.pool) out.set("pool", *selector.pool);
  if (selector.device) out.set("device", *selector.device);
  return out;
}

class RuleDescription {
 public:
  RuleDescription(const Scene& scene, const api::DeviceTaintRule& rule)
      : scene_(scene),
        rule_(rule),
        taint_(rule.spec.taint),
        evicting_(rule.spec.taint),
        gates_off_(engine::gates_off_for_rules(scene.snapshot.server())) {
    // A rule with the effect None shows what NoExecute would do, as the taint controller does in
    // the rule's status.
    evicting_.effect = api::kTaintNoExecute;
    for (const engine::InventoryDevice& device : scene.inventory.devices()) {
      if (engine::selects(rule, device.published.id())) devices_.push_back(&device);
    }
    for (const engine::Holding& holding : scene.inventory.usage().all()) {
      if (engine::selects(rule, holding.id)) add_holder(holding);
    }
  }

  Described build() {
    Description out(scene_, "TaintRuleDescription", subject_of("DeviceTaintRule", rule_.meta),
                    base::format("Taint rule {} {}.", rule_.meta.name, effect_words()), tone());
    add_selection_problem(out);
    add_gates_problem(out);
    out.saw(api::Kind::Slice, "which devices it selects is not known");
    out.saw(api::Kind::Claim, "who is using the devices is not known");
    out.saw(api::Kind::Pod, "which pods it evicts is not known");
    out.set("taint", taint_json(taint_));
    if (rule_.spec.selector) out.put("deviceSelector", selector_json(*rule_.spec.selector));
    out.fact("taint", taint_text(taint_));
    if (taint_.added) out.fact("since", ago(taint_.added, scene_.now));
    out.fact("selects", selector_words());
    add_lifecycle(out, rule_.meta);
    devices(out);
    holders(out);
    add_conditions(out, rule_.status.conditions);
    add_events(out, "DeviceTaintRule", rule_.meta);
    go_on(out);
    return std::move(out).finish();
  }

 private:
  using Fates = std::map<Fate, std::int64_t>;  // number of pods

  void add_holder(const engine::Holding& holding);
  void add(Affected one);
  Affected affected(const engine::Holding& holding, const api::Consumer& consumer) const;
  Fates fates() const;
  std::string effect_words() const;
  std::string eviction_words() const;
  Tone tone() const;
  void add_selection_problem(Description& out) const;
  void add_gates_problem(Description& out) const;
  std::string selector_words() const;
  json::Value affected_json(const Affected& one) const;
  void devices(Description& out) const;
  void holders(Description& out) const;
  void go_on(Description& out) const;
  std::string fate_words(const Affected& one) const;

  bool saw(api::Kind kind) const { return scene_.snapshot.coverage().saw(kind); }
  bool informs_only() const { return taint_.effect == api::kTaintNone; }
  bool evicts() const { return taint_.effect == api::kTaintNoExecute && gates_off_.empty(); }

  const Scene& scene_;
  const api::DeviceTaintRule& rule_;
  const api::DeviceTaint& taint_;
  api::DeviceTaint evicting_;                            // the taint with the effect NoExecute
  std::vector<const engine::InventoryDevice*> devices_;  // published
  std::vector<Affected> affected_;                       // held devices, published or not
  std::vector<std::string> gates_off_;                   // why no rule has an effect
};

Affected RuleDescription::affected(const engine::Holding& holding,
                                   const api::Consumer& consumer) const {
  Affected one{.id = holding.id, .claim = holding.claim, .pod_name = std::string(consumer.name)};
  if (!consumer.is_pod()) {
    one.pod_name = base::format("{}/{}", consumer.resource, consumer.name);
    return one;
  }
  one.fate = Fate::Unknown;
  if (!saw(api::Kind::Pod)) return one;
  one.fate = Fate::NoPod;
  const auto* pod = scene_.snapshot.find<api::Pod>(holding.claim->meta.namespace_, consumer.name);
  if (pod == nullptr || pod->meta.uid != consumer.uid) return one;
  one.pod = pod;
  one.fate = pod->meta.deleted ? Fate::Going : Fate::NotBound;
  if (one.fate == Fate::NotBound && engine::is_unseen_by_eviction(*pod, *holding.claim))
    one.fate = Fate::Unseen;
  if (pod->meta.deleted || !engine::is_evictable(*pod, *holding.claim)) return one;
  const engine::DeviceTaintOf on_device{&evicting_, &rule_};
  const auto eviction = engine::eviction_for(*holding.result, {&on_device, 1});
  one.fate = Fate::Stays;
  if (!eviction) return one;
  one.at = eviction->at;
  one.fate = one.at && *one.at > scene_.now ? Fate::Later : Fate::Now;
  return one;
}

void RuleDescription::add_holder(const engine::Holding& holding) {
  for (const api::Consumer& consumer : holding.claim->status.reserved_for)
    add(affected(holding, consumer));
  if (holding.claim->status.reserved_for.empty())
    add({.id = holding.id, .claim = holding.claim, .pod_name = {}});
}

// Shares of one claim in one device are adjacent, and count once.
void RuleDescription::add(Affected one) {
  for (std::size_t i = affected_.size(); i-- > 0;) {
    const Affected& shown = affected_[i];
    if (shown.id != one.id || shown.claim != one.claim) break;
    if (shown.pod_name == one.pod_name && shown.fate == one.fate && shown.at == one.at) return;
  }
  affected_.push_back(std::move(one));
}

RuleDescription::Fates RuleDescription::fates() const {
  std::map<const api::Pod*, Fate> of_pods;
  for (const Affected& one : affected_) {
    if (one.pod == nullptr) continue;
    Fate& fate = of_pods.try_emplace(one.pod, one.fate).first->second;
    fate = std::max(fate, one.fate);
  }
  Fates fates;
  for (const auto& [pod, fate] : of_pods)
    ++fates[fate];
  return fates;
}

constexpr std::string_view kNoPod = "no pod";

std::string RuleDescription::eviction_words() const {
  if (!saw(api::Kind::Pod) || !saw(api::Kind::Claim)) return "whose pods cannot be read";
  Fates pods_of = fates();
  std::vector<std::string> parts;
  const auto add = [&parts](std::int64_t pods, const char* when) {
    if (pods > 0) parts.push_back(base::format("{} {}", base::plural(pods, "pod"), when));
  };
  add(pods_of[Fate::Now], evicts() ? "now" : "at once");
  add(pods_of[Fate::Later], "later");
  if (const std::int64_t going = pods_of[Fate::Going]; going > 0 && parts.empty()) {
    parts.push_back(base::format("no more: {} that {} one {} being deleted",
                                 base::plural(going, "pod"), going == 1 ? "has" : "have",
                                 going == 1 ? "is" : "are"));
  } else if (going > 0) {
    parts.push_back(base::format("{} being deleted already", going));
  }
  std::string evicted = parts.empty() ? std::string(kNoPod) : base::join(parts, ", ");
  if (const std::int64_t unseen = pods_of[Fate::Unseen]; unseen > 0 && evicts())
    evicted += base::format("; {} that {} a device by an extended resource {}",
                            base::plural(unseen, "pod"), unseen == 1 ? "has" : "have",
                            unseen == 1 ? "stays" : "stay");
  const std::int64_t stays = pods_of[Fate::Stays];
  return stays == 0 ? evicted
                    : base::format("{}; {} {} it", evicted, base::plural(stays, "pod"),
                                   stays == 1 ? "tolerates" : "tolerate");
}

std::string RuleDescription::effect_words() const {
  if (!rule_.spec.selector || !gates_off_.empty()) return "has no effect";
  const auto total = static_cast<std::int64_t>(devices_.size());
  const std::string devices =
      saw(api::Kind::Slice) ? base::plural(total, "device") : "devices that cannot be read";
  if (informs_only()) {
    return base::format("only informs, about {}; with NoExecute it would evict {}", devices,
                        eviction_words());
  }
  if (evicts()) {
    const std::string evicted = eviction_words();
    const bool none = evicted.starts_with(kNoPod);
    return base::format("keeps claims off {} and {}", devices,
                        none ? base::format("has {} to evict{}", kNoPod,
                                            std::string_view(evicted).substr(kNoPod.size()))
                             : base::format("evicts {}", evicted));
  }
  if (!taint_.keeps_pods_away())
    return base::format("has no effect: the effect {} is unknown", taint_.effect);
  return base::format("keeps claims off {}; pods that have one stay", devices);
}

Tone RuleDescription::tone() const {
  if (!rule_.spec.selector || !taint_.keeps_pods_away() || !gates_off_.empty()) return Tone::Strong;
  return evicts() ? Tone::Bad : Tone::Warn;
}

void RuleDescription::add_selection_problem(Description& out) const {
  const auto& selector = rule_.spec.selector;
  if (!selector) {
    out.problem("It has no deviceSelector, and so selects no device",
                "Set spec.deviceSelector; an empty one, {}, selects every device.", Tone::Warn);
    return;
  }
  if (!selector->driver && !selector->pool && !selector->device && taint_.keeps_pods_away())
    out.problem("Its selector is empty: it names every device of the cluster", {}, Tone::Warn);
  if (devices_.empty() && saw(api::Kind::Slice)) {
    out.problem(
        "No published device is selected",
        base::format("Compare driver, pool and device with `{}`: all that are set must agree.",
                     out.command("devices")),
        Tone::Warn);
  }
}

void RuleDescription::add_gates_problem(Description& out) const {
  for (const std::string& why : gates_off_)
    out.problem(base::format("Taint rules do nothing here: {}", why), {}, Tone::Warn);
}

std::string RuleDescription::selector_words() const {
  if (!rule_.spec.selector) return {};
  const api::TaintSelector& selector = *rule_.spec.selector;
  std::vector<std::string> parts;
  const auto add = [&parts](const char* name, const std::optional<std::string_view>& value) {
    if (value) parts.push_back(base::format("{} {}", name, *value));
  };
  add("driver", selector.driver);
  add("pool", selector.pool);
  add("device", selector.device);
  return parts.empty() ? "every device" : base::join(parts, ", ");
}

// Devices by pool: a rule for a whole rack has a few lines.
void RuleDescription::devices(Description& out) const {
  json::Value list = json::Value::array();
  for (const engine::InventoryDevice* device : devices_)
    list.push(engine::to_string(device->published.id()));
  out.set("devices", std::move(list));
  view::Table table = section_table({"DRIVER", "POOL", "DEVICES", "HELD"}, {"HELD"});
  std::size_t pools = 0;
  for (std::size_t at = 0; at < devices_.size();) {
    const std::size_t pool = devices_[at]->pool;
    std::vector<std::string_view> names;
    std::int64_t held = 0;
    const engine::DeviceId first = devices_[at]->published.id();
    for (; at < devices_.size() && devices_[at]->pool == pool; ++at) {
      names.push_back(devices_[at]->published.device->name);
      if (engine::in_use(devices_[at]->holders)) ++held;
    }
    if (++pools > kMaxPoolsOfRule) continue;
    table.rows.push_back({cell(first.driver), cell(first.pool), cell(fold_names(names)),
                          saw(api::Kind::Claim) ? cell(held) : cell(kUnknown)});
  }
  out.section("Devices that it selects");
  out.add(std::move(table));
  if (pools > kMaxPoolsOfRule)
    out.note(base::format("and in {} more pools", pools - kMaxPoolsOfRule));
}

std::string RuleDescription::fate_words(const Affected& one) const {
  const bool now = evicts();
  switch (one.fate) {
    case Fate::NoPod:
      return one.pod_name.empty() ? "no pod has the claim" : "is gone";
    case Fate::Unknown:
      return std::string(kUnknown);
    case Fate::NotBound:
      return "has no node yet";
    case Fate::Going:
      return "is being deleted";
    case Fate::Unseen:
      return "is not evicted: has it by an extended resource";
    case Fate::Stays:
      return taint_.effect == api::kTaintNoSchedule ? "stays" : "tolerates it";
    case Fate::Later:
      return base::format("{} {}", now ? "evicted" : "would be evicted", ago(one.at, scene_.now));
    case Fate::Now:
      if (now && engine::is_overdue(one.at, scene_.snapshot))
        return base::format("not evicted, though due {}", ago(one.at, scene_.now));
      return now ? "evicted now" : "would be evicted";
  }
  return {};
}

std::string_view name_of(Fate fate) {
  switch (fate) {
    case Fate::NoPod:
      return "NoPod";
    case Fate::Unknown:
      return "Unknown";
    case Fate::NotBound:
      return "NotBound";
    case Fate::Going:
      return "Terminating";
    case Fate::Unseen:
      return "NotEvictable";
    case Fate::Stays:
      return "Tolerates";
    case Fate::Later:
      return "Later";
    case Fate::Now:
      return "Now";
  }
  return {};
}

json::Value RuleDescription::affected_json(const Affected& one) const {
  json::Value out = json::Value::object();
  out.set("device", engine::to_string(one.id));
  out.set("claim", base::format("{}/{}", one.claim->meta.namespace_, one.claim->meta.name));
  set_if_any(out, "consumer", one.pod_name);
  if (one.pod != nullptr) set_if_any(out, "nodeName", one.pod->spec.node_name);
  out.set("eviction", name_of(one.fate));
  set_if_any(out, "evictionTimestamp", time_json(one.at));
  return out;
}

void RuleDescription::holders(Description& out) const {
  json::Value list = json::Value::array();
  for (const Affected& one : affected_)
    list.push(affected_json(one));
  out.set("allocations", std::move(list));
  view::Table table =
      section_table({"DEVICE", "CLAIM", "POD", "NODE", "WHAT HAPPENS"}, {"DEVICE", "WHAT HAPPENS"});
  for (const Affected& one : affected_) {
    if (table.rows.size() == kMaxTaintedHolders) break;
    const api::ObjectMeta& claim = one.claim->meta;
    const bool hurts = evicts() && (one.fate == Fate::Now || one.fate == Fate::Later);
    const bool acts = taint_.effect != api::kTaintNoSchedule && gates_off_.empty();
    const bool stays = !acts && one.pod != nullptr;
    table.rows.push_back(
        {cell(one.id.device), cell(base::format("{}/{}", claim.namespace_, claim.name)),
         cell(one.pod_name), cell(one.pod == nullptr ? "" : one.pod->spec.node_name),
         cell(stays ? "stays" : fate_words(one), hurts ? Tone::Bad : Tone::Plain)});
  }
  const std::size_t left = affected_.size() - table.rows.size();
  drop_empty_columns(table);
  out.section("Used by");
  out.add(std::move(table));
  if (left > 0) out.note(base::format("and {} more", left));
}

// Proposes a pod that the rule affects, else a pod with a selected device, else the devices.
void RuleDescription::go_on(Description& out) const {
  const auto hurt = std::ranges::find_if(affected_, [](const Affected& one) {
    return one.fate == Fate::Now || one.fate == Fate::Later;
  });
  if (hurt != affected_.end()) {
    out.next(command_for("describe", "pod", subject_of("Pod", hurt->pod->meta)),
             evicts() ? "who is evicted" : "who is using one");
  }
  if (!affected_.empty()) {
    const Affected& one = hurt != affected_.end() ? *hurt : affected_.front();
    out.next(command_for("describe", "claim", subject_of("ResourceClaim", one.claim->meta)),
             hurt != affected_.end() ? "its claim" : "who is using one");
  }
  if (!devices_.empty()) {
    const engine::InventoryDevice& first = *devices_.front();
    const bool one = devices_.size() == 1;
    out.next(
        one ? command_for("describe", "device", device_subject(first.published.id()))
            : command_for("describe", "pool", pool_subject(scene_.inventory.pools()[first.pool])),
        one ? "the device" : "their pool");
  }
}

}  // namespace

Described describe_taint_rule(const Scene& scene, const api::DeviceTaintRule& rule) {
  return RuleDescription(scene, rule).build();
}

}  // namespace dra::report
