// src/answers/problems/doctor.cpp: counts the objects of the kinds that could be read.

#include "dra/answers/problems/doctor.h"

#include <algorithm>

#include "dra/api/cluster_objects.h"
#include "dra/api/device_class.h"
#include "dra/api/pod.h"
#include "dra/api/taint_rule.h"

namespace dra::answers {
namespace {

// Counts objects of a kind; namespaced ones only in `ns`, unless it is empty.
template <class T>
void count(const ClusterInput& cluster, api::Kind kind, std::string_view ns, Doctor::Looked looked,
           Doctor& doctor) {
  const snapshot::Coverage& coverage = cluster.snapshot.coverage();
  if (!coverage.saw(kind, ns) || coverage.presumes_none(kind)) return;
  const bool all = ns.empty() || !api::info_of(kind).namespaced;
  looked.kind = api::info_of(kind).name;
  looked.count = std::ranges::count_if(cluster.snapshot.all<T>(), [&](const T& object) {
    return all || object.meta.namespace_ == ns;
  });
  doctor.looked_at.push_back(looked);
}

// Kinds that a problem of the code is about, whatever its subjects are.
std::vector<std::string_view> kinds_of(diag::Code code) {
  switch (code) {
    case diag::Code::PrepareFailed:
    case diag::Code::DeviceUnhealthy:
      return {"Device", "Node", "Pod"};
    case diag::Code::DeviceTainted:
    case diag::Code::DeviceGone:
      return {"Device", "Pod"};
    case diag::Code::CapacityMissing:
    case diag::Code::QuotaExceeded:
    case diag::Code::SelectorError:
      return {"ResourceClaim"};
    case diag::Code::ClassMissing:
      return {"DeviceClass"};
    default:
      return {};
  }
}

std::int64_t problems_with(std::string_view kind, const std::vector<Problem>& problems) {
  return std::ranges::count_if(problems, [kind](const Problem& problem) {
    const auto blamed = kinds_of(problem.finding.code);
    return std::ranges::find(blamed, kind) != blamed.end() ||
           std::ranges::find(problem.finding.subjects, kind, &SubjectName::kind) !=
               problem.finding.subjects.end() ||
           std::ranges::find(problem.blames, kind) != problem.blames.end();
  });
}

}  // namespace

bool Doctor::found() const {
  return std::ranges::any_of(
      problems, [](const Problem& problem) { return problem.finding.severity != Severity::Hint; });
}

bool Doctor::has_no_devices() const {
  return std::ranges::any_of(
      looked_at, [](const Looked& looked) { return looked.one == "device" && looked.count == 0; });
}

Doctor examine(const ClusterInput& cluster, std::string_view ns) {
  Doctor doctor{.problems = find_problems(cluster, ns, diag::Detail::Everything),
                .namespace_ = std::string(ns),
                .looked_at = {},
                .coverage = cluster.snapshot.coverage()};
  if (cluster.snapshot.coverage().saw(api::Kind::Slice)) {
    doctor.looked_at.push_back(
        {"Pool", "pool", "pools", static_cast<std::int64_t>(cluster.inventory.pools().size())});
    doctor.looked_at.push_back({"Device", "device", "devices",
                                static_cast<std::int64_t>(cluster.inventory.devices().size())});
  }
  count<api::DeviceClass>(cluster, api::Kind::Class, ns, {{}, "class", "classes"}, doctor);
  count<api::ResourceClaim>(cluster, api::Kind::Claim, ns, {{}, "claim", "claims"}, doctor);
  count<api::DeviceTaintRule>(cluster, api::Kind::TaintRule, ns, {{}, "taint rule", "taint rules"},
                              doctor);
  count<api::Node>(cluster, api::Kind::Node, ns, {{}, "node", "nodes"}, doctor);
  count<api::Pod>(cluster, api::Kind::Pod, ns, {{}, "pod", "pods"}, doctor);
  for (Doctor::Looked& looked : doctor.looked_at)
    looked.problems = problems_with(looked.kind, doctor.problems);
  return doctor;
}

}  // namespace dra::answers
