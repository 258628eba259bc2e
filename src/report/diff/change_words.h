// src/report/diff/change_words.h
//
// Presents an object that differs between two states of a cluster: in a few words, and as JSON.

#pragma once

#include <string>
#include <string_view>

#include "dra/answers/diff/object_change.h"
#include "dra/diag/subject.h"
#include "dra/json/value.h"

namespace dra::report {

using diag::SubjectName;

// A note after an answer that only rests on an event that is gone.
inline constexpr std::string_view kExpiredEvents =
    "events are kept for about an hour, so whether its trouble is over is not known";

SubjectName subject_of(const snapshot::Difference& object);

// "not allocated any more, before it was allocated for train-0".
std::string words_of(const answers::ObjectChange& change);

json::Value to_json(const answers::ObjectChange& change);

}  // namespace dra::report
