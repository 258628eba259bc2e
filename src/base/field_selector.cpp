// src/base/field_selector.cpp: splits the text at commas into terms, and each term at its operator.

#include "dra/base/field_selector.h"

#include "dra/base/text.h"

namespace dra::base {
namespace {

constexpr std::string_view kSpecial = "\\,=";

Error bad_term(std::string_view term, std::string_view why) {
  return {ErrorKind::BadInput, format("the term \"{}\" {}", term, why),
          "terms are FIELD=VALUE or FIELD!=VALUE, joined by commas; within a value, commas, equals "
          "signs and backslashes stand behind a backslash"};
}

// Splits at commas that are not escaped. The backslashes stay.
std::vector<std::string_view> split_terms(std::string_view text) {
  std::vector<std::string_view> terms;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == ',') {
      terms.push_back(text.substr(start, i - start));
      start = i + 1;
    }
  }
  terms.push_back(text.substr(start));
  return terms;
}

Result<std::string> unescape(std::string_view term, std::string_view value) {
  std::string out;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] == ',' || value[i] == '=') {
      return bad_term(term, format("has a second \"{}\" in its value", value[i]));
    }
    if (value[i] == '\\' &&
        (++i == value.size() || kSpecial.find(value[i]) == std::string_view::npos)) {
      return bad_term(term, "has a backslash that escapes nothing");
    }
    out += value[i];
  }
  return out;
}

Result<FieldTerm> read_term(std::string_view term) {
  const std::size_t equals = term.find('=');
  const std::size_t differs = term.find("!=");
  if (equals == std::string_view::npos) return bad_term(term, "has no = and no !=");
  const bool equal = differs == std::string_view::npos || equals < differs;
  std::size_t value = equals + 1;
  if (equal && term.substr(value).starts_with('=')) ++value;
  std::string text = DRA_TRY(unescape(term, term.substr(value)));
  return FieldTerm{std::string(term.substr(0, equal ? equals : differs)), std::move(text), equal};
}

}  // namespace

Result<std::vector<FieldTerm>> parse_field_selector(std::string_view text) {
  std::vector<FieldTerm> terms;
  for (const std::string_view term : split_terms(trim(text))) {
    if (!term.empty()) terms.push_back(DRA_TRY(read_term(term)));
  }
  return terms;
}

std::string escape_field_value(std::string_view value) {
  std::string out;
  for (const char c : value) {
    if (kSpecial.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

}  // namespace dra::base
