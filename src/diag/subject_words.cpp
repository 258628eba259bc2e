// src/diag/subject_words.cpp: names all subjects if they are few, otherwise the first two and the
// number of the others.

#include "dra/diag/subject_words.h"

#include "dra/base/text.h"

namespace dra::diag {
namespace {

constexpr std::size_t kNamed = 2;        // named subjects if there are more than kNamedAtMost
constexpr std::size_t kNamedAtMost = 3;  // up to this many, all are named

}  // namespace

std::string full_name(const SubjectName& subject) {
  return subject.namespace_.empty() ? subject.name
                                    : base::format("{}/{}", subject.namespace_, subject.name);
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

}  // namespace dra::diag
