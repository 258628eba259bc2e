// src/answers/explain/cause/unmet_words.h: a condition that no device meets, in words, with what
// devices have instead.

#pragma once

#include <string>
#include <string_view>

#include "dra/answers/explain/selector_findings.h"

namespace dra::answers {

// "no GPU has 81Gi of memory or more; the largest has 80Gi (2 devices)". Of several values an order
// shows those that are next to what is asked for, else the most frequent; what is not shown is
// counted. `noun`: what devices are called.
std::string unmet_words(const SelectorFinding& finding, std::string_view noun);

}  // namespace dra::answers
