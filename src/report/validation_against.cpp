// src/report/validation_against.cpp: see validation_against.h.

#include "dra/report/validation_against.h"

#include <algorithm>
#include <map>

#include "dra/api/decode.h"
#include "dra/base/text.h"
#include "dra/engine/demands.h"
#include "dra/engine/nodes.h"
#include "dra/engine/standing.h"
#include "dra/engine/suggestions.h"
#include "dra/json/write.h"
#include "src/report/suggestion_words.h"

namespace dra::report {
namespace {

using api::Kind;
using checks::ManifestFinding;
using checks::Severity;
using diag::Code;
using json::Value;

constexpr std::string_view kAdminLabel = "resource.kubernetes.io/admin-access";

// A value of the tree with its path.
struct Place {
  const Value* value;
  std::string path;

  Place child(std::string_view name) const {
    return {value == nullptr ? nullptr : value->find(name),
            path.empty() ? std::string(name) : base::format("{}.{}", path, name)};
  }
  Place item(std::size_t number) const {
    const bool there = value != nullptr && number < value->items().size();
    return {there ? &value->items()[number] : nullptr, base::format("{}[{}]", path, number)};
  }
  Place or_parent(const Place& parent) const { return value != nullptr ? *this : parent; }
};

ManifestFinding found(const Place& place, Severity severity, std::string_view code,
                      std::string message, std::string fix) {
  return {.severity = severity,
          .code = std::string(code),
          .phase = checks::Phase::Validate,
          .path = place.path,
          .position = place.value != nullptr ? place.value->position() : json::Position(),
          .message = std::move(message),
          .fix = std::move(fix)};
}

ManifestFinding warning(const Place& place, Code code, std::string message, std::string fix) {
  return found(place, Severity::Warning, diag::name_of(code), std::move(message), std::move(fix));
}

// One claim, or the claim that a template is for.
class ClaimAgainst {
 public:
  ClaimAgainst(const snapshot::Snapshot& snapshot, const engine::Inventory& empty,
               const api::ClaimSpec& spec, Place spec_place, const checks::ObjectName& name)
      : snapshot_(snapshot),
        empty_(empty),
        spec_(spec),
        place_(std::move(spec_place)),
        name_(name) {
    engine::SubjectClaim claim{.namespace_ = name.namespace_, .name = name.name};
    claim.spec = &spec;
    claim.state = engine::ClaimState::Pending;
    subject_.claims.push_back(std::move(claim));
  }

  std::vector<ManifestFinding> check(const checks::DefinedNames& defined) {
    check_admin_access();
    if (!check_classes(defined)) return std::move(findings_);
    const bool saw = snapshot_.coverage().saw(Kind::Slice) && snapshot_.coverage().saw(Kind::Class);
    if (saw && check_demands()) check_room();
    return std::move(findings_);
  }

 private:
  template <class F>
  void for_each_demand(F on_demand) const {
    const Place requests = place_.child("devices").child("requests");
    for (std::size_t i = 0; i < spec_.devices.requests.size(); ++i) {
      const api::DeviceRequest& request = spec_.devices.requests[i];
      const Place place = requests.item(i);
      if (request.exactly) on_demand(request.exactly->demand, place.child("exactly"));
      for (std::size_t j = 0; j < request.alternatives.size(); ++j)
        on_demand(request.alternatives[j].demand, place.child("firstAvailable").item(j));
    }
  }

  void check_admin_access();
  bool check_classes(const checks::DefinedNames& defined);
  bool check_demands();
  void check_room();

