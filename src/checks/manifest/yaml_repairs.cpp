// src/checks/manifest/yaml_repairs.cpp: repairs of lines: indentation, blocks, colons, brackets.

#include "src/checks/manifest/yaml_repairs.h"

#include <algorithm>
#include <set>

#include "dra/base/ascii.h"
#include "dra/base/text.h"

namespace dra::checks {
namespace {

using base::format;
using json::Position;

// How far above the failure its cause is looked for.
constexpr std::uint32_t kMostLines = 200;

bool is_key_character(char c) {
  return base::is_letter_or_digit(c) || c == '.' || c == '_' || c == '-' || c == '/';
}

std::size_t spaces_before(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

// The offset of what stands behind the dashes of items.
std::size_t behind_dashes(std::string_view line) {
  std::size_t at = spaces_before(line);
  while (line.substr(at).starts_with("- "))
    at = std::min(line.find_first_not_of(' ', at + 1), line.size());
  return at;
}

std::size_t end_of_key(std::string_view line, std::size_t at) {
  while (at < line.size() && is_key_character(line[at]))
    ++at;
  return at;
}

bool is_blank_line(std::string_view line) { return base::trim(line).empty(); }

Position start_of(const YamlLines& lines, std::uint32_t number) {
  return {number, static_cast<std::uint32_t>(spaces_before(lines[number - 1]) + 1)};
}

// The line above that is not blank; 0 if there is none.
std::uint32_t line_above(const YamlLines& lines, std::uint32_t number) {
  while (--number > 0 && is_blank_line(lines[number - 1])) {
  }
  return number;
}

std::string indented(std::string_view line, std::size_t spaces) {
  return std::string(spaces, ' ') + std::string(line.substr(spaces_before(line)));
}

bool is_block_header(std::string_view value) {
  value = base::trim(value.substr(0, value.find(" #")));
  return !value.empty() && (value.front() == '|' || value.front() == '>') &&
         value.find_first_not_of("+-0123456789", 1) == std::string_view::npos;
}

// --- tabs

std::size_t leading_tabs(std::string_view line) {
  const std::size_t end = std::min(line.find_first_not_of(" \t"), line.size());
  return static_cast<std::size_t>(std::ranges::count(line.substr(0, end), '\t'));
}

void repair_tabs(const YamlLines& lines, std::uint32_t number, std::vector<YamlRepair>& repairs) {
  const std::size_t tabs = leading_tabs(lines[number - 1]);
  if (tabs == 0) return;
  const std::uint32_t above = line_above(lines, number);
  std::size_t spaces = 0;
  if (above > 0) {
    const KeyLine key = key_line_of(lines[above - 1]);
    const bool opens = !key.key.empty() && (key.text.empty() || is_block_header(key.text));
    spaces = opens ? key.column + 2 : behind_dashes(lines[above - 1]);
  }
  YamlRepair repair{.first = number,
                    .at = {number, static_cast<std::uint32_t>(lines[number - 1].find('\t') + 1)},
                    .message = "a tab cannot indent YAML; use spaces"};
  std::uint32_t line = number;
  for (; line <= lines.size() && leading_tabs(lines[line - 1]) > 0; ++line) {
    const std::string_view text = lines[line - 1];
    const std::size_t deeper = std::max(leading_tabs(text), tabs) - tabs;
    repair.lines.push_back(std::string(spaces + 2 * deeper, ' ') + std::string(base::trim(text)));
  }
  repair.last = line - 1;
  repairs.push_back(std::move(repair));
}

// --- a quote that is opened above and closed by the next one

void repair_quote_above(const YamlLines& lines, std::uint32_t number,
                        std::vector<YamlRepair>& repairs) {
  for (std::uint32_t above = number - 1; above > 0 && number - above < kMostLines; --above) {
    const KeyLine key = key_line_of(lines[above - 1]);
    const bool opens = key.text.starts_with('"') || key.text.starts_with('\'');
    const auto quotes = opens ? std::ranges::count(key.text, key.text.front()) : 0;
    if (quotes % 2 == 1) return repair_value(lines, above, repairs);
  }
}

// --- spaces and colons

// `key:value`, which is no key.
void repair_space(const YamlLines& lines, std::uint32_t number, std::vector<YamlRepair>& repairs) {
  constexpr std::string_view wide_space = "\xc2\xa0";
  for (std::uint32_t line = number; line > 0 && number - line < 3; --line) {
    const std::string_view text = lines[line - 1];
    const std::size_t begin = behind_dashes(text);
    const std::size_t colon = end_of_key(text, begin);
    if (colon == begin || colon + 1 >= text.size() || text[colon] != ':') continue;
    std::string_view value = text.substr(colon + 1);
    if (value.starts_with(' ') || value.starts_with("//")) continue;
    if (value.starts_with(wide_space)) value.remove_prefix(wide_space.size());
    repairs.push_back({.first = line,
                       .last = line,
                       .lines = {format("{}: {}", text.substr(0, colon), value)},
                       .at = {line, static_cast<std::uint32_t>(colon + 1)},
                       .certain = true,
                       .message = "a space is missing after this colon"});
  }
}

void repair_colon(const YamlLines& lines, std::uint32_t number, std::vector<YamlRepair>& repairs) {
  for (const std::uint32_t line : {line_above(lines, number), number}) {
    if (line == 0) continue;
    const std::string_view text = lines[line - 1];
    const std::size_t begin = behind_dashes(text);
    const std::size_t end = end_of_key(text, begin);
    if (end == begin || !is_blank_line(text.substr(end))) continue;
    repairs.push_back({.first = line,
                       .last = line,
                       .lines = {format("{}:", text.substr(0, end))},
                       .at = {line, static_cast<std::uint32_t>(end + 1)},
                       .certain = true,
                       .message = "a colon is missing after this key"});
  }
}

// --- values over several lines

// The last line of what can only be text below a key at `column`: no line of it is a key there or
// further left.
std::uint32_t end_of_text(const YamlLines& lines, std::uint32_t first, std::size_t column) {
  std::uint32_t line = first;
  for (; line <= lines.size(); ++line) {
    const std::string_view text = lines[line - 1];
    const KeyLine key = key_line_of(text);
    const bool is_key = !key.key.empty() && spaces_before(text) <= column;
    const bool is_item = spaces_before(text) < column && base::trim(text).starts_with("- ");
    if (is_key || is_item || text.starts_with("---")) break;
  }
  while (line > first && is_blank_line(lines[line - 2]))
    --line;
  return line - 1;
}

void repair_block(const YamlLines& lines, std::uint32_t header, const KeyLine& key,
                  std::vector<YamlRepair>& repairs) {
  const std::string_view line = lines[header - 1];
  const std::size_t digit = key.text.find_first_of("0123456789");
  if (digit != std::string_view::npos && digit < 3)
    repairs.push_back(
        {.first = header,
         .last = header,
         .lines = {format("{}{}", line.substr(0, key.value + digit),
                          line.substr(key.value + digit + 1))},
         .at = {header, static_cast<std::uint32_t>(key.value + digit + 1)},
         .key_line = header,
         .message = format("the lines of the block are not indented by {} spaces more than the "
                           "key: omit the number",
                           key.text[digit])});
  const std::uint32_t first = header + 1;
  const std::uint32_t last = end_of_text(lines, first, key.column);
  if (last < first) return;
  const std::size_t written = spaces_before(lines[first - 1]);
  const bool flat = written <= key.column;
  const std::size_t least = flat ? key.column + 2 : written;
  YamlRepair repair{.first = first,
                    .last = last,
                    .at = start_of(lines, first),
                    .key_line = header,
                    .message = "the lines of a block must be indented more than its key"};
  for (std::uint32_t number = first; number <= last; ++number) {
    const std::string_view text = lines[number - 1];
    const std::size_t spaces = spaces_before(text) + (flat ? least - written : 0);
    if (!flat && spaces < least && repair.at.line == first && !is_blank_line(text)) {
      repair.at = start_of(lines, number);
      repair.message = "the lines of a block must not be indented less than its first line";
    }
    repair.lines.push_back(is_blank_line(text) ? std::string()
                                               : indented(text, std::max(spaces, least)));
  }
  repairs.push_back(std::move(repair));
}

void repair_continued(const YamlLines& lines, std::uint32_t number,
                      std::vector<YamlRepair>& repairs) {
  for (std::uint32_t above = number; above > 0 && number - above < kMostLines; --above) {
    const KeyLine key = key_line_of(lines[above - 1]);
    if (key.key.empty() || key.text.empty()) continue;
    if (is_block_header(key.text)) return repair_block(lines, above, key, repairs);
    const std::uint32_t first = above + 1;
    const std::uint32_t last = end_of_text(lines, first, key.column);
    if (above == number || last < first) continue;
    YamlRepair repair{.first = first,
                      .last = last,
                      .at = start_of(lines, first),
                      .key_line = above,
                      .message =
                          "a value that goes on in the next line must be indented more than "
                          "its key there"};
    for (std::uint32_t line = first; line <= last; ++line)
      repair.lines.push_back(indented(lines[line - 1], key.column + 2));
    repairs.push_back(std::move(repair));
    return;
  }
}

// --- brackets

// The brackets that a line opens and does not close, outside of quotes.
std::string open_brackets(std::string_view line, std::size_t& first) {
  std::string open;
  char quote = '\0';
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '{' || c == '[') {
      if (open.empty()) first = i;
      open += c;
    } else if ((c == '}' || c == ']') && !open.empty()) {
      open.pop_back();
    }
  }
  return open;
}

void repair_bracket(const YamlLines& lines, std::uint32_t number,
                    std::vector<YamlRepair>& repairs) {
  for (std::uint32_t line = number; line > 0 && number - line < kMostLines; --line) {
    if (line > lines.size()) continue;
    const std::string_view text = lines[line - 1];
    std::size_t first = 0;
    std::string open = open_brackets(text, first);
    if (open.empty()) continue;
    std::string closed(text.substr(0, text.find_last_not_of(" ,\r") + 1));
    std::reverse(open.begin(), open.end());
    for (const char c : open)
      closed += c == '{' ? '}' : ']';
    repairs.push_back({.first = line,
                       .last = line,
                       .lines = {std::move(closed)},
                       .at = {line, static_cast<std::uint32_t>(first + 1)},
                       .message = format("this {} has no closing {}", open.back(),
                                         open.back() == '{' ? '}' : ']')});
    return;
  }
}

// --- indentation

// The columns at which the lines above begin something that is still open.
std::set<std::size_t> columns_above(const YamlLines& lines, std::uint32_t number) {
  std::set<std::size_t> columns;
  std::size_t least = std::string_view::npos;
  for (std::uint32_t above = line_above(lines, number); above > 0 && number - above < kMostLines;
       above = line_above(lines, above)) {
    const std::string_view text = lines[above - 1];
    const std::size_t spaces = spaces_before(text);
    const KeyLine key = key_line_of(text);
    if (!key.key.empty() && key.text.empty() && columns.empty()) columns.insert(key.column + 2);
    if (spaces >= least || base::trim(text).starts_with('#')) continue;
    least = spaces;
    columns.insert(spaces);
    columns.insert(behind_dashes(text));
  }
  return columns;
}

void repair_indentation(const YamlLines& lines, std::uint32_t number,
                        std::vector<YamlRepair>& repairs) {
  const std::size_t written = spaces_before(lines[number - 1]);
  std::uint32_t last = number;
  while (last < lines.size() && spaces_before(lines[last]) > written)
    ++last;
  std::vector<std::size_t> columns;
  for (const std::size_t column : columns_above(lines, number)) {
    if (column != written) columns.push_back(column);
  }
  const auto distance = [written](std::size_t column) {
    return column > written ? column - written : written - column;
  };
  std::ranges::stable_sort(columns, {}, distance);
  for (const std::size_t column : columns) {
    YamlRepair repair{
        .first = number,
        .last = last,
        .at = start_of(lines, number),
        .message = format("the indentation does not match the lines above: it is {} spaces, {} "
                          "would match",
                          written, column)};
    for (std::uint32_t line = number; line <= last; ++line) {
      const std::size_t spaces = spaces_before(lines[line - 1]);
      repair.lines.push_back(indented(lines[line - 1], spaces + column - written));
    }
    repairs.push_back(std::move(repair));
  }
}

}  // namespace

KeyLine key_line_of(std::string_view line) {
  KeyLine found{.column = behind_dashes(line)};
  const std::size_t end = end_of_key(line, found.column);
  const bool ends = end > found.column && end < line.size() && line[end] == ':';
  if (!ends || (end + 1 < line.size() &&
                std::string_view(" \t\r").find(line[end + 1]) == std::string_view::npos))
    return {};
  found.key = line.substr(found.column, end - found.column);
  found.value = std::min(line.find_first_not_of(" \t\r", end + 1), line.size());
  found.text = base::trim(line.substr(found.value));
  return found;
}

std::vector<YamlRepair> yaml_repairs(const YamlLines& lines, std::uint32_t number) {
  std::vector<YamlRepair> repairs;
  if (number == 0 || lines.empty()) return repairs;
  number = std::min(number, static_cast<std::uint32_t>(lines.size()));
  repair_tabs(lines, number, repairs);
  repair_value(lines, number, repairs);
  repair_quote_above(lines, number, repairs);
  repair_space(lines, number, repairs);
  repair_continued(lines, number, repairs);
  repair_colon(lines, number, repairs);
  repair_bracket(lines, number, repairs);
  repair_indentation(lines, number, repairs);
  return repairs;
}

}  // namespace dra::checks
