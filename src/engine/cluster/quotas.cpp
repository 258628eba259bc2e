// src/engine/cluster/quotas.cpp: computes what a claim counts for, by the names that quotas use,
// and compares it with what each quota of the namespace has left.

#include "dra/engine/cluster/quotas.h"

#include <algorithm>

#include "dra/api/cluster_objects.h"
#include "dra/api/device_class.h"
#include "dra/api/limits.h"
#include "dra/base/text.h"
#include "dra/engine/facts/features.h"

namespace dra::engine {
namespace {

using diag::RefusalEvidence;

constexpr std::string_view kClaims = "count/resourceclaims.resource.k8s.io";
constexpr std::string_view kTemplates = "count/resourceclaimtemplates.resource.k8s.io";
constexpr std::string_view kDevicesOfClass = ".deviceclass.resource.k8s.io/devices";
constexpr std::string_view kRequests = "requests.";
constexpr std::string_view kOwnName = "requests.deviceclass.resource.kubernetes.io/";

std::map<std::string_view, base::Quantity> amounts_of(const api::Map<api::Quantity>& written) {
  std::map<std::string_view, base::Quantity> amounts;
  for (const auto& [name, quantity] : written) {
    base::Quantity amount;
    if (base::Quantity::read(quantity.text, amount) == base::Quantity::Flaw::None)
      amounts.emplace(name, amount);
  }
  return amounts;
}

std::int64_t most_devices(const api::DeviceDemand& demand) {
  if (demand.all()) return api::kMaxResults;
  const bool exact = demand.mode.empty() || demand.mode == api::kModeExactCount;
  return exact ? demand.wanted() : 0;  // modes that the server does not know count as zero
}

void append(std::string& list, std::string_view resource, const base::Quantity& amount) {
  list += base::format("{}{}={}", list.empty() ? "" : ",", resource, amount.to_string());
}

std::string_view amount_of(std::string_view resource, std::string_view amounts) {
  for (const std::string_view one : base::split(amounts, ',')) {
    if (one.starts_with(resource) && one.substr(resource.size()).starts_with('='))
      return one.substr(resource.size() + 1);
  }
  return "?";
}

// Whether it holds for each resource; false where an amount cannot be read.
template <class F>
bool holds_for_all(const RefusalEvidence& refusal, F holds) {
  const auto parts = base::split(refusal.requested, ',');
  return std::ranges::all_of(parts, [&](std::string_view one) {
    const std::string_view resource = one.substr(0, one.rfind('='));
    base::Quantity wanted;
    base::Quantity used;
    base::Quantity limit;
    for (const auto& [text, amount] :
         {std::pair(refusal.requested, &wanted), std::pair(refusal.used, &used),
          std::pair(refusal.limited, &limit)}) {
      if (base::Quantity::read(amount_of(resource, text), *amount) != base::Quantity::Flaw::None)
        return false;
    }
    return holds(used, wanted, limit);
  });
}

std::string_view state_words(const RefusalEvidence& refusal) {
  if (has_room(refusal)) return "was exhausted and has room by now";
  const bool some_left = holds_for_all(
      refusal, [](const auto& used, const auto&, const auto& limit) { return limit > used; });
  return some_left ? "has too little left" : "is exhausted";
}

}  // namespace

Quotas::Quotas(const snapshot::Snapshot& snapshot)
    : classes_(snapshot.all<api::DeviceClass>()),
      serves_extended_(features_of(snapshot.server()).on(Gate::DRAExtendedResource)) {
  for (const api::DeviceClass& one : snapshot.all<api::DeviceClass>()) {
    if (!one.spec.extended_resource.empty())
      extended_.emplace(one.meta.name, one.spec.extended_resource);
  }
  for (const api::ResourceQuota& quota : snapshot.all<api::ResourceQuota>()) {
    if (!quota.spec.scopes.empty() || !quota.spec.selector.requirements.empty()) continue;
    quotas_.push_back({quota.meta.namespace_, quota.meta.name, amounts_of(quota.status.hard),
                       amounts_of(quota.status.used)});
  }
}

std::vector<QuotaState> Quotas::states() const {
  std::vector<QuotaState> states;
  for (const Quota& quota : quotas_) {
    for (const auto& [resource, hard] : quota.hard) {
      if (resource != kTemplates && !is_of_claims(resource)) continue;
      const auto used = quota.used.find(resource);
      states.push_back({quota.ns, quota.name, resource, hard,
                        used == quota.used.end() ? base::Quantity() : used->second});
    }
  }
  return states;
}

QuotaUse Quotas::use_of(const api::ClaimSpec& spec) const {
  QuotaUse use{{std::string(kClaims), 1}};
  std::map<std::string_view, std::int64_t> by_class;
  for (const api::DeviceRequest& request : spec.devices.requests) {
    std::map<std::string_view, std::int64_t> most;
    for (const api::NamedDemand& demand : api::demands_of(request)) {
      std::int64_t& devices = most[demand.demand->device_class];
      devices = std::max(devices, most_devices(*demand.demand));
    }
    for (const auto& [name, devices] : most)
      by_class[name] += devices;
  }
  for (const auto& [name, devices] : by_class) {
    use[base::format("{}{}", name, kDevicesOfClass)] = devices;
    if (!serves_extended_ || devices == 0) continue;
    use[base::format("{}{}", kOwnName, name)] = devices;
    // If two classes name the same resource, upstream counts one of them, in no fixed order.
    const auto named = extended_.find(name);
    if (named != extended_.end()) use[base::format("{}{}", kRequests, named->second)] = devices;
  }
  return use;
}

bool Quotas::is_of_claims(std::string_view resource) const {
  if (resource == kClaims || resource.ends_with(kDevicesOfClass)) return true;
  if (!serves_extended_ || !resource.starts_with(kRequests)) return false;
  const std::string_view extended = resource.substr(kRequests.size());
  return is_extended_resource(extended) && classes_.of(extended) != nullptr;
}

std::optional<RefusalEvidence> Quotas::refusal(const Quota& quota, const QuotaUse& use) const {
  const bool of_claim = use.contains(kClaims);
  const auto counts = [&](std::string_view resource) {
    return of_claim ? is_of_claims(resource) : resource == kTemplates;
  };
  if (std::ranges::none_of(quota.hard, [&](const auto& one) { return counts(one.first); }))
    return std::nullopt;
  RefusalEvidence refusal{.by = RefusalEvidence::By::Quota, .name = std::string(quota.name)};
  for (const auto& [resource, limit] : quota.hard) {
    const auto wanted = use.find(resource);
    const auto used = quota.used.find(resource);
    const bool known = used != quota.used.end();
    const base::Quantity more(wanted == use.end() ? 0 : wanted->second);
    base::Quantity then = known ? used->second : base::Quantity();
    then.add(more);
    const bool uncounted = !known && counts(resource);
    const bool exceeded = !more.is_zero() && then > limit;
    if (!uncounted && !exceeded) continue;
    append(refusal.requested, resource, more);
    if (known) append(refusal.used, resource, used->second);
    append(refusal.limited, resource, limit);
  }
  if (refusal.requested.empty()) return std::nullopt;
  return refusal;
}

std::optional<RefusalEvidence> Quotas::refusal(std::string_view ns, const QuotaUse& use) const {
  for (const Quota& quota : quotas_) {
    if (quota.ns != ns) continue;
    if (auto found = refusal(quota, use)) return found;
  }
  return std::nullopt;
}

void Quotas::count(std::string_view ns, const QuotaUse& use) {
  for (Quota& quota : quotas_) {
    if (quota.ns != ns) continue;
    for (const auto& [resource, amount] : use) {
      const auto used = quota.used.find(resource);
      if (used != quota.used.end()) used->second.add(base::Quantity(amount));
    }
  }
}

std::optional<RefusalEvidence> Quotas::create_claim(std::string_view ns,
                                                    const api::ClaimSpec& spec) {
  const QuotaUse use = use_of(spec);
  auto refused = refusal(ns, use);
  if (!refused) count(ns, use);
  return refused;
}

std::optional<RefusalEvidence> Quotas::create_template(std::string_view ns) {
  const QuotaUse use{{std::string(kTemplates), 1}};
  auto refused = refusal(ns, use);
  if (!refused) count(ns, use);
  return refused;
}

std::optional<RefusalEvidence> Quotas::refusal_of_claim(std::string_view ns,
                                                        const api::ClaimSpec& spec) const {
  return refusal(ns, use_of(spec));
}

std::string words_for_quota(const RefusalEvidence& refusal) {
  std::vector<std::string> parts;
  for (const std::string_view one : base::split(refusal.requested, ',')) {
    const std::string_view resource = one.substr(0, one.rfind('='));
    parts.push_back(base::format(
        "{}: {} of {} used, and {} more wanted", resource, amount_of(resource, refusal.used),
        amount_of(resource, refusal.limited), amount_of(resource, refusal.requested)));
  }
  return base::format("resource quota {} {} ({})", refusal.name, state_words(refusal),
                      base::join(parts, "; "));
}

void bring_up_to_date(const snapshot::Snapshot& snapshot, std::string_view ns,
                      RefusalEvidence& refusal) {
  const auto* quota = snapshot.find<api::ResourceQuota>(ns, refusal.name);
  if (quota == nullptr) return;
  std::string used;
  std::string limited;
  for (const std::string_view one : base::split(refusal.requested, ',')) {
    const std::string_view resource = one.substr(0, one.rfind('='));
    const auto* now = api::find(quota->status.used, resource);
    const auto* hard = api::find(quota->status.hard, resource);
    if (now == nullptr || hard == nullptr) return;
    used += base::format("{}{}={}", used.empty() ? "" : ",", resource, now->text);
    limited += base::format("{}{}={}", limited.empty() ? "" : ",", resource, hard->text);
  }
  refusal.used = std::move(used);
  refusal.limited = std::move(limited);
}

bool has_room(const RefusalEvidence& refusal) {
  return holds_for_all(refusal,
                       [](base::Quantity used, const base::Quantity& wanted, const auto& limit) {
                         used.add(wanted);
                         return !(used > limit);
                       });
}

}  // namespace dra::engine
