// include/dra/report/phrases/remedy.h
//
// What to do about something that was found: a sentence, and a command to copy.

#pragma once

#include <string>
#include <string_view>

#include "dra/diag/reason.h"
#include "dra/view/document.h"

namespace dra::report {

struct Remedy {
  std::string text;
  std::string command = {};  // empty: none

  friend bool operator==(const Remedy&, const Remedy&) = default;
};

// What the catalogue says of the code, or something better for this case. `ns` is that of what the
// reason is about.
Remedy remedy_of(const diag::Reason& reason, std::string_view ns);

void add_remedy(view::Document& document, const Remedy& remedy);
// On a line of its own, however long it is: a command that is broken cannot be pasted.
void add_command(view::Document& document, std::string command, int indent);

}  // namespace dra::report