  const snapshot::Snapshot& snapshot_;
  const engine::Inventory& empty_;
  const api::ClaimSpec& spec_;
  const Place place_;
  const checks::ObjectName& name_;
  engine::Subject subject_;
  std::vector<ManifestFinding> findings_;
};

// Upstream: k8s.io/kubernetes/pkg/api/resourceclaimspec and
// pkg/registry/resource/utils.AuthorizedForAdmin; the server names the field without `exactly`.
void ClaimAgainst::check_admin_access() {
  const auto* ns = snapshot_.find<api::Namespace>(name_.namespace_);
  if (ns == nullptr) return;
  const bool labelled = std::ranges::any_of(ns->meta.labels, [](const auto& label) {
    return label.key == kAdminLabel && label.value == "true";
  });
  if (labelled) return;
  const Place requests = place_.child("devices").child("requests");
  for (std::size_t i = 0; i < spec_.devices.requests.size(); ++i) {
    const Place field = requests.item(i).child("exactly").child("adminAccess");
    if (field.value == nullptr || field.value->text() != "true") continue;
    Place named = field;
    named.path = requests.item(i).path + ".adminAccess";
    findings_.push_back(
        found(named, Severity::Error, "Forbidden",
              base::format("namespace {} may not have admin access to devices", name_.namespace_),
              base::format("kubectl label namespace {} {}=true", name_.namespace_, kAdminLabel)));
  }
}

// False where some class is not known, so that nothing more can be said.
bool ClaimAgainst::check_classes(const checks::DefinedNames& defined) {
  if (!snapshot_.coverage().saw(Kind::Class)) return false;
  bool all = true;
  std::vector<std::string_view> names;
  for (const api::DeviceClass& one : snapshot_.all<api::DeviceClass>())
    names.push_back(one.meta.name);
  for_each_demand([&](const api::DeviceDemand& demand, const Place& place) {
    const std::string_view name = demand.device_class;
    if (std::ranges::find(names, name) != names.end()) return;
    all = false;
    const bool planned = defined.has({Kind::Class, {}, std::string(name)});
    if (planned || name.empty()) return;
    const std::string_view near = base::nearest(name, names);
    findings_.push_back(warning(
        place.child("deviceClassName").or_parent(place), Code::ClassMissing,
        base::format("the cluster has no class {}: pods with this claim are not even looked at",
                     name),
        near.empty() ? std::string("kubectl dra classes lists those that there are")
                     : base::format("did you mean {}?", near)));
  });
  return all;
}

// False where some request finds nothing, whoever holds it, or a selector fails for some device.
bool ClaimAgainst::check_demands() {
  const engine::Demands demands(snapshot_, empty_, subject_);
  bool all = true;
  for_each_demand([&](const api::DeviceDemand& demand, const Place& place) {
    const engine::Selection* selection = demands.of(demand);
    if (selection == nullptr) return;
    std::int64_t failed = 0;
    std::vector<std::string_view> expressions;
    for (const engine::SelectorCount& selector : selection->selectors) {
      failed += static_cast<std::int64_t>(selector.failed);
      expressions.push_back(selector.answer->selector.expression());
    }
    if (selection->chosen > 0 && failed == 0) return;
    all = false;
    const auto suggestions =
        engine::suggestions_for(demands.fleet(), expressions, snapshot_.server());
    const std::string fix =
        suggestions.empty() ? std::string() : suggestion_text(suggestions.front(), true);
    const Place selectors = place.child("selectors").or_parent(place);
    if (failed > 0) {
      findings_.push_back(warning(
          selectors, Code::SelectorError,
          base::format("a selector fails for {} in the cluster, and where the scheduler comes "
                       "to one it gives up on the whole pod",
                       base::plural(failed, "device")),
          fix));
      return;
    }
    findings_.push_back(warning(
        selectors, Code::NoMatch,
        base::format("the selectors, with those of class {}, match none of {} in the cluster",
                     demand.device_class,
                     base::plural(static_cast<std::int64_t>(selection->devices.size()), "device")),
        fix));
  });
  return all;
}

// Whether some node could serve all of it, if nobody held anything; else what most nodes lack.
void ClaimAgainst::check_room() {
  if (!snapshot_.coverage().saw(Kind::Node)) return;
  const engine::Demands demands(snapshot_, empty_, subject_);
  engine::SearchBudget budget;
  engine::Standings standings(snapshot_, {empty_, snapshot_.coverage(), demands, budget}, subject_);
  std::map<std::string, std::int64_t> reasons;
  std::int64_t nodes = 0;
  const engine::Nodes all = engine::nodes_of(snapshot_);
  for (const api::Node& node : all.nodes) {
    const engine::NodeStanding standing = standings.of(node);
    if (!standing.ruled_out) return;
    ++nodes;
    // A node without such devices at all says nothing about how many there are.
    const auto told = std::ranges::find_if(standing.reasons, [](const diag::Reason& reason) {
      return reason.code != Code::NoSlices && reason.code != Code::NoMatch;
    });
    if (told != standing.reasons.end()) ++reasons[told->message];
  }
  if (nodes == 0) return;
  const auto most =
      std::ranges::max_element(reasons, {}, [](const auto& entry) { return entry.second; });
  const Place requests = place_.child("devices").child("requests");
  findings_.push_back(warning(
      requests.or_parent(place_), Code::CountShort,
      base::format("none of {} could serve this claim, even if nobody held anything{}",
                   base::plural(nodes, "node"),
                   most == reasons.end() ? std::string() : base::format(": {}", most->first)),
      "kubectl dra explain -f FILE says what each node lacks"));
}

template <class Object>
Object decoded(const Value& tree, base::Arena& arena, bool& read) {
  Object object;
  read = json::read_tree(tree, arena, [&object](json::Cursor& cursor) {
           api::decode(cursor, object);
         }).ok();
  return object;
}

}  // namespace

ValidationAgainst::ValidationAgainst(const snapshot::Snapshot& snapshot)
    : snapshot_(snapshot), empty_(snapshot, {.held_by = engine::HeldBy::value_type()}) {}

std::vector<ManifestFinding> ValidationAgainst::check(const checks::CheckedObject& object,
                                                      const checks::DefinedNames& defined) const {
  if (!object.defines || !object.whole) return {};
  base::Arena arena;
  bool read = false;
  const Place root{&*object.whole, {}};
  if (object.defines->kind == Kind::Claim) {
    const auto claim = decoded<api::ResourceClaim>(*object.whole, arena, read);
    if (!read) return {};
    return ClaimAgainst(snapshot_, empty_, claim.spec, root.child("spec"), *object.defines)
        .check(defined);
  }
  if (object.defines->kind == Kind::Template) {
    const auto made = decoded<api::ResourceClaimTemplate>(*object.whole, arena, read);
    if (!read) return {};
    return ClaimAgainst(snapshot_, empty_, made.spec.spec, root.child("spec").child("spec"),
                        *object.defines)
        .check(defined);
  }
  return {};
}

}  // namespace dra::report
