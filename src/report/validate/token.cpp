// src/report/validate/token.cpp: sees one line, so a text or bracket that goes on below ends with
// the line.

#include "src/report/validate/token.h"

#include <algorithm>

#include "dra/base/text.h"
#include "dra/json/yaml_places.h"

namespace dra::report {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

bool is_quote(char c) { return c == '"' || c == '\''; }
bool opens(char c) { return c == '{' || c == '['; }
bool closes(char c) { return c == '}' || c == ']'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool is_name_part(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Behind the quoted text at the start; the whole text if nothing closes it.
std::size_t quoted_size(std::string_view text) {
  return std::min(json::end_of_quoted(text), text.size());
}

// Behind the bracket that closes the first one.
std::size_t bracket_size(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const bool starts = i == 0 || is_space(text[i - 1]) || opens(text[i - 1]) ||
                        text[i - 1] == ',' || text[i - 1] == ':';
    if (is_quote(c) && starts) {
      i += quoted_size(text.substr(i));
      continue;
    }
    if (opens(c)) ++depth;
    if (closes(c) && --depth == 0) return i + 1;
    ++i;
  }
  return text.size();
}

// Whether what begins there is in brackets that this line opens.
bool is_in_brackets(std::string_view line, std::size_t begin) {
  for (std::size_t i = 0; i < begin; ++i) {
    if (opens(line[i]) && i + bracket_size(line.substr(i)) > begin) return true;
  }
  return false;
}

// Up to what ends a plain text: a colon or comment, in brackets a comma or the bracket.
std::size_t plain_size(std::string_view text, bool in_brackets) {
  std::size_t size = 0;
  for (; size < text.size(); ++size) {
    const char c = text[size];
    const char next = size + 1 < text.size() ? text[size + 1] : ' ';
    if (c == ':' && is_space(next)) break;
    if (is_space(c) && next == '#') break;
    if (in_brackets && (c == ',' || closes(c))) break;
  }
  return size;
}

std::size_t trimmed_size(std::string_view text, std::size_t size) {
  while (size > 1 && (is_space(text[size - 1]) || text[size - 1] == ','))
    --size;
  return std::max<std::size_t>(size, 1);
}

}  // namespace

std::size_t yaml_token_size(std::string_view line, std::size_t begin) {
  if (begin >= line.size()) return 1;
  const std::string_view text = line.substr(begin);
  if (is_quote(text.front())) return trimmed_size(text, quoted_size(text));
  if (opens(text.front())) return trimmed_size(text, bracket_size(text));
  return trimmed_size(text, plain_size(text, is_in_brackets(line, begin)));
}

std::size_t cel_token_size(std::string_view line, std::size_t begin) {
  if (begin >= line.size()) return 1;
  const std::string_view text = line.substr(begin);
  if (is_quote(text.front())) {
    const std::size_t end = text.find(text.front(), 1);
    return end == kNone ? trimmed_size(text, text.size()) : end + 1;
  }
  std::size_t size = 0;
  while (size < text.size() && is_name_part(text[size]))
    ++size;
  if (size > 0) return size;
  const std::string_view pair = text.substr(0, 2);
  for (const std::string_view op : {"==", "!=", "<=", ">=", "&&", "||"}) {
    if (pair == op) return 2;
  }
  return 1;
}

}  // namespace dra::report
