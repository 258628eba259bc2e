// include/dra/answers/explain/silent_driver_words.h
//
// Words about a driver that publishes no device, and what to do.

#pragma once

#include <string>

#include "dra/diag/remedy.h"
#include "dra/diag/subject.h"
#include "dra/engine/selectors/silent_drivers.h"

namespace dra::answers {

// "driver gpu.example.com publishes no device: its DaemonSet a/b is to run on no node".
std::string words_of(const engine::SilentDriver& silent);
diag::Remedy remedy_of(const engine::SilentDriver& silent);
// Its DaemonSet, else its pod; no value: neither was found.
std::optional<diag::SubjectName> object_of(const engine::SilentDriver& silent);

}  // namespace dra::answers
