// src/cel/library/format_clauses.cpp: scans for percent signs and reads precision and verb of each
// clause.

#include "dra/cel/library/format_clauses.h"

#include <charconv>

#include "dra/base/text.h"
#include "dra/cel/library/library.h"
#include "dra/cel/syntax/utf8.h"

namespace dra::cel {
namespace {

constexpr Kinds kIntegers = kinds_of(ValueKind::Int, ValueKind::Uint);

struct Clause {
  char verb;
  Kinds kinds;
  std::string_view refusal;
};
constexpr Clause kClauses[] = {
    {'X', kIntegers | kinds_of(ValueKind::String, ValueKind::Bytes),
     "only integers, byte buffers, and strings can be formatted as hex, was given {}"},
    {'b', kIntegers | kinds_of(ValueKind::Bool),
     "only integers and bools can be formatted as binary, was given {}"},
    {'d', kIntegers, "decimal clause can only be used on integers, was given {}"},
    {'e', kinds_of(ValueKind::Double, ValueKind::String),
     "scientific clause can only be used on doubles, was given {}"},
    {'f', kinds_of(ValueKind::Double, ValueKind::String),
     "fixed-point clause can only be used on doubles, was given {}"},
    {'o', kIntegers, "octal clause can only be used on integers, was given {}"},
    {'s',
     kIntegers | kinds_of(ValueKind::Null, ValueKind::Bool, ValueKind::Double, ValueKind::String,
                          ValueKind::Bytes, ValueKind::Duration, ValueKind::Timestamp,
                          ValueKind::Type, ValueKind::List, ValueKind::Map),
     "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, "
     "durations, and timestamps, was given {}"},
    {'x', kIntegers | kinds_of(ValueKind::String, ValueKind::Bytes),
     "only integers, byte buffers, and strings can be formatted as hex, was given {}"},
};

const Clause* clause_of(char verb) {
  for (const Clause& clause : kClauses) {
    if (clause.verb == verb) return &clause;
  }
  return nullptr;
}

// The digits after the point in ".3f".
void read_precision(std::string_view digits, FormatPart& part) {
  std::int64_t value = 0;
  const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (end.ec == std::errc()) {
    part.precision = value;
    return;
  }
  part.problem = base::format(
      "error while parsing precision: error while converting precision to integer: strconv.Atoi: "
      "parsing \"{}\": {}",
      digits, digits.empty() ? "invalid syntax" : "value out of range");
}

// Reads what follows the percent sign; returns its length.
std::size_t read_clause(std::string_view text, FormatPart& part) {
  part.cut_off = text.empty();
  std::size_t at = 0;
  if (text.starts_with(".")) {
    at = text.find_first_not_of("0123456789", 1);
    if (at == std::string_view::npos) {
      part.problem = "error while parsing precision: could not find end of precision specifier";
      return text.size();
    }
    read_precision(text.substr(1, at - 1), part);
  }
  if (part.cut_off || !part.problem.empty()) return text.size();
  if (clause_of(text[at]) != nullptr) {
    part.verb = text[at];
    return at + 1;
  }
  // Upstream reads a byte and treats it as a character.
  std::string character;
  append_rune(character, static_cast<unsigned char>(text[at]));
  part.problem = base::format("unrecognized formatting clause \"{}\"", character);
  return text.size();
}

}  // namespace

std::vector<FormatPart> parse_format(std::string_view text) {
  std::vector<FormatPart> parts;
  while (!text.empty()) {
    FormatPart part;
    std::size_t length = std::min(text.find('%'), text.size());
    if (length > 0) {
      part.text = text.substr(0, length);
    } else if (text.starts_with("%%")) {
      part.text = text.substr(0, 1);
      length = 2;
    } else {
      length = 1 + read_clause(text.substr(1), part);
    }
    parts.push_back(std::move(part));
    text.remove_prefix(length);
  }
  return parts;
}

bool takes(char verb, ValueKind kind) {
  const Clause* clause = clause_of(verb);
  return clause != nullptr && (clause->kinds & kinds_of(kind)) != 0;
}

std::string refuse(char verb, std::string_view type) {
  const Clause* clause = clause_of(verb);
  return clause == nullptr ? std::string() : base::format(clause->refusal, type);
}

}  // namespace dra::cel
