// src/report/phrases/subject_words.cpp: see subject_words.h.

#include "dra/report/phrases/subject_words.h"

#include "dra/base/text.h"

namespace dra::report {
namespace {

constexpr std::size_t kNamed = 2;        // of many subjects
constexpr std::size_t kNamedAtMost = 3;  // so many are all named

}  // namespace

std::string full_name(const SubjectName& subject) {
  return subject.namespace_.empty() ? subject.name
                                    : base::format("{}/{}", subject.namespace_, subject.name);
}

SubjectName subject_of(std::string_view kind, const api::ObjectMeta& meta) {
  return {std::string(kind), std::string(meta.namespace_), std::string(meta.name)};
}

SubjectName device_subject(const engine::DeviceId& id) {
  return {"Device", {}, engine::to_string(id)};
}

SubjectName pool_subject(const engine::Pool& pool) {
  return {"Pool", {}, base::format("{}/{}", pool.driver, pool.name)};
}

std::string name_subjects(const std::vector<SubjectName>& subjects, SubjectWords words,
                          Detail detail) {
  if (subjects.size() == 1) return base::format("{} {}", words.one, full_name(subjects.front()));
  const bool all = detail == Detail::Everything || subjects.size() <= kNamedAtMost;
  const std::size_t shown = all ? subjects.size() : kNamed;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < shown; ++i)
    names.push_back(full_name(subjects[i]));
  if (shown < subjects.size()) names.push_back(base::format("+{}", subjects.size() - shown));
  return base::format("{} {} ({})", subjects.size(), words.many, base::join(names, ", "));
}

}  // namespace dra::report
