// src/checks/manifest/yaml_value_repairs.cpp: repairs of one value: what its author may have meant,
// in quotes that YAML needs.

#include <algorithm>
#include <array>
#include <variant>

#include "dra/base/text.h"
#include "dra/json/yaml.h"
#include "dra/json/yaml_places.h"
#include "src/checks/manifest/yaml_repairs.h"

namespace dra::checks {
namespace {

using base::format;
using json::Position;

constexpr std::string_view kQuotes = "\"'";

bool is_quote(char c) { return kQuotes.find(c) != std::string_view::npos; }

// Quotes of a word processor.
constexpr std::size_t kCurlySize = 3;  // bytes of each
bool is_curly(std::string_view text) {
  return std::ranges::any_of(
      std::array<std::string_view, 4>{"\u201c", "\u201d", "\u2018", "\u2019"},
      [text](std::string_view curly) { return text.starts_with(curly); });
}

// The text between quotes, as its author reads it: with a backslash before a quote, or two quotes.
std::string without_escapes(std::string_view text, char quote) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    const bool escape = text[i] == '\\' && (is_quote(next) || (quote == '"' && next == '\\'));
    const bool doubled = quote == '\'' && text[i] == quote && next == quote;
    if (escape || doubled) ++i;
    plain += text[i];
  }
  return plain;
}

std::string with_double_backslashes(std::string_view text) {
  std::string doubled;
  for (const char c : text)
    doubled.append(c == '\\' ? 2 : 1, c);
  return doubled;
}

std::vector<std::string> meant_with_quotes(std::string_view text) {
  std::vector<std::string> meant;
  const char quote = text.front();
  const std::size_t end = json::end_of_quoted(text);
  const auto add = [&](std::string_view inner) {
    meant.push_back(without_escapes(inner, quote));
    if (meant.back() != inner) meant.emplace_back(inner);
  };
  if (end < text.size() && text.find_first_not_of(";, ", end) == std::string_view::npos)
    add(text.substr(1, end - 2));
  if (text.size() > 1 && text.back() == quote) add(text.substr(1, text.size() - 2));
  if (end == std::string_view::npos) add(text.substr(1));
  meant.emplace_back(text);
  add(text.substr(1));
  return meant;
}

// The texts that the author of a value may have meant, the likeliest first.
std::vector<std::string> meant_by(std::string_view text) {
  std::vector<std::string> meant;
  if (is_quote(text.front())) {
    meant = meant_with_quotes(text);
  } else if (text.front() == '`' && text.size() > 1 && text.ends_with('`')) {
    meant = {std::string(text.substr(1, text.size() - 2)), std::string(text)};
  } else if (is_curly(text) && text.size() > 2 * kCurlySize) {
    meant = {std::string(text.substr(kCurlySize, text.size() - 2 * kCurlySize))};
  } else if (text.front() == '|' || text.front() == '>') {
    meant.emplace_back(base::trim(text.substr(text.find_first_not_of("|>+-"))));
  } else {
    meant.emplace_back(text);
  }
  const std::size_t comment = text.rfind(" #");
  if (comment != std::string_view::npos) meant.emplace_back(base::trim(text.substr(0, comment)));
  if (text.find('\\') == std::string_view::npos) return meant;
  const std::size_t count = meant.size();
  for (std::size_t i = 0; i < count; ++i)
    meant.push_back(with_double_backslashes(meant[i]));
  return meant;
}

bool reads_as(std::string_view written, std::string_view text, bool in_braces) {
  const auto read = json::read_yaml(format(in_braces ? "{{k: {}}}" : "k: {}", written));
  const auto* documents = std::get_if<std::vector<json::Value>>(&read);
  const json::Value* value =
      documents == nullptr || documents->size() != 1 ? nullptr : documents->front().find("k");
  return value != nullptr && value->is(json::Kind::String) && value->text() == text;
}

// The text as a value: without quotes if it can be, otherwise in those that need no escapes. Empty:
// it is best written as a block.
std::string yaml_value(const std::string& text, bool in_braces) {
  std::string doubled = "'";
  for (const char c : text)
    doubled.append(c == '\'' ? 2 : 1, c);
  doubled += '\'';
  std::vector<std::string> ways = {text};
  if (text.find('\'') == std::string::npos) ways.push_back(format("'{}'", text));
  if (text.find_first_of("\"\\") == std::string::npos) ways.push_back(format("\"{}\"", text));
  if (in_braces) ways.push_back(doubled);
  const auto way = std::ranges::find_if(
      ways, [&](const std::string& one) { return reads_as(one, text, in_braces); });
  return way == ways.end() ? std::string() : *way;
}

struct Reason {
  std::size_t at = 0;  // offset in the value
  std::string message = {};
};

Reason reason_of_quotes(std::string_view text) {
  const std::size_t end = json::end_of_quoted(text);
  if (end == std::string_view::npos)
    return {0, "the quoted text that starts here has no closing quote"};
  if (end < text.size() && !base::trim(text.substr(end)).starts_with('#'))
    return {end - 1, "YAML ends the value at this quote, and more text follows"};
  for (std::size_t i = 1; text.front() == '"' && i + 1 < end; ++i) {
    if (text[i] != '\\') continue;
    constexpr std::string_view known = "0abtnvfre \"/\\N_LPxuU'";
    if (known.find(text[i + 1]) == std::string_view::npos)
      return {i, format("\\{} is not an escape in double quotes", text[i + 1])};
    ++i;
  }
  return {};
}

