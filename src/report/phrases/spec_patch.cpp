// src/report/phrases/spec_patch.cpp: one function for each kind of change. Each operation of the
// patch has its lines in the diff; what is copied is shown by what differs in the copy.

#include "src/report/phrases/spec_patch.h"

#include <algorithm>

#include "dra/base/text.h"
#include "dra/report/phrases/clause_json.h"
#include "src/report/phrases/json_patch.h"

namespace dra::report {
namespace {

template <class V>
json::Value one_member(std::string_view key, V value) {
  json::Value out = json::Value::object();
  out.set(std::string(key), std::move(value));
  return out;
}

json::Value one_item(json::Value item) {
  json::Value out = json::Value::array();
  out.push(std::move(item));
  return out;
}

json::Value selector_json(std::string_view expression) {
  return one_member("cel", one_member("expression", json::Value(expression)));
}

json::Value constraint_value(const api::Constraint& constraint) {
  json::Value out = json::Value::object();
  if (!constraint.requests.empty()) {
    json::Value requests = json::Value::array();
    for (const std::string_view request : constraint.requests)
      requests.push(request);
    out.set("requests", std::move(requests));
  }
  if (!constraint.match_attribute.empty()) out.set("matchAttribute", constraint.match_attribute);
  if (!constraint.distinct_attribute.empty())
    out.set("distinctAttribute", constraint.distinct_attribute);
  return out;
}

}  // namespace

json::Value toleration_json(const engine::Tolerate& change) {
  json::Value out = json::Value::object();
  if (!change.key.empty()) out.set("key", change.key);
  out.set("operator", "Exists");
  if (!change.effect.empty()) out.set("effect", change.effect);
  return out;
}

std::optional<SpecPatch::DemandPlace> SpecPatch::place_of(std::string_view name) const {
  for (std::size_t i = 0; i < spec_.devices.requests.size(); ++i) {
    const api::DeviceRequest& request = spec_.devices.requests[i];
    const std::string path = base::format("/devices/requests/{}", i);
    const auto demands = api::demands_of(request);
    for (std::size_t j = 0; j < demands.size(); ++j) {
      if (demands[j].name != name) continue;
      const bool alternative = demands[j].name.find('/') != std::string::npos;
      return DemandPlace{demands[j].demand, alternative
                                                ? base::format("{}/firstAvailable/{}", path, j)
                                                : path + "/exactly"};
    }
  }
  return std::nullopt;
}

bool SpecPatch::add(const engine::SetCount& change) {
  const auto place = place_of(change.request);
  if (!place) return false;
  json::Value before = json::Value::object();
  json::Value after = json::Value::object();
  if (place->demand->all()) {
    set(place->path + "/allocationMode", "ExactCount");
    before.set("allocationMode", place->demand->mode);
    after.set("allocationMode", "ExactCount");
  } else if (place->demand->count != 0) {
    before.set("count", place->demand->count);
  }
  set(place->path + "/count", change.count);
  after.set("count", change.count);
  show(place->path, before.members().empty() ? std::optional<json::Value>() : std::move(before),
       std::move(after));
  return true;
}

void SpecPatch::edit_expression(const DemandPlace& place, std::size_t selector,
                                std::string_view expression) {
  const std::string path = base::format("{}/selectors/{}/cel", place.path, selector);
  set(path + "/expression", expression);
  const auto& selectors = place.demand->selectors;
  if (selector >= selectors.size()) return;
  show(path, one_member("expression", json::Value(selectors[selector].expression())),
       one_member("expression", json::Value(expression)));
}

bool SpecPatch::add(const engine::DropSelector& change) {
  const auto place = place_of(change.place.request);
  if (!place) return false;
  const std::size_t index = change.place.selector;
  if (change.span) {
    edit_expression(*place, index, change.left);
    return true;
  }
  remove(base::format("{}/selectors/{}", place->path, index), index);
  if (index < place->demand->selectors.size()) {
    show(place->path + "/selectors",
         one_item(selector_json(place->demand->selectors[index].expression())), std::nullopt);
  }
  return true;
}

bool SpecPatch::add(const engine::EditSelector& change) {
  const auto place = place_of(change.place.request);
  if (!place) return false;
  edit_expression(*place, change.place.selector, change.expression);
  return true;
}

bool SpecPatch::add(const engine::Tolerate& change) {
  bool any = false;
  for (const api::DeviceRequest& request : spec_.devices.requests) {
    for (const api::NamedDemand& demand : api::demands_of(request)) {
      if (!change.request.empty() && demand.name != change.request) continue;
      const auto place = place_of(demand.name);
      if (!place) return false;
      tolerate(*place, change);
      any = true;
    }
  }
  return any;
}

void SpecPatch::tolerate(const DemandPlace& place, const engine::Tolerate& change) {
  if (!place.demand->tolerations.empty()) {
    set(place.path + "/tolerations/-", toleration_json(change));
    return show(place.path + "/tolerations", std::nullopt, one_item(toleration_json(change)));
  }
  set(place.path + "/tolerations", one_item(toleration_json(change)));
  show(place.path, std::nullopt, one_member("tolerations", one_item(toleration_json(change))));
}

bool SpecPatch::add(const engine::DropConstraint& change) {
  remove(base::format("/devices/constraints/{}", change.constraint), change.constraint);
  if (change.constraint < spec_.devices.constraints.size()) {
    show("/devices/constraints",
         one_item(constraint_value(spec_.devices.constraints[change.constraint])), std::nullopt);
  }
  return true;
}

bool SpecPatch::add(const engine::RelaxConstraint& change) {
  const std::string path = base::format("/devices/constraints/{}", change.constraint);
  set(path + "/matchAttribute", change.instead);
  show(path, one_member("matchAttribute", json::Value(change.attribute)),
       one_member("matchAttribute", json::Value(change.instead)));
  return true;
}

bool SpecPatch::add(const engine::SplitRequests& change) {
  for (const std::string& name : change.requests) {
    const auto place = place_of(name);
    if (!place) return false;
    const std::int64_t count = engine::count_in_part(change, place->demand->wanted(), 1);
    set(place->path + "/count", count);
    show(place->path, one_member("count", json::Value(place->demand->wanted())),
         one_member("count", json::Value(count)));
  }
  const std::string path = base::format("/devices/constraints/{}", change.constraint);
  set(path + "/requests", strings_json(change.requests));
  if (change.constraint < spec_.devices.constraints.size() &&
      spec_.devices.constraints[change.constraint].requests.empty())
    show(path, std::nullopt, one_member("requests", strings_json(change.requests)));
  std::size_t requests = spec_.devices.requests.size();
  for (std::int64_t part = 2; part <= change.parts; ++part)
    add_part(change, part, requests);
  return true;
}

bool SpecPatch::add(const engine::UseAlternative& change) {
  for (std::size_t i = 0; i < spec_.devices.requests.size(); ++i) {
    const auto demands = api::demands_of(spec_.devices.requests[i]);
    const bool here = std::ranges::any_of(
        demands, [&change](const auto& demand) { return demand.name == change.request; });
    if (!here) continue;
    json::Value dropped = json::Value::array();
    for (std::size_t j = 0; j < demands.size(); ++j) {
      if (demands[j].name == change.request) continue;
      remove(base::format("/devices/requests/{}/firstAvailable/{}", i, j), j);
      const std::string& name = demands[j].name;
      dropped.push(one_member("name", json::Value(name.substr(name.find('/') + 1))));
    }
    show(base::format("/devices/requests/{}/firstAvailable", i), std::move(dropped), std::nullopt,
         "as a whole");
    return true;
  }
  return false;
}

// `requests` is how many there are so far.
void SpecPatch::add_part(const engine::SplitRequests& change, std::int64_t part,
                         std::size_t& requests) {
  json::Value constraint = json::Value::object();
  json::Value own = json::Value::array();
  for (const std::string& name : change.requests) {
    const std::string new_name = engine::name_in_part(name, part);
    const auto from = std::ranges::find(spec_.devices.requests, name, &api::DeviceRequest::name);
    patch_.push(copy_of(
        base::format("{}/devices/requests/{}", prefix_, from - spec_.devices.requests.begin()),
        prefix_ + "/devices/requests/-"));
    const std::string path = base::format("/devices/requests/{}", requests++);
    set(path + "/name", new_name);
    json::Value shown = one_member("name", json::Value(new_name));
    const std::int64_t wanted = from->exactly->demand.wanted();
    if (const std::int64_t count = engine::count_in_part(change, wanted, part);
        count != engine::count_in_part(change, wanted, 1)) {
      set(path + "/exactly/count", count);
      shown.set("exactly", one_member("count", json::Value(count)));
    }
    show("/devices/requests", std::nullopt, one_item(std::move(shown)),
         base::format("otherwise as {}, as changed", name));
    own.push(new_name);
    name_in("constraints", spec_.devices.constraints, name, new_name, change.constraint);
    name_in("config", spec_.devices.config, name, new_name);
  }
  constraint.set("requests", std::move(own));
  constraint.set("matchAttribute", change.attribute);
  show("/devices/constraints", std::nullopt, one_item(constraint));
  set("/devices/constraints/-", std::move(constraint));
}

// Of what names one request, it names the other one, too.
template <class All>
void SpecPatch::name_in(std::string_view field, const All& all, std::string_view name,
                        const std::string& new_name, std::optional<std::size_t> but) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == but || std::ranges::find(all[i].requests, name) == all[i].requests.end()) continue;
    const std::string path = base::format("/devices/{}/{}/requests", field, i);
    set(path + "/-", new_name);
    show(path, std::nullopt, one_item(json::Value(new_name)));
  }
}

void SpecPatch::set(std::string_view path, json::Value value) {
  patch_.push(operation("add", prefix_ + std::string(path), std::move(value)));
}

void SpecPatch::remove(std::string_view path, std::size_t index) {
  removed_.push_back({index, prefix_ + std::string(path)});
}

void SpecPatch::show(std::string_view path, std::optional<json::Value> before,
                     std::optional<json::Value> after, std::string note) {
  changes_.push_back({field_path(prefix_ + std::string(path)), std::move(before), std::move(after),
                      std::move(note)});
}

json::Value SpecPatch::take_patch() {
  std::ranges::stable_sort(removed_, std::ranges::greater(),
                           [](const auto& one) { return one.first; });
  for (auto& [index, path] : removed_)
    patch_.push(operation("remove", std::move(path)));
  return std::move(patch_);
}

}  // namespace dra::report
