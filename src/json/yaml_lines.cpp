// src/json/yaml_lines.cpp: see yaml_lines.h.

#include "src/json/yaml_lines.h"

#include <algorithm>

#include "dra/base/text.h"

namespace dra::json {
namespace {

// A # begins a comment behind white space only.
bool begins_comment(std::string_view text, std::size_t at) {
  return text[at] == '#' &&
         (at == 0 || text[at - 1] == ' ' || text[at - 1] == '\t' || text[at - 1] == '\n');
}

}  // namespace

bool is_quote(char c) { return c == '"' || c == '\''; }

std::size_t behind_quoted(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      if (quote == '"' || i + 1 >= text.size() || text[i + 1] != quote) return i + 1;
      ++i;
    }
  }
  return text.size();
}

std::size_t behind_plain(std::string_view text, std::size_t at) {
  std::size_t end = at;
  for (std::size_t i = at; i < text.size() && text[i] != '\n' && text[i] != '\r'; ++i) {
    const char c = text[i];
    if (c == ',' || c == '}' || c == ']' || begins_comment(text, i)) break;
    if (c == ':' && (i + 1 >= text.size() || text[i + 1] == ' ')) break;
    if (c != ' ' && c != '\t') end = i + 1;
  }
  return end;
}

std::size_t behind_member(std::string_view text, std::size_t at) {
  int depth = 0;
  for (std::size_t i = at; i < text.size(); ++i) {
    const char c = text[i];
    const bool quoted = is_quote(c) && (i == 0 || std::string_view(" \t\n:,[{").find(text[i - 1]) !=
                                                      std::string_view::npos);
    if (quoted) {
      i = behind_quoted(text, i) - 1;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      if (depth-- == 0) return i;
    } else if (c == ',' && depth == 0) {
      return i;
    } else if (begins_comment(text, i)) {
      i = std::min(text.find('\n', i), text.size()) - 1;
    }
  }
  return text.size();
}

std::size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

bool says_nothing(std::string_view line) {
  const std::string_view content = base::trim(line);
  return content.empty() || content.starts_with('#');
}

}  // namespace dra::json