// Why YAML does not read the value as its author does; without a message if it does.
Reason reason_of(std::string_view text) {
  const char first = text.front();
  constexpr std::string_view quote = "put quotes around the value";
  if (is_quote(first)) return reason_of_quotes(text);
  if (first == '!') return {0, format("YAML takes text that begins with ! for a tag: {}", quote)};
  if (first == '&')
    return {0, format("YAML takes text that begins with & for an anchor: {}", quote)};
  if (first == '*')
    return {0, format("YAML takes text that begins with * for an alias: {}", quote)};
  if (first == '[' || first == '{')
    return {0, format("YAML takes text that begins with {} for {}: {}", first,
                      first == '[' ? "a list" : "an object", quote)};
  if ((first == '|' || first == '>') && text.find_first_not_of("|>+-0123456789") < text.size())
    return {0, "the text of a block begins on the line below | or >"};
  if (std::string_view("%@`,]}").find(first) != std::string_view::npos)
    return {0, format("no value can start with {}: {}", first, quote)};
  if (text.starts_with("- ") || text.starts_with("? "))
    return {0, format("no value can start with {} and a space: {}", first, quote)};
  if (is_curly(text))
    return {0, "YAML and CEL do not accept this as a quotation mark: write \" or '"};
  const std::size_t comment = text.find(" #");
  if (comment != std::string_view::npos)
    return {comment + 1, format("YAML takes what follows this # for a comment: {}", quote)};
  const std::size_t colon = text.find(": ");
  if (colon != std::string_view::npos)
    return {colon, format("YAML takes this colon for the end of a key: {}", quote)};
  if (text.ends_with(':'))
    return {text.size() - 1, format("YAML takes this colon for the end of a key: {}", quote)};
  return {};
}

Position position_in(std::uint32_t number, std::size_t offset) {
  return {number, static_cast<std::uint32_t>(offset + 1)};
}

// The ends of a value in braces: where a comma or brace ends it for a reader who minds quotes and
// brackets, and the last brace of the line.
std::vector<std::size_t> ends_in_braces(std::string_view line, std::size_t from) {
  std::vector<std::size_t> ends;
  int depth = 0;
  char quote = '\0';
  std::size_t i = from;
  // Of the first quotes YAML knows the end, behind escapes.
  if (i < line.size() && is_quote(line[i])) {
    const std::size_t end = json::end_of_quoted(line.substr(i));
    if (end != std::string_view::npos) i += end;
  }
  for (; i < line.size() && ends.empty(); ++i) {
    const char c = line[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (is_quote(c)) {
      quote = c;
    } else if (c == '{' || c == '[' || c == '(') {
      ++depth;
    } else if ((c == '}' && depth == 0) || (c == ',' && depth == 0)) {
      ends.push_back(i);
    } else if (c == '}' || c == ']' || c == ')') {
      --depth;
    }
  }
  const std::size_t last = line.find_last_not_of("} \r");
  if (last != std::string_view::npos && last >= from &&
      (ends.empty() || ends.front() != last + 1) && last + 1 < line.size())
    ends.push_back(last + 1);
  return ends;
}

// Why braces do not hold the value as its author reads it; without a message if they do. In quotes
// they hold everything.
Reason reason_in_braces(std::string_view written) {
  Reason reason = reason_of(written);
  const std::size_t special = written.find_first_of("[]{},");
  if (!reason.message.empty() || is_quote(written.front()) || special == std::string_view::npos)
    return reason;
  return {special, format("a {} ends or begins something in braces: put quotes around the value",
                          written[special])};
}

// `{key: value, ...}`: each value by itself.
void repair_in_braces(std::string_view line, std::uint32_t number, std::size_t begin,
                      std::vector<YamlRepair>& repairs) {
  for (std::size_t at = begin; at < line.size(); ++at) {
    if (line[at] != '{' && line[at] != ',') continue;
    const KeyLine key = key_line_of(line.substr(at + 1));
    if (key.key.empty() || key.text.empty()) continue;
    const std::size_t value = at + 1 + key.value;
    for (const std::size_t end : ends_in_braces(line, value)) {
      const std::string_view written = base::trim(line.substr(value, end - value));
      if (written.empty() || written.starts_with('{')) continue;
      const Reason reason = reason_in_braces(written);
      if (reason.message.empty()) continue;
      for (const std::string& meant : meant_by(written)) {
        const std::string text = yaml_value(meant, true);
        if (text.empty()) continue;
        repairs.push_back(
            {.first = number,
             .last = number,
             .lines = {format("{}{}{}", line.substr(0, value), text, line.substr(end))},
             .at = position_in(number, value + reason.at),
             .key_line = number,
             .key = key.key,
             .certain = true,
             .message = reason.message});
      }
    }
  }
}

}  // namespace

void repair_value(const YamlLines& lines, std::uint32_t number, std::vector<YamlRepair>& repairs) {
  const std::string_view line = lines[number - 1];
  const KeyLine key = key_line_of(line);
  if (key.key.empty() || key.text.empty()) return;
  if (key.text.starts_with('{') || key.text.starts_with('['))
    repair_in_braces(line, number, key.value, repairs);
  const Reason reason = reason_of(key.text);
  if (reason.message.empty()) return;
  const std::string_view before = line.substr(0, key.value);
  for (const std::string& meant : meant_by(key.text)) {
    const std::string text = yaml_value(meant, false);
    YamlRepair repair{.first = number,
                      .last = number,
                      .lines = {std::string(before) + text},
                      .at = position_in(number, key.value + reason.at),
                      .key_line = number,
                      .key = key.key,
                      .certain = true,
                      .message = reason.message};
    if (text.empty())
      repair.lines = {format("{}|-", before), std::string(key.column + 2, ' ') + meant};
    repairs.push_back(std::move(repair));
  }
}

}  // namespace dra::checks
