// cmd/roff.cpp: see roff.h.

#include "cmd/roff.h"

#include "cmd/help.h"
#include "cmd/version.h"
#include "dra/base/text.h"

namespace dra::cmd {

std::string escape(std::string_view text) {
  std::string out;
  if (text.starts_with('.') || text.starts_with('\'')) out += "\\&";
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

// The arguments of .TH and .SH are quoted.
std::string heading(std::string_view name, std::string_view page, char section) {
  std::string title(page);
  for (char& c : title) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return base::format(
      ".\\\" Generated from the tables of the program; tests/style compares.\n"
      ".TH \"{}\" \"{}\" \"\" \"kubectl-dra {}\" \"kubectl dra\"\n"
      ".SH NAME\n{} \\- ",
      title, section, version(), escape(name));
}

void add_paragraphs(std::string& page, std::string_view text) {
  for (const std::string& paragraph : paragraphs_of(text)) {
    page += ".PP\n" + escape(paragraph) + "\n";
  }
}

}  // namespace dra::cmd
