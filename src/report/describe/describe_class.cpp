// src/report/describe/describe_class.cpp: one DeviceClass: its selectors, its configuration, and
// the claims that use it.

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "dra/api/device_class.h"
#include "dra/api/subject.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/engine/facts/features.h"
#include "dra/report/lists/list_claims.h"
#include "src/report/describe/describe_json.h"
#include "src/report/describe/describe_selectors.h"
#include "src/report/describe/describe_spec.h"

namespace dra::report {
namespace {

using view::Tone;

constexpr std::string_view kImplicitResource = "deviceclass.resource.kubernetes.io";
constexpr std::size_t kMaxClaims = 10;
constexpr std::size_t kMaxTemplates = 5;

bool asks_for(const api::ClaimSpec& spec, std::string_view name) {
  const auto classes = classes_of(spec);
  return std::ranges::find(classes, name) != classes.end();
}

// The allocation results of requests for the class, one for each share of a device.
std::vector<const api::AllocationResultItem*> results_through(const api::ResourceClaim& claim,
                                                              std::string_view name) {
  std::vector<const api::AllocationResultItem*> results;
  if (!claim.status.allocation) return results;
  for (const api::DeviceRequest& request : claim.spec.devices.requests) {
    for (const api::NamedDemand& demand : api::demands_of(request)) {
      if (demand.demand->device_class != name) continue;
      for (const api::AllocationResultItem& result : claim.status.allocation->devices.results) {
        if (result.request == demand.name) results.push_back(&result);
      }
    }
  }
  return results;
}

std::vector<std::string_view> devices_through(const api::ResourceClaim& claim,
                                              std::string_view name) {
  std::vector<std::string_view> devices;
  for (const api::AllocationResultItem* result : results_through(claim, name))
    devices.push_back(result->device);
  return devices;
}

std::string count_of(const std::set<engine::DeviceId>& devices) {
  return base::plural(static_cast<std::int64_t>(devices.size()), "device");
}

class ClassDescription {
 public:
  ClassDescription(const Scene& scene, const api::DeviceClass& device_class)
      : scene_(scene),
        class_(device_class),
        name_(device_class.meta.name),
        selectors_(scene, engine::expressions_of(device_class.spec.selectors)) {
    for (const api::ResourceClaim& claim : scene.snapshot.all<api::ResourceClaim>()) {
      if (asks_for(claim.spec, name_)) claims_.push_back(&claim);
    }
    for (const auto& from : scene.snapshot.all<api::ResourceClaimTemplate>()) {
      if (asks_for(from.spec.spec, name_))
        templates_.push_back(base::format("{}/{}", from.meta.namespace_, from.meta.name));
    }
    // Pending claims come first.
    std::stable_partition(claims_.begin(), claims_.end(),
                          [](const api::ResourceClaim* claim) { return !claim->allocated(); });
  }

  Described build() {
    Description out(scene_, "ClassDescription", subject_of("DeviceClass", class_.meta),
                    base::format("Class {}: {}.", name_, use_words()));
    out.saw(api::Kind::Claim, "which claims use the class is not known");
    out.saw(api::Kind::Template, "which templates use the class is not known");
    out.saw(api::Kind::Slice, "what the class selects is not known");
    add_rivals_problem(out);
    selectors_.add_problems(out, {"The class", 0, class_.spec.selectors.size()});
    facts(out);
    selectors(out);
    configuration(out);
    claims(out);
    add_events(out, "DeviceClass", class_.meta);
    if (!claims_.empty()) {
      const char* verb = claims_.front()->allocated() ? "describe" : "explain";
      out.next(command_for(verb, "claim", subject_of("ResourceClaim", claims_.front()->meta)),
               claims_.front()->allocated() ? "what it got" : "why it waits");
    }
    return std::move(out).finish();
  }

