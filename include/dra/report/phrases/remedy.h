// include/dra/report/phrases/remedy.h
//
// How a remedy looks.

#pragma once

#include <string>
#include <string_view>

#include "dra/diag/remedy.h"
#include "dra/view/document.h"

namespace dra::report {

using diag::Remedy;

// `flags` are what a command of this program needs to ask about the same state: " --demo".
void add_remedy(view::Document& document, const Remedy& remedy, std::string_view flags = {});
// The command line of a remedy with these flags, if it is one of this program.
std::string to_paste(const std::string& command, std::string_view flags);
// On a line of its own, however long it is: a command that is broken cannot be pasted.
void add_command(view::Document& document, std::string command, int indent);
// Behind words that say what it is for.
void add_command(view::Document& document, std::string_view words, std::string command);

}  // namespace dra::report
