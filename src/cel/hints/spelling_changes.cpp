// src/cel/hints/spelling_changes.cpp: quantities as people write them, and has() with something
// that is no field. See changes.h.

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "dra/base/quantity.h"
#include "dra/base/text.h"
#include "dra/cel/hints/changes.h"
#include "dra/cel/syntax/lexer.h"

namespace dra::cel {
namespace {

bool is_quantity(std::string_view text) { return base::Quantity::parse(text).ok(); }

// `80Gi` is two adjacent tokens.
void add_units(const std::vector<Token>& tokens, std::vector<Change>& out) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const Token& number = tokens[i];
    const Token& unit = tokens[i + 1];
    const bool amount = number.kind == TokenKind::Int || number.kind == TokenKind::Double;
    const bool touch = unit.kind == TokenKind::Identifier && number.span.end == unit.span.begin;
    if (!amount || !touch) continue;
    for (const std::string& text :
         near_quantities(std::string(number.text) + std::string(unit.text)))
      out.push_back({ChangeKind::Unit,
                     {number.span.begin, unit.span.end},
                     base::format("quantity(\"{}\")", text)});
  }
}

// The index of the bracket that matches the one at `from`.
std::optional<std::size_t> partner(const std::vector<Token>& tokens, std::size_t from) {
  const auto opens = [](const Token& token) {
    return token.is("(") || token.is("[") || token.is("{");
  };
  const auto closes = [](const Token& token) {
    return token.is(")") || token.is("]") || token.is("}");
  };
  const bool forward = opens(tokens[from]);
  int depth = 0;
  for (std::size_t i = from; i < tokens.size(); forward ? ++i : --i) {
    if (opens(tokens[i])) ++depth;
    if (closes(tokens[i])) --depth;
    if (depth == 0) return i;
    if (!forward && i == 0) break;
  }
  return std::nullopt;
}

// Replaces has(BASE[KEY]) by KEY in BASE.
void add_presences(const Source& source, const std::vector<Token>& tokens,
                   std::vector<Change>& out) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const bool begins =
        tokens[i].kind == TokenKind::Identifier && tokens[i].text == "has" && tokens[i + 1].is("(");
    const auto end = begins ? partner(tokens, i + 1) : std::nullopt;
    if (!end || !tokens[*end - 1].is("]")) continue;
    const auto open = partner(tokens, *end - 1);
    if (!open || *open <= i + 2) continue;
    const Span base{tokens[i + 2].span.begin, tokens[*open - 1].span.end};
    const Span key{tokens[*open + 1].span.begin, tokens[*end - 2].span.end};
    const bool negated = i > 0 && tokens[i - 1].is("!");
    std::string text = base::format(negated ? "({} in {})" : "{} in {}", source.text_of(key),
                                    source.text_of(base));
    out.push_back(
        {ChangeKind::Presence, {tokens[i].span.begin, tokens[*end].span.end}, std::move(text)});
  }
}

}  // namespace

std::vector<std::string> near_quantities(std::string_view text) {
  constexpr std::array<std::string_view, 6> units{"k", "M", "G", "T", "P", "E"};
  std::string number;
  std::string unit;
  for (const char c : text) {
    if (c == ' ' || c == '_' || c == ',') continue;
    const bool digit = (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+';
    if (digit && !unit.empty()) return {};
    (digit ? number : unit) += c;
  }
  const std::string plain = number + unit;
  if (is_quantity(plain)) return {plain};
  if (!is_quantity(number)) return {};
  unit = base::lower(unit);
  if (unit.ends_with('b')) unit.pop_back();
  if (unit.empty()) return {number};
  for (const std::string_view one : units) {
    const std::string decimal = base::lower(one);
    const std::string binary = one == "k" ? "Ki" : std::string(one) + "i";
    // Devices publish memory in binary units, which people mean by `g`.
    if (unit == decimal) return {number + binary, number + std::string(one)};
    if (unit == decimal + "i") return {number + binary};
  }
  return {};
}

std::vector<Change> spelling_changes(const Source& source) {
  const std::vector<Token> tokens = tokens_of(source);
  std::vector<Change> out;
  add_units(tokens, out);
  add_presences(source, tokens, out);
  return out;
}

}  // namespace dra::cel
