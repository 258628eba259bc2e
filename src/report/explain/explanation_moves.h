// src/report/explain/explanation_moves.h: pods that could move to make room, in words, as commands
// and as JSON.

#pragma once

#include <string>
#include <vector>

#include "dra/engine/whatif/advice.h"
#include "dra/json/value.h"

namespace dra::report {

// "Moving pod ml/a (1 device) from n1 to n3 makes room: it then fits on n1." `who` fits then.
std::string moves_words(const engine::Moves& moves, std::string_view who);
// Cordons the node, deletes the pods, and uncordons it.
std::vector<std::string> moves_commands(const engine::Moves& moves);
// What creates the pods again, and when to run the last command.
std::string moves_how(const engine::Moves& moves);

json::Value moves_json(const engine::Moves& moves);

}  // namespace dra::report
