// src/json/yaml_words.cpp: see yaml_words.h.

#include "src/json/yaml_words.h"

#include <algorithm>
#include <cstddef>

#include "dra/base/text.h"

namespace dra::json {

std::string plain_words(const std::string& phrase) {
  const auto says = [&phrase](std::string_view words) {
    return phrase.find(words) != std::string::npos;
  };
  if (says("illegal map value"))
    return "a colon does not belong here: a value cannot hold another key; quote the text, or "
           "indent";
  if (says("end of map flow")) return "a { has no closing }";
  if (says("end of sequence flow")) return "a [ has no closing ]";
  if (says("end of map not found") || says("end of sequence not found"))
    return "the indentation does not match the lines above";
  if (says("illegal tab") || says("tab")) return "a tab cannot indent YAML; use spaces";
  if (says("EOF")) return "the text ends in the middle of a value";
  if (says("illegal map key")) return "no text can start with a ? and a space; quote the text";
  if (says("illegal block entry"))
    return "a - does not belong here: begin a new line, or quote the text";
  if (says("in block scalar")) return "the text of a block begins on the line below | or >";
  if (const std::size_t escape = phrase.rfind("unknown escape character: ");
      escape != std::string::npos)
    return base::format(
        "\\{} is not an escape in double quotes: write the backslash twice, or use single quotes",
        phrase.substr(phrase.size() - 1));
  if (says("illegal flow end")) return "this bracket closes nothing";
  if (says("document indicator")) return "a quoted text has no closing quote above this line";
  if (says("unknown token")) return "no value can start with this character; quote the text";
  if (says("bad file")) return "nested too deeply";
  if (says("expected <document start>"))
    return "this stands behind the end of the value above; indent it, or write --- between";
  if (says("anchor")) return "an alias names an anchor that is not defined above it";
  return phrase;
}

bool indented_by_tab(std::string_view text, std::uint32_t line) {
  for (std::uint32_t i = 1; i < line && !text.empty(); ++i) {
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  }
  text = text.substr(0, text.find('\n'));
  const std::size_t indent = text.find_first_not_of(" \t");
  return text.substr(0, indent).find('\t') != std::string_view::npos;
}

}  // namespace dra::json
