// src/checks/rules/claim_rules.cpp: rules for claims, claim templates and classes. Upstream:
// k8s.io/kubernetes/pkg/apis/resource/validation, ValidateResourceClaim,
// ValidateResourceClaimTemplate, ValidateDeviceClass and what they call.

#include <algorithm>
#include <map>
#include <set>

#include "dra/base/names.h"
#include "dra/base/text.h"
#include "dra/checks/rules/rules.h"
#include "src/checks/rules/differences.h"
#include "src/checks/rules/names.h"

namespace dra::checks {
namespace {

using base::format;

constexpr std::size_t kMaxEntries = 32;  // requests, constraints, configurations, names in each
constexpr std::size_t kMaxAlternatives = 8;

// The names of a claim's requests, each with the names of its alternatives.
using RequestNames = std::map<std::string_view, std::set<std::string_view>>;

RequestNames names_in(const Field& devices) {
  RequestNames names;
  for (const Field& request : devices.child("requests").items()) {
    auto& alternatives = names[request.child("name").text()];
    alternatives.clear();
    for (const Field& alternative : request.child("firstAvailable").items())
      alternatives.insert(alternative.child("name").text());
  }
  return names;
}

bool has(const RequestNames& names, std::string_view reference) {
  const auto parts = base::split(reference, '/');
  const auto found = parts.size() > 2 ? names.end() : names.find(parts[0]);
  if (found == names.end()) return false;
  return parts.size() == 1 || found->second.contains(parts[1]);
}

std::string known(const RequestNames& names) {
  std::vector<std::string> all;
  for (const auto& [name, alternatives] : names) {
    all.emplace_back(name);
    for (const std::string_view alternative : alternatives)
      all.push_back(format("{}/{}", name, alternative));
  }
  if (all.empty()) return "the claim has no request";
  constexpr std::size_t enough = 6;
  const bool more = all.size() > enough;
  if (more) all.resize(enough);
  return format("there is {}{}", base::join(all, ", "), more ? ", …" : "");
}

// The attributes that constraints compare, by request; "" stands for all requests.
using Compared = std::map<std::string_view, std::set<std::string_view>>;

Compared compared_in(const Field& constraints) {
  Compared compared;
  for (const Field& constraint : constraints.items()) {
    const Field match = constraint.child("matchAttribute");
    const Field attribute = match.present() ? match : constraint.child("distinctAttribute");
    if (!attribute.present()) continue;
    const std::vector<Field> requests = constraint.child("requests").items();
    if (requests.empty()) compared[""].insert(attribute.text());
    for (const Field& request : requests)
      compared[request.text()].insert(attribute.text());
  }
  return compared;
}

bool is_compared(const Compared& compared, std::string_view attribute, std::string_view request) {
  const auto by = [&](std::string_view name) {
    const auto found = compared.find(name);
    return found != compared.end() && found->second.contains(attribute);
  };
  return by("") || by(request) || by(request.substr(0, request.find('/')));
}

class ClaimRules {
 public:
  explicit ClaimRules(const Field& devices)
      : devices_(devices),
        names_(names_in(devices)),
        compared_(compared_in(devices.child("constraints"))) {}

  void check() {
    check_requests();
    const Field constraints = devices_.child("constraints");
    if (check_size(constraints, kMaxEntries, Rule::Generated)) {
      for (const Field& constraint : constraints.items())
        check_constraint(constraint);
    }
    const Field configs = devices_.child("config");
    if (check_size(configs, kMaxEntries, Rule::Generated)) {
      for (const Field& config : configs.items()) {
        check_references(config.child("requests"));
        check_configuration(config);
      }
    }
    if (derived_cost_ > engine::kMaxSelectorCost)
      devices_.error(
          ErrorType::Forbidden,
          format("the derived attributes of the claim could cost {} together; at most {} "
                 "is allowed",
                 derived_cost_, engine::kMaxSelectorCost));
  }

 private:
  void check_requests();
  void check_request(const Field& request);
  void check_alternatives(const Field& list, const std::string& request);
  void check_demand(const Field& demand, const std::string& name, Rule class_rule);
  void check_count(const Field& demand) const;
  void check_derived(const Field& list, const std::string& name);
  void check_constraint(const Field& constraint) const;
  void check_references(const Field& list) const;

