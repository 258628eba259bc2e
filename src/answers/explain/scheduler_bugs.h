// src/answers/explain/scheduler_bugs.h: known faults of kube-scheduler, by what it says.

#pragma once

#include <string>
#include <string_view>

#include "dra/snapshot/snapshot.h"

namespace dra::answers {

// "a bug of kube-scheduler ...: what to do". Empty: the message is of no known bug of that release.
std::string known_bug(std::string_view message, const snapshot::Server& server);

}  // namespace dra::answers
