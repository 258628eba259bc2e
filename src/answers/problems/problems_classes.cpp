// src/answers/problems/problems_classes.cpp: finds classes whose selectors do not compile, fail for
// devices, or match none.

#include <algorithm>

#include "dra/api/device_class.h"
#include "dra/api/subject.h"
#include "dra/base/text.h"
#include "dra/engine/selectors/class_counts.h"
#include "dra/engine/selectors/driver_summary.h"
#include "dra/engine/selectors/silent_drivers.h"
#include "src/answers/problems/families.h"

namespace dra::answers {
namespace {

using diag::Code;

Problem of_class(const api::DeviceClass& device_class, Code code) {
  return problem_of(subject_of("DeviceClass", device_class.meta), "class", code);
}

bool asks_for(const api::ClaimSpec& spec, std::string_view name) {
  return std::ranges::any_of(spec.devices.requests, [name](const api::DeviceRequest& request) {
    return std::ranges::any_of(api::demands_of(request), [name](const api::NamedDemand& demand) {
      return demand.demand->device_class == name;
    });
  });
}

// Whether another class of one of its drivers selects devices: the driver is there, and has none
// of this kind.
bool has_working_sibling(const std::vector<engine::ClassCounts>& rows,
                         const api::DeviceClass& device_class) {
  const auto drivers = engine::drivers_named_by(device_class);
  return std::ranges::any_of(rows, [&drivers](const engine::ClassCounts& row) {
    const auto others = engine::drivers_named_by(*row.device_class);
    return row.devices.value_or(0) > 0 &&
           std::ranges::find_first_of(others, drivers) != others.end();
  });
}

void add_class(const ClusterInput& cluster, const std::vector<engine::ClassCounts>& rows,
               const engine::ClassCounts& row, std::vector<Problem>& problems) {
  const std::string_view name = row.device_class->meta.name;
  if (!row.compiles) {
    Problem problem = of_class(*row.device_class, Code::SelectorCompile);
    problem.finding.message = base::format(
        "A selector of class {} does not compile: no claim gets a device of it.", name);
    problems.push_back(std::move(problem));
    return;
  }
  if (row.failed > 0) {
    Problem problem = of_class(*row.device_class, Code::SelectorError);
    problem.finding.message = base::format(
        "A selector of class {} fails on {}: a pod that asks for the class gets no node that has "
        "one of them.",
        name, base::plural(row.failed, "device"));
    problems.push_back(std::move(problem));
    return;
  }
  if (row.devices.value_or(1) > 0) return;
  // That its driver publishes nothing is a problem of the driver.
  if (!engine::silent_drivers_of(cluster.snapshot, cluster.inventory, *row.device_class).empty())
    return;
  const bool asked = is_asked_for(cluster.snapshot, name);
  if (!asked && has_working_sibling(rows, *row.device_class)) return;
  Problem problem = of_class(*row.device_class, Code::ClassMatchesNothing);
  if (!asked) problem.finding.severity = Severity::Hint;
  problem.finding.message = base::format("Class {} matches no device.", name);
  problems.push_back(std::move(problem));
}

}  // namespace

bool is_asked_for(const snapshot::Snapshot& snapshot, std::string_view name) {
  return std::ranges::any_of(snapshot.all<api::ResourceClaim>(),
                             [name](const auto& claim) { return asks_for(claim.spec, name); }) ||
         std::ranges::any_of(snapshot.all<api::ResourceClaimTemplate>(),
                             [name](const auto& one) { return asks_for(one.spec.spec, name); });
}

std::vector<Problem> class_problems(const ClusterInput& cluster, diag::Detail) {
  std::vector<const api::DeviceClass*> classes;
  for (const api::DeviceClass& device_class : cluster.snapshot.all<api::DeviceClass>())
    classes.push_back(&device_class);
  std::vector<Problem> problems;
  const std::vector<engine::ClassCounts> rows =
      engine::count_classes(cluster.snapshot, cluster.inventory, classes);
  for (const engine::ClassCounts& row : rows)
    add_class(cluster, rows, row, problems);
  return problems;
}

}  // namespace dra::answers
