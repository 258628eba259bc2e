// include/dra/report/phrases/remedy.h
//
// What to do about a reason, and how a remedy looks.

#pragma once

#include <string>
#include <string_view>

#include "dra/diag/reason.h"
#include "dra/diag/remedy.h"
#include "dra/view/document.h"

namespace dra::report {

using diag::Remedy;

// What the catalogue says of the code, or something better for this case. `ns` is that of what the
// reason is about.
Remedy remedy_of(const diag::Reason& reason, std::string_view ns);

void add_remedy(view::Document& document, const Remedy& remedy);
// On a line of its own, however long it is: a command that is broken cannot be pasted.
void add_command(view::Document& document, std::string command, int indent);

}  // namespace dra::report
