// src/checks/convert/plugin_pod.cpp: collects the plugin resources of all containers, makes one
// request of each, and replaces them by references to a claim.

#include "src/checks/convert/plugin_pod.h"

#include <algorithm>
#include <map>
#include <optional>

#include "dra/api/limits.h"
#include "dra/base/quantity.h"
#include "dra/base/text.h"
#include "dra/engine/facts/driver_knowledge.h"
#include "dra/engine/facts/tpu_generations.h"
#include "dra/engine/facts/tpu_variables.h"

namespace dra::checks {
namespace {

using base::format;
using json::Value;

constexpr std::size_t kLabelSize = 63;
constexpr std::string_view kTopology = "cloud.google.com/gke-tpu-topology";

bool may_hold_list(const Value& object, std::string_view key) {
  const Value* value = object.find(key);
  return value == nullptr || value->is(json::Kind::Null) || value->is(json::Kind::Array);
}

Value& list_at(Value& object, const std::string& key) {
  Value* value = object.find(key);
  if (value != nullptr && value->is(json::Kind::Array)) return *value;
  return object.set(key, Value::array());
}

// No value if the amount is no whole number.
std::optional<std::int64_t> whole(const Value& amount) {
  if (!amount.is(json::Kind::String) && !amount.is(json::Kind::Number)) return std::nullopt;
  const auto quantity = base::Quantity::parse(amount.text());
  if (!quantity.ok()) return std::nullopt;
  const auto value = quantity.value().value();
  const bool exact = value && *value >= 0 && quantity.value() == base::Quantity(*value);
  return exact ? value : std::nullopt;
}

// The number of chips of a slice like "4x4"; 0 if the text is no topology.
std::int64_t chips_of(std::string_view topology) {
  std::int64_t chips = 1;
  for (const std::string_view side : base::split(topology, 'x')) {
    std::int64_t length = 0;
    if (side.empty() || side.size() > 3) return 0;
    for (const char c : side) {
      if (c < '0' || c > '9') return 0;
      length = length * 10 + (c - '0');
    }
    chips *= length;
    if (chips > 1'000'000) return 0;
  }
  return chips;
}

std::string noun_of(const Meaning& meaning) {
  const std::string noun(meaning.resource->noun);
  return meaning.variant.empty() ? noun : as_label(format("{}-{}", noun, meaning.variant));
}

bool takes_whole_hosts(const PluginResource& resource) {
  return engine::hands_out_hosts(resource.driver);
}

// `name`, or `name` with the first number after it that is free.
template <class Taken>
std::string free_name(const std::string& name, const Taken& is_taken) {
  std::string free = name;
  for (int number = 2; is_taken(free); ++number) {
    const std::string end = format("-{}", number);
    free = name.substr(0, kLabelSize - end.size()) + end;
  }
  return free;
}

// Ignores the value of the toleration: who writes the key knows the taint.
bool tolerates(const Value& toleration, std::string_view taint) {
  const std::string& key = toleration.string_at("key");
  const std::string& effect = toleration.string_at("effect");
  const bool all = key.empty() && toleration.string_at("operator") == "Exists";
  return (all || key == taint) && (effect.empty() || effect == "NoSchedule");
}

}  // namespace

std::string as_label(std::string_view text) {
  std::string label;
  for (const char c : base::lower(text)) {
    const bool word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (word || (!label.empty() && label.back() != '-')) label += word ? c : '-';
  }
  label = label.substr(0, kLabelSize);
  while (label.ends_with('-'))
    label.pop_back();
  return label;
}

PluginPod::PluginPod(Value& spec, FromDevicePlugin& out) : spec_(spec), out_(out) {
  find_containers("initContainers");
  find_containers("containers");
  const bool any =
      std::ranges::any_of(containers_, [](const Container& one) { return !one.asks.empty(); });
  if (!any || !may_change()) return;
  make_requests();
  if (const std::string reason = why_no_claim(); !reason.empty()) {
    remark(spec_.position(), format("the pod's resources stay as they are: {}", reason));
    requests_.clear();
    return;
  }
  name_requests();
  remark_tpus();
}

// Why no claim can have all requests of the pod; empty if one can.
std::string PluginPod::why_no_claim() const {
  std::int64_t devices = 0;
  for (const Request& request : requests_) {
    devices += request.ask.count;
    const PluginResource& resource = *request.ask.meaning.resource;
    const std::int64_t chips = devices_of(resource.driver);
    if (takes_whole_hosts(resource) && engine::tpu_host_size_of(chips) == nullptr)
      return format("driver {} prepares all chips of a host or none, and no host has {}",
                    resource.driver, chips);
  }
  if (devices <= api::kMaxResults) return {};
  return format("it asks for more than {} devices, which a claim cannot hold", api::kMaxResults);
}

void PluginPod::remark(json::Position position, std::string text) {
  out_.remarks.push_back({position, std::move(text)});
}

void PluginPod::find_containers(std::string_view list) {
  Value* values = spec_.find(list);
  if (values == nullptr) return;
  for (Value& value : values->items()) {
    const bool init = list == "initContainers";
    const bool sidecar = init && value.string_at("restartPolicy") == "Always";
    Container container{.value = &value,
                        .name = value.string_at("name"),
                        .runs = sidecar ? Runs::Sidecar : (init ? Runs::Before : Runs::Along)};
    find_asks(container);
    containers_.push_back(std::move(container));
  }
}

void PluginPod::find_asks(Container& container) {
  const Value* resources = container.value->find("resources");
  if (resources == nullptr) return;
  std::set<std::string> names;
  for (const std::string_view part : {"limits", "requests"}) {
    const Value* amounts = resources->find(part);
    if (amounts == nullptr) continue;
    for (const json::Member& member : amounts->members()) {
      if (is_extended_resource(member.key) && names.insert(member.key).second)
        add_ask(container, member.key);
    }
  }
}

void PluginPod::add_ask(Container& container, const std::string& resource) {
  const Value* limit = container.value->at({"resources", "limits", resource});
  const Value* request = container.value->at({"resources", "requests", resource});
  const Value& amount = limit != nullptr ? *limit : *request;
  if (amount.is(json::Kind::Null)) return;
  const auto stays = [&](std::string_view reason) {
    remark(amount.position(), format("{} stays as it is: {}", resource, reason));
  };
  const auto count = whole(amount);
  if (!count) return stays("its amount is not a whole number");
  if (request != nullptr && whole(*request) != count)
    return stays("its limit and its request differ");
  if (*count == 0) return;
  Meaning meaning = meaning_of(resource, spec_.find("nodeSelector"));
  if (meaning.resource == nullptr) return stays(meaning.reason);
  // Any number above the limit of a claim is too many.
  const std::int64_t counted = std::min(*count, api::kMaxResults + 1);
  container.asks.push_back({resource, std::move(meaning), counted});
}

// The server refuses a manifest with values of other types in these fields, so it is not converted.
bool PluginPod::may_change() const {
  const auto may = [](const Container& one) {
    return one.asks.empty() || may_hold_list(*one.value->find("resources"), "claims");
  };
  return may_hold_list(spec_, "resourceClaims") && may_hold_list(spec_, "tolerations") &&
         std::ranges::all_of(containers_, may);
}

void PluginPod::make_requests() {
  for (Container& container : containers_) {
    if (container.runs == Runs::Before) continue;
    for (const Ask& ask : container.asks)
      container.requests.push_back(add_request(container, ask));
  }
  for (Container& container : containers_) {
    if (container.runs != Runs::Before) continue;
    for (const Ask& ask : container.asks)
      use_before(container, ask);
  }
}

std::size_t PluginPod::add_request(const Container& container, const Ask& ask) {
  requests_.push_back(
      {.container = container.name, .ask = ask, .for_init = container.runs != Runs::Sidecar});
  return requests_.size() - 1;
}

// An init container gets the smallest sufficient set of devices that later containers have. As with
// a device plugin, the pod gets what exceeds all of these, too.
void PluginPod::use_before(Container& container, const Ask& ask) {
  std::vector<std::size_t> all;
  std::optional<std::size_t> enough;
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    const Request& request = requests_[i];
    if (!request.for_init || request.ask.resource != ask.resource) continue;
    all.push_back(i);
    sum = std::min(sum + request.ask.count, ask.count);
    const bool smaller = !enough || request.ask.count < requests_[*enough].ask.count;
    if (request.ask.count >= ask.count && smaller) enough = i;
  }
  if (enough) {
    container.requests.push_back(*enough);
    return;
  }
  container.requests.insert(container.requests.end(), all.begin(), all.end());
  if (sum == ask.count) return;
  Ask rest = ask;
  rest.count -= sum;
  container.requests.push_back(add_request(container, rest));
}

