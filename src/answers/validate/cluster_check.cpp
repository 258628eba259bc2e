// src/answers/validate/cluster_check.cpp: checks a claim from the outside in: admin access,
// classes, the devices of each request, then all requests together on each node, then quotas.

#include "src/answers/validate/cluster_check.h"

#include <algorithm>
#include <set>

#include "dra/api/device_class.h"
#include "dra/api/version_history.h"
#include "dra/base/text.h"
#include "dra/checks/fields/references.h"
#include "dra/checks/manifest/documents.h"
#include "dra/diag/command_line.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/facts/tpu_generations.h"
#include "dra/engine/scheduler/demands.h"
#include "dra/engine/scheduler/node_result.h"
#include "src/answers/validate/demand_check.h"
#include "src/answers/validate/reference_check.h"
#include "src/answers/validate/validation_findings.h"

namespace dra::answers {
namespace {

using api::Kind;
using checks::ManifestFinding;
using checks::ManifestPlace;
using checks::Severity;
using diag::Code;

struct Cluster {
  const snapshot::Snapshot& snapshot;
  const engine::Inventory& now;
  const engine::Inventory& empty;
  std::string explain;  // the command that shows each node
};

// Checks one claim, or the claim of a template.
class ClaimCheck {
 public:
  ClaimCheck(const Cluster& cluster, const api::ClaimSpec& spec, ManifestPlace spec_place,
             const checks::ObjectName& name)
      : snapshot_(cluster.snapshot),
        now_(cluster.now),
        empty_(cluster.empty),
        explain_(cluster.explain),
        spec_(spec),
        place_(std::move(spec_place)),
        name_(name) {
    engine::SubjectClaim claim{.namespace_ = name.namespace_, .name = name.name};
    claim.spec = &spec;
    claim.state = engine::ClaimState::Pending;
    subject_.claims.push_back(std::move(claim));
  }

  ClusterFindings check(const checks::DefinedNames& defined) {
    check_admin_access();
    if (!check_classes(defined)) return std::move(found_);
    const bool saw = snapshot_.coverage().saw(Kind::Slice) && snapshot_.coverage().saw(Kind::Class);
    if (saw) check_demands();
    return std::move(found_);
  }

 private:
  template <class F>
  void for_each_demand(F on_demand) const {
    const ManifestPlace requests = place_.child("devices").child("requests");
    for (std::size_t i = 0; i < spec_.devices.requests.size(); ++i) {
      const ManifestPlace place = requests.item(i);
      const auto demands = api::demands_of(spec_.devices.requests[i]);
      const bool exact = spec_.devices.requests[i].exactly.has_value();
      for (std::size_t j = 0; j < demands.size(); ++j)
        on_demand(demands[j],
                  exact ? place.child("exactly") : place.child("firstAvailable").item(j));
    }
  }

  void check_admin_access();
  bool check_classes(const checks::DefinedNames& defined);
  void check_demands();
  void check_hosts(const DemandCheck& check);
  void check_room(const engine::Demands& demands);

