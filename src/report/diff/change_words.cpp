// src/report/diff/change_words.cpp: see change_words.h.

#include "src/report/diff/change_words.h"

#include <algorithm>
#include <vector>

#include "dra/api/words.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/cluster/taints.h"
#include "dra/json/parse.h"
#include "dra/json/write.h"
#include "dra/report/phrases/device_words.h"
#include "dra/report/phrases/subject_words.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
namespace {

using snapshot::Difference;
using snapshot::Fate;

constexpr std::size_t kMaxNames = 48;  // cells that names of devices or nodes may take
constexpr std::size_t kMaxUsers = 2;

using Words = std::vector<std::string>;

// Of a list of names, one of which is gone or new.
std::vector<std::string_view> missing_in(const std::vector<std::string_view>& other,
                                         const std::vector<std::string_view>& names) {
  std::vector<std::string_view> missing;
  for (const std::string_view name : names) {
    if (std::ranges::find(other, name) == other.end()) missing.push_back(name);
  }
  return missing;
}

// "device gpu-3 went", "devices gpu-0…2 came".
void add_device_names(const std::vector<std::string_view>& names, std::string_view what,
                      Words& words) {
  if (names.empty()) return;
  words.push_back(base::format("{} {} {}", names.size() == 1 ? "device" : "devices",
                               fold_devices_within(names, kMaxNames), what));
}

template <class Taint>
std::vector<std::string> described(const std::vector<Taint>& taints) {
  std::vector<std::string> all;
  all.reserve(taints.size());
  for (const Taint& taint : taints)
    all.push_back(engine::describe_taint(taint.key, taint.value, taint.effect));
  return all;
}

std::string describe(const api::DeviceTaint& taint) {
  return engine::describe_taint(taint.key, taint.value, taint.effect);
}

// "reserved by nobody", "for train-0,train-1".
std::string users(const api::ResourceClaim& claim) {
  return claim.status.reserved_for.empty() ? std::string(", reserved by nobody")
                                           : " for " + consumers_of(claim, kMaxUsers);
}

std::vector<std::string> devices_of(const api::ResourceClaim& claim) {
  std::vector<std::string> ids;
  for (const auto& result : claim.status.allocation->devices.results)
    ids.push_back(base::format("{}/{}/{}", result.driver, result.pool, result.device));
  std::ranges::sort(ids);
  return ids;
}

std::vector<std::string> holders_of(const api::ResourceClaim& claim) {
  std::vector<std::string> names;
  for (const api::Consumer& consumer : claim.status.reserved_for)
    names.push_back(base::format("{}/{}", consumer.name, consumer.uid));
  return names;
}

void add_change(const api::ResourceClaim& was, const api::ResourceClaim& is, Words& words) {
  if (is.allocated() && !was.allocated()) {
    words.push_back("allocated" + users(is));
  } else if (was.allocated() && !is.allocated()) {
    words.push_back("not allocated any more, before it was allocated" + users(was));
  } else if (was.allocated() && devices_of(was) != devices_of(is)) {
    const auto old = static_cast<std::int64_t>(devices_of(was).size());
    const auto now = static_cast<std::int64_t>(devices_of(is).size());
    words.push_back((old == now
                         ? std::string("has other devices")
                         : base::format("has {} instead of {}", base::plural(now, "device"), old)) +
                    users(is));
  } else if (holders_of(was) != holders_of(is)) {
    words.push_back(is.status.reserved_for.empty()
                        ? "reserved by nobody any more, before by " + consumers_of(was, kMaxUsers)
                        : "reserved by " + consumers_of(is, kMaxUsers));
  }
}

// A device that is there in both, with other taints of its driver.
void add_taints(const api::SliceSpec& was, const api::SliceSpec& is, Words& words) {
  std::vector<std::string_view> tainted;
  std::vector<std::string_view> cleared;
  for (const api::Device& device : is.devices) {
    const auto old = std::ranges::find(was.devices, device.name, &api::Device::name);
    if (old == was.devices.end()) continue;
    if (device.taints.size() > old->taints.size()) tainted.push_back(device.name);
    if (device.taints.size() < old->taints.size()) cleared.push_back(device.name);
  }
  add_device_names(tainted, "got a taint", words);
  add_device_names(cleared, "lost a taint", words);
}

void add_change(const api::ResourceSlice& was, const api::ResourceSlice& is, Words& words) {
  std::vector<std::string_view> old;
  std::vector<std::string_view> now;
  for (const api::Device& device : was.spec.devices)
    old.push_back(device.name);
  for (const api::Device& device : is.spec.devices)
    now.push_back(device.name);
  add_device_names(missing_in(old, now), "came", words);
  add_device_names(missing_in(now, old), "gone", words);
  add_taints(was.spec, is.spec, words);
  if (was.spec.pool.generation != is.spec.pool.generation)
    words.push_back(base::format("generation {} instead of {}", is.spec.pool.generation,
                                 was.spec.pool.generation));
  if (was.spec.pool.slice_count != is.spec.pool.slice_count)
    words.push_back(base::format("one of {} slices instead of {}", is.spec.pool.slice_count,
                                 was.spec.pool.slice_count));
}

void add_change(const api::Node& was, const api::Node& is, Words& words) {
  if (engine::node_status(was) != engine::node_status(is))
    words.push_back(
        base::format("{} instead of {}", engine::node_status(is), engine::node_status(was)));
  const auto old = described(was.spec.taints);
  const auto now = described(is.spec.taints);
  for (const std::string& taint : now) {
    if (std::ranges::find(old, taint) == old.end())
      words.push_back(base::format("got the taint {}", taint));
  }
  for (const std::string& taint : old) {
    if (std::ranges::find(now, taint) == now.end())
      words.push_back(base::format("lost the taint {}", taint));
  }
}

void add_change(const api::Pod& was, const api::Pod& is, Words& words) {
  if (was.spec.node_name != is.spec.node_name)
    words.push_back(
        is.spec.node_name.empty()
            ? base::format("has no node any more, before it was on {}", was.spec.node_name)
            : base::format("scheduled on {}", is.spec.node_name));
  if (!is.meta.deleted && engine::pod_status(was) != engine::pod_status(is))
    words.push_back(
        base::format("{} instead of {}", engine::pod_status(is), engine::pod_status(was)));
}

void add_change(const api::DeviceTaintRule& was, const api::DeviceTaintRule& is, Words& words) {
  if (describe(was.spec.taint) != describe(is.spec.taint))
    words.push_back(
        base::format("taint {} instead of {}", describe(is.spec.taint), describe(was.spec.taint)));
}

std::string said_by(const api::Event& event) {
  return base::format("{}: {}", event.reason, event.message);
}

void add_change(const api::Event& was, const api::Event& is, Words& words) {
  words.push_back(
      base::format("{}{}", was.message == is.message ? "seen again, " : "", said_by(is)));
}

// Of other kinds the parts that differ say all.
template <class T>
void add_change(const T&, const T&, Words&) {}

// "its spec", "its labels": the parts of the objects' text that differ.
Words parts_that_differ(const api::Origin& was, const api::Origin& is) {
  auto old = json::parse_json(was.raw);
  auto now = json::parse_json(is.raw);
  DRA_CHECK(old.ok() && now.ok());  // the same texts were decoded before
  json::sort_keys(old.value());
  json::sort_keys(now.value());
  const auto text = [](const json::Value* value, const char* part) {
    if (value != nullptr) value = value->find(part);
    return value == nullptr ? std::string() : json::write_json(*value, json::Style::Compact);
  };
  Words parts;
  for (const char* part : {"spec", "status"}) {
    if (text(&old.value(), part) != text(&now.value(), part)) parts.emplace_back(part);
  }
  for (const char* part : {"labels", "annotations"}) {
    if (text(old.value().find("metadata"), part) != text(now.value().find("metadata"), part))
      parts.emplace_back(part);
  }
  return parts;
}

// What is new or gone, of what is more than its name.
std::string more_of(const api::ResourceClaim& claim) {
  return claim.allocated() ? "allocated" + users(claim) : std::string();
}
std::string more_of(const api::ResourceSlice& slice) {
  return base::plural(static_cast<std::int64_t>(slice.spec.devices.size()), "device");
}
std::string more_of(const api::DeviceTaintRule& rule) {
  return base::format("taint {}", describe(rule.spec.taint));
}
std::string more_of(const api::Event& event) { return said_by(event); }
template <class T>
std::string more_of(const T&) {
  return {};
}

std::string gone(const api::ResourceClaim& claim) {
  return claim.allocated() ? "removed, before it was " + more_of(claim) : std::string("removed");
}
// It has expired, mostly: nobody removes events.
std::string gone(const api::Event& event) { return "not kept any more, " + said_by(event); }
template <class T>
std::string gone(const T& object) {
  const std::string more = more_of(object);
  return more.empty() ? std::string("removed") : base::format("removed, {}", more);
}

template <class T>
std::string came(const T& object) {
  const std::string more = more_of(object);
  return more.empty() ? std::string("added") : base::format("added, {}", more);
}

template <class T>
std::string changed(const T& was, const T& is) {
  Words words;
  const auto& [old, now] = std::pair(was.meta, is.meta);
  if (!old.uid.empty() && !now.uid.empty() && old.uid != now.uid)
    words.emplace_back("another one of this name");
  if (now.deleted && !old.deleted) words.emplace_back("its deletion has begun");
  add_change(was, is, words);
  if (!words.empty()) return base::join(words, "; ");
  const Words parts = parts_that_differ(was.origin, is.origin);
  return parts.empty() ? std::string("changed")
                       : base::format("{} changed", base::join(parts, " and "));
}

}  // namespace