// Named after the container; also after the device, if the container alone is ambiguous.
void PluginPod::name_requests() {
  std::set<std::string> nouns;
  std::set<std::string> short_nouns;
  std::map<std::string, int> of_container;
  for (const Request& request : requests_) {
    nouns.insert(noun_of(request.ask.meaning));
    short_nouns.emplace(request.ask.meaning.resource->noun);
    ++of_container[request.container];
  }
  noun_ = nouns.size() == 1         ? *nouns.begin()
          : short_nouns.size() == 1 ? *short_nouns.begin()
                                    : "devices";
  std::set<std::string> taken;
  for (Request& request : requests_) {
    const std::string noun = noun_of(request.ask.meaning);
    const bool alone = of_container.size() == 1;
    const bool only = of_container[request.container] == 1;
    std::string name = as_label(only ? request.container : request.container + "-" + noun);
    if (alone || name.empty()) name = noun;
    request.name =
        free_name(name, [&taken](const std::string& one) { return taken.contains(one); });
    taken.insert(request.name);
  }
}

void PluginPod::remark_tpus() {
  const Value* selector = spec_.find("nodeSelector");
  std::int64_t host = 0;  // number of its chips
  bool worker_is_set = false;
  for (const Container& container : containers_) {
    const auto tpu = std::ranges::find_if(
        container.asks, [](const Ask& ask) { return takes_whole_hosts(*ask.meaning.resource); });
    if (tpu == container.asks.end()) continue;
    host = devices_of(tpu->meaning.resource->driver);
    const Value* variables = container.value->find("env");
    if (variables == nullptr) continue;
    for (const Value& variable : variables->items()) {
      const std::string& name = variable.string_at("name");
      worker_is_set = worker_is_set || name == "TPU_WORKER_ID";
      if (engine::is_set_by_tpu_driver(name))
        remark(variable.position(),
               format("the TPU driver sets {}, too, by the chips that the pod gets, and the "
                      "container runtime decides which of the two wins: remove it",
                      name));
    }
  }
  if (host == 0 || selector == nullptr || worker_is_set) return;
  const std::string& topology = selector->string_at(kTopology);
  if (chips_of(topology) > host)
    remark(spec_.position(),
           format("a slice of {} has several hosts: TPU_WORKER_ID and TPU_WORKER_HOSTNAMES come "
                  "from a webhook, of GKE or KubeRay, not from the driver; see that it knows "
                  "claims",
                  topology));
}