 private:
  std::string use_words() const;
  void add_rivals_problem(Description& out) const;
  void facts(Description& out) const;
  // The devices that claims got through the class.
  struct Allocated {
    std::set<engine::DeviceId> taken;
    std::set<engine::DeviceId> admin;
    std::set<engine::DeviceId> gone;  // not published any more; in neither of the two
  };
  Allocated allocated() const;
  static std::string words_of(const Allocated& allocated);
  std::string extended_resources() const;
  void selectors(Description& out) const;
  void configuration(Description& out) const;
  void claims(Description& out) const;
  json::Value claims_json() const;

  bool saw(api::Kind kind) const { return scene_.snapshot.coverage().saw(kind); }

  const Scene& scene_;
  const api::DeviceClass& class_;
  std::string_view name_;
  std::vector<const api::ResourceClaim*> claims_;
  std::vector<std::string> templates_;
  SelectorDescription selectors_;
};

std::string ClassDescription::use_words() const {
  if (!saw(api::Kind::Claim)) return "claims cannot be read";
  const auto templates = static_cast<std::int64_t>(templates_.size());
  if (claims_.empty()) {
    if (templates == 0)
      return saw(api::Kind::Template) ? "no claim and no template uses it" : "no claim uses it";
    return base::format("no claim uses it, but {}", base::plural(templates, "template"));
  }
  const auto total = static_cast<std::int64_t>(claims_.size());
  std::map<std::string, std::int64_t> counts;  // claims by state: allocated, deleting, pending
  for (const api::ResourceClaim* claim : claims_)
    ++counts[state_cell(*claim).text];
  std::vector<std::string> parts;
  parts.reserve(counts.size());
  for (const auto& [state, count] : counts)
    parts.push_back(count == total ? state : base::format("{} {}", count, state));
  const std::string states = base::join(parts, ", ");
  const std::string among =
      templates == 0 ? "" : base::format(" and {}", base::plural(templates, "template"));
  return base::format("used by {} ({}){}", base::plural(total, "claim"), states, among);
}

// Of two classes with the same extended resource the newer one wins, then the lower name. Upstream:
// k8s.io/dynamic-resource-allocation/deviceclass/extendedresourcecache.
void ClassDescription::add_rivals_problem(Description& out) const {
  if (class_.spec.extended_resource.empty()) return;
  for (const api::DeviceClass& other : scene_.snapshot.all<api::DeviceClass>()) {
    if (&other == &class_ || other.spec.extended_resource != class_.spec.extended_resource)
      continue;
    const bool other_is_newer = other.meta.created > class_.meta.created;
    const bool other_wins = other_is_newer || (other.meta.created == class_.meta.created &&
                                               other.meta.name < class_.meta.name);
    out.problem(base::format("Class {} has the extended resource {} too: pods that ask for it get "
                             "devices of {}",
                             other.meta.name, class_.spec.extended_resource,
                             other_wins ? other.meta.name : name_),
                "Give every class an extended resource of its own.", Tone::Warn);
  }
}

std::string ClassDescription::extended_resources() const {
  const engine::Features features = engine::features_of(scene_.snapshot.server());
  const std::string own(class_.spec.extended_resource);
  if (!features.on(engine::Gate::DRAExtendedResource)) {
    return own.empty() ? std::string() : own + " (without effect: DRAExtendedResource is off)";
  }
  const std::string implicit = base::format("{}/{}", kImplicitResource, name_);
  return own.empty() ? implicit : base::format("{}, {}", own, implicit);
}

ClassDescription::Allocated ClassDescription::allocated() const {
  Allocated found;
  for (const api::ResourceClaim* claim : claims_) {
    for (const api::AllocationResultItem* result : results_through(*claim, name_)) {
      const engine::DeviceId id{result->driver, result->pool, result->device};
      if (saw(api::Kind::Slice) && scene_.inventory.find(id) == nullptr) {
        found.gone.insert(id);
      } else {
        (result->admin_access ? found.admin : found.taken).insert(id);
      }
    }
  }
  return found;
}

// "8 devices through it, 4 with admin access, 1 device not published any more".
std::string ClassDescription::words_of(const Allocated& allocated) {
  std::vector<std::string> parts;
  if (!allocated.taken.empty()) parts.push_back(count_of(allocated.taken) + " through it");
  if (!allocated.admin.empty()) parts.push_back(count_of(allocated.admin) + " with admin access");
  if (!allocated.gone.empty())
    parts.push_back(count_of(allocated.gone) + " not published any more");
  return base::join(parts, ", ");
}

void ClassDescription::facts(Description& out) const {
  const Allocated devices = allocated();
  out.set("selected", selectors_.chosen_json());
  out.set("allocated", devices.taken.size());
  out.set("allocatedWithAdminAccess", devices.admin.size());
  out.set("allocatedNotPublished", devices.gone.size());
  out.set("extendedResourceName", class_.spec.extended_resource);
  out.fact("selects", selectors_.chosen_text());
  out.fact("allocated", words_of(devices));
  out.fact("extended resource", extended_resources());
  add_lifecycle(out, class_.meta);
}

void ClassDescription::selectors(Description& out) const {
  view::Fields lines = section_fields();
  for (std::size_t i = 0; i < class_.spec.selectors.size(); ++i) {
    add_line(lines, i == 0 ? "devices with" : "and",
             std::string(class_.spec.selectors[i].expression()));
    selectors_.add_count(lines, i);
  }
  out.set("selectors", selectors_.json(class_.spec.selectors.size()));
  out.section("Selectors");
  out.add(std::move(lines));
}

void ClassDescription::configuration(Description& out) const {
  view::Fields lines = section_fields();
  json::Value list = json::Value::array();
  for (const api::ClassConfig& config : class_.spec.config) {
    if (!config.config.opaque) continue;
    const api::Opaque& opaque = *config.config.opaque;
    list.push(json::Value::object()).set("opaque", opaque_json(opaque));
    add_line(lines, base::format("to {}", opaque.driver), parameters_text(opaque.parameters));
  }
  out.set("config", std::move(list));
  out.section("Configuration");
  out.add(std::move(lines));
}

json::Value ClassDescription::claims_json() const {
  json::Value list = json::Value::array();
  for (const api::ResourceClaim* claim : claims_) {
    json::Value& one = list.push(object_name_json(claim->meta));
    one.set("state", claim_state(*claim));
    json::Value devices = json::Value::array();
    for (const api::AllocationResultItem* result : results_through(*claim, name_))
      devices.push(
          engine::to_string(engine::DeviceId{result->driver, result->pool, result->device}));
    set_if_any(one, "devices", std::move(devices));
    if (claim->allocated()) set_if_any(one, "nodes", claim_row(scene_.snapshot, *claim).node);
  }
  return list;
}

void ClassDescription::claims(Description& out) const {
  out.set("claims", claims_json());
  out.set("templates", texts_json(templates_));
  view::Table table = section_table({"CLAIM", "STATE", "DEVICES", "NODE"}, {"STATE", "DEVICES"});
  for (const api::ResourceClaim* claim : claims_) {
    if (table.rows.size() == kMaxClaims) break;
    const ClaimRow row = claim_row(scene_.snapshot, *claim);
    table.rows.push_back({cell(base::format("{}/{}", claim->meta.namespace_, claim->meta.name)),
                          state_cell(*claim), cell(fold_names(devices_through(*claim, name_))),
                          cell(claim->allocated() ? row.node : "")});
  }
  const std::size_t left = claims_.size() - table.rows.size();
  drop_empty_columns(table);
  out.section("Used by");
  out.add(std::move(table));
  if (left > 0) out.note(base::format("and {} more claims", left));
  view::Fields lines = section_fields();
  add_line(lines, "templates", some_of(templates_, kMaxTemplates));
  out.add(std::move(lines));
}

}  // namespace

Described describe_class(const Scene& scene, const api::DeviceClass& device_class) {
  return ClassDescription(scene, device_class).build();
}

}  // namespace dra::report
