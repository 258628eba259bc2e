// src/engine/scheduler/pod_kind.cpp: see pod_kind.h.

#include "dra/engine/scheduler/pod_kind.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "dra/api/pod.h"
#include "dra/engine/cluster/pod_requests.h"
#include "src/engine/scheduler/declared_features.h"
#include "src/engine/scheduler/unsimulated.h"
#include "src/engine/scheduler/volumes/pod_volumes.h"

namespace dra::engine {
namespace {

// Values one behind the other, each with its length, so that no two lists make one text.
class KindText {
 public:
  void add(std::string_view value) {
    text_ += std::to_string(value.size());
    text_ += ':';
    text_ += value;
  }
  void add(std::int64_t value) { add(std::to_string(value)); }
  void add(const std::vector<std::string_view>& values) {
    add(std::ssize(values));
    for (const std::string_view value : values)
      add(value);
  }
  void add(const api::Toleration& toleration) {
    for (const auto& value : {toleration.key, toleration.op, toleration.value, toleration.effect})
      add(value);
  }
  void add(const std::vector<api::NodeSelectorRequirement>& requirements) {
    add(std::ssize(requirements));
    for (const api::NodeSelectorRequirement& requirement : requirements) {
      add(requirement.key);
      add(requirement.op);
      add(requirement.values);
    }
  }
  void add(const api::DeviceDemand& demand) {
    add(demand.device_class);
    add(std::ssize(demand.selectors));
    for (const api::DeviceSelector& selector : demand.selectors)
      add(selector.expression());
    add(demand.mode);
    add(demand.count);
    add(demand.admin_access);
    add_all(demand.tolerations);
    add(demand.capacity ? std::ssize(demand.capacity->requests) : -1);
    if (demand.capacity) {
      for (const auto& [name, amount] : demand.capacity->requests) {
        add(name);
        add(amount.text);
      }
    }
    add(std::ssize(demand.derived));
    for (const api::DerivedAttribute& derived : demand.derived) {
      add(derived.name);
      add(derived.expression);
    }
  }
  template <class T>
  void add_all(const std::vector<T>& values) {
    add(std::ssize(values));
    for (const T& value : values)
      add(value);
  }

  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

// Configuration is for the driver: the scheduler does not read it.
void add_spec(KindText& text, const api::ClaimSpec& spec) {
  text.add(std::ssize(spec.devices.requests));
  for (const api::DeviceRequest& request : spec.devices.requests) {
    text.add(request.name);
    text.add(std::ssize(request.alternatives));
    if (request.exactly) text.add(request.exactly->demand);
    for (const api::Alternative& alternative : request.alternatives) {
      text.add(alternative.name);
      text.add(alternative.demand);
    }
  }
  text.add(std::ssize(spec.devices.constraints));
  for (const api::Constraint& constraint : spec.devices.constraints) {
    text.add(constraint.requests);
    text.add(constraint.match_attribute);
    text.add(constraint.distinct_attribute);
  }
}

// What the other filters read.
void add_pod(KindText& text, const snapshot::Snapshot& snapshot, const NodeLoads& loads,
             const api::Pod& pod) {
  text.add(pod.spec.scheduler_name);
  // Which of the nominated pods come first.
  if (!loads.nominated().empty()) text.add(std::int64_t{pod.spec.priority});
  const PodRequests requests = requests_to_start(pod, request_rules_of(snapshot.server()));
  text.add(requests.readable);
  text.add(std::ssize(requests.amounts));
  for (const Amount& amount : requests.amounts) {
    text.add(amount.resource);
    text.add(amount.value);
  }
  for (const HostPort& port : host_ports_of(pod)) {
    text.add(port.ip);
    text.add(port.protocol);
    text.add(port.port);
  }
  text.add(std::ssize(pod.spec.node_selector));
  for (const auto& [key, value] : pod.spec.node_selector) {
    text.add(key);
    text.add(value);
  }
  const auto& required = pod.spec.affinity.to_nodes.required;
  text.add(required ? std::ssize(required->terms) : -1);
  if (required) {
    for (const api::NodeSelectorTerm& term : required->terms) {
      text.add(term.expressions);
      text.add(term.fields);
    }
  }
  text.add_all(pod.spec.tolerations);
  for (const std::string_view feature : features_needed(pod.spec, snapshot.server()))
    text.add(feature);
  for (const std::string& part : unsimulated_parts(snapshot, pod, loads))
    text.add(part);
}

}  // namespace

std::string pod_kind(const snapshot::Snapshot& snapshot, const NodeLoads& loads,
                     const Subject& subject, bool alone) {
  const api::Pod& pod = *subject.pod;
  const bool has_more = alone || !pod.status.nominated_node.empty() ||
                        has_volumes_for_filters(pod.spec) || !subject.blockers.empty() ||
                        subject.extended != nullptr || subject.group ||
                        std::ranges::any_of(subject.claims, [](const SubjectClaim& claim) {
                          return claim.spec == nullptr || claim.state != ClaimState::Pending;
                        });
  KindText text;
  if (has_more) {
    text.add(pod.meta.namespace_);
    text.add(pod.meta.name);
    return text.take();
  }
  text.add(std::ssize(subject.claims));
  for (const SubjectClaim& claim : subject.claims)
    add_spec(text, *claim.spec);
  add_pod(text, snapshot, loads, pod);
  return text.take();
}

}  // namespace dra::engine