  const snapshot::Snapshot& snapshot_;
  const engine::Inventory& now_;
  const engine::Inventory& empty_;
  const std::string explain_;
  const api::ClaimSpec& spec_;
  const ManifestPlace place_;
  const checks::ObjectName& name_;
  engine::Subject subject_;
  ClusterFindings found_;
};

// Upstream: k8s.io/kubernetes/pkg/api/resourceclaimspec and
// pkg/registry/resource/utils.AuthorizedForAdmin. The server's path has no `exactly`, and for a
// template it is the path of a claim.
void ClaimCheck::check_admin_access() {
  const auto* ns = snapshot_.find<api::Namespace>(name_.namespace_);
  if (ns == nullptr || api::allows_admin_access(*ns)) return;
  const ManifestPlace requests = place_.child("devices").child("requests");
  for (std::size_t i = 0; i < spec_.devices.requests.size(); ++i) {
    const ManifestPlace field = requests.item(i).child("exactly").child("adminAccess");
    if (field.value == nullptr || field.value->text() != "true") continue;
    ManifestPlace named = field;
    named.path = base::format("spec.devices.requests[{}].adminAccess", i);
    found_.findings.push_back(checks::finding_at(
        named, Severity::Error, "Forbidden",
        base::format("namespace {} is not allowed admin access to devices", name_.namespace_),
        diag::kubectl("label namespace")
            .name(name_.namespace_)
            .words(base::format("{}=true", api::kAdminAccessLabel))
            .text()));
  }
}

// False if some class is not known; no further check is possible then.
bool ClaimCheck::check_classes(const checks::DefinedNames& defined) {
  if (!snapshot_.coverage().saw(Kind::Class)) return false;
  bool all = true;
  std::vector<std::string_view> names;
  for (const api::DeviceClass& one : snapshot_.all<api::DeviceClass>())
    names.push_back(one.meta.name);
  for_each_demand([&](const api::NamedDemand& demand, const ManifestPlace& place) {
    const std::string_view name = demand.demand->device_class;
    if (std::ranges::find(names, name) != names.end()) return;
    all = false;
    const bool planned = defined.has({Kind::Class, {}, std::string(name)});
    if (planned || name.empty()) return;
    const std::string_view near = base::nearest(name, names);
    found_.findings.push_back(checks::warning_at(
        place.child("deviceClassName").or_parent(place), Code::ClassMissing,
        base::format("the cluster has no class {}: pods with this claim stay Pending", name),
        near.empty() ? std::string("kubectl dra classes lists those that there are")
                     : base::format("did you mean {}?", near)));
  });
  return all;
}

// Checks each request, then all together, unless a single request has no devices.
void ClaimCheck::check_demands() {
  const DemandCheck check(snapshot_, now_, empty_, subject_);
  bool all = true;
  for_each_demand([&](const api::NamedDemand& demand, const ManifestPlace& place) {
    if (auto match = check.match(demand, place)) found_.requests.push_back(*std::move(match));
    all = check.check(*demand.demand, place, found_.findings) && all;
  });
  if (!all) return;
  check_hosts(check);
  if (snapshot_.coverage().saw(Kind::Node)) check_room(check.demands());
}

// Checks requests for chips of one host together, if they have no alternatives.
void ClaimCheck::check_hosts(const DemandCheck& check) {
  std::set<std::int64_t> hosts;
  std::int64_t wanted = 0;
  bool counted = true;
  for_each_demand([&](const api::NamedDemand& demand, const ManifestPlace&) {
    const auto chips = check.chips_of_hosts(*demand.demand);
    if (chips.empty()) return;
    hosts.insert(chips.begin(), chips.end());
    wanted += demand.demand->wanted();
    counted = counted && !demand.demand->all() && demand.name.find('/') == std::string::npos;
  });
  if (hosts.empty() || !counted || hosts.contains(wanted) ||
      engine::tpu_host_size_of(wanted) == nullptr)
    return;
  std::vector<std::string> sizes;
  sizes.reserve(hosts.size());
  for (const std::int64_t chips : hosts)
    sizes.push_back(std::to_string(chips));
  found_.findings.push_back(checks::warning_at(
      place_.child("devices").child("requests").or_parent(place_), Code::PartialHost,
      base::format("the TPU driver prepares all chips of a host or none, and hosts here have {}: a "
                   "claim for {} is allocated, and then refused on its node",
                   base::join(sizes, " or "), wanted),
      "ask for all chips of a host: `allocationMode: All`, or their number as count"));
}

// What keeps a claim off a node that nothing is taken of. Nodes with more devices that match are
// nearer to serving it.
struct Nearest {
  std::string node;
  std::int64_t matching = -1;
  std::string reason;  // empty: the node has no such devices

