// src/answers/explain/after/after_remedy_parts.h: parts of the remedy of a finding after
// scheduling.

#pragma once

#include <string>
#include <vector>

#include "dra/engine/running/after_scheduling.h"

namespace dra::answers {

// What to do about the containers of a pod, and about a pod that has ended or does not go away
// (container_remedy.cpp).
std::string remedy_of_containers(const engine::AfterFinding& found);

// What to do where the driver, the kubelet or the runtime refuses what the pod or the node is like
// (refusal_remedy.cpp).
std::string remedy_of_refusals(const engine::AfterFinding& found);
// Whether it has words for the action, whatever the action is about.
bool has_words_of_refusal(engine::Action action);

// What to do about the driver's pod on the node (plugin_remedy.cpp).
std::string about_plugin(const engine::AfterFinding& found);

// "pod a", "pods a, b and 3 more".
std::string pods_words(const std::vector<std::string>& pods);
// Follows the sentence that deletes the pods; empty if a controller creates each of them again.
std::string by_hand(const engine::Repair& repair);

// The command line that carries out a repair, or its first step (after_command.cpp). Empty: there
// is none.
std::string command_of(const engine::Repair& repair);

// Whether that command saves the pod before it deletes it, as nothing creates it again.
bool is_saved_first(const engine::Repair& repair);

}  // namespace dra::answers