std::int64_t PluginPod::devices_of(std::string_view driver) const {
  std::int64_t devices = 0;
  for (const Request& request : requests_) {
    if (request.ask.meaning.resource->driver == driver) devices += request.ask.count;
  }
  return devices;
}

// A driver of whole hosts refuses a part of a host. A single request says `All`; several requests
// share the host, and only their sum can be right.
Value PluginPod::request_value(const Request& request) const {
  const PluginResource& resource = *request.ask.meaning.resource;
  const bool hosts = takes_whole_hosts(resource);
  const auto of_driver = [&resource](const Request& other) {
    return other.ask.meaning.resource->driver == resource.driver;
  };
  Value exactly = Value::object({{"deviceClassName", resource.device_class, {}}});
  if (!resource.selector.empty()) {
    const std::string value =
        hosts ? std::to_string(devices_of(resource.driver)) : request.ask.meaning.value;
    const Value cel = Value::object({{"expression", format(resource.selector, value), {}}});
    exactly.set("selectors", Value::array({Value::object({{"cel", cel, {}}})}));
  }
  if (hosts && std::ranges::count_if(requests_, of_driver) == 1) {
    exactly.set("allocationMode", "All");
  } else {
    exactly.set("count", request.ask.count);
  }
  return Value::object({{"name", request.name, {}}, {"exactly", std::move(exactly), {}}});
}

