// cmd/man/roff.cpp: see roff.h.

#include "cmd/man/roff.h"

#include <utility>

#include "cmd/help.h"
#include "cmd/version.h"
#include "dra/base/text.h"

namespace dra::cmd {

namespace {

// There is no release yet, so all pages are of one day.
constexpr std::string_view kDate = "2026-11-28";

// The longest line of a page's source; mandoc warns of longer ones.
constexpr std::size_t kLine = 80;

constexpr unsigned kContinuation = 0x80U;
constexpr unsigned kContinuationBits = 6;

bool is_continuation(unsigned char c) { return (c & 0xC0U) == kContinuation; }

// The character that begins at `at`, which is not of ASCII, as "\[u2500]"; moves behind it.
std::string character(std::string_view text, std::size_t& at) {
  const auto first = static_cast<unsigned char>(text[at++]);
  unsigned point = first >= 0xF0U ? first & 0x07U : first >= 0xE0U ? first & 0x0FU : first & 0x1FU;
  while (at < text.size() && is_continuation(static_cast<unsigned char>(text[at])))
    point = (point << kContinuationBits) | (static_cast<unsigned char>(text[at++]) & 0x3FU);
  constexpr std::string_view digits = "0123456789ABCDEF";
  constexpr unsigned base16 = 16;
  std::string hex;
  for (; point > 0 || hex.size() < 4; point /= base16)
    hex.insert(hex.begin(), digits[point % base16]);
  return base::format("\\[u{}]", hex);
}

// A line that starts like a request is text.
std::string text_line(std::string_view line) {
  const bool request = line.starts_with('.') || line.starts_with('\'');
  return (request ? "\\&" : "") + std::string(line);
}

bool ends_with_heading(std::string_view page) {
  if (!page.ends_with('\n')) return false;
  page.remove_suffix(1);
  const std::string_view last = page.substr(page.rfind('\n') + 1);
  return last.starts_with(".SH ") || last.starts_with(".SS ");
}

}  // namespace

std::string escape(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if ((static_cast<unsigned char>(c) & kContinuation) != 0) {
      out += character(text, at);
      continue;
    }
    ++at;
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return text_line(out);
}

std::string lines_of(std::string_view text) {
  std::string out;
  std::string line;
  for (const std::string_view word : base::split(text, ' ')) {
    const std::string escaped = escape(word);
    if (!line.empty() && line.size() + 1 + escaped.size() > kLine)
      out += text_line(std::exchange(line, {})) + "\n";
    line += (line.empty() ? "" : " ") + escaped;
  }
  return out + text_line(line) + "\n";
}

std::string verbatim(std::string_view text) {
  std::string out = ".nf\n.RS\n";
  if (text.ends_with('\n')) text.remove_suffix(1);
  for (const std::string_view line : base::split(text, '\n'))
    out += line.empty() ? "\\&\n" : escape(line) + "\n";
  return out + ".RE\n.fi\n";
}

// The arguments of .TH and .SH are quoted.
std::string heading(std::string_view name, std::string_view page, char section) {
  std::string title(page);
  for (char& c : title) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return base::format(
      ".\\\" Generated from the tables of the program; tests/style compares.\n"
      ".TH \"{}\" \"{}\" \"{}\" \"kubectl-dra {}\" \"kubectl dra\"\n"
      ".SH NAME\n{} \\- ",
      title, section, kDate, version(), escape(name));
}

void add_paragraphs(std::string& page, std::string_view text) {
  for (const std::string& paragraph : paragraphs_of(text)) {
    page += (ends_with_heading(page) ? "" : ".PP\n") + lines_of(paragraph);
  }
}

}  // namespace dra::cmd
