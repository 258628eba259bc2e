// include/dra/diag/subject_words.h
//
// Writes names of subjects in a sentence.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/diag/subject.h"

namespace dra::diag {

// How much a message says. Screen: the first few of many subjects, and the end of a driver's
// message, which names the cause. Everything: all of it.
enum class Detail { Screen, Everything };

// "ml/a"; the name alone if the subject has no namespace.
std::string full_name(const SubjectName& subject);

// "Pod ml/a", "3 pods (ml/a, ml/b, ml/c)", "5 pods (ml/a, ml/b, +3)". `one` and `many` are the
// words before the names, as at the beginning of a sentence: "Pod", "pods".
struct SubjectWords {
  std::string_view one;
  std::string_view many;
};
std::string name_subjects(const std::vector<SubjectName>& subjects, SubjectWords words,
                          Detail detail);

}  // namespace dra::diag