Value PluginPod::claim() const {
  std::vector<Value> requests;
  requests.reserve(requests_.size());
  for (const Request& request : requests_)
    requests.push_back(request_value(request));
  const Value devices = Value::object({{"requests", Value::array(std::move(requests)), {}}});
  return Value::object({{"devices", devices, {}}});
}

std::set<std::string_view> PluginPod::ray_parameters() const {
  std::set<std::string_view> parameters;
  for (const Request& request : requests_) {
    const std::string_view parameter = request.ask.meaning.resource->ray_parameter;
    if (!parameter.empty()) parameters.insert(parameter);
  }
  return parameters;
}

void PluginPod::use_template(const std::string& name) {
  Value& claims = list_at(spec_, "resourceClaims");
  const std::string claim = free_name(noun_, [&claims](const std::string& wanted) {
    return std::ranges::any_of(
        claims.items(), [&wanted](const Value& one) { return one.string_at("name") == wanted; });
  });
  for (Container& container : containers_) {
    if (!container.asks.empty()) claim_instead(container, claim);
  }
  claims.push(Value::object({{"name", claim, {}}, {"resourceClaimTemplateName", name, {}}}));
  tolerate_taints();
  for (const Request& request : requests_) {
    const PluginResource& resource = *request.ask.meaning.resource;
    if (!resource.served_by_class) continue;
    out_.notes.insert(format(
        "where DeviceClass {} has the extendedResourceName {}, pods may also stay as they are: the "
        "scheduler claims for them (feature gate DRAExtendedResource, on by default since v1.36)",
        resource.device_class, resource.name));
  }
}

void PluginPod::claim_instead(Container& container, const std::string& claim) {
  Value& resources = *container.value->find("resources");
  for (const std::string_view part : {"limits", "requests"}) {
    Value* amounts = resources.find(part);
    if (amounts == nullptr) continue;
    for (const Ask& ask : container.asks)
      amounts->remove(ask.resource);
    if (amounts->is(json::Kind::Object) && amounts->members().empty()) resources.remove(part);
  }
  Value& uses = list_at(resources, "claims");
  for (const std::size_t request : container.requests) {
    Value use = Value::object({{"name", claim, {}}});
    if (requests_.size() > 1) use.set("request", requests_[request].name);
    uses.push(std::move(use));
  }
}

// Upstream: k8s.io/kubernetes/plugin/pkg/admission/extendedresourcetoleration adds a toleration of
// that key to a pod with an extended resource. Nothing does so for a claim.
void PluginPod::tolerate_taints() {
  for (const Request& request : requests_) {
    const PluginResource& resource = *request.ask.meaning.resource;
    if (!resource.taints) continue;
    const Value* there = spec_.find("tolerations");
    const bool tolerated =
        there != nullptr && std::ranges::any_of(there->items(), [&](const Value& one) {
          return tolerates(one, resource.name);
        });
    if (tolerated) continue;
    list_at(spec_, "tolerations")
        .push(Value::object({{"key", resource.name, {}},
                             {"operator", "Exists", {}},
                             {"effect", "NoSchedule", {}}}));
    out_.notes.insert(
        format("pods got a toleration of the taint {}: the admission plugin "
               "ExtendedResourceToleration adds it only for an extended resource",
               resource.name));
  }
}

}  // namespace dra::checks