std::string_view name_of(Fate fate) {
  switch (fate) {
    case Fate::Added:
      return "added";
    case Fate::Removed:
      return "removed";
    case Fate::Changed:
      return "changed";
  }
  return "";
}

SubjectName subject_of(const Difference& change) {
  return {std::string(api::info_of(change.kind).name), std::string(change.namespace_),
          std::string(change.name)};
}

template <class T>
std::string ChangeWords::of_object(const Difference& change) const {
  const T* was = before_.find<T>(change.namespace_, change.name);
  const T* is = after_.find<T>(change.namespace_, change.name);
  if (was == nullptr && is == nullptr) return std::string(name_of(change.fate));
  if (was == nullptr) return came(*is);
  return is == nullptr ? gone(*was) : changed(*was, *is);
}

std::string ChangeWords::of(const Difference& change) const {
  switch (change.kind) {
    case api::Kind::Claim:
      return of_object<api::ResourceClaim>(change);
    case api::Kind::Class:
      return of_object<api::DeviceClass>(change);
    case api::Kind::Event:
      return of_object<api::Event>(change);
    case api::Kind::Node:
      return of_object<api::Node>(change);
    case api::Kind::Pod:
      return of_object<api::Pod>(change);
    case api::Kind::Slice:
      return of_object<api::ResourceSlice>(change);
    case api::Kind::TaintRule:
      return of_object<api::DeviceTaintRule>(change);
    case api::Kind::Template:
      return of_object<api::ResourceClaimTemplate>(change);
    default:
      return std::string(name_of(change.fate));
  }
}

json::Value to_json(const Difference& change, const ChangeWords& words) {
  json::Value out = json::Value::object();
  out.set("kind", api::info_of(change.kind).name);
  if (!change.namespace_.empty()) out.set("namespace", change.namespace_);
  out.set("name", change.name);
  out.set("fate", name_of(change.fate));
  out.set("message", words.of(change));
  return out;
}

}  // namespace dra::report
