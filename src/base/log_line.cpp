// src/base/log_line.cpp: see log_line.h.

#include "dra/base/log_line.h"

#include "dra/base/ascii.h"
#include "dra/base/prose.h"
#include "dra/base/text.h"

namespace dra::base {
namespace {

// Whether a header of klog begins there: severity, month and day, time.
bool begins_header(std::string_view text) {
  constexpr std::string_view form = "S#### ##:##:##.";
  if (text.size() < form.size()) return false;
  for (std::size_t i = 0; i < form.size(); ++i) {
    const char c = text[i];
    const bool fits = form[i] == 'S'   ? std::string_view("IWEF").find(c) != std::string_view::npos
                      : form[i] == '#' ? is_digit(c)
                                       : c == form[i];
    if (!fits) return false;
  }
  return true;
}

}  // namespace

std::string plain_log(std::string_view text) {
  constexpr std::string_view end_of_header = "] ";
  constexpr std::string_view escaped_break = "\\n";
  std::string out;
  while (!text.empty()) {
    const bool word = out.empty() || out.ends_with(' ') || out.ends_with('\n');
    const std::size_t end =
        word && begins_header(text) ? text.find(end_of_header) : std::string_view::npos;
    if (end != std::string_view::npos) {
      text.remove_prefix(end + end_of_header.size());
    } else if (text.starts_with(escaped_break)) {
      out += '\n';
      text.remove_prefix(escaped_break.size());
    } else {
      out += text.front();
      text.remove_prefix(1);
    }
  }
  return one_line(out);
}

}  // namespace dra::base