  void look_at(const engine::NodeResult& result);
  std::string words(std::int64_t nodes) const;
};

void Nearest::look_at(const engine::NodeResult& result) {
  std::int64_t devices = 0;
  for (const engine::DemandResult& demand : result.demands)
    devices += demand.matching;
  if (devices <= matching) return;
  // Reasons of nodes without such devices do not show that there are too few.
  const auto deciding = std::ranges::find_if(result.reasons, [](const diag::Reason& one) {
    return one.code != Code::NoSlices && one.code != Code::NoMatch;
  });
  matching = devices;
  node = result.name;
  reason = deciding == result.reasons.end() ? std::string() : deciding->message;
}

std::string Nearest::words(std::int64_t nodes) const {
  const std::string who =
      nodes == 1 ? base::format("node {} could not serve this claim", node)
                 : base::format("none of {} could serve this claim", base::plural(nodes, "node"));
  std::string text = who + ", even if all devices were free";
  if (reason.empty()) return text;
  return nodes == 1 ? base::format("{}: {}", text, reason)
                    : base::format("{}; {} comes nearest: {}", text, node, reason);
}

// Checks that some node could serve the claim if all other claims were released.
void ClaimCheck::check_room(const engine::Demands& demands) {
  engine::SearchBudget budget;
  engine::NodeEvaluator evaluator(snapshot_, {empty_, snapshot_.coverage(), demands, budget},
                                  subject_);
  Nearest nearest;
  std::int64_t nodes = 0;
  const engine::Nodes all = engine::nodes_of(snapshot_);
  for (const api::Node& node : all.nodes) {
    const engine::NodeResult result = evaluator.evaluate(node);
    if (!result.is_ruled_out()) return;
    ++nodes;
    nearest.look_at(result);
  }
  if (nodes == 0) return;
  const ManifestPlace requests = place_.child("devices").child("requests");
  found_.findings.push_back(
      checks::warning_at(requests.or_parent(place_), Code::CountShort, nearest.words(nodes),
                         base::format("see what each node is missing: {}", explain_)));
}

}  // namespace

ClusterCheck::ClusterCheck(const snapshot::Snapshot& snapshot, std::string_view flags)
    : snapshot_(snapshot),
      flags_(flags),
      now_(snapshot),
      empty_(snapshot, {.held_by = engine::HeldBy::value_type()}),
      quotas_(snapshot) {}

// The server rejects an object of a version that it does not serve, without further checks.
std::optional<ManifestFinding> ClusterCheck::check_version(
    const checks::CheckedObject& object) const {
  const auto& served = snapshot_.server().dra_versions;
  const ManifestPlace place = ManifestPlace{&*object.whole, {}}.child("apiVersion");
  if (served.empty() || place.value == nullptr || !api::info_of(object.defines->kind).is_dra())
    return std::nullopt;
  const std::string_view version = api::version_of(place.value->text());
  if (std::ranges::find(served, version) != served.end()) return std::nullopt;
  const auto possible = api::versions_in(api::info_of(object.defines->kind),
                                         engine::minor_release(snapshot_.server()));
  const auto write = std::ranges::find_if(possible, [&served](std::string_view one) {
    return std::ranges::find(served, one) != served.end();
  });
  return checks::finding_at(
      place, Severity::Error, "NotFound",
      base::format("the server does not serve {} of {}, but {}", version, api::kDraGroup,
                   base::join(served, ", ")),
      write == possible.end()
          ? base::format("start the API server with --runtime-config={}/{}=true", api::kDraGroup,
                         version)
          : base::format(
                "write {}/{}{}", api::kDraGroup, *write,
                *write == "v1" ? "; kubectl dra convert rewrites older versions as v1" : ""));
}

// The server checks quotas last, and on creation only.
void ClusterCheck::check_quota(const checks::CheckedObject& object, const api::ClaimSpec& spec,
                               std::vector<ManifestFinding>& findings) {
  if (object.exists) return;
  const std::string& ns = object.defines->namespace_;
  const bool is_claim = object.defines->kind == Kind::Claim;
  const ManifestPlace root{&*object.whole, {}};
  const auto who = [&ns](const diag::RefusalEvidence& refusal) {
    return diag::kubectl("describe resourcequota").name(refusal.name).in(ns).text();
  };
  const auto refused = is_claim ? quotas_.create_claim(ns, spec) : quotas_.create_template(ns);
  if (refused) {
    findings.push_back(checks::finding_at(root, Severity::Error, "Forbidden",
                                          engine::words_for_quota(*refused), who(*refused)));
  } else if (const auto later = quotas_.refusal_of_claim(ns, spec); later && !is_claim) {
    findings.push_back(checks::warning_at(
        root, Code::QuotaExceeded,
        base::format("claims of this template would be refused now, and pods wait for them: {}",
                     engine::words_for_quota(*later)),
        who(*later)));
  }
}

ClusterFindings ClusterCheck::check(const checks::CheckedObject& object, std::string_view file,
                                    const checks::DefinedNames& defined) {
  if (!object.defines || !object.whole) return {};
  if (auto refused = check_version(object)) return {.findings = {*std::move(refused)}};
  base::Arena arena;
  const auto claim = checks::claim_of(object, arena);
  if (!claim) return {};
  const Cluster cluster{snapshot_, now_, empty_,
                        diag::kubectl_dra("explain").option("-f", file).flags(flags_).text()};
  ClusterFindings found =
      ClaimCheck(cluster, claim->spec, claim->place, *object.defines).check(defined);
  check_quota(object, claim->spec, found.findings);
  return found;
}

namespace {

// What is known of a driver is a hint; what its devices show is a warning about the same selector.
void drop_hints(const FileObject& seen, const std::vector<ManifestFinding>& found,
                Validation& validation) {
  const auto place = static_cast<std::size_t>(&seen - validation.seen.data());
  std::erase_if(validation.findings, [&](const FileFinding& entry) {
    return entry.seen == place && entry.finding.severity == Severity::Hint &&
           entry.finding.path.ends_with(".expression") &&
           std::ranges::any_of(found, [&entry](const ManifestFinding& finding) {
             return finding.severity == Severity::Warning && finding.path == entry.finding.path;
           });
  });
}

}  // namespace

void check_cluster(const snapshot::Snapshot& snapshot, const std::string& ns,
                   std::string_view flags, Validation& validation) {
  ClusterCheck check(snapshot, flags);
  const checks::DefinedNames names(validation.defined());
  for (FileObject& seen : validation.seen) {
    if (seen.object.defines && seen.object.defines->namespace_.empty())
      seen.object.defines->namespace_ = ns;
    ClusterFindings found = check.check(seen.object, seen.file, names);
    drop_hints(seen, found.findings, validation);
    const std::string& text = validation.texts.find(seen.file)->second;
    for (ManifestFinding& finding : found.findings) {
      checks::place_in_text(text, finding);
      // Namespace admission applies to creation only.
      const bool of_creation = seen.object.exists && finding.code == "Forbidden";
      if (!of_creation) add_finding(seen, std::move(finding), validation);
    }
    for (RequestMatch& request : found.requests)
      validation.requests.push_back({seen.file, seen.object.name, std::move(request)});
  }
  check_references_in(snapshot, ns, validation);
  sort_findings(validation);
}

}  // namespace dra::answers
