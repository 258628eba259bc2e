// src/answers/problems/problems_fields.cpp: reports objects that have lost fields of feature gates
// that are off.

#include <map>
#include <tuple>

#include "dra/answers/explain/dropped_fields.h"
#include "dra/api/device_class.h"
#include "dra/api/subject.h"
#include "dra/base/prose.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/diag/subject.h"
#include "src/answers/problems/families.h"

namespace dra::answers {
namespace {

// By kind, gate and field.
using Losses =
    std::map<std::tuple<std::string_view, engine::Gate, std::string>, std::vector<SubjectName>>;

template <class Object>
void add_losses(const snapshot::Snapshot& snapshot, std::string_view kind, Losses& losses) {
  const engine::Features gates = engine::features_of(snapshot.server());
  for (const Object& object : snapshot.all<Object>()) {
    for (checks::LostField& lost : checks::lost_fields(object, gates))
      losses[{kind, lost.gate, std::move(lost.field)}].push_back(subject_of(kind, object.meta));
  }
}

struct Nouns {
  std::string_view one;
  std::string_view many;
};

Nouns nouns_of(std::string_view kind) {
  if (kind == "ResourceClaim") return {"claim", "claims"};
  if (kind == "ResourceClaimTemplate") return {"template", "templates"};
  return {"class", "classes"};
}

}  // namespace

std::vector<Problem> field_problems(const ClusterInput& cluster, diag::Detail detail) {
  Losses losses;
  add_losses<api::ResourceClaim>(cluster.snapshot, "ResourceClaim", losses);
  add_losses<api::ResourceClaimTemplate>(cluster.snapshot, "ResourceClaimTemplate", losses);
  add_losses<api::DeviceClass>(cluster.snapshot, "DeviceClass", losses);
  std::vector<Problem> problems;
  for (auto& [key, subjects] : losses) {
    const auto& [kind, gate, field] = key;
    const Nouns nouns = nouns_of(kind);
    const bool one = subjects.size() == 1;
    Problem problem{.finding = {.code = diag::Code::FieldDropped}};
    problem.finding.message = base::format(
        "{} {} applied with {}, which is not in {}: {}.",
        capitalized(name_subjects(subjects, {nouns.one, nouns.many}, detail)), one ? "was" : "were",
        field, one ? "it" : "them", why_dropped(cluster.snapshot.server(), gate));
    problem.remedy = {remedy_of_dropped(gate),
                      command_for("describe", nouns.one, subjects.front())};
    problem.finding.subjects = std::move(subjects);
    problems.push_back(std::move(problem));
  }
  return problems;
}

}  // namespace dra::answers