  const Field devices_;
  const RequestNames names_;
  const Compared compared_;
  std::uint64_t derived_cost_ = 0;
};

void ClaimRules::check_requests() {
  const Field requests = devices_.child("requests");
  if (!check_size(requests, kMaxEntries, Rule::Generated)) return;
  const std::vector<Field> items = requests.items();
  for (const Field& request : items)
    check_request(request);
  check_unique(items, "name", Rule::Generated);
}

void ClaimRules::check_request(const Field& request) {
  const Field name = request.child("name");
  const Field exactly = request.child("exactly");
  const Field alternatives = request.child("firstAvailable");
  const bool v1beta1 = request.checking().is_v1beta1;
  if (!name.present() || name.is_text()) check_dns_label(name);
  const bool several = alternatives.size() > 0;
  if (exactly.present() && several) {
    request.error(ErrorType::Invalid, v1beta1
                                          ? "fields next to firstAvailable belong in its entries"
                                          : "exactly and firstAvailable exclude each other");
  } else if (!exactly.present() && !several) {
    request.error(ErrorType::Required, v1beta1 ? "deviceClassName is missing, or firstAvailable"
                                               : "one of exactly and firstAvailable is missing");
  }
  Checking checking = request.checking();
  if (exactly.present() && several) checking.only = Rule::Generated;
  if (exactly.present())
    check_demand((v1beta1 ? exactly.older_as(request) : exactly).with(checking),
                 std::string(name.text()), Rule::Written);
  check_alternatives(alternatives.with(checking), std::string(name.text()));
}

void ClaimRules::check_alternatives(const Field& list, const std::string& request) {
  if (!check_size(list, kMaxAlternatives, Rule::Generated)) return;
  const std::vector<Field> items = list.items();
  for (const Field& item : items) {
    const Field name = item.child("name");
    if (!name.present() || name.is_text()) check_dns_label(name);
    check_demand(item, format("{}/{}", request, name.text()), Rule::Generated);
  }
  check_unique(items, "name", Rule::Generated);
}

void ClaimRules::check_demand(const Field& demand, const std::string& name, Rule class_rule) {
  const Field device_class = demand.child("deviceClassName");
  if (device_class.is_blank()) {
    device_class.error(ErrorType::Required, "the name of a DeviceClass is missing", class_rule);
  } else if (device_class.is_text()) {
    check_dns_subdomain(device_class, class_rule);
  }
  check_selectors(demand.child("selectors"), device_class.text());
  check_derived(demand.child("derivedAttributes"), name);
  check_count(demand);
  for (const Field& toleration : demand.child("tolerations").items())
    check_toleration(toleration);
}

// After defaulting, only a v1beta1 request without a class has a blank mode.
void ClaimRules::check_count(const Field& demand) const {
  const Field mode = demand.child("allocationMode");
  const Field count = demand.child("count");
  if (count.present() && !count.integer()) return;
  const std::int64_t wanted = count.integer().value_or(0);
  if (mode.text() == "All") {
    if (wanted != 0)
      count.error(ErrorType::Invalid, "must be omitted: allocationMode All takes all that match");
  } else if (mode.text() == "ExactCount") {
    if (wanted <= 0) count.error(ErrorType::Invalid, "must be at least 1");
  } else if (mode.is_blank()) {
    mode.error(ErrorType::NotSupported, "must be ExactCount or All");
  } else if (mode.is_text()) {
    mode.error(ErrorType::NotSupported, "must be ExactCount or All", Rule::Generated);
  }
}

void ClaimRules::check_derived(const Field& list, const std::string& name) {
  Checking checking = list.checking();
  if (!check_size(list, kMaxEntries, Rule::Generated)) checking.only = Rule::Written;
  const std::vector<Field> items = list.with(checking).items();
  for (const Field& item : items) {
    const Field attribute = item.child("name");
    const Field expression = item.child("expression");
    if (attribute.is_blank()) {
      attribute.error(ErrorType::Required, "the attribute's name is missing", Rule::Generated);
    } else if (attribute.is_text()) {
      check_fully_qualified_name(attribute, Rule::Generated);
      if (!is_compared(compared_, attribute.text(), name))
        attribute.error(ErrorType::Invalid,
                        format("no constraint that is for request {} compares it", name));
    }
    if (expression.is_blank()) {
      expression.error(ErrorType::Required, "the expression is missing", Rule::Generated);
    } else {
      derived_cost_ += check_expression(expression, engine::Purpose::Attribute);
    }
  }
  check_unique(items, "name", Rule::Written);
}

void ClaimRules::check_constraint(const Field& constraint) const {
  check_references(constraint.child("requests"));
  const Field match = constraint.child("matchAttribute");
  const Field distinct = constraint.child("distinctAttribute");
  for (const Field& attribute : {match, distinct}) {
    if (attribute.is_text()) check_fully_qualified_name(attribute, Rule::Generated);
  }
  if (match.present() || distinct.present()) return;
  const bool both = constraint.checking().features.on(engine::Gate::DRAConsumableCapacity);
  (both ? constraint : match)
      .error(ErrorType::Required, both ? "one of matchAttribute and distinctAttribute is missing"
                                       : "matchAttribute is missing");
}

void ClaimRules::check_references(const Field& list) const {
  if (!check_size(list, kMaxEntries, Rule::Generated)) return;
  const std::vector<Field> items = list.items();
  for (const Field& item : items) {
    if (item.present() && !item.is_text()) continue;
    if (!has(names_, item.text())) {
      item.error(ErrorType::Invalid,
                 format("this claim has no request or REQUEST/ALTERNATIVE \"{}\": {}",
                        base::shorten_middle(item.text(), 60), known(names_)));
    } else if (!std::ranges::all_of(base::split(item.text(), '/'), base::is_dns_label)) {
      item.error(ErrorType::Invalid, "the request that it names has no valid name");
    }
  }
  check_unique(items, {}, Rule::Generated);
}

void check_claim_spec(const Field& spec) { ClaimRules(spec.child("devices")).check(); }

void check_class_selectors(const Field& list) { check_selectors(list); }

void check_configurations(const Field& configs) {
  if (!check_size(configs, kMaxEntries, Rule::Generated)) return;
  for (const Field& config : configs.items())
    check_configuration(config);
}

// Skips a part of a class that is unchanged: it was valid when it was stored, its expressions
// compiled and its parameters were short enough. Upstream: validateDeviceClassSpec, `stored`.
void check_unless_stored(const Field& spec, std::string_view name, void (*check)(const Field&)) {
  const UpdateTarget* target = spec.checking().update_target;
  const bool stored = target != nullptr && is_same(spec, target->object.find("spec"),
                                                   "resource/v1.DeviceClassSpec", name);
  if (stored) {
    errors_of_creation(spec.child(name), check);
  } else {
    check(spec.child(name));
  }
}

}  // namespace

// On update the server only compares immutable fields.
void check_claim(const Field& claim) {
  check_metadata(claim.child("metadata"),
                 {.keeps_generation = true, .judges_prefix_on_update = true});
  const Field spec = claim.child("spec");
  if (claim.checking().update_target == nullptr) return check_claim_spec(spec);
  check_kept_spec(claim, "resource/v1.ResourceClaimSpec",
                  errors_of_creation(spec, check_claim_spec));
}

void check_template(const Field& claim_template) {
  check_metadata(claim_template.child("metadata"),
                 {.keeps_generation = true, .judges_prefix_on_update = true});
  const Field spec = claim_template.child("spec");
  check_template_metadata(spec.child("metadata"));
  check_claim_spec(spec.child("spec"));
  check_kept_spec(claim_template, "resource/v1.ResourceClaimTemplateSpec", {});
}

void check_class(const Field& device_class) {
  check_metadata(device_class.child("metadata"), {.judges_prefix = false});
  const Field spec = device_class.child("spec");
  check_unless_stored(spec, "selectors", check_class_selectors);
  check_unless_stored(spec, "config", check_configurations);
  const Field resource = spec.child("extendedResourceName");
  if (resource.is_text()) check_extended_resource_name(resource, Rule::Generated);
  check_path_segment(device_class.child("metadata").child("generateName"));
}

}  // namespace dra::checks
