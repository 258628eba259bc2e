// src/json/yaml_properties.cpp: see yaml_properties.h.

#include "src/json/yaml_properties.h"

#include <algorithm>
#include <cstddef>

#include "dra/base/ascii.h"
#include "dra/json/yaml_places.h"

namespace dra::json {
namespace {

bool ends_property(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool is_word(char c) { return base::is_letter_or_digit(c) || c == '_' || c == '-'; }

// yaml_parser_scan_anchor of the library behind kubectl: `name` stands behind the & up to a blank.
bool is_anchor_name(std::string_view name) {
  const auto end = std::ranges::find_if_not(name, is_word);
  if (end == name.begin()) return false;
  return end == name.end() || std::string_view("?:,]}%@`").find(*end) != std::string_view::npos;
}

// yaml_parser_scan_tag and the parser behind it: `tag` stands behind the ! up to a blank. Only !
// and !! are handles without a directive.
bool is_tag(std::string_view tag) {
  if (tag.empty() || tag.starts_with('<')) return true;
  const auto end = std::ranges::find_if_not(tag, is_word);
  if (end != tag.begin() && end != tag.end() && *end == '!') return false;
  if (tag == "!") return false;
  return std::ranges::all_of(tag, [](char c) {
    return is_word(c) || std::string_view(";/?:@&=+$,.!~*'()[]%").find(c) != std::string_view::npos;
  });
}

bool is_property(std::string_view text) { return text.starts_with('&') || text.starts_with('!'); }

std::string_view property_name(std::string_view text) {
  const auto end = std::ranges::find_if(text, ends_property) - text.begin();
  return text.substr(1, static_cast<std::size_t>(end) - 1);
}

std::string_view behind_property(std::string_view text) {
  text.remove_prefix(property_name(text).size() + 1);
  return text.substr(std::min(text.find_first_not_of(" \r\n"), text.size()));
}

}  // namespace

char wrong_property(std::string_view text, bool in_flow) {
  while (is_property(text)) {
    const char mark = text.front();
    const std::string_view name = property_name(text);
    // The library takes commas and brackets for characters of a tag, and then misses them.
    const bool cut = in_flow && name.find_first_of(",[]{}") != std::string_view::npos;
    if (mark == '&' ? !is_anchor_name(name) : cut || !is_tag(name)) return mark;
    text = behind_property(text);
  }
  return 0;
}

bool has_tag(std::string_view text) {
  while (text.starts_with('&'))
    text = behind_property(text);
  return text.starts_with('!');
}

std::string_view behind_properties(std::string_view text) {
  while (is_property(text))
    text = behind_property(text);
  return text;
}

bool quote_closes(std::string_view from_quote) {
  if (!from_quote.starts_with('"') && !from_quote.starts_with('\'')) return true;
  return end_of_quoted(from_quote) != std::string_view::npos;
}

}  // namespace dra::json
