// src/cel/hints/operator_changes.cpp: replaces operators of other languages. See changes.h.

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "dra/base/text.h"
#include "dra/cel/hints/changes.h"
#include "dra/cel/syntax/lexer.h"

namespace dra::cel {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kWords{
    {{"and", "&&"}, {"or", "||"}, {"not", "!"}}};

bool ends_operand(const Token& token) {
  const bool word = token.kind != TokenKind::Symbol && token.kind != TokenKind::In &&
                    token.kind != TokenKind::Invalid && token.kind != TokenKind::End;
  return word || token.is(")") || token.is("]") || token.is("}");
}

// Replaces a name in a position where only an operator is possible.
std::optional<Change> word_change(const std::vector<Token>& tokens, std::size_t i) {
  if (tokens[i].kind != TokenKind::Identifier) return std::nullopt;
  const std::string word = base::lower(tokens[i].text);
  for (const auto& [name, meaning] : kWords) {
    if (word != name) continue;
    const bool behind_operand = i > 0 && ends_operand(tokens[i - 1]);
    const bool behind_dot = i > 0 && tokens[i - 1].is(".");
    const bool before_operand =
        i + 1 < tokens.size() &&
        (tokens[i + 1].is("(") || tokens[i + 1].is("!") || tokens[i + 1].is("[") ||
         (ends_operand(tokens[i + 1]) && !tokens[i + 1].is(")") && !tokens[i + 1].is("]")));
    const bool fits = name == "not" ? !behind_operand : behind_operand;
    if (fits && before_operand && !behind_dot) {
      return Change{ChangeKind::Operator, tokens[i].span, std::string(meaning)};
    }
  }
  return std::nullopt;
}

// Completes half of an operator.
std::optional<Change> symbol_change(const Source& source, const Token& token) {
  if (token.kind != TokenKind::Invalid) return std::nullopt;
  const Span span{token.span.begin, token.span.begin + 1};
  const std::string_view symbol = source.text_of(span);
  if (symbol != "=" && symbol != "&" && symbol != "|") return std::nullopt;
  return Change{ChangeKind::Operator, span, std::string(symbol) + std::string(symbol)};
}

// The first change from a position on.
std::optional<Change> next_change(const Source& source, std::uint32_t from) {
  const std::vector<Token> tokens = tokens_of(source);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].span.begin < from) continue;
    if (auto change = word_change(tokens, i)) return change;
    if (auto change = symbol_change(source, tokens[i])) return change;
  }
  return std::nullopt;
}

}  // namespace

std::string changed(const Source& source, std::vector<Change> changes) {
  std::ranges::sort(changes, {}, [](const Change& change) { return change.span.begin; });
  std::string out;
  std::uint32_t at = 0;
  for (const Change& change : changes) {
    out += source.text_of({at, change.span.begin});
    out += change.text;
    at = change.span.end;
  }
  out += source.text_of({at, source.size()});
  return out;
}

// The tokens after an invalid one are not known, so each change is applied before the search for
// the next one.
std::vector<Change> operator_changes(const Source& source) {
  constexpr std::size_t most = 100;
  std::vector<Change> changes;
  std::uint32_t original = 0;  // offset in the original text that corresponds to `done`
  std::uint32_t done = 0;
  Source current = source;
  while (changes.size() < most) {
    std::optional<Change> change = next_change(current, done);
    if (!change) break;
    const Span place{change->span.begin - done + original, change->span.end - done + original};
    done = change->span.begin + static_cast<std::uint32_t>(change->text.size());
    original = place.end;
    current = Source(changed(current, {*change}));
    changes.push_back({change->kind, place, std::move(change->text)});
  }
  return changes;
}

}  // namespace dra::cel
